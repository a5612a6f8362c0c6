"""The schedule agent: sets, lists, changes and cancels reminders; Done, Snooze, Skip next."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from pydantic import JsonValue

from agents.orders import Order, parse_order
from agents.reasons import reason_words
from agents.schedule import habits, present
from agents.schedule.changes import ReminderChanges
from agents.schedule.earlier import earlier
from agents.schedule.several import Wanted, all_wanted
from agents.schedule.skips import Skips
from agents.schedule.timing import (
    WHICH_TOMORROW,
    Timing,
    clocks_of,
    timing_of,
    timing_of_point,
    with_stray_day,
)
from agents.tools.schedules import StoredSchedules
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, HandOff, Status, Turn, zone_of
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.events import HeldMessage
from bot.core.memory import Memory
from bot.core.messages import Button, TextBlock
from bot.core.outbox import Purpose
from bot.core.recurrence import Rule
from bot.core.schedules import ScheduleDraft, Schedules
from bot.core.sessions import Expects, Pending
from bot.core.words import Lines, Text, Verbatim, text
from bot.language.ahead import event_name, split_ahead
from bot.language.answers import classify_answer
from bot.language.clauses import split_clauses
from bot.language.recurrence import next_fire
from bot.language.reminders import parse_reminder
from bot.language.skips import parse_skip
from bot.language.summary import summarize
from bot.locales.moments import moment

INTENT = "schedule_manager"
LEDGER = "ledger_manager"
Rules = tuple[Rule, ...]
Several = tuple[Wanted, ...]
LONGEST_WHAT = 500
MOST_CANDIDATES = 6
WHICH_TIMES = "which_times"
NO_CLOCK = ("no_time_of_day", WHICH_TIMES)
"""Questions that an answer with mere times of day completes; the days were said."""

_DAYS = (
    re.compile(
        r"\s*(?:是|就是|指)?(?:天亮(?:后|以后|之后)?的?)?(?:今天|today)[。.!！]?\s*", re.IGNORECASE
    ),
    re.compile(
        r"\s*(?:是|就是|指)?(?:再过一天|明天|第二天|(?:the )?day after|tomorrow)的?[。.!！]?\s*",
        re.IGNORECASE,
    ),
)
"""Answers to `WHICH_TOMORROW`: today, tomorrow."""


class ScheduleAgent:
    """Understands by the grammar of `bot.language`; writes through its tools only."""

    def __init__(self, schedules: Schedules, memory: Memory) -> None:
        """Take the schedules and what people asked to be remembered, for reading."""
        self._changes = ReminderChanges(schedules)
        self._skips = Skips(schedules)
        self._memory = memory

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the answer to a press, an edit, an open question or a new wish."""
        if turn.action is not None:
            return await self._pressed(turn, turn.action.name, turn.action.arguments)
        if turn.linked:
            return await self._about_linked(turn, _ids(turn.linked))
        if turn.command:
            return await self._changes.show(turn)
        skip = parse_skip(turn.query, turn.now, zone_of(turn.now))
        if skip is not None and skip.complete:
            return await self._skips.order(turn, skip)
        order = parse_order("schedule", turn.query)
        if turn.pending is not None and (order is None or _is_about(order, turn.pending)):
            answered = await self._answered(turn, turn.pending)
            if answered is not None:
                return answered
        return await self._wish(turn, turn.query) if order is None else await self._do(turn, order)

    async def _about_linked(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Follow an edited message, or an answer to the message of a reminder."""
        if turn.edited:
            return await self._changes.follow_edit(turn, ids)
        skip = parse_skip(turn.query, turn.now, zone_of(turn.now))
        if skip is not None and skip.kind == "skip" and len(ids) == 1:
            day = skip.day.isoformat() if skip.day else ""
            return await self._skips.picked(turn, ids[0], day)
        return await self._changes.by_words(turn, turn.query, ids=ids)

    async def _do(self, turn: Turn, order: Order) -> AgentResult:
        """Do what a short order says."""
        match order.kind:
            case "list":
                return await self._changes.show(turn)
            case "delete":
                return await self._changes.delete(turn, order.target)
            case "delete_all":
                return await self._changes.ask_delete_all(turn)
            case _:
                return await self._changes.by_words(turn, order.rest, target=order.target)

    # --- new wishes ----------------------------------------------------------------------------

    async def _wish(self, turn: Turn, words: str) -> AgentResult:
        """Serve every clause of a wish, or name what was left out."""
        ahead = split_ahead(words)
        if ahead is not None:
            return await self._set(turn, ahead.rest, None, ahead=ahead.distance)
        clauses = split_clauses(words, turn.now, zone_of(turn.now))
        if not clauses.reminders:
            return await self._set(turn, words, None)
        if len(clauses.reminders) > 1:
            wanted = all_wanted(clauses.reminders, turn.now)
            if not wanted:
                result = _say("schedule.ask_one_by_one", status=Status.CLARIFY)
            elif clauses.doubtful:
                result = self._ask_several(turn, words, wanted)
            else:
                result = await self._insert_all(turn, wanted)
        else:
            only = clauses.reminders[0].text if clauses.bookings else words
            result = await self._set(turn, only, None)
        return _with_left_out(result, clauses.bookings)

    def _ask_several(self, turn: Turn, words: str, wanted: Several) -> AgentResult:
        """Ask whether a clause is a reminder of its own."""
        first = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
        rows: list[tuple[Button, ...]] = [
            (
                Button(
                    label=text("schedule.button_each", n=len(wanted)),
                    action=ActionDraft(
                        name="pick_all", arguments={"wanted": to_json(Several, wanted)}
                    ),
                ),
            )
        ]
        if first is not None and first.what:
            arguments = {"what": first.what, "rule": to_json(Rule, wanted[0].rule)}
            action = ActionDraft(name="pick", arguments=arguments)
            rows.append((Button(label=text("schedule.button_single"), action=action),))
        lines = tuple(Verbatim(f"{_label(w.rule, turn)} — {w.what}") for w in wanted)
        question = text("schedule.ask_several", lines=Lines(lines))
        return AgentResult(
            blocks=(TextBlock(question),), buttons=tuple(rows), status=Status.CLARIFY
        )

    async def _insert_all(self, turn: Turn, wanted: Several) -> AgentResult:
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

    async def _set(
        self,
        turn: Turn,
        words: str,
        known_what: str | None,
        *,
        ahead: timedelta = timedelta(0),
    ) -> AgentResult:
        reminder = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
        if reminder is None and known_what is None:
            return _say("schedule.unread", status=Status.CLARIFY)
        timing = (
            earlier(timing_of_point(words, turn.now), ahead)
            if ahead
            else timing_of(words, turn.now)
        )
        what = (known_what or (reminder.what if reminder else "")).strip()[:LONGEST_WHAT]
        if ahead:
            what = event_name(what, turn.now)
        elif known_what is None:
            what, timing = with_stray_day(timing, what, turn.now)
        if timing.status == "reject":
            return _refuse(timing)
        if timing.status == "none":
            key = "schedule.ask_when" if what else "schedule.ask_when_bare"
            return self._ask(turn, "when", what, text(key, what=what), ahead=ahead)
        if timing.status == "ask":
            rule = await self._habit(turn, timing)
            if rule is None or not what:
                return self._ask_which(turn, what, timing, ahead)
            return await self._insert(turn, what, rule)
        if not what:
            held = to_json(Rule, timing.rule)
            return self._ask(turn, "what", "", text("schedule.ask_what"), rule=held)
        return await self._insert(turn, what, timing.rule)

    async def _habit(self, turn: Turn, timing: Timing) -> Rule | None:
        """Return the candidate that this person picked before, None when it has to be asked."""
        if timing.reason != habits.REASON or not timing.candidates:
            return None
        gap = habits.remembered_gap(await self._memory.list(turn.person.person_id, ""))
        return None if gap is None else habits.chosen(timing.candidates, gap)

    async def _insert(
        self, turn: Turn, what: str, rule: Rule | None, *, also: tuple[ToolCall, ...] = ()
    ) -> AgentResult:
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
            repaint=turn.action is not None,
            memo="schedule: a reminder was set",
        )

    # --- questions of ours ---------------------------------------------------------------------

    @staticmethod
    def _ask(
        turn: Turn,
        name: str,
        what: str,
        question: Text,
        *,
        rule: JsonValue = None,
        ahead: timedelta = timedelta(0),
    ) -> AgentResult:
        expects = (Expects.WORDS if name == "what" else Expects.TIME, Expects.CONFIRM)
        return AgentResult(
            blocks=(TextBlock(question),),
            status=Status.CLARIFY,
            pending=Pending(
                agent=INTENT,
                name=name,
                question=question,
                asked_at=turn.now,
                expects=expects,
                state={"what": what, "rule": rule, "ahead": int(ahead.total_seconds())},
            ),
        )

    def _ask_which(self, turn: Turn, what: str, timing: Timing, ahead: timedelta) -> AgentResult:
        reason = reason_words(timing.reason)
        question = text("schedule.ask_which", what=what, reason=reason) if what else reason
        result = self._ask(turn, "when", what, question, ahead=ahead)
        if result.pending is not None and timing.candidates:
            kept = {WHICH_TOMORROW: "days"} | dict.fromkeys(NO_CLOCK, "bases")
            name = kept.get(timing.reason)
            if name is not None:
                state = {**result.pending.state, name: to_json(Rules, timing.candidates)}
                result = replace(result, pending=replace(result.pending, state=state))
        is_habit = timing.reason == habits.REASON and not turn.in_group
        habit: JsonValue = to_json(Rules, timing.candidates) if is_habit else None
        rows = tuple(
            (
                Button(
                    label=Verbatim(_label(rule, turn)),
                    action=ActionDraft(
                        name="pick",
                        arguments={"what": what, "rule": to_json(Rule, rule), "habit": habit},
                    ),
                ),
            )
            for rule in timing.candidates[:MOST_CANDIDATES]
            if timing.reason != WHICH_TIMES
        )
        cancel = Button(label=text("schedule.button_cancel"), action=ActionDraft(name="cancel"))
        return AgentResult(
            blocks=result.blocks,
            buttons=(*rows, (cancel,)),
            status=Status.CLARIFY,
            pending=result.pending,
        )

    def ask_between(self, turn: Turn, what: str, rules: tuple[Rule, ...]) -> AgentResult:
        """Ask which of several readings of one message is meant."""
        timing = Timing("ask", candidates=rules, reason="which_time")
        return self._ask_which(turn, what, timing, timedelta(0))

    # --- answers to them -----------------------------------------------------------------------

    async def _answered(self, turn: Turn, pending: Pending) -> AgentResult | None:
        """Return what the text means for the open question; None when it is a new wish."""
        answer = classify_answer(turn.query)
        if pending.name == "delete_all":
            return await self._about_all(turn, pending, answer.kind)
        if answer.kind in {"cancel", "deny"}:
            return _say("schedule.cancelled")
        words = answer.rest if answer.kind == "correct" else turn.query
        what = str(pending.state.get("what", ""))
        match pending.name:
            case "change":
                ids = [str(pending.state.get("schedule", ""))]
                return await self._changes.by_words(turn, words, ids=ids)
            case "what":
                fresh = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
                if fresh is not None and fresh.verb and fresh.what:
                    return await self._wish(turn, words)
                rule = from_json(Rule, pending.state.get("rule"))
                return await self._insert(turn, words.strip()[:LONGEST_WHAT], rule)
            case _:
                days = from_json(Rules, pending.state.get("days") or [])
                if (rule_of_day := _day_meant(words, days)) is not None:
                    return await self._insert(turn, what, rule_of_day)
                bases = from_json(Rules, pending.state.get("bases") or [])
                if what and bases and (clocks := clocks_of(words, turn.now)):
                    rule = bases[0].model_copy(update={"times": clocks})
                    return await self._insert(turn, what, rule)
                fresh = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
                if fresh is not None and fresh.what:
                    return await self._wish(turn, words)
                seconds = pending.state.get("ahead")
                ahead = timedelta(seconds=seconds if isinstance(seconds, int) else 0)
                return await self._set(turn, words, what, ahead=ahead)

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
        press = _Press(arguments)
        match name:
            case "pick" | "pick_all" | "book" | "move_once" | "move_all" | "keep":
                return await self._picked(turn, name, press)
            case "done":
                return await self._changes.done(turn, press.text("delivery"))
            case "snooze":
                return await self._changes.snooze(
                    turn, press.schedule(turn), timedelta(minutes=press.number("minutes"))
                )
            case "skip_on":
                return await self._skips.picked(turn, press.text("schedule"), press.text("day"))
            case "skip_next":
                return await self._changes.skip_next(turn, press.schedule(turn))
            case "change":
                return await self._changes.ask(turn, press.text("schedule"))
            case "delete":
                ids = press.texts("schedules") or [press.text("schedule")]
                return await self._changes.remove(turn, ids)
            case "restore":
                return await self._changes.restore(turn, press.texts("schedules"))
            case _:
                return AgentResult(blocks=(TextBlock(text("schedule.cancelled")),), repaint=True)

    async def _picked(self, turn: Turn, name: str, press: "_Press") -> AgentResult:
        """Return what follows from a choice that a question of ours offered."""
        if name == "keep":
            return replace(_say("schedule.all_kept"), repaint=True)
        if name == "book":
            return _booked_next(turn, press.text("said"))
        if name == "pick_all":
            wanted = from_json(Several, press.arguments.get("wanted"))
            return await self._insert_all(turn, wanted)
        rule = from_json(Rule, press.arguments.get("rule"))
        if name == "move_once":
            return await self._changes.move_once(turn, press.text("schedule"), rule)
        if name == "move_all":
            return await self._changes.move_all(turn, press.text("schedule"), rule)
        candidates = from_json(Rules, press.arguments.get("habit") or [])
        also = (habits.remember(candidates, rule),) if candidates else ()
        return await self._insert(turn, press.text("what"), rule, also=also)


@dataclass(frozen=True, slots=True)
class _Press:
    """Arguments of an action, read by type."""

    arguments: Mapping[str, JsonValue]

    def text(self, name: str) -> str:
        value = self.arguments.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int:
        value = self.arguments.get(name)
        return value if isinstance(value, int) else 0

    def texts(self, name: str) -> list[str]:
        value = self.arguments.get(name)
        return [str(v) for v in value] if isinstance(value, list) else []

    def schedule(self, turn: Turn) -> str:
        """The reminder that the action is about, from its subject."""
        return turn.action.subject.removeprefix("schedule:") if turn.action else ""


def _label(rule: Rule, turn: Turn) -> str:
    if rule.type != "once":
        return summarize(rule, turn.locale)
    local: datetime = rule.dtstart_local.replace(tzinfo=turn.now.tzinfo)
    return moment(local, turn.locale)


def _say(key: str, *, status: Status = Status.COMPLETED) -> AgentResult:
    return AgentResult(blocks=(TextBlock(Text(key)),), status=status)


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


def _booked_next(turn: Turn, said: str) -> AgentResult:
    held = HeldMessage(text=said, message_id=turn.message_id, occurred_at=turn.now)
    return AgentResult(
        blocks=(TextBlock(text("schedule.booking", said=Verbatim(said))),),
        hand_off=HandOff(message=held, intent=LEDGER),
    )


def _day_meant(words: str, days: Rules) -> Rule | None:
    """Return which of today and tomorrow an answer names."""
    if len(days) != len(_DAYS):
        return None
    return next((d for d, said in zip(days, _DAYS, strict=True) if said.fullmatch(words)), None)


def _is_about(order: Order, pending: Pending) -> bool:
    """Say whether "it" in the order is the reminder that our question is about."""
    return order.kind == "change" and not order.target and pending.name == "change"


def _ids(linked: Sequence[str]) -> list[str]:
    return [ref.removeprefix("schedule:") for ref in linked if ref.startswith("schedule:")]
