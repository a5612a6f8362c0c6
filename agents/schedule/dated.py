"""Orders about the reminders of a day: 把明天的吃药改到10点, cancel tomorrow's run."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from agents.schedule import present
from agents.schedule.changes import ReminderChanges
from agents.schedule.find import ReminderFinder, rings_within
from agents.schedule.moves import ask_scope
from agents.schedule.outcome import OFFERED, say, unclear
from agents.schedule.timing import clocks_of, timing_of
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.messages import Button, TextBlock, Tone
from bot.core.schedules import Schedule, Schedules
from bot.core.words import Verbatim, text
from bot.language.ahead import length_of
from bot.language.dated_orders import DatedOrder, Days
from bot.language.summary import summarize
from bot.locales.moments import day_words

_MOMENT = timedelta(minutes=1)


class DatedReminders:
    """Of a repeated reminder only the occurrence of that day is meant, or it is asked."""

    def __init__(self, schedules: Schedules, changes: ReminderChanges) -> None:
        self._finder = ReminderFinder(schedules)
        self._changes = changes

    async def follow(self, turn: Turn, order: DatedOrder, days: Days) -> AgentResult:
        """Do it with the one reminder that is meant, ask which, or say that there is none."""
        end = max(days.end, days.start + _MOMENT)
        found = [
            schedule
            for schedule in await self._finder.listed(turn)
            if order.what in schedule.what.lower() and rings_within(schedule, days.start, end)
        ]
        if not found:
            return self._none(turn, order, days)
        if order.kind == "delete":
            return await self._delete(turn, found, days)
        if len(found) > 1:
            return unclear(found, order.what)
        if order.kind in {"later", "sooner"}:
            return await self._shift(turn, found[0], order, days)
        return await self._change(turn, found[0], order.rest, days)

    @staticmethod
    def _none(turn: Turn, order: DatedOrder, days: Days) -> AgentResult:
        key = "schedule.none_called_on_day" if order.what else "schedule.none_on_day"
        day = Verbatim(day_words(days.since, turn.locale))
        words = text(key, target=Verbatim(order.what), day=day)
        return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)

    async def _change(self, turn: Turn, schedule: Schedule, words: str, days: Days) -> AgentResult:
        ids = [schedule.schedule_id]
        if schedule.rule.type == "once":
            return await self._changes.by_words(turn, words, ids=ids)
        clocks = clocks_of(words, turn.now)
        if len(clocks) == 1:
            at = datetime.combine(days.since, time.fromisoformat(clocks[0]))
            rule = present.once_rule(at.replace(tzinfo=zone_of(turn.now)))
            return ask_scope(turn, schedule, "", rule, days.since)
        timing = timing_of(words, turn.now)
        if timing.status == "ok" and timing.rule is not None and timing.rule.type == "once":
            return ask_scope(turn, schedule, words, timing.rule, days.since)
        return await self._changes.by_words(turn, words, ids=ids)

    async def _shift(
        self, turn: Turn, schedule: Schedule, order: DatedOrder, days: Days
    ) -> AgentResult:
        """Move the reminder by a length; of a repeated one, ask about the one of that day."""
        distance = length_of(order.rest)
        if distance is None:
            return say("schedule.edit_which", status=Status.CLARIFY)
        moved = distance if order.kind == "later" else -distance
        if schedule.rule.type == "once" or not schedule.rule.times:
            return await self._changes.shift(turn, "", moved, ids=[schedule.schedule_id])
        at = datetime.combine(days.since, time.fromisoformat(schedule.rule.times[0])) + moved
        rule = present.once_rule(at.replace(tzinfo=zone_of(turn.now)))
        return ask_scope(turn, schedule, "", rule, days.since)

    async def _delete(self, turn: Turn, found: Sequence[Schedule], days: Days) -> AgentResult:
        if len(found) == 1 and found[0].rule.type == "once":
            return await self._changes.remove(turn, [found[0].schedule_id])
        if len(found) == 1:
            return _skip_or_delete(turn, found[0], days)
        rows = [
            (
                present.delete_nth_button(schedule, ordinal=i)
                if schedule.rule.type == "once"
                else present.skip_button(schedule, days.since.isoformat(), ordinal=i),
            )
            for i, schedule in enumerate(found[:OFFERED], 1)
        ]
        if all(schedule.rule.type == "once" for schedule in found):
            rows.append((_all_button(found),))
        return AgentResult(
            blocks=(
                present.list_block(list(enumerate(found, 1)), turn.locale),
                TextBlock(text("schedule.choose_delete")),
            ),
            buttons=tuple(rows),
            status=Status.CLARIFY,
        )


def _skip_or_delete(turn: Turn, schedule: Schedule, days: Days) -> AgentResult:
    """Ask whether one day of a repeated reminder goes or all of it."""
    question = text(
        "schedule.ask_delete_scope",
        what=Verbatim(schedule.what),
        rule=Verbatim(summarize(schedule.rule, turn.locale)),
        day=Verbatim(day_words(days.since, turn.locale)),
    )
    skip = present.skip_button(schedule, days.since.isoformat(), ordinal=1)
    label = text("schedule.button_skip_day", day=Verbatim(day_words(days.since, turn.locale)))
    return AgentResult(
        blocks=(TextBlock(question),),
        buttons=((Button(label=label, action=skip.action),), (present.delete_button(schedule),)),
        status=Status.CLARIFY,
        entities=present.references([schedule]),
    )


def _all_button(found: Sequence[Schedule]) -> Button:
    return Button(
        label=text("schedule.button_delete_all", n=len(found)),
        tone=Tone.DANGER,
        action=ActionDraft(
            name="delete",
            arguments={"schedules": [schedule.schedule_id for schedule in found]},
        ),
    )
