"""Tool calls that change or cancel reminders."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from pydantic import JsonValue

from bot.core.codec import to_json
from bot.core.effects import ToolCall
from bot.core.schedules import Schedule, ScheduleChange
from bot.language.recurrence import next_fire


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


def leave_out(schedule: Schedule, day: date, now: datetime) -> ToolCall:
    """Return the call that leaves out a day; a reminder with nothing else is cancelled."""
    if schedule.rule.type == "once":
        return delete_call([schedule.schedule_id])
    days = (*schedule.rule.except_dates, day)
    rule = schedule.rule.model_copy(update={"except_dates": days})
    after = now.astimezone(UTC)
    if schedule.next_fire_at is not None:
        after = max(after, schedule.next_fire_at - timedelta(seconds=1))
    fire_at = next_fire(rule, after)
    if fire_at is None:
        return delete_call([schedule.schedule_id])
    return update_call(schedule, ScheduleChange(rule=rule, next_fire_at=fire_at))
