"""Spaces of groups, in SQLite."""

import sqlite3

from storage.sqlite.database import Database


class SqliteGroupSpaces:
    """`bot.core.spaces.GroupSpaces` over the table ``group_spaces``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, place: str, space: str) -> None:
        """Record the space of a group; an empty one takes it back."""

        def job(connection: sqlite3.Connection) -> None:
            if not space:
                connection.execute("DELETE FROM group_spaces WHERE place = ?", (place,))
                return
            connection.execute(
                "INSERT INTO group_spaces (place, space) VALUES (?, ?)"
                " ON CONFLICT (place) DO UPDATE SET space = excluded.space",
                (place, space),
            )

        await self._database.write(job)

    async def get(self, place: str) -> str:
        """Return the space of a group; empty when none was said."""

        def job(connection: sqlite3.Connection) -> str:
            query = "SELECT space FROM group_spaces WHERE place = ?"
            row = connection.execute(query, (place,)).fetchone()
            return row[0] if row else ""

        return await self._database.read(job)
