"""Schedules as rows; a row is ``live`` while it has a moment to come, which the index holds."""

from bot.core.events import Chat
from bot.core.recurrence import Rule
from bot.core.schedules import Schedule
from storage.documents import Document
from storage.instants import (
    from_micros,
    from_micros_or_none,
    to_micros,
    to_micros_or_none,
)
from storage.mongo.driver import Row

_RULE = Document[Rule](Rule)
_CHAT = Document[Chat](Chat)


def changeable(schedule: Schedule) -> Row:
    """Return the fields of a reminder that may change."""
    return {
        "what": schedule.what,
        "rule": _RULE.dump(schedule.rule),
        "next_fire_at": to_micros_or_none(schedule.next_fire_at),
        "revision": schedule.revision,
        "cancelled": schedule.cancelled,
        "live": schedule.next_fire_at is not None and not schedule.cancelled,
    }


def new_row(schedule: Schedule, sequence: int, version: int) -> Row:
    """Return the row of a new reminder."""
    return {
        "_id": schedule.schedule_id,
        "sequence": sequence,
        "person_id": schedule.person_id,
        **changeable(schedule),
        "chat": _CHAT.dump(schedule.chat),
        "mention": schedule.mention,
        "when_late": schedule.when_late,
        "created_at": to_micros(schedule.created_at),
        "head": version,
    }


def read_schedule(row: Row) -> Schedule:
    """Return the reminder of a row."""
    return Schedule(
        schedule_id=row["_id"],
        person_id=row["person_id"],
        what=row["what"],
        rule=_RULE.load(row["rule"]),
        next_fire_at=from_micros_or_none(row["next_fire_at"]),
        chat=_CHAT.load(row["chat"]),
        mention=row["mention"],
        when_late=row["when_late"],
        created_at=from_micros(row["created_at"]),
        revision=row["revision"],
        cancelled=row["cancelled"],
    )
