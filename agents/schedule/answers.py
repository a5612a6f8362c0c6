"""What a text means for a question of ours about reminders, and right after one was set."""

from dataclasses import replace
from datetime import timedelta

from agents.schedule.changes import ReminderChanges
from agents.schedule.choices import KEPT, Choices, chosen
from agents.schedule.completions import completed
from agents.schedule.moves import ReminderMoves
from agents.schedule.outcome import LISTED, REMOVED, SOFT, SOFT_MANY
from agents.schedule.pauses import ReminderPauses
from agents.schedule.questions import TOLD, Rules
from agents.schedule.setting import LONGEST_WHAT, ReminderSetting
from agents.schedule.timing import Timing, clocks_of, hours_of, timing_of
from bot.core.agents import AgentResult, Turn, zone_of
from bot.core.codec import from_json
from bot.core.messages import TextBlock
from bot.core.recurrence import Rule
from bot.core.schedules import Schedules
from bot.core.sessions import Pending
from bot.core.words import Text
from bot.language.amendments import only_said
from bot.language.answers import classify_answer
from bot.language.named_orders import is_called
from bot.language.reminders import Reminder, parse_reminder

DONE = frozenset({SOFT, SOFT_MANY, REMOVED})
"""Soft questions that hold what was done last."""


class ReminderAnswers:
    """Follows answers; what is missing then is asked, the rest is done."""

    def __init__(
        self,
        schedules: Schedules,
        *,
        setting: ReminderSetting,
        changes: ReminderChanges,
        moves: ReminderMoves,
        pauses: ReminderPauses,
    ) -> None:
        """Take what answers lead to."""
        self._schedules = schedules
        self._setting = setting
        self._changes = changes
        self._moves = moves
        self._pauses = pauses

    async def follow(self, turn: Turn, pending: Pending) -> AgentResult | None:
        """Return what the text means for the open question; None when it is a new wish."""
        answer = classify_answer(turn.query)
        if pending.name in DONE or pending.name == LISTED:
            return await self._about_last(turn, pending)
        if pending.name == "delete_all":
            return await self._about_all(turn, pending, answer.kind)
        if answer.kind in {"cancel", "deny"}:
            is_stored = pending.name in {"change", "scope"}
            return _say("schedule.unchanged" if is_stored else "schedule.cancelled")
        words = answer.rest if answer.kind == "correct" else turn.query
        what = str(pending.state.get("what", ""))
        match pending.name:
            case "change" | "scope":
                schedule_id = str(pending.state.get("schedule", ""))
                if await self._wishes_another(turn, schedule_id):
                    return await self._setting.wish(turn, turn.query)
                if (picked := chosen(words, _choices(pending), turn.now)) is not None:
                    return await self._moves.move_all(turn, schedule_id, picked)
                moved = await self._moves.answered(turn, pending)
                ids = [schedule_id]
                return moved or await self._changes.by_words(turn, words, ids=ids)
            case "what":
                return await self._named(turn, pending, words)
            case _:
                return await self._told(turn, pending, words, what)

    async def _named(self, turn: Turn, pending: Pending, words: str) -> AgentResult:
        """Take words for what to remind of; a consent and another time name nothing."""
        fresh = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
        if fresh is not None:
            only_when = not fresh.what and _says_when(fresh)
            known = Timing("ask", candidates=(from_json(Rule, pending.state.get("rule")),))
            if only_when and (done := completed(words, known, turn.now)) is not None:
                return await self._setting.go_on(turn, "", done, timedelta(0))
            if only_when or (fresh.verb and fresh.what):
                return await self._setting.wish(turn, words)
        rule = from_json(Rule, pending.state.get("rule"))
        what = "" if classify_answer(words).kind == "confirm" else words.strip()[:LONGEST_WHAT]
        return await self._setting.settle(turn, what, rule)

    async def _wishes_another(self, turn: Turn, schedule_id: str) -> bool:
        """Say whether another reminder is asked for while it is asked how one is to change."""
        fresh = parse_reminder(turn.query, now=turn.now, tz=zone_of(turn.now))
        if fresh is None or not fresh.what or not fresh.verb:
            return False
        leads = turn.query.strip().startswith(fresh.verb)
        if not (fresh.complete or (leads and not _says_when(fresh))):
            return False
        changed = await self._schedules.get(turn.person.person_id, schedule_id)
        return changed is None or not is_called(changed.what, fresh.what)

    async def _told(self, turn: Turn, pending: Pending, words: str, what: str) -> AgentResult:
        """Go on with what was missing: the time, or first what to remind of."""
        offered, ahead = _asked(pending), _ahead_of(pending)
        choices = _choices(pending)
        choices = replace(choices, bases=()) if ahead else choices
        if (rule_meant := chosen(words, choices, turn.now)) is not None:
            return await self._setting.settle(turn, what, rule_meant)
        done = completed(words, offered, turn.now, ahead)
        if done is not None:
            return await self._setting.go_on(turn, what, done, ahead)
        if offered.reason == TOLD and classify_answer(words).kind == "confirm":
            return await self._setting.settle(turn, what, offered.candidates[0])
        if pending.name == "when" and not what:
            told = self._setting.told_what(turn, words, _asked(pending))
            if told is not None:
                return told
        fresh = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
        if fresh is not None and fresh.what:
            return await self._setting.wish(turn, words)
        if (offered.candidates or offered.said) and timing_of(words, turn.now).status == "none":
            return await self._setting.go_on(turn, what, offered, ahead)
        return await self._setting.set(turn, words, what, ahead=ahead)

    async def _about_last(self, turn: Turn, pending: Pending) -> AgentResult | None:
        """Return what a short answer means right after a reminder was set or changed."""
        schedule_id = str(pending.state.get("schedule", ""))
        answer = classify_answer(turn.query)
        if pending.name != SOFT:
            return None
        said = only_said(turn.query) or turn.query
        match answer.kind:
            case "confirm":
                return _say("schedule.fine")
            case "cancel" | "deny":
                return await self._changes.ask(turn, schedule_id)
            case "correct":
                held = await self._pauses.instead(turn, schedule_id, answer.rest)
                return held or await self._changes.by_words(turn, answer.rest, ids=[schedule_id])
            case _ if clocks_of(said, turn.now) or hours_of(said, turn.now):
                return await self._changes.by_words(turn, said, ids=[schedule_id])
            case _:
                return None

    async def _about_all(self, turn: Turn, pending: Pending, kind: str) -> AgentResult | None:
        """Return what a text means while it is asked whether to cancel all reminders."""
        if kind == "confirm":
            ids = pending.state.get("schedules")
            found = [str(i) for i in ids] if isinstance(ids, list) else []
            return await self._changes.remove(turn, found)
        return _say("schedule.all_kept") if kind in {"cancel", "deny"} else None


def _say(key: str) -> AgentResult:
    return AgentResult(blocks=(TextBlock(Text(key)),))


def _choices(pending: Pending) -> Choices:
    kept = {name: from_json(Rules, pending.state.get(name) or []) for name in set(KEPT.values())}
    return Choices(**kept)


def _asked(pending: Pending) -> Timing:
    """Return what had to be asked about the time, with what was offered."""
    offered = from_json(Rules, pending.state.get("candidates") or [])
    reason, said = pending.state.get("asked"), pending.state.get("said")
    return Timing("ask", candidates=offered, reason=str(reason or ""), said=str(said or ""))


def _ahead_of(pending: Pending) -> timedelta:
    seconds = pending.state.get("ahead")
    return timedelta(seconds=seconds if isinstance(seconds, int) else 0)


def _says_when(reminder: Reminder) -> bool:
    return reminder.time.status != "none" or reminder.recurrence.status != "none"
