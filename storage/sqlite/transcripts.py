"""Web chat histories in SQLite."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from bot.core.transcripts import TranscriptItem
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database


class SqliteTranscripts:
    """`bot.core.transcripts.Transcripts` over the table ``transcript_items``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(
        self,
        chat_id: str,
        item_id: str,
        *,
        author: Literal["person", "bot"],
        payload: Mapping[str, JsonValue],
        at: datetime,
    ) -> TranscriptItem:
        """Append the item, or replace its payload when the id is there."""
        written = json.dumps(dict(payload), sort_keys=True)

        def job(connection: sqlite3.Connection) -> TranscriptItem:
            connection.execute(
                "INSERT INTO transcript_items"
                " (chat_id, item_id, sequence, version, author, payload, at)"
                " SELECT :chat_id, :item_id,"
                "  (SELECT ifnull(max(sequence), 0) + 1 FROM transcript_items"
                "   WHERE chat_id = :chat_id),"
                "  (SELECT ifnull(max(version), 0) + 1 FROM transcript_items"
                "   WHERE chat_id = :chat_id),"
                "  :author, :payload, :at"
                " WHERE true"
                " ON CONFLICT (chat_id, item_id) DO UPDATE"
                "  SET payload = excluded.payload, version = excluded.version"
                "  WHERE payload <> excluded.payload",
                {
                    "chat_id": chat_id,
                    "item_id": item_id,
                    "author": author,
                    "payload": written,
                    "at": to_micros(at),
                },
            )
            row = connection.execute(
                "SELECT * FROM transcript_items WHERE chat_id = ? AND item_id = ?",
                (chat_id, item_id),
            ).fetchone()
            return _item(row)

        return await self._database.write(job)

    async def get(self, chat_id: str, item_id: str) -> TranscriptItem | None:
        """Return the item as it is shown now."""
        return await self._database.read(lambda connection: _find(connection, chat_id, item_id))

    async def since(
        self, chat_id: str, version: int, *, limit: int = 500
    ) -> Sequence[TranscriptItem]:
        """Return what changed after ``version``, ordered by version; the newest ``limit``."""

        def job(connection: sqlite3.Connection) -> list[TranscriptItem]:
            rows = connection.execute(
                "SELECT * FROM transcript_items WHERE chat_id = ? AND version > ?"
                " ORDER BY version DESC LIMIT ?",
                (chat_id, version, limit),
            ).fetchall()
            return [_item(row) for row in reversed(rows)]

        return await self._database.read(job)


def _find(connection: sqlite3.Connection, chat_id: str, item_id: str) -> TranscriptItem | None:
    row = connection.execute(
        "SELECT * FROM transcript_items WHERE chat_id = ? AND item_id = ?", (chat_id, item_id)
    ).fetchone()
    return _item(row) if row else None


def _item(row: sqlite3.Row) -> TranscriptItem:
    return TranscriptItem(
        sequence=row["sequence"],
        version=row["version"],
        item_id=row["item_id"],
        author=row["author"],
        payload=json.loads(row["payload"]),
        at=from_micros(row["at"]),
    )
