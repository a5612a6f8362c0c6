"""The SCHEDULE tools (seed 000) over the schedules repository."""

from typing import Literal

from pydantic import Field, JsonValue

from agents.tools.declare import reading, writing
from bot.core.codec import to_json
from bot.core.events import ChatKind
from bot.core.permissions import Permission
from bot.core.schedules import Schedule, ScheduleChange, ScheduleDraft, Schedules
from bot.core.tools import Tool, ToolArguments, ToolContext

LIST_LIMIT = 50
MOST_READ = 1000
StoredSchedules = tuple[Schedule, ...]
READ = Permission.SCHEDULE_READ
WRITE = Permission.SCHEDULE_WRITE


class InsertArguments(ToolArguments):
    """A reminder to be stored."""

    draft: ScheduleDraft


class UpdateArguments(ToolArguments):
    """A change of a reminder; the return of cancelled ones; or Done for a delivered moment.

    Attributes:
        revision: the reminder's revision that the change was made for.
        restore: cancelled reminders to bring back; then nothing else is changed.
        done: delivery id to be marked as done; then nothing else is changed.
    """

    schedule_id: str = ""
    revision: int = 0
    change: ScheduleChange = ScheduleChange()
    restore: tuple[str, ...] = ()
    done: str = ""


class DeleteArguments(ToolArguments):
    """Reminders to be cancelled."""

    schedule_ids: tuple[str, ...] = Field(min_length=1, max_length=LIST_LIMIT)


class LimitArguments(ToolArguments):
    """How many."""

    limit: int = Field(default=10, ge=1, le=LIST_LIMIT)


class ListArguments(ToolArguments):
    """Which reminders: those to come, or all of them."""

    which: Literal["upcoming", "all"] = "upcoming"
    limit: int = Field(default=20, ge=1, le=LIST_LIMIT)


class NoArguments(ToolArguments):
    """Nothing to say."""


class ScheduleTools:
    """Functions behind the tools. The owner comes from the context, never from arguments."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules

    async def insert(self, context: ToolContext, arguments: InsertArguments) -> JsonValue:
        """Store a reminder."""
        schedule = await self._schedules.insert(
            context.person.person_id, arguments.draft, effect=context.effect
        )
        return to_json(StoredSchedules, (schedule,))

    async def update(self, context: ToolContext, arguments: UpdateArguments) -> JsonValue:
        """Change a reminder, bring reminders back, or note that one was done."""
        person_id = context.person.person_id
        if arguments.done:
            delivery = await self._schedules.acknowledge(
                person_id, arguments.done, effect=context.effect
            )
            return {"done": delivery.delivery_id}
        if arguments.restore:
            restored = await self._schedules.restore(
                person_id, arguments.restore, effect=context.effect
            )
            return to_json(StoredSchedules, restored)
        schedule = await self._schedules.update(
            person_id,
            arguments.schedule_id,
            revision=arguments.revision,
            change=arguments.change,
            effect=context.effect,
        )
        return to_json(StoredSchedules, (schedule,))

    async def delete(self, context: ToolContext, arguments: DeleteArguments) -> JsonValue:
        """Cancel reminders."""
        cancelled = await self._schedules.cancel(
            context.person.person_id, arguments.schedule_ids, effect=context.effect
        )
        return to_json(StoredSchedules, cancelled)

    async def get_latest(self, context: ToolContext, _arguments: NoArguments) -> JsonValue:
        """Return the reminder stored last."""
        stored = await self._stored(context)
        live = [schedule for schedule in stored if not schedule.cancelled]
        return to_json(StoredSchedules, tuple(live[-1:]))

    async def list_recent(self, context: ToolContext, arguments: LimitArguments) -> JsonValue:
        """Return the reminders stored last, the newest first."""
        stored = await self._stored(context)
        return to_json(StoredSchedules, tuple(stored[::-1][: arguments.limit]))

    async def list(self, context: ToolContext, arguments: ListArguments) -> JsonValue:
        """Return reminders to come, the next one first; or all, oldest first."""
        if arguments.which == "upcoming":
            limit = MOST_READ if context.chat.kind is ChatKind.GROUP else arguments.limit
            owner = context.person.person_id
            found = _shown(context, await self._schedules.upcoming(owner, limit=limit))
        else:
            found = await self._stored(context)
        return to_json(StoredSchedules, found[: arguments.limit])

    async def _stored(self, context: ToolContext) -> tuple[Schedule, ...]:
        return _shown(context, await self._schedules.of_person(context.person.person_id))


def _shown(context: ToolContext, found: tuple[Schedule, ...]) -> tuple[Schedule, ...]:
    """Keep what may be read out in this chat: in a group, what was set there."""
    if context.chat.kind is not ChatKind.GROUP:
        return found
    return tuple(s for s in found if s.chat.place == context.chat.place)


def schedule_tools(schedules: Schedules) -> tuple[Tool, ...]:
    """Return the SCHEDULE group."""
    functions = ScheduleTools(schedules)
    return (
        writing(WRITE, "schedule_insert", InsertArguments, functions.insert, "Store a reminder."),
        writing(
            WRITE,
            "schedule_update",
            UpdateArguments,
            functions.update,
            "Change a reminder, bring it back, or mark a delivered one as done.",
            overwrites=True,
        ),
        writing(
            WRITE,
            "schedule_delete",
            DeleteArguments,
            functions.delete,
            "Cancel reminders (can be undone).",
            confirm=True,
        ),
        reading(
            READ,
            "schedule_get_latest",
            NoArguments,
            functions.get_latest,
            "The reminder stored last.",
        ),
        reading(
            READ,
            "schedule_list_recent",
            LimitArguments,
            functions.list_recent,
            "The reminders stored last.",
        ),
        reading(
            READ, "schedule_list", ListArguments, functions.list, "Reminders to come, or all."
        ),
    )
