"""Changing, cancelling and restoring reminders, by words, by number and by buttons."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, timedelta

from pydantic import JsonValue

from agents.reasons import reason_words
from agents.schedule import present
from agents.schedule.calls import delete_call, update_call
from agents.schedule.choices import BARE_HOUR, KEPT, Rules
from agents.schedule.find import ReminderFinder, rings_within
from agents.schedule.moves import ask_scope, is_one_day, move_all_row, moved_to
from agents.schedule.outcome import OFFERED, changed, just_listed, removed, say, unclear
from agents.schedule.presses import Press
from agents.schedule.rewording import (
    at_either,
    at_times,
    calls_for,
    clocks_in,
    in_other_half,
    instead_of_one,
)
from agents.schedule.timing import (
    Timing,
    clocks_of,
    hours_of,
    is_bare_weekday,
    says_part,
    timing_of,
)
from agents.tools.schedules import StoredSchedules
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.errors import NotFoundError
from bot.core.messages import Button, TextBlock, Tone
from bot.core.recurrence import Rule
from bot.core.schedules import Schedule, ScheduleChange, Schedules
from bot.core.sessions import Expects, Pending
from bot.core.words import Verbatim, text
from bot.language.nth_entries import NthOrder
from bot.language.recurrence import next_fire
from bot.language.reminder_questions import Window
from bot.language.reminders import parse_reminder
from bot.language.renames import Rename

INTENT = "schedule_manager"
MOST_AT_ONCE = 50
"""As many as one call of the tool cancels."""


class ReminderChanges:
    """What the schedule agent does to stored reminders; every write is a tool call."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules
        self._finder = ReminderFinder(schedules)

    async def show(self, turn: Turn, window: Window | None = None) -> AgentResult:
        """Return what is to come, the next one first; only what rings in a window, if asked."""
        found = await self._finder.listed(turn)
        elsewhere = await self._finder.elsewhere(turn)
        unseen = (TextBlock(text("schedule.list_elsewhere", n=elsewhere)),) if elsewhere else ()
        if not found:
            empty = say("schedule.list_empty_here" if elsewhere else "schedule.list_empty")
            return replace(empty, blocks=(*empty.blocks, *unseen))
        numbered = [
            (number, schedule)
            for number, schedule in enumerate(found, 1)
            if window is None or rings_within(schedule, window.start, window.end)
        ]
        if window is not None and not numbered:
            title = present.window_words(window, turn.locale)
            empty_of = TextBlock(text("schedule.list_empty_of", title=title))
            return AgentResult(blocks=(empty_of, *unseen))
        buttons = [
            present.change_button(schedule, ordinal=number)
            for number, schedule in numbered[:OFFERED]
        ]
        rows = tuple(tuple(buttons[i : i + 2]) for i in range(0, len(buttons), 2))
        return AgentResult(
            blocks=(present.list_block(numbered, turn.locale, window=window), *unseen),
            buttons=rows,
            entities=present.references([schedule for _, schedule in numbered[:1]]),
            pending=just_listed(turn),
        )

    async def by_words(
        self, turn: Turn, words: str, *, ids: Sequence[str] = (), target: str = ""
    ) -> AgentResult:
        """Move the reminder that is meant to the time in ``words``, or change its text."""
        timing = timing_of(words, turn.now)
        clocks, doubted = await self._clocks(turn, words, ids, target)
        if doubted is not None:
            return doubted
        is_doubtful = timing.status in {"ask", "reject"}
        doubt = TextBlock(reason_words(timing.reason))
        based = timing.candidates[0] if timing.reason == "no_time_of_day" else None
        if is_doubtful and not clocks and based is None:
            found = await self._finder.meant(turn, ids, target) if timing.candidates else []
            if len(found) == 1 and found[0].rule.type == "once":
                return _ask_rule(turn, found[0], timing.reason, timing.candidates)
            return AgentResult(blocks=(doubt,), status=Status.CLARIFY)
        if (which := await self._which_week(turn, words, timing, ids, target)) is not None:
            return which
        candidates: list[Schedule] = []
        made: list[ToolCall] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._finder.meant(turn, ids, target))
            if len(candidates) == 1:
                made.extend(calls_for(turn, candidates[0], words, timing, clocks))
            return made

        result = await changed(turn, decide, candidates, target)
        if made or len(candidates) != 1:
            return result
        if timing.rule and is_one_day(candidates[0], timing.rule):
            return ask_scope(turn, candidates[0], words, timing.rule)
        if is_doubtful and not candidates[0].rule.times:
            return AgentResult(blocks=(doubt,), status=Status.CLARIFY)
        return result

    async def _which_week(
        self, turn: Turn, words: str, timing: Timing, ids: Sequence[str], target: str
    ) -> AgentResult | None:
        """Ask whether a weekday is the next one or that of the week the reminder is in."""
        if timing.rule is None or timing.rule.type != "once" or not is_bare_weekday(words):
            return None
        found = await self._finder.meant(turn, ids, target)
        own = present.fire_local(found[0]) if len(found) == 1 else None
        if own is None or found[0].rule.type != "once":
            return None
        new = moved_to(turn, found[0], words, timing.rule)
        there = new + timedelta(
            days=(own.date() - new.date()).days + new.weekday() - own.weekday()
        )
        if there <= new or there.date() == own.date():
            return None
        zone = zone_of(turn.now)
        rules = tuple(present.once_rule(moment.replace(tzinfo=zone)) for moment in (new, there))
        return _ask_rule(turn, found[0], "which_time", rules)

    async def _clocks(
        self, turn: Turn, words: str, ids: Sequence[str], target: str
    ) -> tuple[tuple[str, ...], AgentResult | None]:
        """Return the times of day that words say for the one that is meant, or the question.

        A bare hour may be of either half of the day, and one of several times be replaced.
        """
        clocks = clocks_of(words, turn.now) or clocks_in(words, turn)
        halves = () if clocks else hours_of(words, turn.now)
        if not halves and len(clocks) != 1:
            return clocks, None
        found = await self._finder.meant(turn, ids, target)
        if len(found) != 1:
            return clocks, None
        schedule = found[0]
        if halves:
            rules = at_either(schedule, halves)
            return halves[-1:], _ask_rule(turn, schedule, BARE_HOUR, rules) if rules else None
        if several := instead_of_one(schedule, clocks[0]):
            return clocks, _ask_rule(turn, schedule, "which_time", several)
        either = () if says_part(words) else in_other_half(schedule, clocks[0])
        rules = tuple(
            rule
            for rule in at_times(schedule, either)
            if next_fire(rule, turn.now.astimezone(UTC)) is not None
        )
        return clocks, _ask_rule(turn, schedule, BARE_HOUR, rules) if len(rules) > 1 else None

    async def rename(self, turn: Turn, order: Rename) -> AgentResult:
        """Give a reminder other words; its time stays."""
        ids = Press(turn.pending.state).texts("schedules")[:1] if turn.pending else []
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            chosen = () if order.target else ids
            candidates.extend(await self._finder.meant(turn, chosen, order.target))
            change = ScheduleChange(what=order.name)
            return [update_call(candidates[0], change)] if len(candidates) == 1 else []

        return await changed(turn, decide, candidates, order.target)

    async def nth(self, turn: Turn, order: NthOrder) -> AgentResult:
        """Follow an order about the n-th reminder of the list."""
        found = await self._finder.listed(turn)
        if not found:
            return say("schedule.list_empty")
        if order.n > len(found):
            words = text("schedule.no_such_nth", n=order.n, has=len(found))
            return replace(
                await self.show(turn),
                blocks=(
                    TextBlock(words),
                    present.list_block(list(enumerate(found, 1)), turn.locale),
                ),
                status=Status.CLARIFY,
            )
        ids = [found[order.n - 1].schedule_id]
        if order.kind == "delete":
            return await self.remove(turn, ids)
        return await self.by_words(turn, order.rest, ids=ids)

    async def shift(
        self, turn: Turn, target: str, distance: timedelta, *, ids: Sequence[str] = ()
    ) -> AgentResult:
        """Move a reminder by a length; of a repeated one, ask whether only the next time."""
        candidates = await self._finder.meant(turn, ids, target)
        if len(candidates) != 1 or (local := present.fire_local(candidates[0])) is None:
            return unclear(candidates, target)
        rule = present.once_rule(local + distance)
        if candidates[0].rule.type != "once":
            return ask_scope(turn, candidates[0], "", rule)

        async def decide() -> Sequence[ToolCall]:
            fire_at = next_fire(rule, turn.now.astimezone(UTC))
            change = ScheduleChange(rule=rule, next_fire_at=fire_at)
            return [] if fire_at is None else [update_call(candidates[0], change)]

        return await changed(turn, decide, candidates, target)

    async def offer_delete(self, turn: Turn) -> AgentResult:
        """Ask which reminder is no longer wanted."""
        found = await self._finder.listed(turn)
        if not found:
            return say("schedule.list_empty")
        rows = tuple(
            (present.delete_nth_button(schedule, ordinal=i),)
            for i, schedule in enumerate(found[:OFFERED], 1)
        )
        question = TextBlock(text("schedule.choose_delete"))
        return AgentResult(blocks=(question,), buttons=rows, status=Status.CLARIFY)

    async def follow_edit(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Make the reminder of an edited message what the message says now."""
        reminder = parse_reminder(turn.query, now=turn.now, tz=zone_of(turn.now))
        timing = timing_of(turn.query, turn.now)
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._finder.meant(turn, ids, ""))
            if not candidates or timing.rule is None:
                return []
            change = ScheduleChange(
                what=(reminder.what if reminder else "") or None,
                rule=timing.rule,
                next_fire_at=next_fire(timing.rule, turn.now.astimezone(UTC)),
            )
            return [update_call(candidates[0], change)] if change.next_fire_at else []

        if timing.status != "ok" and not turn.tools.replaying:
            return say("schedule.edit_unread", status=Status.CLARIFY)
        return await changed(turn, decide, candidates, "")

    async def delete(self, turn: Turn, target: str) -> AgentResult:
        """Cancel the last reminder or the one called ``target``; several are offered."""
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._finder.meant(turn, (), target))
            return [delete_call([candidates[0].schedule_id])] if len(candidates) == 1 else []

        results = await turn.tools.perform(decide)
        if results:
            return removed(turn, from_json(StoredSchedules, results[0][1]))
        return unclear(candidates, target, delete=True)

    async def remove(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Cancel the reminders of a press."""

        async def decide() -> Sequence[ToolCall]:
            return [delete_call(ids)]

        try:
            ((_, stored),) = await turn.tools.perform(decide)
        except NotFoundError:
            return say("schedule.gone", repaint=True)
        gone = from_json(StoredSchedules, stored)
        return removed(turn, gone) if gone else say("schedule.gone", repaint=True)

    async def revert(self, turn: Turn, before: Schedule) -> AgentResult:
        """Make a changed reminder again what it was."""
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._finder.meant(turn, [before.schedule_id], ""))
            fire_at = next_fire(before.rule, turn.now.astimezone(UTC))
            change = ScheduleChange(what=before.what, rule=before.rule, next_fire_at=fire_at)
            return [] if fire_at is None else [update_call(s, change) for s in candidates]

        return await changed(turn, decide, candidates, "")

    async def ask_last(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Ask what the one of ``ids``, or the reminder set last, should be; offer several."""
        found = await self._finder.meant(turn, ids, "")
        if len(found) == 1:
            return await self.ask(turn, found[0].schedule_id)
        return await self.show(turn)

    async def ask_delete_all(self, turn: Turn) -> AgentResult:
        """Show every reminder and ask before all of them are cancelled."""
        found = await self._finder.listed(turn, MOST_AT_ONCE)
        if not found:
            return say("schedule.list_empty")
        question = text("schedule.ask_delete_all", n=len(found))
        ids: JsonValue = [schedule.schedule_id for schedule in found]
        yes = Button(
            label=text("schedule.button_delete_all", n=len(found)),
            tone=Tone.DANGER,
            action=ActionDraft(name="delete", arguments={"schedules": ids}),
        )
        no = Button(label=text("schedule.button_keep"), action=ActionDraft(name="keep"))
        return AgentResult(
            blocks=(
                present.list_block(list(enumerate(found, 1)), turn.locale),
                TextBlock(question),
            ),
            buttons=((yes, no),),
            status=Status.CLARIFY,
            pending=Pending(
                agent=INTENT,
                name="delete_all",
                question=question,
                asked_at=turn.now,
                expects=(Expects.CONFIRM,),
                state={"schedules": ids},
            ),
        )

    async def restore(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Bring cancelled reminders back."""

        async def decide() -> Sequence[ToolCall]:
            return [ToolCall(name="schedule_update", arguments={"restore": list(ids)})]

        ((_, stored),) = await turn.tools.perform(decide)
        restored = from_json(StoredSchedules, stored)
        if not restored:
            return say("schedule.already_back", repaint=True)
        return AgentResult(
            blocks=tuple(
                block
                for schedule in restored
                for block in present.stored_blocks(schedule, turn.locale, key="schedule.restored")
            ),
            buttons=present.stored_buttons(restored[0]),
            entities=present.references(restored),
            repaint=True,
        )

    async def ask(self, turn: Turn, schedule_id: str) -> AgentResult:
        """Ask what a reminder shall become."""
        schedule = await self._schedules.get(turn.person.person_id, schedule_id)
        if schedule is None or schedule.cancelled or schedule.next_fire_at is None:
            return say("schedule.gone")
        question = text(
            "schedule.ask_change",
            what=Verbatim(schedule.what),
            when=Verbatim(present.when_words(schedule, turn.locale)),
        )
        return AgentResult(
            blocks=(TextBlock(question),),
            buttons=((present.delete_button(schedule),),),
            status=Status.CLARIFY,
            entities=present.references([schedule]),
            pending=Pending(
                agent=INTENT,
                name="change",
                question=question,
                asked_at=turn.now,
                expects=(Expects.TIME, Expects.CONFIRM, Expects.WORDS),
                state={"schedule": schedule_id},
            ),
        )


def _ask_rule(turn: Turn, schedule: Schedule, reason: str, rules: Sequence[Rule]) -> AgentResult:
    """Ask which of several new times is meant for a reminder."""
    question = text(
        "schedule.ask_which", what=Verbatim(schedule.what), reason=reason_words(reason)
    )
    kept = {KEPT[reason]: to_json(Rules, tuple(rules))} if reason in KEPT else {}
    return AgentResult(
        blocks=(TextBlock(question),),
        buttons=tuple(move_all_row(schedule, rule, turn) for rule in rules[:OFFERED]),
        entities=present.references([schedule]),
        status=Status.CLARIFY,
        pending=Pending(
            agent=INTENT,
            name="change",
            question=question,
            asked_at=turn.now,
            expects=(Expects.TIME, Expects.CONFIRM),
            state={"schedule": schedule.schedule_id, **kept},
        ),
    )
