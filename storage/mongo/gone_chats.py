"""Chats that cannot be written to, in MongoDB."""

from collections.abc import Mapping
from datetime import datetime

from storage.instants import to_micros
from storage.mongo.database import Database


class MongoGoneChats:
    """`bot.core.reach.GoneChats` over the collection ``gone_chats``."""

    def __init__(self, database: Database) -> None:
        self._chats = database.rows("gone_chats")

    async def put(self, place: str, *, reason: str, now: datetime) -> None:
        """Record that the chat is gone; the first reason stays."""
        await self._chats.add({"_id": place, "reason": reason, "gone_at": to_micros(now)})

    async def lift(self, place: str) -> None:
        """Record that it is back; without effect when it was not gone."""
        await self._chats.remove_all({"_id": place})

    async def all(self) -> Mapping[str, str]:
        """Return the reasons."""
        return {row["_id"]: row["reason"] for row in await self._chats.many({})}
