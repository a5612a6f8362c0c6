"""Leaving out an occurrence by words."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from agents.schedule import present
from agents.schedule.calls import leave_out
from agents.schedule.due import DueButtons
from agents.schedule.find import ReminderFinder
from agents.schedule.outcome import OFFERED, removed
from agents.tools.schedules import StoredSchedules
from bot.core.agents import AgentResult, Status, Turn
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.messages import TextBlock
from bot.core.outbox import Purpose
from bot.core.schedules import Schedule, Schedules
from bot.core.words import Text, Verbatim, text
from bot.language.recurrence import next_fire
from bot.language.skips import Skip
from bot.locales.moments import day_words


class Skips:
    """Skip orders to the schedule agent."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules
        self._due = DueButtons(schedules)
        self._finder = ReminderFinder(schedules)

    async def order(self, turn: Turn, skip: Skip) -> AgentResult:
        """Do what a skip order says with the one reminder it means, or ask which."""
        found = await self._finder.called(turn, skip.target)
        if not found:
            return _say(text("schedule.skip_unknown", target=skip.target))
        day = skip.day.isoformat() if skip.day else ""
        if len(found) == 1:
            return await self.picked(turn, found[0].schedule_id, day)
        rows = tuple(
            (present.skip_button(schedule, day, ordinal=i),)
            for i, schedule in enumerate(found[:OFFERED], 1)
        )
        return AgentResult(
            blocks=(TextBlock(text("schedule.choose_skip")),), buttons=rows, status=Status.CLARIFY
        )

    async def picked(self, turn: Turn, schedule_id: str, day: str) -> AgentResult:
        """Leave out the occurrences of a day, or the next one."""
        if not day:
            return await self._due.skip_next(turn, schedule_id)
        schedule = await self._schedules.get(turn.person.person_id, schedule_id)
        if schedule is None or schedule.cancelled or schedule.next_fire_at is None:
            return _say(text("schedule.gone"))
        on = date.fromisoformat(day)
        if not turn.tools.replaying and not _fires_on(schedule, on, turn.now):
            what = Verbatim(schedule.what)
            return _say(text("schedule.no_fire_on", what=what, day=day_words(on, turn.locale)))
        call = leave_out(schedule, on, turn.now)

        async def decide() -> Sequence[ToolCall]:
            return [call]

        try:
            ((done, stored),) = await turn.tools.perform(decide)
        except (ConflictError, NotFoundError):
            return _say(text("schedule.changed_meanwhile"))
        schedules = from_json(StoredSchedules, stored)
        if done.name == "schedule_delete":
            return removed(turn, schedules)
        title = text("schedule.skipped_day", day=day_words(on, turn.locale))
        note = TextBlock(title)
        shown = present.stored_blocks(schedules[0], turn.locale, key="schedule.changed")
        return AgentResult(
            blocks=(note, *shown),
            buttons=present.stored_buttons(schedules[0]),
            entities=present.references(schedules),
            purpose=Purpose.CONFIRMATION,
            repaint=turn.action is not None,
        )


def _fires_on(schedule: Schedule, day: date, now: datetime) -> bool:
    zone = ZoneInfo(schedule.rule.tz)
    begin = datetime.combine(day, time(0), tzinfo=zone).astimezone(UTC)
    after = max(begin - timedelta(seconds=1), now.astimezone(UTC))
    if schedule.next_fire_at is not None:
        after = max(after, schedule.next_fire_at - timedelta(seconds=1))
    fire = next_fire(schedule.rule, after)
    return fire is not None and fire.astimezone(zone).date() == day


def _say(words: Text) -> AgentResult:
    return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY)
