"""Reminders in SQLite, and the firing of due moments in one transaction."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from bot.core.effects import Effect
from bot.core.errors import ConflictError, NotFoundError
from bot.core.ids import derived_id
from bot.core.schedules import Delivery, Firing, Schedule, ScheduleChange, ScheduleDraft
from storage.documents import Document
from storage.instants import from_micros_or_none, to_micros
from storage.sqlite import reminders
from storage.sqlite.actions import add_actions
from storage.sqlite.database import Database
from storage.sqlite.deliveries import add_deliveries, read_delivery
from storage.sqlite.effects import once
from storage.sqlite.outbox import queue_messages

_SCHEDULE = Document[Schedule](Schedule)
_SCHEDULES = Document[tuple[Schedule, ...]](tuple[Schedule, ...])
_DELIVERY = Document[Delivery](Delivery)


class SqliteSchedules:
    """`bot.core.schedules.Schedules` over the tables ``schedules`` and ``deliveries``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def insert(self, person_id: str, draft: ScheduleDraft, *, effect: Effect) -> Schedule:
        """Store a reminder."""
        schedule = Schedule(
            schedule_id=derived_id("s", effect.effect_id),
            person_id=person_id,
            what=draft.what,
            rule=draft.rule,
            next_fire_at=draft.next_fire_at,
            chat=draft.chat,
            mention=draft.mention,
            when_late=draft.when_late,
            created_at=effect.at,
        )

        def job(connection: sqlite3.Connection) -> Schedule:
            reminders.insert(connection, schedule)
            return schedule

        return await once(
            self._database,
            effect,
            name="schedules.insert",
            person_id=person_id,
            result=_SCHEDULE,
            write=job,
        )

    async def update(
        self,
        person_id: str,
        schedule_id: str,
        *,
        revision: int,
        change: ScheduleChange,
        effect: Effect,
    ) -> Schedule:
        """Change a reminder.

        Raises:
            ConflictError: it is not in this revision any more.
            NotFoundError: no such live reminder of this person.
        """

        def job(connection: sqlite3.Connection) -> Schedule:
            found = reminders.existing(connection, person_id, schedule_id)
            if found.cancelled:
                raise NotFoundError(f"reminder {schedule_id} is cancelled")
            if found.revision != revision:
                raise ConflictError(f"reminder {schedule_id} is in revision {found.revision}")
            changed = replace(
                found,
                what=found.what if change.what is None else change.what,
                rule=found.rule if change.rule is None else change.rule,
                next_fire_at=change.next_fire_at or found.next_fire_at,
                revision=found.revision + 1,
            )
            reminders.store(connection, changed)
            return changed

        return await once(
            self._database,
            effect,
            name="schedules.update",
            person_id=person_id,
            result=_SCHEDULE,
            write=job,
        )

    async def cancel(
        self, person_id: str, schedule_ids: Sequence[str], *, effect: Effect
    ) -> tuple[Schedule, ...]:
        """Cancel reminders; return those that were live.

        Raises:
            NotFoundError: an id is not a reminder of this person.
        """
        return await self._set_cancelled(
            person_id, schedule_ids, effect, name="schedules.cancel", to=True
        )

    async def restore(
        self, person_id: str, schedule_ids: Sequence[str], *, effect: Effect
    ) -> tuple[Schedule, ...]:
        """Undo `cancel`; return those that had been cancelled.

        Raises:
            NotFoundError: an id is not a reminder of this person.
        """
        return await self._set_cancelled(
            person_id, schedule_ids, effect, name="schedules.restore", to=False
        )

    async def get(self, person_id: str, schedule_id: str) -> Schedule | None:
        """Return the reminder, cancelled or not."""
        return await self._database.read(
            lambda connection: reminders.load(connection, person_id, schedule_id)
        )

    async def upcoming(self, person_id: str, *, limit: int) -> tuple[Schedule, ...]:
        """Return live reminders with something to come, the next one first."""
        return await self._many(
            "SELECT * FROM schedules"
            " WHERE person_id = ? AND next_fire_at IS NOT NULL AND cancelled = 0"
            " ORDER BY next_fire_at, sequence LIMIT ?",
            (person_id, limit),
        )

    async def of_person(self, person_id: str) -> tuple[Schedule, ...]:
        """Return all reminders of a person, oldest first."""
        return await self._many(
            "SELECT * FROM schedules WHERE person_id = ? ORDER BY created_at, sequence",
            (person_id,),
        )

    async def next_due_at(self) -> datetime | None:
        """Return the earliest moment that is still to come or overdue."""

        def job(connection: sqlite3.Connection) -> datetime | None:
            row = connection.execute(
                "SELECT min(next_fire_at) FROM schedules"
                " WHERE next_fire_at IS NOT NULL AND cancelled = 0"
            ).fetchone()
            return from_micros_or_none(row[0])

        return await self._database.read(job)

    async def due(self, now: datetime, *, limit: int) -> tuple[Schedule, ...]:
        """Return live reminders whose moment has come, the most overdue first."""
        return await self._many(
            "SELECT * FROM schedules"
            " WHERE next_fire_at IS NOT NULL AND cancelled = 0 AND next_fire_at <= ?"
            " ORDER BY next_fire_at, sequence LIMIT ?",
            (to_micros(now), limit),
        )

    async def fire(self, firings: Sequence[Firing], *, now: datetime) -> int:
        """Store firings in one transaction, leaving out those whose schedule has changed."""

        def job(connection: sqlite3.Connection) -> int:
            return sum(_fire(connection, firing, now) for firing in firings)

        return await self._database.write(job)

    async def acknowledge(self, person_id: str, delivery_id: str, *, effect: Effect) -> Delivery:
        """Record that the person pressed Done.

        Raises:
            NotFoundError: no such delivery of this person.
        """

        def job(connection: sqlite3.Connection) -> Delivery:
            row = connection.execute(
                "UPDATE deliveries SET acknowledged = 1"
                " WHERE delivery_id = ? AND person_id = ? RETURNING *",
                (delivery_id, person_id),
            ).fetchone()
            if row is None:
                raise NotFoundError(f"no delivery {delivery_id}")
            return read_delivery(row)

        return await once(
            self._database,
            effect,
            name="schedules.acknowledge",
            person_id=person_id,
            result=_DELIVERY,
            write=job,
        )

    async def deliveries(self, person_id: str, *, limit: int = 100) -> tuple[Delivery, ...]:
        """Return the person's deliveries, newest due moment first."""

        def job(connection: sqlite3.Connection) -> tuple[Delivery, ...]:
            rows = connection.execute(
                "SELECT * FROM deliveries WHERE person_id = ?"
                " ORDER BY due_at DESC, rowid DESC LIMIT ?",
                (person_id, limit),
            )
            return tuple(map(read_delivery, rows))

        return await self._database.read(job)

    async def delivery_counts(self) -> Mapping[str, int]:
        """Return how many deliveries there are by status."""

        def job(connection: sqlite3.Connection) -> dict[str, int]:
            rows = connection.execute("SELECT status, count(*) FROM deliveries GROUP BY status")
            return dict(rows)

        return await self._database.read(job)

    async def _many(self, query: str, values: tuple[str | int, ...]) -> tuple[Schedule, ...]:
        def job(connection: sqlite3.Connection) -> tuple[Schedule, ...]:
            return tuple(map(reminders.read_schedule, connection.execute(query, values)))

        return await self._database.read(job)

    async def _set_cancelled(
        self, person_id: str, schedule_ids: Sequence[str], effect: Effect, *, name: str, to: bool
    ) -> tuple[Schedule, ...]:
        def job(connection: sqlite3.Connection) -> tuple[Schedule, ...]:
            found = [
                reminders.existing(connection, person_id, schedule_id)
                for schedule_id in dict.fromkeys(schedule_ids)
            ]
            changed = tuple(
                replace(schedule, cancelled=to, revision=schedule.revision + 1)
                for schedule in found
                if schedule.cancelled is not to
            )
            for schedule in changed:
                reminders.store(connection, schedule)
            return changed

        return await once(
            self._database, effect, name=name, person_id=person_id, result=_SCHEDULES, write=job
        )


def _fire(connection: sqlite3.Connection, firing: Firing, now: datetime) -> bool:
    if not reminders.move_on(connection, firing):
        return False
    add_deliveries(connection, firing.deliveries)
    queue_messages(connection, firing.outbox, now=now)
    add_actions(connection, firing.actions)
    return True
