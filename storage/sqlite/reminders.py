"""Schedules as rows: every statement about one of them names the person."""

import sqlite3

from bot.core.errors import NotFoundError
from bot.core.events import Chat
from bot.core.recurrence import Rule
from bot.core.schedules import Firing, Schedule
from storage.documents import Document
from storage.instants import (
    from_micros,
    from_micros_or_none,
    to_micros,
    to_micros_or_none,
)

_RULE = Document[Rule](Rule)
_CHAT = Document[Chat](Chat)


def insert(connection: sqlite3.Connection, schedule: Schedule) -> None:
    """Write a new reminder."""
    connection.execute(
        "INSERT INTO schedules (schedule_id, person_id, what, rule, next_fire_at, chat, mention,"
        " when_late, created_at, revision, cancelled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            schedule.schedule_id,
            schedule.person_id,
            schedule.what,
            _RULE.dump(schedule.rule),
            to_micros_or_none(schedule.next_fire_at),
            _CHAT.dump(schedule.chat),
            schedule.mention,
            schedule.when_late,
            to_micros(schedule.created_at),
            schedule.revision,
            schedule.cancelled,
        ),
    )


def store(connection: sqlite3.Connection, schedule: Schedule) -> None:
    """Write what a person may change of a reminder."""
    connection.execute(
        "UPDATE schedules SET what = ?, rule = ?, next_fire_at = ?, revision = ?, cancelled = ?"
        " WHERE person_id = ? AND schedule_id = ?",
        (
            schedule.what,
            _RULE.dump(schedule.rule),
            to_micros_or_none(schedule.next_fire_at),
            schedule.revision,
            schedule.cancelled,
            schedule.person_id,
            schedule.schedule_id,
        ),
    )


def move_on(connection: sqlite3.Connection, firing: Firing) -> bool:
    """Set the moment after, by compare-and-set; False when the reminder has changed."""
    changed = connection.execute(
        "UPDATE schedules SET next_fire_at = ?"
        " WHERE schedule_id = ? AND revision = ? AND next_fire_at = ? AND cancelled = 0"
        " AND person_id = coalesce(?, person_id)",
        (
            to_micros_or_none(firing.next_fire_at),
            firing.schedule_id,
            firing.revision,
            to_micros(firing.expected_fire_at),
            firing.person_id,
        ),
    )
    return changed.rowcount == 1


def load(connection: sqlite3.Connection, person_id: str, schedule_id: str) -> Schedule | None:
    """Return the reminder if it is this person's."""
    row = connection.execute(
        "SELECT * FROM schedules WHERE person_id = ? AND schedule_id = ?",
        (person_id, schedule_id),
    ).fetchone()
    return read_schedule(row) if row else None


def existing(connection: sqlite3.Connection, person_id: str, schedule_id: str) -> Schedule:
    """Return the reminder.

    Raises:
        NotFoundError: it is not this person's.
    """
    schedule = load(connection, person_id, schedule_id)
    if schedule is None:
        raise NotFoundError(f"no reminder {schedule_id}")
    return schedule


def read_schedule(row: sqlite3.Row) -> Schedule:
    """Return the reminder of a row."""
    return Schedule(
        schedule_id=row["schedule_id"],
        person_id=row["person_id"],
        what=row["what"],
        rule=_RULE.load(row["rule"]),
        next_fire_at=from_micros_or_none(row["next_fire_at"]),
        chat=_CHAT.load(row["chat"]),
        mention=row["mention"],
        when_late=row["when_late"],
        created_at=from_micros(row["created_at"]),
        revision=row["revision"],
        cancelled=bool(row["cancelled"]),
    )
