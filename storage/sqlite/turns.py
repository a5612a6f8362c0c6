"""Turn records in SQLite, and the commit of a whole turn in one transaction."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from bot.core.conversations import TITLED_BY, Conversation, title_of
from bot.core.inbox import InboxStatus
from bot.core.turns import TurnOutcome, TurnRecord
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.sqlite.actions import add_actions
from storage.sqlite.database import Database
from storage.sqlite.inbox import finish_rows
from storage.sqlite.links import add_links, linked_entities
from storage.sqlite.merges import refuse_merged
from storage.sqlite.outbox import queue_messages
from storage.sqlite.sessions import store_session

_RECORD = Document[TurnRecord](TurnRecord)


class SqliteTurns:
    """`bot.core.turns.Turns` over the tables ``turns``, ``turn_attachments`` and ``links``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def commit(self, outcome: TurnOutcome) -> None:
        """Store the turn with all that it leaves behind, whole and once."""
        await self._database.write(lambda connection: _commit(connection, outcome))

    async def recent(
        self, session_key: str, *, limit: int, conversation: str | None = None
    ) -> Sequence[TurnRecord]:
        """Return the last turns of the session, or of one conversation of it, oldest first."""
        one = "" if conversation is None else " AND conversation = ?"
        values = (session_key, limit) if not one else (session_key, conversation, limit)

        def job(connection: sqlite3.Connection) -> list[TurnRecord]:
            rows = connection.execute(
                f"SELECT person_id, document FROM turns WHERE session_key = ?{one}"  # noqa: S608  # ours
                " ORDER BY sequence DESC LIMIT ?",
                values,
            ).fetchall()
            return [_read(row) for row in reversed(rows)]

        return await self._database.read(job)

    async def conversations(self, session_key: str, *, limit: int) -> Sequence[Conversation]:
        """Return the conversations of the session in which something was said, latest first."""

        def job(connection: sqlite3.Connection) -> list[Conversation]:
            rows = connection.execute(
                "SELECT conversation, count(*) AS turns, min(sequence) AS first,"
                " max(sequence) AS last, min(at) AS began_at, max(at) AS last_at"
                " FROM turns WHERE session_key = ? GROUP BY conversation"
                " ORDER BY last DESC LIMIT ?",
                (session_key, limit),
            ).fetchall()
            return [_conversation(connection, session_key, row) for row in rows]

        return await self._database.read(job)

    async def get(self, event_id: str) -> TurnRecord | None:
        """Return the turn of this event."""

        def job(connection: sqlite3.Connection) -> TurnRecord | None:
            row = connection.execute(
                "SELECT person_id, document FROM turns WHERE event_id = ?", (event_id,)
            ).fetchone()
            return _read(row) if row else None

        return await self._database.read(job)

    async def of_person(self, person_id: str) -> Sequence[TurnRecord]:
        """Return all turns of a person, oldest first."""

        def job(connection: sqlite3.Connection) -> list[TurnRecord]:
            rows = connection.execute(
                "SELECT person_id, document FROM turns WHERE person_id = ? ORDER BY sequence",
                (person_id,),
            )
            return [_read(row) for row in rows]

        return await self._database.read(job)

    async def linked(self, chat_key: str, message_id: str) -> tuple[str, ...]:
        """Return the entities that this message stands for, in the order they were linked."""
        return await self._database.read(
            lambda connection: linked_entities(connection, chat_key, message_id)
        )


def _read(row: sqlite3.Row) -> TurnRecord:
    """Return the record; whose it is stands in the row, as a merge may have changed it."""
    return replace(_RECORD.load(row["document"]), person_id=row["person_id"])


def _commit(connection: sqlite3.Connection, outcome: TurnOutcome) -> None:
    if not _insert(connection, outcome.record):
        return
    refuse_merged(connection, outcome.record.person_id)
    store_session(connection, outcome.session, expected_version=outcome.expected_version)
    add_actions(connection, outcome.actions)
    queue_messages(connection, outcome.outbox, now=outcome.now)
    add_links(connection, outcome.links)
    finish_rows(
        connection,
        outcome.event_ids,
        status=InboxStatus.DEAD if outcome.failure else InboxStatus.DONE,
        note=outcome.failure,
        now=outcome.now,
    )


def _insert(connection: sqlite3.Connection, record: TurnRecord) -> bool:
    inserted = connection.execute(
        "INSERT INTO turns (event_id, session_key, person_id, at, document, conversation)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING",
        (
            record.event_id,
            record.session_key,
            record.person_id,
            to_micros(record.at),
            _RECORD.dump(record),
            record.conversation,
        ),
    )
    if inserted.rowcount == 0:
        return False
    connection.executemany(
        "INSERT INTO turn_attachments (ref, event_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(ref, record.event_id) for ref in record.attachments],
    )
    return True


def _conversation(
    connection: sqlite3.Connection, session_key: str, row: sqlite3.Row
) -> Conversation:
    first = connection.execute(
        "SELECT document FROM turns WHERE session_key = ? AND conversation = ?"
        " AND sequence >= ? ORDER BY sequence LIMIT ?",
        (session_key, row["conversation"], row["first"], TITLED_BY),
    ).fetchall()
    return Conversation(
        conversation_id=row["conversation"],
        title=title_of(_RECORD.load(turn["document"]).text for turn in first),
        turns=row["turns"],
        began_at=from_micros(row["began_at"]),
        last_at=from_micros(row["last_at"]),
    )
