"""Chats that cannot be written to, in SQLite."""

import sqlite3
from collections.abc import Mapping
from datetime import datetime

from storage.instants import to_micros
from storage.sqlite.database import Database


class SqliteGoneChats:
    """`bot.core.reach.GoneChats` over the table ``gone_chats``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, place: str, *, reason: str, now: datetime) -> None:
        """Record that the chat is gone; the first reason stays."""

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO gone_chats (place, reason, gone_at) VALUES (?, ?, ?)"
                " ON CONFLICT (place) DO NOTHING",
                (place, reason, to_micros(now)),
            )

        await self._database.write(job)

    async def lift(self, place: str) -> None:
        """Record that it is back; without effect when it was not gone."""

        def job(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM gone_chats WHERE place = ?", (place,))

        await self._database.write(job)

    async def all(self) -> Mapping[str, str]:
        """Return the reasons."""

        def job(connection: sqlite3.Connection) -> dict[str, str]:
            return dict(connection.execute("SELECT place, reason FROM gone_chats").fetchall())

        return await self._database.read(job)
