"""Reminders in MongoDB."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.core.effects import Effect
from bot.core.errors import ConflictError, NotFoundError
from bot.core.ids import derived_id
from bot.core.schedules import Delivery, Firing, Schedule, ScheduleChange, ScheduleDraft
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.mongo import reminders
from storage.mongo.database import Database
from storage.mongo.decisions import Write, insert, update
from storage.mongo.deliveries import read_delivery
from storage.mongo.firing import fire
from storage.mongo.rows import Filter, Sort
from storage.mongo.turnstiles import Turnstiles, rewrite

_SCHEDULE = Document[Schedule](Schedule)
_SCHEDULES = Document[tuple[Schedule, ...]](tuple[Schedule, ...])
_DELIVERY = Document[Delivery](Delivery)

_NEXT_FIRST = [("next_fire_at", 1), ("sequence", 1)]


class MongoSchedules:
    """`bot.core.schedules.Schedules` over the collections ``schedules`` and ``deliveries``."""

    def __init__(self, database: Database, turnstiles: Turnstiles) -> None:
        self._database = database
        self._schedules = database.rows("schedules")
        self._deliveries = database.rows("deliveries")
        self._turnstiles = turnstiles

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

        async def plan(version: int) -> tuple[Schedule, list[Write]]:
            row = reminders.new_row(schedule, await self._database.reserve(1), version)
            return schedule, [insert("schedules", row)]

        return await self._turnstiles.once(
            effect, name="schedules.insert", person_id=person_id, result=_SCHEDULE, plan=plan
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

        async def plan(version: int) -> tuple[Schedule, list[Write]]:
            found = await self._existing(person_id, schedule_id)
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
            return changed, [_rewritten(changed, version)]

        return await self._turnstiles.once(
            effect, name="schedules.update", person_id=person_id, result=_SCHEDULE, plan=plan
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
        row = await self._schedules.one({"_id": schedule_id, "person_id": person_id})
        return reminders.read_schedule(row) if row else None

    async def upcoming(self, person_id: str, *, limit: int) -> tuple[Schedule, ...]:
        """Return live reminders with something to come, the next one first."""
        return await self._many({"person_id": person_id, "live": True}, _NEXT_FIRST, limit)

    async def of_person(self, person_id: str) -> tuple[Schedule, ...]:
        """Return all reminders of a person, oldest first."""
        return await self._many({"person_id": person_id}, [("created_at", 1), ("sequence", 1)])

    async def next_due_at(self) -> datetime | None:
        """Return the earliest moment that is still to come or overdue."""
        row = await self._schedules.one({"live": True}, sort=[("next_fire_at", 1)])
        return from_micros(row["next_fire_at"]) if row else None

    async def due(self, now: datetime, *, limit: int) -> tuple[Schedule, ...]:
        """Return live reminders whose moment has come, the most overdue first."""
        wanted: dict[str, Any] = {"live": True, "next_fire_at": {"$lte": to_micros(now)}}
        return await self._many(wanted, _NEXT_FIRST, limit)

    async def fire(self, firings: Sequence[Firing], *, now: datetime) -> int:
        """Store firings, person by person, leaving out those whose schedule has changed."""
        return await fire(self._database, self._turnstiles, firings, now=now)

    async def acknowledge(self, person_id: str, delivery_id: str, *, effect: Effect) -> Delivery:
        """Record that the person pressed Done.

        Raises:
            NotFoundError: no such delivery of this person.
        """

        async def plan(_version: int) -> tuple[Delivery, list[Write]]:
            row = await self._deliveries.one({"_id": delivery_id, "person_id": person_id})
            if row is None:
                raise NotFoundError(f"no delivery {delivery_id}")
            done = replace(read_delivery(row), acknowledged=True)
            return done, [update("deliveries", {"_id": delivery_id}, {"acknowledged": True})]

        return await self._turnstiles.once(
            effect, name="schedules.acknowledge", person_id=person_id, result=_DELIVERY, plan=plan
        )

    async def deliveries(self, person_id: str, *, limit: int = 100) -> tuple[Delivery, ...]:
        """Return the person's deliveries, newest due moment first."""
        rows = await self._deliveries.many(
            {"person_id": person_id}, sort=[("due_at", -1), ("sequence", -1)], limit=limit
        )
        return tuple(map(read_delivery, rows))

    async def delivery_counts(self) -> Mapping[str, int]:
        """Return how many deliveries there are by status."""
        return await self._deliveries.counts_by("status")

    async def _many(self, wanted: Filter, order: Sort, limit: int = 0) -> tuple[Schedule, ...]:
        rows = await self._schedules.many(wanted, sort=order, limit=limit)
        return tuple(map(reminders.read_schedule, rows))

    async def _existing(self, person_id: str, schedule_id: str) -> Schedule:
        schedule = await self.get(person_id, schedule_id)
        if schedule is None:
            raise NotFoundError(f"no reminder {schedule_id}")
        return schedule

    async def _set_cancelled(
        self, person_id: str, schedule_ids: Sequence[str], effect: Effect, *, name: str, to: bool
    ) -> tuple[Schedule, ...]:
        async def plan(version: int) -> tuple[tuple[Schedule, ...], list[Write]]:
            found = [
                await self._existing(person_id, schedule_id)
                for schedule_id in dict.fromkeys(schedule_ids)
            ]
            changed = tuple(
                replace(schedule, cancelled=to, revision=schedule.revision + 1)
                for schedule in found
                if schedule.cancelled is not to
            )
            return changed, [_rewritten(schedule, version) for schedule in changed]

        return await self._turnstiles.once(
            effect, name=name, person_id=person_id, result=_SCHEDULES, plan=plan
        )


def _rewritten(schedule: Schedule, version: int) -> Write:
    return rewrite("schedules", schedule.schedule_id, version, reminders.changeable(schedule))
