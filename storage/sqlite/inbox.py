"""The durable inbox in SQLite."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from bot.core.inbox import InboxRow, InboxStatus, RawUpdate, UpdateKind
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database


class SqliteInbox:
    """`bot.core.inbox.Inbox` over the table ``inbox``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def accept(self, update: RawUpdate) -> InboxRow | None:
        """Store the update; None when its event id is already there."""
        values = (
            update.event_id,
            update.platform,
            update.bot,
            update.delivery_key,
            update.kind,
            update.lane,
            to_micros(update.received_at),
            # Escaped, so that half a surrogate pair from a platform can be kept as it came.
            json.dumps(dict(update.body)),
        )

        def job(connection: sqlite3.Connection) -> InboxRow | None:
            row = connection.execute(
                "INSERT INTO inbox (event_id, platform, bot, delivery_key, kind, lane,"
                " received_at, body, status, attempts, note)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'new', 0, '')"
                " ON CONFLICT (event_id) DO NOTHING RETURNING *",
                values,
            ).fetchone()
            return _row(row) if row else None

        return await self._database.write(job)

    async def begin(self, event_id: str) -> InboxRow | None:
        """Count an attempt and return the row; None when it is not NEW any more."""

        def job(connection: sqlite3.Connection) -> InboxRow | None:
            row = connection.execute(
                "UPDATE inbox SET attempts = attempts + 1"
                " WHERE event_id = ? AND done_at IS NULL RETURNING *",
                (event_id,),
            ).fetchone()
            return _row(row) if row else None

        return await self._database.write(job)

    async def pending(self) -> Sequence[tuple[str, str]]:
        """Return (event id, lane) of all NEW rows in the order of acceptance."""

        def job(connection: sqlite3.Connection) -> list[tuple[str, str]]:
            rows = connection.execute(
                "SELECT event_id, lane FROM inbox WHERE done_at IS NULL ORDER BY sequence"
            )
            return [(row["event_id"], row["lane"]) for row in rows]

        return await self._database.read(job)

    async def finish(
        self, event_id: str, *, status: InboxStatus, note: str, now: datetime
    ) -> None:
        """Mark the row, if it is still NEW.

        Raises:
            ValueError: NEW is no way to finish.
        """
        if status is InboxStatus.NEW:
            raise ValueError("a row is finished as DONE or DEAD")
        await self._database.write(
            lambda connection: finish_rows(
                connection, [event_id], status=status, note=note, now=now
            )
        )

    async def get(self, event_id: str) -> InboxRow | None:
        """Return the row; its body is empty once purged."""

        def job(connection: sqlite3.Connection) -> InboxRow | None:
            row = connection.execute(
                "SELECT * FROM inbox WHERE event_id = ?", (event_id,)
            ).fetchone()
            return _row(row) if row else None

        return await self._database.read(job)

    async def purge(self, *, done_before: datetime) -> int:
        """Forget the bodies of done and dead rows; the keys stay. Return how many."""

        def job(connection: sqlite3.Connection) -> int:
            return connection.execute(
                "UPDATE inbox SET body = NULL"
                " WHERE done_at IS NOT NULL AND body IS NOT NULL AND done_at < ?",
                (to_micros(done_before),),
            ).rowcount

        return await self._database.write(job)

    async def counts(self) -> Mapping[str, int]:
        """Return how many rows there are by status."""

        def job(connection: sqlite3.Connection) -> dict[str, int]:
            rows = connection.execute("SELECT status, count(*) FROM inbox GROUP BY status")
            return dict(rows)

        return await self._database.read(job)


def finish_rows(
    connection: sqlite3.Connection,
    event_ids: Iterable[str],
    *,
    status: InboxStatus,
    note: str,
    now: datetime,
) -> None:
    """Mark those of the rows that are still NEW."""
    connection.executemany(
        "UPDATE inbox SET status = ?, note = ?, done_at = ?"
        " WHERE event_id = ? AND done_at IS NULL",
        [(status, note, to_micros(now), event_id) for event_id in event_ids],
    )


def _row(row: sqlite3.Row) -> InboxRow:
    return InboxRow(
        sequence=row["sequence"],
        update=RawUpdate(
            platform=row["platform"],
            bot=row["bot"],
            delivery_key=row["delivery_key"],
            kind=UpdateKind(row["kind"]),
            lane=row["lane"],
            received_at=from_micros(row["received_at"]),
            body={} if row["body"] is None else json.loads(row["body"]),
        ),
        status=InboxStatus(row["status"]),
        attempts=row["attempts"],
        note=row["note"],
    )
