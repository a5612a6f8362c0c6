"""The firing of due moments in MongoDB: all of one person's pass their turnstile together."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from bot.core.errors import ConflictError
from bot.core.schedules import Firing
from storage.instants import to_micros, to_micros_or_none
from storage.mongo.actions import adding
from storage.mongo.database import Database
from storage.mongo.decisions import Write
from storage.mongo.deliveries import delivering
from storage.mongo.driver import Row
from storage.mongo.outbox import queueing
from storage.mongo.patience import patiently
from storage.mongo.turnstiles import Turnstiles, rewrite

PEOPLE_AT_ONCE = 8


async def fire(
    database: Database, turnstiles: Turnstiles, firings: Sequence[Firing], *, now: datetime
) -> int:
    """Store the firings whose schedule is as expected; return how many were."""
    schedules = database.rows("schedules")
    known = await schedules.many(
        {"_id": {"$in": [firing.schedule_id for firing in firings]}}, fields=["person_id"]
    )
    owners = {row["_id"]: row["person_id"] for row in known}
    theirs: dict[str, list[Firing]] = defaultdict(list)
    for firing in firings:
        if firing.schedule_id in owners:
            theirs[owners[firing.schedule_id]].append(firing)
    places = asyncio.Semaphore(PEOPLE_AT_ONCE)

    async def fire_for(person_id: str) -> int:
        async def plan(version: int) -> tuple[int, list[Write]]:
            live = await _unchanged(database, theirs[person_id])
            return len(live), await _writes(database, live, version, now=now)

        async with places:
            try:
                return await patiently(lambda: turnstiles.through(person_id, plan))
            except ConflictError:  # merged away since: they are due with their new owner
                return 0

    counts = await asyncio.gather(*map(fire_for, theirs), return_exceptions=True)
    return sum(_count(result) for result in counts)


def _count(result: int | BaseException) -> int:
    if isinstance(result, BaseException):
        raise result
    return result


async def _unchanged(database: Database, firings: Sequence[Firing]) -> list[Firing]:
    rows = await database.rows("schedules").many(
        {"_id": {"$in": [firing.schedule_id for firing in firings]}, "live": True}
    )
    stored = {row["_id"]: row for row in rows}
    live: dict[str, Firing] = {}
    for firing in firings:
        row = stored.get(firing.schedule_id)
        if row is not None and _is_expected(row, firing):
            live.setdefault(firing.schedule_id, firing)
    return list(live.values())


def _is_expected(row: Row, firing: Firing) -> bool:
    expected = (firing.revision, to_micros(firing.expected_fire_at))
    is_theirs = firing.person_id in (None, row["person_id"])
    return is_theirs and (row["revision"], row["next_fire_at"]) == expected


async def _writes(
    database: Database, firings: Sequence[Firing], version: int, *, now: datetime
) -> list[Write]:
    deliveries = [delivery for firing in firings for delivery in firing.deliveries]
    drafts = [draft for firing in firings for draft in firing.outbox]
    actions = [action for firing in firings for action in firing.actions]
    first = await database.reserve(len(deliveries) + len(drafts))
    if not firings:
        return []
    return [
        adding(actions),
        delivering(deliveries, first),
        queueing(drafts, first + len(deliveries), now=now),
        *(_moved(firing, version) for firing in firings),
    ]


def _moved(firing: Firing, version: int) -> Write:
    fields = {
        "next_fire_at": to_micros_or_none(firing.next_fire_at),
        "live": firing.next_fire_at is not None,
    }
    return rewrite("schedules", firing.schedule_id, version, fields)
