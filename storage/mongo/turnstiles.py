"""A person's turnstile: writes to what a person owns pass one after the other.

The turnstile is a document with a version. A write is planned on what is stored while the
turnstile stands at version n and passes only if it still does; so whatever was read for the plan
is still true when it is decided. Rows that are written this way carry the version that wrote them
last (``head``), which makes a write that is repeated too late do nothing.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from bot.core.effects import Effect
from bot.core.errors import ConflictError, StorageUnavailableError
from storage.documents import Document
from storage.instants import to_micros
from storage.mongo.database import Database
from storage.mongo.decisions import Decisions, Write, insert, update
from storage.mongo.driver import Row
from storage.mongo.locks import Locks

T = TypeVar("T")

Plan = Callable[[int], Awaitable[tuple[T, Sequence[Write]]]]
"""Reads what is stored and returns the result and the writes; takes the version they get."""

TRIES = 100
"""How often others may pass between a plan and its decision before it is given up."""


class Turnstiles:
    """The turnstiles of all people, over the collection ``turnstiles``."""

    def __init__(self, database: Database, decisions: Decisions) -> None:
        self._database = database
        self._decisions = decisions
        self._locks = Locks()

    async def once(
        self, effect: Effect, *, name: str, person_id: str, result: Document[T], plan: Plan[T]
    ) -> T:
        """Write the plan and keep its result, or return the result kept under this effect id.

        Raises:
            ConflictError: the effect id belongs to another method or another person.
        """

        async def planned(version: int) -> tuple[T, Sequence[Write]]:
            kept = await self._database.rows("effects").one({"_id": effect.effect_id})
            if kept is not None:
                if (kept["name"], kept["person_id"]) != (name, person_id):
                    raise ConflictError(
                        f"effect {effect.effect_id} was {kept['name']}, not {name}"
                    )
                return result.load(kept["result"]), ()
            value, writes = await plan(version)
            row = {
                "_id": effect.effect_id,
                "name": name,
                "person_id": person_id,
                "arguments": json.dumps(dict(effect.arguments)),
                "result": result.dump(value),
                "at": to_micros(effect.at),
            }
            return value, (*writes, insert("effects", row))

        return await self.through(person_id, planned)

    async def through(self, person_id: str, plan: Plan[T]) -> T:
        """Write the plan, planned anew as long as others pass first; no writes, no passage.

        Raises:
            ConflictError: the person was merged away.
        """
        lock = self._locks.of(person_id)
        async with lock:
            for _ in range(TRIES):
                version, merged = await self._settled(person_id)
                if merged is not None:
                    raise ConflictError(f"{person_id} is merged into another person")
                value, writes = await plan(version + 1)
                if not writes or await self._pass(person_id, version, writes):
                    return value
        raise StorageUnavailableError(f"too many writers for {person_id}")

    async def hand_over(
        self,
        giver: str,
        taker: str,
        plan: Plan[T],
        *,
        fields: Row | None = None,
        ending: str | None = None,
    ) -> T:
        """Write a plan that gives rows of one person to another, through the giver's turnstile.

        Between the plan and its decision the taker's turnstile is moved on to at least the
        version that the rows get, so their next owner writes them with a higher one. As that
        ends whatever the taker had planned, of people who are given to each other at the same
        time at most one goes: each would have to move the other on before it was read.

        The giver's turnstile notes ``fields`` besides. ``ending`` is the merge that the taker
        comes out of; otherwise they must not be merged.

        Raises:
            ConflictError: one of them is merged into somebody.
        """
        async with self._locks.of(giver):
            for _ in range(TRIES):
                version, merged = await self._settled(giver)
                value, writes = await plan(version + 1)
                if not writes:
                    return value
                if merged is not None:
                    raise ConflictError(f"{giver} is merged into another person")
                await self._move_on(taker, version + 1, ending=ending)
                if await self._pass(giver, version, writes, fields):
                    return value
        raise StorageUnavailableError(f"too many writers for {giver}")

    async def refuse_merged(self, person_id: str) -> None:
        """Let nothing be written in the name of somebody who was merged away.

        Raises:
            ConflictError: they were.
        """
        if (await self._settled(person_id))[1] is not None:
            raise ConflictError(f"{person_id} is merged into another person")

    async def _move_on(self, person_id: str, at_least: int, *, ending: str | None) -> None:
        rows = self._database.rows("turnstiles")
        for _ in range(TRIES):
            version, merged = await self._settled(person_id)
            if merged not in (None, ending):
                raise ConflictError(f"{person_id} is merged into another person")
            higher = max(version, at_least) + 1
            if version == 0:
                if await rows.add({"_id": person_id, "version": higher}):
                    return
            elif await rows.change(
                {"_id": person_id, "version": version}, {"$set": {"version": higher}}
            ):
                return
        raise StorageUnavailableError(f"too many writers for {person_id}")

    async def _settled(self, person_id: str) -> tuple[int, str | None]:
        """Return the version and the merge that the person was merged away by."""
        row = await self._database.rows("turnstiles").one({"_id": person_id})
        await self._decisions.settle("turnstiles", row)
        return (row["version"], row.get("merged")) if row else (0, None)

    async def _pass(
        self,
        person_id: str,
        version: int,
        writes: Sequence[Write],
        fields: Row | None = None,
    ) -> bool:
        changes = {**(fields or {}), "version": version + 1}
        if version == 0:
            return await self._decisions.found("turnstiles", {"_id": person_id, **changes}, writes)
        return await self._decisions.decide(
            "turnstiles", {"_id": person_id, "version": version}, {"$set": changes}, writes
        )


def rewrite(collection: str, row_id: str, version: int, fields: Row) -> Write:
    """Set fields of a row that is written through turnstiles only."""
    return update(
        collection, {"_id": row_id, "head": {"$lt": version}}, {**fields, "head": version}
    )
