"""The schedule agent: sets, lists, changes and cancels reminders; Done, Snooze, Skip next."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from pydantic import JsonValue

from agents.orders import Order, parse_order
from agents.schedule import habits
from agents.schedule.changes import ReminderChanges
from agents.schedule.choices import KEPT, Choices, chosen
from agents.schedule.dated import DatedReminders
from agents.schedule.due import DueButtons
from agents.schedule.moves import ReminderMoves
from agents.schedule.outcome import LISTED, REMOVED, SOFT, SOFT_MANY
from agents.schedule.presses import Press
from agents.schedule.recalled import what_stays
from agents.schedule.setting import LONGEST_WHAT, ReminderSetting, Rules, Several
from agents.schedule.skips import Skips
from agents.tools.schedules import StoredSchedules
from bot.core.agents import AgentResult, HandOff, Status, Turn, zone_of
from bot.core.codec import from_json
from bot.core.events import HeldMessage
from bot.core.memory import Memory
from bot.core.messages import TextBlock
from bot.core.recurrence import Rule
from bot.core.schedules import Schedules
from bot.core.sessions import Pending
from bot.core.words import Text, Verbatim, text
from bot.language.ahead import length_of
from bot.language.answers import classify_answer
from bot.language.dated_orders import parse_dated_order
from bot.language.last_thing import LastThing, parse_last_thing, removes_it
from bot.language.nth_entries import parse_nth_order
from bot.language.reminder_questions import asked_window, parse_reminder_question
from bot.language.reminders import parse_reminder
from bot.language.skips import parse_skip, refuses_reminder

INTENT = "schedule_manager"
LEDGER = "ledger_manager"
SNOOZE = timedelta(minutes=10)
"""Where no length is said."""

DONE = frozenset({SOFT, SOFT_MANY, REMOVED})
"""Soft questions that hold what was done last."""


class ScheduleAgent:
    """Understands by the grammar of `bot.language`; writes through its tools only."""

    def __init__(self, schedules: Schedules, memory: Memory) -> None:
        """Take the schedules and what people asked to be remembered, for reading."""
        self._schedules = schedules
        self._changes = ReminderChanges(schedules)
        self._dated = DatedReminders(schedules, self._changes)
        self._moves = ReminderMoves(schedules)
        self._due = DueButtons(schedules)
        self._skips = Skips(schedules)
        self._setting = ReminderSetting(memory)

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the answer to a press, an edit, an open question or a new wish."""
        if turn.action is not None:
            return await self._pressed(turn, turn.action.name, turn.action.arguments)
        if turn.recalled_at is not None:
            return await what_stays(self._schedules, turn, _ids(turn.linked), turn.recalled_at)
        if turn.linked:
            return await self._about_linked(turn, _ids(turn.linked))
        if turn.command:
            return await self._changes.show(turn)
        last = parse_last_thing(turn.query)
        if last is not None and last.noun != "entry":
            return await self._last_thing(turn, last)
        return await self._about_stored(turn) or await self._said(turn)

    async def _said(self, turn: Turn) -> AgentResult:
        """Follow a short order, an answer to the open question, or a new wish."""
        pending = turn.pending
        spoken_of = Press(pending.state) if pending is not None else Press({})
        if removes_it(turn.query) and (spoken := spoken_of.text("schedule")):
            return await self._changes.remove(turn, spoken_of.texts("schedules") or [spoken])
        order = parse_order("schedule", turn.query)
        if turn.pending is not None and (order is None or _is_about(order, turn.pending)):
            answered = await self._answered(turn, turn.pending)
            if answered is not None:
                return answered
        if order is not None:
            return await self._do(turn, order)
        if refuses_reminder(turn.query):
            return await self._changes.offer_delete(turn)
        called_off = parse_skip(turn.query, turn.now, zone_of(turn.now))
        if called_off is not None and called_off.day is not None:
            return await self._skips.order(turn, called_off)
        return await self._setting.wish(turn, turn.query)

    async def _about_stored(self, turn: Turn) -> AgentResult | None:
        """Follow what is certainly about reminders that are there; None for anything else."""
        skip = parse_skip(turn.query, turn.now, zone_of(turn.now))
        if skip is not None and skip.complete:
            return await self._skips.order(turn, skip)
        nth = parse_nth_order(turn.query)
        if nth is not None and nth.noun != "entry":
            return await self._changes.nth(turn, nth)
        dated = parse_dated_order(turn.query, turn.now, zone_of(turn.now))
        if dated is not None and dated.coming is not None and dated.noun != "entry":
            return await self._dated.follow(turn, dated, dated.coming)
        question = parse_reminder_question(turn.query, turn.now, zone_of(turn.now))
        if question is None:
            return None
        if question.kind == "help":
            return _say("schedule.how")
        return await self._changes.show(turn, question.window)

    async def _last_thing(self, turn: Turn, last: LastThing) -> AgentResult:
        """Undo what was done last, or ask what it should have been."""
        pending = turn.pending
        if pending is not None and not pending.soft and last.kind == "undo" and not last.noun:
            is_stored = pending.name in {"change", "scope", "delete_all"}
            return _say("schedule.unchanged" if is_stored else "schedule.cancelled")
        done = pending if pending is not None and pending.name in DONE else None
        ids = Press(done.state).texts("schedules") if done is not None else []
        if done is not None and done.name == REMOVED:
            return await self._changes.restore(turn, ids)
        if last.kind == "undo" and done is not None:
            before = from_json(StoredSchedules, done.state.get("before") or [])
            if before:
                return await self._changes.revert(turn, before[0])
            return await self._changes.remove(turn, ids)
        if last.kind == "undo" and not last.noun:
            return _say("schedule.nothing_done")
        if last.rest:
            return await self._changes.by_words(turn, last.rest, ids=ids)
        return await self._changes.ask_last(turn, ids)

    async def _about_linked(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Follow an edited message, or an answer to the message of a reminder."""
        if turn.edited:
            return await self._changes.follow_edit(turn, ids)
        answer, last = classify_answer(turn.query), parse_last_thing(turn.query)
        undone = last is not None and last.kind == "undo"
        if removes_it(turn.query) or undone or answer.kind == "cancel":
            return await self._changes.remove(turn, ids)
        if answer.kind == "deny" or (last is not None and not last.rest):
            return await self._changes.ask_last(turn, ids)
        skip = parse_skip(turn.query, turn.now, zone_of(turn.now))
        if skip is not None and skip.kind == "skip" and len(ids) == 1:
            day = skip.day.isoformat() if skip.day else ""
            return await self._skips.picked(turn, ids[0], day)
        return await self._changes.by_words(turn, turn.query, ids=ids)

    async def _do(self, turn: Turn, order: Order) -> AgentResult:
        """Do what a short order says."""
        match order.kind:
            case "list":
                window = asked_window(turn.query, turn.now, zone_of(turn.now))
                return await self._changes.show(turn, window)
            case "delete":
                return await self._changes.delete(turn, order.target)
            case "delete_all":
                return await self._changes.ask_delete_all(turn)
            case "later" | "sooner":
                distance = length_of(order.rest)
                sign = 1 if order.kind == "later" else -1
                if order.kind == "later" and not order.target:
                    rang = await self._due.just_rang(turn)
                    if rang:
                        later = distance or SNOOZE
                        return replace(await self._due.snooze(turn, rang, later), repaint=False)
                if distance is None:
                    return _say("schedule.edit_which", status=Status.CLARIFY)
                return await self._changes.shift(turn, order.target, sign * distance)
            case _:
                return await self._changes.by_words(turn, order.rest, target=order.target)

    # --- answers to them -----------------------------------------------------------------------

    async def _answered(self, turn: Turn, pending: Pending) -> AgentResult | None:
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
                moved = await self._moves.answered(turn, pending)
                ids = [str(pending.state.get("schedule", ""))]
                return moved or await self._changes.by_words(turn, words, ids=ids)
            case "what":
                fresh = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
                if fresh is not None and fresh.verb and fresh.what:
                    return await self._setting.wish(turn, words)
                rule = from_json(Rule, pending.state.get("rule"))
                return await self._setting.insert(turn, words.strip()[:LONGEST_WHAT], rule)
            case _:
                return await self._told(turn, pending, words, what)

    async def _told(self, turn: Turn, pending: Pending, words: str, what: str) -> AgentResult:
        """Go on with what was missing: the time, or first what to remind of."""
        if (rule_meant := chosen(words, _choices(pending), turn.now)) is not None:
            return await self._setting.settle(turn, what, rule_meant)
        if pending.name == "when" and not what:
            told = self._setting.told_what(turn, words)
            if told is not None:
                return told
        fresh = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
        if fresh is not None and fresh.what:
            return await self._setting.wish(turn, words)
        seconds = pending.state.get("ahead")
        ahead = timedelta(seconds=seconds if isinstance(seconds, int) else 0)
        return await self._setting.set(turn, words, what, ahead=ahead)

    async def _about_last(self, turn: Turn, pending: Pending) -> AgentResult | None:
        """Return what a short answer means right after a reminder was set or changed."""
        schedule_id = str(pending.state.get("schedule", ""))
        answer = classify_answer(turn.query)
        if pending.name != SOFT:
            return None
        match answer.kind:
            case "confirm":
                return _say("schedule.fine")
            case "cancel" | "deny":
                return await self._changes.ask(turn, schedule_id)
            case "correct":
                return await self._changes.by_words(turn, answer.rest, ids=[schedule_id])
            case _:
                return None

    async def _about_all(self, turn: Turn, pending: Pending, kind: str) -> AgentResult | None:
        """Return what a text means while it is asked whether to cancel all reminders."""
        if kind == "confirm":
            ids = pending.state.get("schedules")
            found = [str(i) for i in ids] if isinstance(ids, list) else []
            return await self._changes.remove(turn, found)
        return _say("schedule.all_kept") if kind in {"cancel", "deny"} else None

    # --- presses -------------------------------------------------------------------------------

    async def _pressed(
        self, turn: Turn, name: str, arguments: Mapping[str, JsonValue]
    ) -> AgentResult:
        press = Press(arguments)
        match name:
            case "pick" | "pick_all" | "book" | "move_once" | "move_all" | "keep":
                return await self._picked(turn, name, press)
            case "done":
                return await self._due.done(turn, press.text("delivery"))
            case "snooze":
                return await self._due.snooze(
                    turn, press.schedule(turn), timedelta(minutes=press.number("minutes"))
                )
            case "skip_on":
                return await self._skips.picked(turn, press.text("schedule"), press.text("day"))
            case "skip_next":
                return await self._due.skip_next(turn, press.schedule(turn))
            case "change":
                return await self._changes.ask(turn, press.text("schedule"))
            case "delete":
                ids = press.texts("schedules") or [press.text("schedule")]
                return await self._changes.remove(turn, ids)
            case "restore":
                return await self._changes.restore(turn, press.texts("schedules"))
            case _:
                return AgentResult(blocks=(TextBlock(text("schedule.cancelled")),), repaint=True)

    async def _picked(self, turn: Turn, name: str, press: Press) -> AgentResult:
        """Return what follows from a choice that a question of ours offered."""
        if name == "keep":
            return replace(_say("schedule.all_kept"), repaint=True)
        if name == "book":
            return _booked_next(turn, press.text("said"))
        if name == "pick_all":
            wanted = from_json(Several, press.arguments.get("wanted"))
            return await self._setting.insert_all(turn, wanted)
        rule = from_json(Rule, press.arguments.get("rule"))
        if name == "move_once":
            day = press.text("day")
            return await self._moves.move_once(turn, press.text("schedule"), rule, day)
        if name == "move_all":
            return await self._moves.move_all(turn, press.text("schedule"), rule)
        candidates = from_json(Rules, press.arguments.get("habit") or [])
        also = (habits.remember(candidates, rule),) if candidates else ()
        return await self._setting.insert(turn, press.text("what"), rule, also=also)


def _say(key: str, *, status: Status = Status.COMPLETED) -> AgentResult:
    return AgentResult(blocks=(TextBlock(Text(key)),), status=status)


def _booked_next(turn: Turn, said: str) -> AgentResult:
    held = HeldMessage(text=said, message_id=turn.message_id, occurred_at=turn.now)
    return AgentResult(
        blocks=(TextBlock(text("schedule.booking", said=Verbatim(said))),),
        hand_off=HandOff(message=held, intent=LEDGER),
    )


def _choices(pending: Pending) -> Choices:
    kept = {name: from_json(Rules, pending.state.get(name) or []) for name in set(KEPT.values())}
    return Choices(**kept)


def _is_about(order: Order, pending: Pending) -> bool:
    """Say whether "it" in the order is the reminder that our question is about."""
    return order.kind == "change" and not order.target and pending.name == "change"


def _ids(linked: Sequence[str]) -> list[str]:
    return [ref.removeprefix("schedule:") for ref in linked if ref.startswith("schedule:")]
