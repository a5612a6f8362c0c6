"""The tool calls of a turn, in SQLite."""

import json
import sqlite3
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from bot.core.effects import Effect, ExternalCall, ExternalEffect, ExternalStatus, ToolCall
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database

_CALL = Document[ToolCall](ToolCall)
_CALLS = Document[tuple[ToolCall, ...]](tuple[ToolCall, ...])


class SqliteJournal:
    """`bot.core.effects.Journal` over the tables ``journal`` and ``external_effects``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, event_id: str, batch: int, calls: Sequence[ToolCall]) -> None:
        """Store the calls of this batch; the first writer wins."""
        values = (event_id, batch, _CALLS.dump(tuple(calls)))

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO journal (event_id, batch, calls) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                values,
            )

        await self._database.write(job)

    async def load(self, event_id: str) -> Mapping[int, tuple[ToolCall, ...]]:
        """Return the batches of the event."""

        def job(connection: sqlite3.Connection) -> dict[int, tuple[ToolCall, ...]]:
            rows = connection.execute(
                "SELECT batch, calls FROM journal WHERE event_id = ? ORDER BY batch", (event_id,)
            )
            return {row["batch"]: _CALLS.load(row["calls"]) for row in rows}

        return await self._database.read(job)

    async def begin_external(
        self, effect: Effect, call: ToolCall, *, person_id: str
    ) -> ExternalEffect | None:
        """Note that the call leaves now; return what was noted of it before."""
        values = (effect.effect_id, person_id, _CALL.dump(call), to_micros(effect.at))

        def job(connection: sqlite3.Connection) -> ExternalEffect | None:
            added = connection.execute(
                "INSERT INTO external_effects"
                " (effect_id, person_id, call, status, result, began_at)"
                " VALUES (?, ?, ?, 'pending', 'null', ?) ON CONFLICT DO NOTHING",
                values,
            )
            if added.rowcount:
                return None
            row = connection.execute(
                "SELECT status, result FROM external_effects WHERE effect_id = ?", values[:1]
            ).fetchone()
            return ExternalEffect(
                effect_id=effect.effect_id,
                status=ExternalStatus(row["status"]),
                result=json.loads(row["result"]),
            )

        return await self._database.write(job)

    async def end_external(
        self, effect_id: str, *, status: ExternalStatus, result: JsonValue
    ) -> None:
        """Note how the call ended."""
        values = (status, json.dumps(result), effect_id)

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE external_effects SET status = ?, result = ?"
                " WHERE effect_id = ? AND status <> 'done'",
                values,
            )

        await self._database.write(job)

    async def external_calls(self, person_id: str) -> Sequence[ExternalCall]:
        """Return the person's calls to other services, oldest first."""

        def job(connection: sqlite3.Connection) -> tuple[ExternalCall, ...]:
            rows = connection.execute(
                "SELECT * FROM external_effects WHERE person_id = ? ORDER BY began_at, effect_id",
                (person_id,),
            )
            return tuple(
                ExternalCall(
                    effect_id=row["effect_id"],
                    call=_CALL.load(row["call"]),
                    status=ExternalStatus(row["status"]),
                    result=json.loads(row["result"]),
                    began_at=from_micros(row["began_at"]),
                )
                for row in rows
            )

        return await self._database.read(job)
