"""Sessions in SQLite."""

import sqlite3
from dataclasses import replace

from bot.core.errors import ConflictError
from bot.core.sessions import Session
from storage.documents import Document
from storage.sqlite.database import Database

_SESSION = Document[Session](Session)


class SqliteSessions:
    """`bot.core.sessions.Sessions` over the table ``sessions``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, key: str) -> Session | None:
        """Return the stored session."""

        def job(connection: sqlite3.Connection) -> Session | None:
            row = connection.execute(
                "SELECT document FROM sessions WHERE session_key = ?", (key,)
            ).fetchone()
            return _SESSION.load(row["document"]) if row else None

        return await self._database.read(job)


def store_session(
    connection: sqlite3.Connection, session: Session, *, expected_version: int
) -> None:
    """Replace the session by compare-and-set; the stored version is one more than expected.

    Raises:
        ConflictError: it moved on since it was loaded.
    """
    session = replace(session, version=expected_version + 1)
    values = (session.person_id, session.version, _SESSION.dump(session), session.key)
    if expected_version == 0:
        changed = connection.execute(
            "INSERT INTO sessions (person_id, version, document, session_key)"
            " VALUES (?, ?, ?, ?) ON CONFLICT (session_key) DO NOTHING",
            values,
        )
    else:
        changed = connection.execute(
            "UPDATE sessions SET person_id = ?, version = ?, document = ?"
            " WHERE session_key = ? AND version = ?",
            (*values, expected_version),
        )
    if changed.rowcount != 1:
        raise ConflictError(f"session {session.key} is not in version {expected_version}")
