"""Several reminders moved by one length: 都推迟一小时. Asked first, with the new times."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from pydantic import JsonValue

from agents.schedule import present
from agents.schedule.calls import update_call
from agents.schedule.find import ReminderFinder
from agents.schedule.outcome import say, unclear
from agents.tools.schedules import StoredSchedules
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.messages import Button, TextBlock
from bot.core.schedules import Schedule, ScheduleChange, Schedules
from bot.core.words import Lines, Text, Verbatim, text
from bot.locales.moments import moment

MOST = 20


class ReminderShifts:
    """Moves one-off reminders together; every write is a tool call."""

    def __init__(self, schedules: Schedules) -> None:
        self._finder = ReminderFinder(schedules)

    async def ask(self, turn: Turn, target: str, distance: timedelta) -> AgentResult:
        """Show what all of those meant would become, and ask."""
        found = (await self._finder.called(turn, target))[:MOST]
        moved = [(s, to) for s in found if (to := _moved(s, turn, distance)) is not None]
        if not moved:
            return unclear([], target) if not found else say("schedule.shift_none")
        lines = [_line(s, to, distance, turn.locale) for s, to in moved]
        ids: JsonValue = [s.schedule_id for s, _ in moved]
        yes = Button(
            label=text("schedule.button_shift_all", n=len(moved)),
            action=ActionDraft(
                name="shift_all",
                arguments={"schedules": ids, "seconds": int(distance.total_seconds())},
            ),
        )
        no = Button(label=text("schedule.button_keep"), action=ActionDraft(name="unmoved"))
        blocks = [TextBlock(text("schedule.ask_shift_all", lines=Lines(tuple(lines))))]
        if len(moved) < len(found):
            blocks.append(TextBlock(text("schedule.shift_others", n=len(found) - len(moved))))
        return AgentResult(blocks=tuple(blocks), buttons=((yes, no),), status=Status.CLARIFY)

    async def pressed(self, turn: Turn, ids: Sequence[str], seconds: int) -> AgentResult:
        """Move those that were shown."""
        distance = timedelta(seconds=seconds)

        async def decide() -> Sequence[ToolCall]:
            found = await self._finder.meant(turn, ids, "")
            moved = [(s, _moved(s, turn, distance)) for s in found]
            return [_call(s, to) for s, to in moved if to is not None]

        try:
            results = await turn.tools.perform(decide)
        except (ConflictError, NotFoundError):
            return say("schedule.changed_meanwhile", repaint=True)
        if not results:
            return say("schedule.shift_none", repaint=True)
        stored = [s for _, result in results for s in from_json(StoredSchedules, result)]
        numbered = list(enumerate(stored, 1))
        return AgentResult(
            blocks=(
                TextBlock(text("schedule.shifted", n=len(stored))),
                present.list_block(numbered, turn.locale),
            ),
            entities=present.references(stored),
            repaint=True,
        )


def _moved(schedule: Schedule, turn: Turn, distance: timedelta) -> datetime | None:
    """Return the new local time of a one-off; None for what cannot be moved there."""
    local = present.fire_local(schedule)
    if schedule.rule.type != "once" or local is None or local + distance <= turn.now:
        return None
    return local + distance


def _call(schedule: Schedule, to: datetime) -> ToolCall:
    change = ScheduleChange(rule=present.once_rule(to), next_fire_at=to.astimezone(UTC))
    return update_call(schedule, change)


def _line(schedule: Schedule, to: datetime, distance: timedelta, locale: str) -> Text:
    return text(
        "schedule.shift_line",
        what=Verbatim(schedule.what),
        old=Verbatim(moment(to - distance, locale)),
        new=Verbatim(moment(to, locale)),
    )
