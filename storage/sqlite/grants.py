"""Changes of what people may use, in SQLite."""

import sqlite3
from collections.abc import Iterable

from bot.core.grants import Grant
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database


class SqliteGrants:
    """`bot.core.grants.Grants` over the table ``grants``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, grants: Iterable[Grant]) -> None:
        """Store changes; those whose id is there already are left alone."""
        rows = [
            (g.grant_id, g.person_id, g.branch_id, g.allowed, g.by, to_micros(g.at))
            for g in grants
        ]

        def job(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "INSERT INTO grants (grant_id, person_id, branch_id, allowed, by, at)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (grant_id) DO NOTHING",
                rows,
            )

        await self._database.write(job)

    async def of_person(self, person_id: str) -> tuple[Grant, ...]:
        """Return the person's changes, the oldest first."""

        def job(connection: sqlite3.Connection) -> tuple[Grant, ...]:
            rows = connection.execute(
                "SELECT * FROM grants WHERE person_id = ? ORDER BY sequence", (person_id,)
            )
            return tuple(
                Grant(
                    grant_id=row["grant_id"],
                    person_id=row["person_id"],
                    branch_id=row["branch_id"],
                    allowed=bool(row["allowed"]),
                    by=row["by"],
                    at=from_micros(row["at"]),
                )
                for row in rows
            )

        return await self._database.read(job)
