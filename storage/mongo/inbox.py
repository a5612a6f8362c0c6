"""The durable inbox in MongoDB."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from bot.core.inbox import InboxRow, InboxStatus, RawUpdate, UpdateKind
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database
from storage.mongo.decisions import Write, update
from storage.mongo.driver import Row


class MongoInbox:
    """`bot.core.inbox.Inbox` over the collection ``inbox``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._inbox = database.rows("inbox")

    async def accept(self, update: RawUpdate) -> InboxRow | None:
        """Store the update; None when its event id is already there."""
        row = {
            "_id": update.event_id,
            "sequence": await self._database.reserve(1),
            "platform": update.platform,
            "bot": update.bot,
            "delivery_key": update.delivery_key,
            "kind": update.kind.value,
            "lane": update.lane,
            "received_at": to_micros(update.received_at),
            # Escaped, so that half a surrogate pair from a platform can be kept as it came.
            "body": json.dumps(dict(update.body)),
            "status": InboxStatus.NEW.value,
            "attempts": 0,
            "note": "",
            "done_at": None,
        }
        return _row(row) if await self._inbox.add(row) else None

    async def begin(self, event_id: str) -> InboxRow | None:
        """Count an attempt and return the row; None when it is not NEW any more."""
        row = await self._inbox.changed(
            {"_id": event_id, "status": InboxStatus.NEW.value}, {"$inc": {"attempts": 1}}
        )
        return _row(row) if row else None

    async def pending(self) -> Sequence[tuple[str, str]]:
        """Return (event id, lane) of all NEW rows in the order of acceptance."""
        rows = await self._inbox.many(
            {"status": InboxStatus.NEW.value}, sort=[("sequence", 1)], fields=["lane"]
        )
        return [(row["_id"], row["lane"]) for row in rows]

    async def finish(
        self, event_id: str, *, status: InboxStatus, note: str, now: datetime
    ) -> None:
        """Mark the row, if it is still NEW.

        Raises:
            ValueError: NEW is no way to finish.
        """
        if status is InboxStatus.NEW:
            raise ValueError("a row is finished as DONE or DEAD")
        write = finishing([event_id], status=status, note=note, now=now)
        await self._inbox.change_all(write["wanted"], {"$set": write["fields"]})

    async def get(self, event_id: str) -> InboxRow | None:
        """Return the row; its body is empty once purged."""
        row = await self._inbox.one({"_id": event_id})
        return _row(row) if row else None

    async def purge(self, *, done_before: datetime) -> int:
        """Forget the bodies of done and dead rows; the keys stay. Return how many."""
        return await self._inbox.change_all(
            {"forget_at": {"$lt": to_micros(done_before)}},
            {"$set": {"body": None}, "$unset": {"forget_at": ""}},
        )

    async def counts(self) -> Mapping[str, int]:
        """Return how many rows there are by status."""
        return await self._inbox.counts_by("status")


def finishing(event_ids: Iterable[str], *, status: InboxStatus, note: str, now: datetime) -> Write:
    """Mark those of the rows that are still NEW; ``forget_at`` is what purging goes by."""
    done_at = to_micros(now)
    return update(
        "inbox",
        {"_id": {"$in": list(event_ids)}, "status": InboxStatus.NEW.value},
        {"status": status.value, "note": note, "done_at": done_at, "forget_at": done_at},
    )


def _row(row: Row) -> InboxRow:
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
