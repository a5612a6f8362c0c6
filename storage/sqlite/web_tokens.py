"""Web sign-ins in SQLite."""

import sqlite3

from bot.core.transcripts import WebAccess
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database


class SqliteWebTokens:
    """`bot.core.transcripts.WebTokens` over the table ``web_tokens``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, access: WebAccess) -> None:
        """Store a sign-in.

        Raises:
            ConflictError: the hash is there already.
        """
        values = (access.token_hash, access.user_id, to_micros(access.created_at))

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO web_tokens (token_hash, user_id, created_at) VALUES (?, ?, ?)",
                values,
            )

        await self._database.write(job)

    async def find(self, token_hash: str) -> WebAccess | None:
        """Return the sign-in of this hash."""

        def job(connection: sqlite3.Connection) -> WebAccess | None:
            row = connection.execute(
                "SELECT * FROM web_tokens WHERE token_hash = ?", (token_hash,)
            ).fetchone()
            if row is None:
                return None
            return WebAccess(
                token_hash=row["token_hash"],
                user_id=row["user_id"],
                created_at=from_micros(row["created_at"]),
            )

        return await self._database.read(job)

    async def revoke(self, user_id: str) -> int:
        """Delete all sign-ins of this user; return how many."""

        def job(connection: sqlite3.Connection) -> int:
            return connection.execute(
                "DELETE FROM web_tokens WHERE user_id = ?", (user_id,)
            ).rowcount

        return await self._database.write(job)
