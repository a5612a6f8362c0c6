"""Summaries of conversations, in SQLite."""

import sqlite3
from collections.abc import Sequence

from bot.core.conversations import Summary
from storage.sqlite.database import Database


class SqliteSummaries:
    """`bot.core.conversations.Summaries` over the table ``summaries``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, session_key: str, conversation_id: str) -> Summary | None:
        """Return the summary."""

        def job(connection: sqlite3.Connection) -> Summary | None:
            row = connection.execute(
                "SELECT * FROM summaries WHERE session_key = ? AND conversation = ?",
                (session_key, conversation_id),
            ).fetchone()
            return None if row is None else _summary(row)

        return await self._database.read(job)

    async def of_person(self, person_id: str) -> Sequence[Summary]:
        """Return the summaries of all conversations of a person."""

        def job(connection: sqlite3.Connection) -> tuple[Summary, ...]:
            rows = connection.execute(
                "SELECT * FROM summaries WHERE person_id = ? ORDER BY session_key, conversation",
                (person_id,),
            )
            return tuple(map(_summary, rows))

        return await self._database.read(job)

    async def put(self, summary: Summary) -> None:
        """Store it, unless the stored one covers as many turns already."""
        values = (
            summary.session_key,
            summary.conversation_id,
            summary.person_id,
            summary.text,
            summary.covers,
            summary.last_event,
        )

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO summaries"
                " (session_key, conversation, person_id, text, covers, last_event)"
                " VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (session_key, conversation) DO UPDATE SET text = excluded.text,"
                " covers = excluded.covers, last_event = excluded.last_event"
                " WHERE excluded.covers > covers",
                values,
            )

        await self._database.write(job)


def _summary(row: sqlite3.Row) -> Summary:
    return Summary(
        session_key=row["session_key"],
        conversation_id=row["conversation"],
        person_id=row["person_id"],
        text=row["text"],
        covers=row["covers"],
        last_event=row["last_event"],
    )
