"""The schedule agent: sets, lists, changes and cancels reminders; Done, Snooze, Skip next."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from agents.orders import Order, parse_order
from agents.schedule import present
from agents.schedule.amending import ReminderAmending
from agents.schedule.answers import DONE, ReminderAnswers
from agents.schedule.buttons import ReminderButtons
from agents.schedule.changes import ReminderChanges
from agents.schedule.dated import DatedReminders
from agents.schedule.due import PUT_OFF, DueButtons
from agents.schedule.moves import ReminderMoves
from agents.schedule.outcome import REMOVED, SOFT
from agents.schedule.pauses import ReminderPauses
from agents.schedule.presses import Press
from agents.schedule.recalled import what_stays
from agents.schedule.setting import ReminderSetting
from agents.schedule.shifts import ReminderShifts
from agents.schedule.skips import Skips
from agents.tools.schedules import StoredSchedules
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.codec import from_json
from bot.core.memory import Memory
from bot.core.messages import TextBlock
from bot.core.schedules import Schedules
from bot.core.sessions import Pending
from bot.core.words import Text
from bot.language.ahead import ahead_alone, length_of
from bot.language.answers import classify_answer, says_done
from bot.language.dated_orders import parse_dated_order
from bot.language.last_thing import LastThing, parse_last_thing, removes_it
from bot.language.named_orders import parse_named_order
from bot.language.nth_entries import parse_nth_order
from bot.language.pauses import Pause, parse_pause
from bot.language.reminder_questions import asked_window, parse_reminder_question
from bot.language.reminders import parse_reminder
from bot.language.renames import parse_rename
from bot.language.shifts import parse_shift
from bot.language.skips import parse_skip, refuses_reminder

INTENT = "schedule_manager"
LEDGER = "ledger_manager"
SNOOZE = timedelta(minutes=10)
"""Where no length is said."""


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
        self._pauses = ReminderPauses(schedules)
        self._shifts = ReminderShifts(schedules)
        self._setting = ReminderSetting(memory)
        self._amending = ReminderAmending(schedules)
        self._answers = ReminderAnswers(
            schedules,
            setting=self._setting,
            changes=self._changes,
            moves=self._moves,
            pauses=self._pauses,
        )
        self._buttons = ReminderButtons(
            changes=self._changes,
            moves=self._moves,
            due=self._due,
            skips=self._skips,
            pauses=self._pauses,
            shifts=self._shifts,
            setting=self._setting,
        )

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the answer to a press, an edit, an open question or a new wish."""
        if turn.action is not None:
            return await self._buttons.pressed(turn, turn.action.name, turn.action.arguments)
        if turn.recalled_at is not None:
            return await what_stays(self._schedules, turn, _ids(turn.linked), turn.recalled_at)
        if turn.linked:
            return await self._about_linked(turn, _ids(turn.linked))
        if turn.command:
            return await self._changes.show(turn)
        if says_done(turn.query) and (turn.pending is None or turn.pending.soft):
            return await self._done(turn)
        last = parse_last_thing(turn.query)
        if last is not None and last.noun != "entry":
            return await self._last_thing(turn, last)
        if turn.pending is not None and turn.pending.name == SOFT:
            added = await self._amending.follow(turn, turn.pending)
            if added is not None:
                return added
        return await self._about_stored(turn) or await self._said(turn)

    async def _done(self, turn: Turn) -> AgentResult:
        """Note that what just rang was done; where nothing did, it was not said to us."""
        rang = await self._due.just_rang(turn)
        if rang is None:
            return AgentResult(blocks=(), status=Status.REJECTED)
        return replace(await self._due.done(turn, rang.delivery_id), repaint=False)

    async def _said(self, turn: Turn) -> AgentResult:
        """Follow a short order, an answer to the open question, or a new wish."""
        pending = turn.pending
        spoken_of = Press(pending.state) if pending is not None else Press({})
        if removes_it(turn.query) and (spoken := spoken_of.text("schedule")):
            return await self._changes.remove(turn, spoken_of.texts("schedules") or [spoken])
        order = _order_in(turn, spoken_of)
        if turn.pending is not None and (order is None or _is_about(order, turn.pending)):
            answered = await self._answers.follow(turn, turn.pending)
            if answered is not None:
                return answered
        if order is not None:
            return await self._do(turn, order)
        named = parse_named_order(turn.query, turn.now, zone_of(turn.now))
        if named is not None and named.kind == "off":
            called_off = await self._pauses.call_off(turn, named.name)
            if called_off is not None:
                return called_off
        if refuses_reminder(turn.query) and not _sets_one(turn):
            return await self._changes.offer_delete(turn)
        skip = parse_skip(turn.query, turn.now, zone_of(turn.now))
        if skip is not None and skip.day is not None:
            return await self._skips.order(turn, skip)
        return await self._setting.wish(turn, turn.query)

    async def _about_stored(self, turn: Turn) -> AgentResult | None:
        """Follow what is certainly about reminders that are there; None for anything else."""
        skip = parse_skip(turn.query, turn.now, zone_of(turn.now))
        if skip is not None and (skip.complete or await self._pauses.knows(turn, skip.target)):
            return await self._skips.order(turn, skip)
        pause = parse_pause(turn.query, turn.now, zone_of(turn.now))
        if pause is not None and (held := await self._hold(turn, pause)) is not None:
            return held
        if (renamed := parse_rename(turn.query)) is not None:
            return await self._changes.rename(turn, renamed)
        if (several := parse_shift(turn.query)) is not None:
            return await self._shifts.ask(turn, several.target, several.distance)
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

    async def _hold(self, turn: Turn, pause: Pause) -> AgentResult | None:
        """Follow an order to pause or to go on; after a deletion, to go on undoes it."""
        pending = turn.pending
        goes_on = pause.kind == "resume" and not pause.target
        if goes_on and pending is not None and pending.name == REMOVED:
            return await self._changes.restore(turn, Press(pending.state).texts("schedules"))
        if pause.named or await self._pauses.knows(turn, pause.target):
            return await self._pauses.order(turn, pause)
        return None

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
        if skip is not None and len(ids) == 1:
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
            case "again":
                return await self._again(turn, order.rest)
            case "later" | "sooner":
                distance = length_of(order.rest)
                sign = 1 if order.kind == "later" else -1
                if order.kind == "later" and not order.target:
                    rang = await self._due.just_rang(turn)
                    if rang is not None:
                        later = distance or SNOOZE
                        snoozed = await self._due.snooze(turn, rang.schedule_id, later)
                        return replace(snoozed, repaint=False)
                if distance is None:
                    return _say("schedule.edit_which", status=Status.CLARIFY)
                return await self._changes.shift(turn, order.target, sign * distance)
            case _:
                return await self._changes.by_words(turn, order.rest, target=order.target)

    async def _again(self, turn: Turn, words: str) -> AgentResult:
        """Put off what just rang, or was just put off, by a length from now; else a new wish."""
        distance, put_off = length_of(words), turn.pending
        rang = await self._due.just_rang(turn)
        if distance is not None and rang is not None:
            snoozed = await self._due.snooze(turn, rang.schedule_id, distance)
            return replace(snoozed, repaint=False)
        if distance is not None and put_off is not None and put_off.state.get(PUT_OFF):
            at = present.once_rule(turn.now + distance)
            return await self._moves.move_all(turn, str(put_off.state.get("schedule", "")), at)
        return await self._setting.wish(turn, turn.query)


def _say(key: str, *, status: Status = Status.COMPLETED) -> AgentResult:
    return AgentResult(blocks=(TextBlock(Text(key)),), status=status)


def _order_in(turn: Turn, spoken_of: Press) -> Order | None:
    """Return the short order of a message; a length also answers our own question."""
    order = parse_order("schedule", turn.query)
    if order is None and spoken_of.text("schedule") and (early := ahead_alone(turn.query)):
        return Order("sooner", rest=early)
    if order is not None and order.kind == "again":
        is_open = turn.pending is not None and not turn.pending.soft
        return None if is_open or length_of(order.rest) is None else order
    return order


def _is_about(order: Order, pending: Pending) -> bool:
    """Say whether "it" in the order is the reminder that our question is about."""
    is_asked = pending.name in {"change", "when", "what"} and not pending.soft
    return order.kind == "change" and not order.target and is_asked


def _ids(linked: Sequence[str]) -> list[str]:
    return [ref.removeprefix("schedule:") for ref in linked if ref.startswith("schedule:")]


def _sets_one(turn: Turn) -> bool:
    """Whether a new repetition is set, of which a part is refused: 每天7点叫我，周日不用提醒."""
    reminder = parse_reminder(turn.query, now=turn.now, tz=zone_of(turn.now))
    return reminder is not None and bool(reminder.what) and reminder.recurrence.status == "ok"
