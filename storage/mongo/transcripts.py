"""Web chat histories in MongoDB."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from bot.core.errors import ConflictError, StorageUnavailableError
from bot.core.ids import derived_id
from bot.core.transcripts import TranscriptItem
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database
from storage.mongo.driver import Row
from storage.mongo.locks import Locks

TRIES = 100


class MongoTranscripts:
    """`bot.core.transcripts.Transcripts` over the collection ``transcript_items``.

    A version is one more than the newest that is stored, and a unique index decides who gets it:
    so nobody who has seen a version can miss an older one that is stored later.
    """

    def __init__(self, database: Database) -> None:
        self._items = database.rows("transcript_items")
        self._locks = Locks()

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
        row = {
            "_id": item_key(chat_id, item_id),
            "chat_id": chat_id,
            "item_id": item_id,
            "author": author,
            "payload": json.dumps(dict(payload), sort_keys=True),
            "at": to_micros(at),
        }
        lock = self._locks.of(chat_id)
        async with lock:
            for _ in range(TRIES):
                stored = await self._try_put(row)
                if stored is not None:
                    return _item(stored)
        raise StorageUnavailableError(f"too many writers in chat {chat_id}")

    async def _try_put(self, row: Row) -> Row | None:
        found = await self._items.one({"_id": row["_id"]})
        if found is not None and found["payload"] == row["payload"]:
            return found
        newest = await self._items.one({"chat_id": row["chat_id"]}, sort=[("version", -1)])
        version = newest["version"] + 1 if newest else 1
        if found is None:
            made = {**row, "sequence": version, "version": version}
            return made if await self._items.add(made) else None
        change = {"payload": row["payload"], "version": version}
        try:
            return await self._items.changed(
                {"_id": row["_id"], "version": found["version"]}, {"$set": change}
            )
        except ConflictError:
            return None

    async def get(self, chat_id: str, item_id: str) -> TranscriptItem | None:
        """Return the item of this chat."""
        row = await self._items.one({"_id": item_key(chat_id, item_id)})
        return None if row is None else _item(row)

    async def since(
        self, chat_id: str, version: int, *, limit: int = 500
    ) -> Sequence[TranscriptItem]:
        """Return what changed after ``version``, ordered by version; the newest ``limit``."""
        rows = await self._items.many(
            {"chat_id": chat_id, "version": {"$gt": version}},
            sort=[("version", -1)],
            limit=limit,
        )
        return [_item(row) for row in reversed(rows)]


def item_key(chat_id: str, item_id: str) -> str:
    """Return the key of an item."""
    return derived_id("i", chat_id, item_id)


def _item(row: Row) -> TranscriptItem:
    return TranscriptItem(
        sequence=row["sequence"],
        version=row["version"],
        item_id=row["item_id"],
        author=row["author"],
        payload=json.loads(row["payload"]),
        at=from_micros(row["at"]),
    )
