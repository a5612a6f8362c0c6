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
        """Write the plan, planned anew as long as others pass first; no writes, no passage."""
        lock = self._locks.of(person_id)
        async with lock:
            for _ in range(TRIES):
                version = await self._settled(person_id)
                value, writes = await plan(version + 1)
                if not writes or await self._pass(person_id, version, writes):
                    return value
        raise StorageUnavailableError(f"too many writers for {person_id}")

    async def _settled(self, person_id: str) -> int:
        row = await self._database.rows("turnstiles").one({"_id": person_id})
        await self._decisions.settle("turnstiles", row)
        version: int = row["version"] if row else 0
        return version

    async def _pass(self, person_id: str, version: int, writes: Sequence[Write]) -> bool:
        if version == 0:
            return await self._decisions.found(
                "turnstiles", {"_id": person_id, "version": 1}, writes
            )
        return await self._decisions.decide(
            "turnstiles",
            {"_id": person_id, "version": version},
            {"$set": {"version": version + 1}},
            writes,
        )


def rewrite(collection: str, row_id: str, version: int, fields: Row) -> Write:
    """Set fields of a row that is written through turnstiles only."""
    return update(
        collection, {"_id": row_id, "head": {"$lt": version}}, {**fields, "head": version}
    )
