"""Tool calls that change or cancel reminders."""

from collections.abc import Sequence

from pydantic import JsonValue

from bot.core.codec import to_json
from bot.core.effects import ToolCall
from bot.core.schedules import Schedule, ScheduleChange


def update_call(schedule: Schedule, change: ScheduleChange) -> ToolCall:
    """Return the call that changes a reminder."""
    arguments: dict[str, JsonValue] = {
        "schedule_id": schedule.schedule_id,
        "revision": schedule.revision,
        "change": to_json(ScheduleChange, change),
    }
    return ToolCall(name="schedule_update", arguments=arguments)


def delete_call(ids: Sequence[str]) -> ToolCall:
    """Return the call that cancels reminders."""
    return ToolCall(name="schedule_delete", arguments={"schedule_ids": list(ids)})
