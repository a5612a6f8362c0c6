"""MongoDB as a side of a transfer: records become documents under one key, and back."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import UTC, datetime

from bot.core.outbox import OutboxStatus
from storage.mongo.database import Database
from storage.mongo.driver import Row
from storage.mongo.files import BUCKET, MongoFiles
from storage.mongo.journal import batch_key
from storage.mongo.ledger import category_key
from storage.mongo.links import link_key
from storage.mongo.rows import Filter
from storage.mongo.summaries import summary_key
from storage.mongo.transcripts import item_key
from storage.transfer.tables import CONTENTS, PAGE, TABLES, Cursor, Record, Table

_KEYS: Mapping[str, Callable[..., str]] = {
    "journal": batch_key,
    "learned_categories": category_key,
    "links": link_key,
    "summaries": summary_key,
    "transcript_items": item_key,
}
"""The tables whose key has several columns, and how it becomes one."""

_ORDERED_BY_CHAT = frozenset({"transcript_items"})


class MongoSide:
    """The collections of an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._files = MongoFiles(database)

    async def pages(
        self, table: Table, after: Cursor = ""
    ) -> AsyncIterator[tuple[Sequence[Record], Cursor]]:
        """Yield all records in the order of their keys."""
        if table is CONTENTS:
            while (content := await self._content(after)) is not None:
                after = content["sha256"]
                yield [content], after
            return
        wanted: Filter = {"_id": {"$gt": after}, "forgotten": {"$ne": True}}
        rows = self._database.rows(table.name).batches(wanted, sort=[("_id", 1)], size=PAGE)
        async for batch in rows:
            yield [_record(table, row) for row in batch], batch[-1]["_id"]

    async def put(self, table: Table, records: Sequence[Record]) -> None:
        """Write those of the records whose key is not there yet."""
        if table is CONTENTS:
            for record in records:
                await self._files.put_bytes(
                    record["sha256"], record["bytes"], now=datetime.now(UTC)
                )
            return
        await self._database.rows(table.name).add_all([_row(table, record) for record in records])

    async def finish(self) -> None:
        """Let the counter go on behind the last number, and everybody in."""
        for table in TABLES:
            if table.is_numbered and table.name not in _ORDERED_BY_CHAT:
                for group in await self._database.rows(table.name).grouped(
                    {"$group": {"_id": None, "last": {"$max": "$sequence"}}}
                ):
                    await self._database.reserve_above(group["last"])
        await self._database.filled()

    async def _content(self, after: Cursor) -> Record | None:
        first = await self._database.rows(f"{BUCKET}.files").one(
            {"_id": {"$gt": after}}, sort=[("_id", 1)]
        )
        if first is None:
            return None
        digest: str = first["_id"]
        return {"sha256": digest, "bytes": await self._files.get_bytes(digest)}


def _row(table: Table, record: Record) -> Row:
    make_key = _KEYS.get(table.name)
    if make_key is None:
        row = {"_id": record[table.key[0]], **{name: record[name] for name in table.columns}}
    else:
        row = {"_id": make_key(*(record[column] for column in table.key)), **record}
    return _ADDED.get(table.name, dict)(row)


def _record(table: Table, row: Row) -> Record:
    record = {column: row.get(column) for column in (*table.key, *table.columns)}
    if table.name not in _KEYS:
        record[table.key[0]] = row["_id"]
    if table.name == "turns":
        record["attachments"] = sorted(row["attachments"])
    return record


def _inbox(row: Row) -> Row:
    keeps_body = row["done_at"] is not None and row["body"] is not None
    return {**row, "forget_at": row["done_at"]} if keeps_body else row


def _action(row: Row) -> Row:
    taken = row["claimed_by"] is not None and row["action_group"]
    return {**row, "taken_group": row["action_group"]} if taken else row


def _outbox(row: Row) -> Row:
    kept = {name: value for name, value in row.items() if (name, value) != ("message_id", None)}
    is_open = row["status"] in (OutboxStatus.QUEUED, OutboxStatus.SENDING)
    return {**kept, "open": is_open}


def _schedule(row: Row) -> Row:
    live = row["next_fire_at"] is not None and not row["cancelled"]
    return {**row, "live": live, "head": 0}


def _headed(row: Row) -> Row:
    return {**row, "head": 0}


def _note(row: Row) -> Row:
    return {**row, "forgotten": False, "head": 0}


_ADDED: Mapping[str, Callable[[Row], Row]] = {
    "inbox": _inbox,
    "actions": _action,
    "outbox": _outbox,
    "schedules": _schedule,
    "people": _headed,
    "entries": _headed,
    "learned_categories": _headed,
    "notes": _note,
}
"""What the documents have besides, for their indexes and turnstiles."""
