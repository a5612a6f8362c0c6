"""The tool calls of a turn, in MongoDB."""

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from bot.core.effects import Effect, ExternalCall, ExternalEffect, ExternalStatus, ToolCall
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database

_CALL = Document[ToolCall](ToolCall)
_CALLS = Document[tuple[ToolCall, ...]](tuple[ToolCall, ...])


class MongoJournal:
    """`bot.core.effects.Journal` over the collections ``journal`` and ``external_effects``."""

    def __init__(self, database: Database) -> None:
        self._journal = database.rows("journal")
        self._external = database.rows("external_effects")

    async def record(self, event_id: str, batch: int, calls: Sequence[ToolCall]) -> None:
        """Store the calls of this batch; the first writer wins."""
        await self._journal.add(
            {
                "_id": batch_key(event_id, batch),
                "event_id": event_id,
                "batch": batch,
                "calls": _CALLS.dump(tuple(calls)),
            }
        )

    async def load(self, event_id: str) -> Mapping[int, tuple[ToolCall, ...]]:
        """Return the batches of the event."""
        rows = await self._journal.many({"event_id": event_id}, sort=[("batch", 1)])
        return {row["batch"]: _CALLS.load(row["calls"]) for row in rows}

    async def begin_external(
        self, effect: Effect, call: ToolCall, *, person_id: str
    ) -> ExternalEffect | None:
        """Note that the call leaves now; return what was noted of it before."""
        added = await self._external.add(
            {
                "_id": effect.effect_id,
                "person_id": person_id,
                "call": _CALL.dump(call),
                "status": ExternalStatus.PENDING.value,
                "result": "null",
                "began_at": to_micros(effect.at),
            }
        )
        row = None if added else await self._external.one({"_id": effect.effect_id})
        if row is None:
            return None
        return ExternalEffect(
            effect_id=effect.effect_id,
            status=ExternalStatus(row["status"]),
            result=json.loads(row["result"]),
        )

    async def end_external(
        self, effect_id: str, *, status: ExternalStatus, result: JsonValue
    ) -> None:
        """Note how the call ended."""
        await self._external.change(
            {"_id": effect_id, "status": {"$ne": ExternalStatus.DONE.value}},
            {"$set": {"status": status.value, "result": json.dumps(result)}},
        )

    async def external_calls(self, person_id: str) -> Sequence[ExternalCall]:
        """Return the person's calls to other services, oldest first."""
        rows = await self._external.many(
            {"person_id": person_id}, sort=[("began_at", 1), ("_id", 1)]
        )
        return [
            ExternalCall(
                effect_id=row["_id"],
                call=_CALL.load(row["call"]),
                status=ExternalStatus(row["status"]),
                result=json.loads(row["result"]),
                began_at=from_micros(row["began_at"]),
            )
            for row in rows
        ]


def batch_key(event_id: str, batch: int) -> str:
    """Return the key of a batch."""
    return f"{event_id}#{batch}"
