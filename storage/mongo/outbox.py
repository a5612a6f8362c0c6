"""The durable outbox in MongoDB."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from bot.core.errors import NotFoundError
from bot.core.outbox import OutboxClass, OutboxDraft, OutboxRow, OutboxStatus
from bot.core.turns import Link
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database
from storage.mongo.decisions import Decisions, Write, insert, update
from storage.mongo.deliveries import retrying, settling_sent, settling_skipped
from storage.mongo.driver import Row
from storage.mongo.links import linking

_DRAFT = Document[OutboxDraft](OutboxDraft)


class MongoOutbox:
    """`bot.core.outbox.Outbox` over the collection ``outbox``; a settled row is final.

    A row that is QUEUED or SENDING is ``open``, which is what the index holds. It is settled
    after its links and its delivery, so whoever sees it settled sees these too.
    """

    def __init__(self, database: Database, decisions: Decisions) -> None:
        self._database = database
        self._outbox = database.rows("outbox")
        self._decisions = decisions

    async def put(self, draft: OutboxDraft, *, now: datetime) -> None:
        """Queue a message that belongs to no turn; the same id again changes nothing."""
        await self._outbox.add(_queued(draft, await self._database.reserve(1), now=now))

    async def open_chats(self) -> Sequence[tuple[str, OutboxClass]]:
        """Return (chat key, class) of everything QUEUED or SENDING."""
        groups = await self._outbox.grouped(
            {"$match": {"open": True}},
            {"$group": {"_id": {"chat": "$chat_key", "class": "$outbox_class"}}},
        )
        return sorted(
            (group["_id"]["chat"], OutboxClass(group["_id"]["class"])) for group in groups
        )

    async def next_for(self, chat_key: str, outbox_class: OutboxClass) -> OutboxRow | None:
        """Return the oldest row of this chat and class that is QUEUED or SENDING."""
        wanted = {"chat_key": chat_key, "outbox_class": outbox_class.value, "open": True}
        row = await self._outbox.one(wanted, sort=[("sequence", 1)])
        if row is not None and "redo" in row:  # its end is decided and was not written out
            await self._decisions.settle("outbox", row)
            row = await self._outbox.one(wanted, sort=[("sequence", 1)])
        return _row(row) if row else None

    async def mark_sending(self, outbox_id: str) -> None:
        """Count an attempt before the request leaves.

        Raises:
            NotFoundError: no such row.
        """
        change = {"$set": {"status": OutboxStatus.SENDING.value}, "$inc": {"attempts": 1}}
        if not await self._outbox.change({"_id": outbox_id, "open": True}, change):
            await self._existing(outbox_id)

    async def mark_part(self, outbox_id: str, *, message_id: str) -> None:
        """Record that the next part is there and queue the rest; attempts begin anew.

        Raises:
            NotFoundError: no such row.
        """
        fields = {"status": OutboxStatus.QUEUED.value, "attempts": 0, "error": ""}
        change = {"$set": fields, "$push": {"parts": message_id}}
        if not await self._outbox.change({"_id": outbox_id, "open": True}, change):
            await self._existing(outbox_id)

    async def mark_sent(self, outbox_id: str, *, message_id: str, now: datetime) -> None:
        """Record the platform's id; link it to the row's entities; settle its delivery.

        Raises:
            NotFoundError: no such row.
        """
        draft = await self._open(outbox_id)
        if draft is None:
            return
        links = [
            Link(
                chat_key=draft.chat.key,
                message_id=message_id,
                entity=entity,
                event_id=draft.event_id,
            )
            for entity in draft.entities
        ]
        writes: list[Write] = []
        if links:
            writes.append(linking(links, await self._database.reserve(len(links))))
        if draft.delivery_id is not None:
            writes += settling_sent(draft.delivery_id, now=now)
        fields = {"message_id": message_id, "error": ""} | _settled(OutboxStatus.SENT, now)
        await self._end_with(outbox_id, writes, fields)

    async def mark_retry(self, outbox_id: str, *, not_before: datetime, error: str) -> None:
        """Queue it again for later; its delivery becomes RETRYING.

        Raises:
            NotFoundError: no such row.
        """
        draft = await self._open(outbox_id)
        if draft is None:
            return
        fields = {
            "status": OutboxStatus.QUEUED.value,
            "not_before": to_micros(not_before),
            "error": error,
        }
        writes = [] if draft.delivery_id is None else [retrying(draft.delivery_id)]
        await self._end_with(outbox_id, writes, fields)

    async def mark_failed(self, outbox_id: str, *, error: str, now: datetime) -> None:
        """Give up; its delivery becomes SKIPPED with the reason.

        Raises:
            NotFoundError: no such row.
        """
        draft = await self._open(outbox_id)
        if draft is None:
            return
        writes = (
            []
            if draft.delivery_id is None
            else [settling_skipped(draft.delivery_id, reason=error, now=now)]
        )
        fields = {"error": error} | _settled(OutboxStatus.FAILED, now)
        await self._end_with(outbox_id, writes, fields)

    async def get(self, outbox_id: str) -> OutboxRow | None:
        """Return the row."""
        row = await self._outbox.one({"_id": outbox_id})
        return _row(row) if row else None

    async def find_sent(self, chat_key: str, message_id: str) -> OutboxRow | None:
        """Return the newest row that shows as this message."""
        row = await self._outbox.one(
            {"chat_key": chat_key, "message_id": message_id}, sort=[("sequence", -1)]
        )
        return _row(row) if row else None

    async def counts(self) -> Mapping[str, int]:
        """Return how many rows there are by status."""
        return await self._outbox.counts_by("status")

    async def _end_with(
        self, outbox_id: str, writes: Sequence[Write], fields: Mapping[str, Any]
    ) -> None:
        """Write what follows from the new fields, then the fields; one such end at a time."""
        is_open = {"_id": outbox_id, "open": True}
        change: dict[str, Row] = {} if writes else {"$set": dict(fields)}
        last = [update("outbox", is_open, dict(fields))] if writes else []
        while not await self._decisions.decide(
            "outbox", {**is_open, "redo": None}, change, [*writes, *last]
        ):
            if await self._open(outbox_id) is None:
                return

    async def _open(self, outbox_id: str) -> OutboxDraft | None:
        row = await self._existing(outbox_id)
        return _DRAFT.load(row["document"]) if row.get("open") else None

    async def _existing(self, outbox_id: str) -> Row:
        row = await self._outbox.one({"_id": outbox_id})
        if row is None:
            raise NotFoundError(f"no outbox row {outbox_id}")
        if "redo" not in row:
            return row
        await self._decisions.settle("outbox", row)
        return await self._existing(outbox_id)


def queueing(drafts: Sequence[OutboxDraft], first: int, *, now: datetime) -> Write:
    """Queue the drafts in this order, leaving out those whose id is already there."""
    rows = (_queued(draft, number, now=now) for number, draft in enumerate(drafts, first))
    return insert("outbox", *rows)


def _queued(draft: OutboxDraft, sequence: int, *, now: datetime) -> Row:
    return {
        "_id": draft.outbox_id,
        "sequence": sequence,
        "chat_key": draft.chat.key,
        "outbox_class": draft.outbox_class.value,
        "document": _DRAFT.dump(draft),
        "status": OutboxStatus.QUEUED.value,
        "attempts": 0,
        "not_before": to_micros(now),
        "created_at": to_micros(now),
        "settled_at": None,
        "error": "",
        "parts": [],
        "open": True,
    }


def _settled(status: OutboxStatus, now: datetime) -> dict[str, Any]:
    return {"status": status.value, "settled_at": to_micros(now), "open": False}


def _row(row: Row) -> OutboxRow:
    return OutboxRow(
        sequence=row["sequence"],
        draft=_DRAFT.load(row["document"]),
        status=OutboxStatus(row["status"]),
        attempts=row["attempts"],
        not_before=from_micros(row["not_before"]),
        created_at=from_micros(row["created_at"]),
        message_id=row.get("message_id"),
        error=row["error"],
        parts=tuple(row["parts"]),
    )
