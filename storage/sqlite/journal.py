"""The tool calls of a turn, in SQLite."""

import sqlite3
from collections.abc import Mapping, Sequence

from bot.core.effects import ToolCall
from storage.documents import Document
from storage.sqlite.database import Database

_CALLS = Document[tuple[ToolCall, ...]](tuple[ToolCall, ...])


class SqliteJournal:
    """`bot.core.effects.Journal` over the table ``journal``."""

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
