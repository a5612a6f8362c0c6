"""Setting reminders: what a wish says, what has to be asked first, and the confirmation."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from agents.reasons import reason_words
from agents.schedule import habits, present
from agents.schedule.completions import WHICH_UNIT
from agents.schedule.earlier import earlier
from agents.schedule.outcome import just_stored
from agents.schedule.questions import Several, ask, ask_several, ask_whether, ask_which
from agents.schedule.several import all_wanted
from agents.schedule.timing import (
    Timing,
    of_told_plan,
    timing_of,
    timing_of_point,
    with_stray_clock,
    with_stray_day,
)
from agents.tools.schedules import StoredSchedules
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.memory import Memory
from bot.core.messages import Button, TextBlock
from bot.core.outbox import Purpose
from bot.core.patterns import regex
from bot.core.recurrence import Rule
from bot.core.schedules import ScheduleDraft
from bot.core.words import Text, Verbatim, text
from bot.language.ahead import event_name, says_several, split_ahead
from bot.language.clauses import split_clauses
from bot.language.recurrence import next_fire
from bot.language.reminders import Reminder, parse_reminder
from bot.language.tellings import telling

INTENT = "schedule_manager"
LONGEST_WHAT = 500
_HOUR = regex(r"(?:1?\d|2[0-3])")
"""A bare hour as all that was said: set an alarm for 7."""

_IN_SO_MANY = regex(r"in (\d{1,2})(?=$|\s+to\b)(?:\s+to\s+)?", re.IGNORECASE)
"""A number without its unit at the start of what is left: remind me in 10 to call."""


_ALARMS = (
    (regex(r"闹钟"), "闹钟"),
    (regex(r"叫醒"), "起床"),
    (regex(r"\balarm\b", re.IGNORECASE), "Alarm"),
    (regex(r"\bwake me\b", re.IGNORECASE), "Wake up"),
)

_BARE_NOUNS = frozenset({"提醒", "闹钟"})
_MOVES = regex(r"(?:都|全部|全|也)?(?:推迟|延后|延迟|推后|提前|取消|删|改(?:到|成|为)|不用|不要)")
"""Words after 提醒 as a noun that speak of reminders that are there."""

_ONLY_BOUNDS = regex(
    r"(?:除了|除外|不包括|跳过|直到|截止到?|except|but not|until|till|starting|from)",
    re.IGNORECASE,
)
"""All that is said beside a time: it bounds what was set before, and is nothing to set."""


class ReminderSetting:
    """New reminders of the schedule agent; every write is a tool call."""

    def __init__(self, memory: Memory) -> None:
        """Take what people asked to be remembered, for reading."""
        self._memory = memory

    async def wish(self, turn: Turn, words: str) -> AgentResult:
        """Serve every clause of a wish, or name what was left out."""
        if _is_about_stored(turn, words):
            return _say("schedule.unread_order", status=Status.CLARIFY)
        if says_several(words):
            return _refuse(Timing("ask", reason="several_ahead"))
        ahead = split_ahead(words)
        if ahead is not None:
            return await self.set(turn, ahead.rest, None, ahead=ahead.distance)
        clauses = split_clauses(words, turn.now, zone_of(turn.now))
        if not clauses.reminders:
            return await self.set(turn, words, None)
        if len(clauses.reminders) > 1:
            wanted = all_wanted(clauses.reminders, turn.now)
            if not wanted:
                result = _say("schedule.ask_one_by_one", status=Status.CLARIFY)
            elif clauses.doubtful:
                result = ask_several(turn, words, wanted)
            else:
                result = await self.insert_all(turn, wanted)
        else:
            only = clauses.reminders[0].text if clauses.bookings else words
            result = await self.set(turn, only, None)
        return _with_left_out(result, clauses.bookings)

    async def insert_all(self, turn: Turn, wanted: Several) -> AgentResult:
        """Write several reminders, all or none."""
        now = turn.now.astimezone(UTC)
        drafts = [
            self._draft(turn, w.what, w.rule, fire_at)
            for w in wanted
            if (fire_at := next_fire(w.rule, now)) is not None
        ]
        if len(drafts) < len(wanted):
            return _say("schedule.reject_past", status=Status.CLARIFY)

        async def decide() -> Sequence[ToolCall]:
            return [
                ToolCall(
                    name="schedule_insert", arguments={"draft": to_json(ScheduleDraft, draft)}
                )
                for draft in drafts
            ]

        results = await turn.tools.perform(decide)
        schedules = [s for _, stored in results for s in from_json(StoredSchedules, stored)]
        return AgentResult(
            blocks=tuple(
                block
                for schedule in schedules
                for block in present.stored_blocks(schedule, turn.locale, key="schedule.added")
            ),
            buttons=tuple(
                (present.change_button(schedule, ordinal=i),)
                for i, schedule in enumerate(schedules, 1)
            ),
            purpose=Purpose.CONFIRMATION,
            entities=present.references(schedules),
            pending=just_stored(turn, schedules),
            repaint=turn.action is not None,
            memo=f"schedule: {len(schedules)} reminders were set",
        )

    @staticmethod
    def _draft(turn: Turn, what: str, rule: Rule, fire_at: datetime) -> ScheduleDraft:
        return ScheduleDraft(
            what=what[:LONGEST_WHAT],
            rule=rule,
            next_fire_at=fire_at,
            chat=turn.chat,
            mention=turn.account_id if turn.in_group else None,
        )

    # --- setting -------------------------------------------------------------------------------

    async def set(
        self,
        turn: Turn,
        words: str,
        known_what: str | None,
        *,
        ahead: timedelta = timedelta(0),
    ) -> AgentResult:
        """Set the reminder of one clause; ``known_what`` was said before, ``ahead`` too."""
        reminder = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
        if known_what is not None:
            what, timing = known_what.strip()[:LONGEST_WHAT], self._point(turn, words, ahead)
            what = event_name(what, turn.now) if ahead else what
        elif reminder is None:
            return _say("schedule.unread", status=Status.CLARIFY)
        else:
            what, timing = self._read(turn, words, reminder, ahead)
            told = telling(words, what) if what and not reminder.verb else ""
            if told == "talk":
                return AgentResult(blocks=(), status=Status.REJECTED)
            if told and timing.rule is not None:
                return ask_whether(turn, what, timing.rule)
        if timing.status == "reject":
            return _refuse(timing)
        if timing.status == "none":
            key = "schedule.ask_when" if what else "schedule.ask_when_bare"
            question = present.ask_point(what, ahead) if ahead else text(key, what=what)
            return ask(turn, "when", what, question, ahead=ahead)
        if timing.status == "ask":
            rule = await self._habit(turn, timing)
            if rule is None or not what:
                return ask_which(turn, what, timing, ahead)
            return await self.insert(turn, what, rule)
        return await self.settle(turn, what, timing.rule)

    async def go_on(self, turn: Turn, what: str, timing: Timing, ahead: timedelta) -> AgentResult:
        """Go on after an answer that completed what was asked: set it, or ask what is left."""
        if timing.status == "ask":
            return ask_which(turn, what, timing, ahead)
        return await self.settle(turn, what, timing.rule)

    @staticmethod
    def _point(turn: Turn, words: str, ahead: timedelta) -> Timing:
        if ahead:
            return earlier(timing_of_point(words, turn.now), ahead)
        return timing_of(words, turn.now)

    def _read(
        self, turn: Turn, words: str, reminder: Reminder, ahead: timedelta
    ) -> tuple[str, Timing]:
        """Return what a wish is about, and when."""
        what, timing = reminder.what.strip()[:LONGEST_WHAT], self._point(turn, words, ahead)
        if timing.status != "ok" and _HOUR.fullmatch(what):
            what, timing = "", timing_of(f"at {what}", turn.now)
        what = what or _name_of_alarm(reminder.verb)
        if timing.status != "ok" and (bare := _IN_SO_MANY.match(what)) is not None:
            what, timing = what[bare.end() :], _in_some_unit(int(bare[1]), turn)
        if ahead:
            return event_name(what, turn.now), timing
        if any(item.default_time for item in reminder.time.times):
            what, timing = with_stray_clock(timing, what, turn.now)
        what, timing = with_stray_day(timing, what, turn.now)
        if reminder.time.reason == "no_time_of_day" and timing.status == "ok":  # 早点, 晚些
            offered = (timing.rule,) if timing.rule is not None else ()
            timing = Timing("ask", candidates=offered, reason=reminder.time.reason)
        return what, of_told_plan(timing, words, turn.now) if reminder.apart else timing

    async def settle(self, turn: Turn, what: str, rule: Rule | None) -> AgentResult:
        """Write a reminder whose time is known, or ask what it is about."""
        if what:
            return await self.insert(turn, what, rule)
        held = to_json(Rule, rule)
        return ask(turn, "what", "", text("schedule.ask_what"), rule=held)

    async def _habit(self, turn: Turn, timing: Timing) -> Rule | None:
        """Return the candidate that this person picked before, None when it has to be asked."""
        if timing.reason != habits.REASON or not timing.candidates:
            return None
        gap = habits.remembered_gap(await self._memory.list(turn.person.person_id, ""))
        return None if gap is None else habits.chosen(timing.candidates, gap)

    async def insert(
        self, turn: Turn, what: str, rule: Rule | None, *, also: tuple[ToolCall, ...] = ()
    ) -> AgentResult:
        """Write one reminder and confirm it from the stored row; ``also`` is done with it."""
        fire_at = next_fire(rule, turn.now.astimezone(UTC)) if rule is not None else None
        if rule is None or fire_at is None:
            return _say("schedule.reject_past", status=Status.CLARIFY)
        draft = self._draft(turn, what, rule, fire_at)

        async def decide() -> Sequence[ToolCall]:
            arguments = {"draft": to_json(ScheduleDraft, draft)}
            return [ToolCall(name="schedule_insert", arguments=arguments), *also]

        results = await turn.tools.perform(decide)
        (schedule,) = from_json(StoredSchedules, results[0][1])
        return AgentResult(
            blocks=present.stored_blocks(schedule, turn.locale, key="schedule.added"),
            buttons=present.stored_buttons(schedule),
            purpose=Purpose.CONFIRMATION,
            entities=present.references([schedule]),
            pending=just_stored(turn, [schedule]),
            repaint=turn.action is not None,
            memo="schedule: a reminder was set",
        )

    def told_what(self, turn: Turn, words: str, asked: Timing) -> AgentResult | None:
        """Take words without a time for what to remind of, and ask when; None for others.

        ``asked`` is what was said about the time before, and had to be asked about.
        """
        reminder = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
        if reminder is not None or not words.strip():
            return None
        what = words.strip()[:LONGEST_WHAT]
        if asked.candidates:
            return ask_which(turn, what, asked, timedelta(0))
        return ask(turn, "when", what, text("schedule.ask_when", what=what))


def _name_of_alarm(verb: str) -> str:
    """Return what an alarm is called that says nothing but when it rings."""
    return next((name for said, name in _ALARMS if said.search(verb)), "")


def _is_about_stored(turn: Turn, words: str) -> bool:
    """Whether 提醒 is the noun of an order to move or drop what is there, or only bounds it."""
    reminder = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
    if reminder is not None and not reminder.verb and _ONLY_BOUNDS.fullmatch(reminder.what):
        return True
    if reminder is None or reminder.verb not in _BARE_NOUNS:
        return False
    return _MOVES.match(reminder.what) is not None


def _refuse(timing: Timing) -> AgentResult:
    words = reason_words(timing.reason)
    return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)


def _with_left_out(result: AgentResult, bookings: Sequence[str]) -> AgentResult:
    """Return the answer with the ledger's part named, and a button that sends it there."""
    if not bookings:
        return result
    said = "，".join(bookings)
    note = TextBlock(text("schedule.left_out", said=Verbatim(said)))
    action = ActionDraft(name="book", arguments={"said": said})
    button = Button(label=text("schedule.button_book"), action=action)
    return replace(result, blocks=(*result.blocks, note), buttons=(*result.buttons, (button,)))


def _in_some_unit(number: int, turn: Turn) -> Timing:
    """Return the question whether minutes or hours are meant; either is offered."""
    lengths = (timedelta(minutes=number), timedelta(hours=number))
    rules = tuple(present.once_rule(turn.now + length) for length in lengths if number)
    return Timing("ask", candidates=rules, reason=WHICH_UNIT)


def _say(key: str, *, status: Status = Status.COMPLETED) -> AgentResult:
    return AgentResult(blocks=(TextBlock(Text(key)),), status=status)
