"""The durable outbox in SQLite."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from bot.core.errors import NotFoundError
from bot.core.outbox import OutboxClass, OutboxDraft, OutboxRow, OutboxStatus
from bot.core.turns import Link
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database
from storage.sqlite.deliveries import mark_retrying, settle_sent, settle_skipped
from storage.sqlite.links import add_links

_DRAFT = Document[OutboxDraft](OutboxDraft)


class SqliteOutbox:
    """`bot.core.outbox.Outbox` over the table ``outbox``; a settled row never changes again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, draft: OutboxDraft, *, now: datetime) -> None:
        """Queue a message that belongs to no turn; the same id again changes nothing."""
        await self._database.write(
            lambda connection: queue_messages(connection, (draft,), now=now)
        )

    async def open_chats(self) -> Sequence[tuple[str, OutboxClass]]:
        """Return (chat key, class) of everything QUEUED or SENDING."""

        def job(connection: sqlite3.Connection) -> list[tuple[str, OutboxClass]]:
            rows = connection.execute(
                "SELECT DISTINCT chat_key, outbox_class FROM outbox WHERE settled_at IS NULL"
            )
            return [(row["chat_key"], OutboxClass(row["outbox_class"])) for row in rows]

        return await self._database.read(job)

    async def next_for(self, chat_key: str, outbox_class: OutboxClass) -> OutboxRow | None:
        """Return the oldest row of this chat and class that is QUEUED or SENDING."""
        return await self._one(
            "SELECT * FROM outbox WHERE chat_key = ? AND outbox_class = ?"
            " AND settled_at IS NULL ORDER BY sequence LIMIT 1",
            (chat_key, outbox_class),
        )

    async def mark_sending(self, outbox_id: str) -> None:
        """Count an attempt before the request leaves.

        Raises:
            NotFoundError: no such row.
        """

        def job(connection: sqlite3.Connection) -> None:
            if _open_row(connection, outbox_id):
                connection.execute(
                    "UPDATE outbox SET status = 'sending', attempts = attempts + 1"
                    " WHERE outbox_id = ?",
                    (outbox_id,),
                )

        await self._database.write(job)

    async def mark_part(self, outbox_id: str, *, message_id: str) -> None:
        """Record that the next part is there and queue the rest; attempts begin anew.

        Raises:
            NotFoundError: no such row.
        """

        def job(connection: sqlite3.Connection) -> None:
            if _open_row(connection, outbox_id):
                connection.execute(
                    "UPDATE outbox SET status = 'queued', attempts = 0, error = '',"
                    " parts = json_insert(parts, '$[#]', ?) WHERE outbox_id = ?",
                    (message_id, outbox_id),
                )

        await self._database.write(job)

    async def mark_sent(self, outbox_id: str, *, message_id: str, now: datetime) -> None:
        """Record the platform's id; link it to the row's entities; settle its delivery.

        Raises:
            NotFoundError: no such row.
        """

        def job(connection: sqlite3.Connection) -> None:
            draft = _open_row(connection, outbox_id)
            if draft is None:
                return
            connection.execute(
                "UPDATE outbox SET status = 'sent', message_id = ?, settled_at = ?, error = ''"
                " WHERE outbox_id = ?",
                (message_id, to_micros(now), outbox_id),
            )
            add_links(
                connection,
                [
                    Link(
                        chat_key=draft.chat.key,
                        message_id=message_id,
                        entity=entity,
                        event_id=draft.event_id,
                    )
                    for entity in draft.entities
                ],
            )
            if draft.delivery_id is not None:
                settle_sent(connection, draft.delivery_id, now=now)

        await self._database.write(job)

    async def mark_retry(self, outbox_id: str, *, not_before: datetime, error: str) -> None:
        """Queue it again for later; its delivery becomes RETRYING.

        Raises:
            NotFoundError: no such row.
        """

        def job(connection: sqlite3.Connection) -> None:
            draft = _open_row(connection, outbox_id)
            if draft is None:
                return
            connection.execute(
                "UPDATE outbox SET status = 'queued', not_before = ?, error = ?"
                " WHERE outbox_id = ?",
                (to_micros(not_before), error, outbox_id),
            )
            if draft.delivery_id is not None:
                mark_retrying(connection, draft.delivery_id)

        await self._database.write(job)

    async def mark_failed(self, outbox_id: str, *, error: str, now: datetime) -> None:
        """Give up; its delivery becomes SKIPPED with the reason.

        Raises:
            NotFoundError: no such row.
        """

        def job(connection: sqlite3.Connection) -> None:
            draft = _open_row(connection, outbox_id)
            if draft is None:
                return
            connection.execute(
                "UPDATE outbox SET status = 'failed', error = ?, settled_at = ?"
                " WHERE outbox_id = ?",
                (error, to_micros(now), outbox_id),
            )
            if draft.delivery_id is not None:
                settle_skipped(connection, draft.delivery_id, reason=error, now=now)

        await self._database.write(job)

    async def get(self, outbox_id: str) -> OutboxRow | None:
        """Return the row."""
        return await self._one("SELECT * FROM outbox WHERE outbox_id = ?", (outbox_id,))

    async def find_sent(self, chat_key: str, message_id: str) -> OutboxRow | None:
        """Return the newest row that shows as this message."""
        return await self._one(
            "SELECT * FROM outbox WHERE chat_key = ? AND message_id = ?"
            " ORDER BY sequence DESC LIMIT 1",
            (chat_key, message_id),
        )

    async def counts(self) -> Mapping[str, int]:
        """Return how many rows there are by status."""

        def job(connection: sqlite3.Connection) -> dict[str, int]:
            rows = connection.execute("SELECT status, count(*) FROM outbox GROUP BY status")
            return dict(rows)

        return await self._database.read(job)

    async def _one(self, query: str, values: tuple[str, ...]) -> OutboxRow | None:
        def job(connection: sqlite3.Connection) -> OutboxRow | None:
            row = connection.execute(query, values).fetchone()
            return _row(row) if row else None

        return await self._database.read(job)


def queue_messages(
    connection: sqlite3.Connection, drafts: Iterable[OutboxDraft], *, now: datetime
) -> None:
    """Queue the drafts in this order, leaving out those whose id is already there."""
    connection.executemany(
        "INSERT INTO outbox (outbox_id, chat_key, outbox_class, document, status, attempts,"
        " not_before, created_at, error) VALUES (?, ?, ?, ?, 'queued', 0, ?, ?, '')"
        " ON CONFLICT (outbox_id) DO NOTHING",
        [
            (
                draft.outbox_id,
                draft.chat.key,
                draft.outbox_class,
                _DRAFT.dump(draft),
                to_micros(now),
                to_micros(now),
            )
            for draft in drafts
        ],
    )


def _open_row(connection: sqlite3.Connection, outbox_id: str) -> OutboxDraft | None:
    row = connection.execute(
        "SELECT document, settled_at FROM outbox WHERE outbox_id = ?", (outbox_id,)
    ).fetchone()
    if row is None:
        raise NotFoundError(f"no outbox row {outbox_id}")
    return _DRAFT.load(row["document"]) if row["settled_at"] is None else None


def _row(row: sqlite3.Row) -> OutboxRow:
    return OutboxRow(
        sequence=row["sequence"],
        draft=_DRAFT.load(row["document"]),
        status=OutboxStatus(row["status"]),
        attempts=row["attempts"],
        not_before=from_micros(row["not_before"]),
        created_at=from_micros(row["created_at"]),
        message_id=row["message_id"],
        error=row["error"],
        parts=tuple(json.loads(row["parts"])),
    )
