"""Indexes and the version of the schema: brought up to date at every start."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pymongo import ASCENDING, DESCENDING, IndexModel
from pymongo.asynchronous.database import AsyncDatabase

from bot.core.errors import ConfigurationError, StorageError
from bot.language.normalize import folded
from storage.mongo.driver import Row
from storage.mongo.failures import our_errors
from storage.mongo.rows import Rows

Step = Callable[[AsyncDatabase[Row]], Awaitable[None]]
"""Leads from one version to the next; runs again after a crash, so it must be repeatable."""


def _on(*fields: str, unique: bool = False, only: Mapping[str, Any] | None = None) -> IndexModel:
    keys = [
        (field.lstrip("-"), DESCENDING if field.startswith("-") else ASCENDING) for field in fields
    ]
    options: dict[str, Any] = {"unique": True} if unique else {}
    if only is not None:
        options["partialFilterExpression"] = only
    return IndexModel(keys, **options)


COUNTER = "sequence"
FILLING = "filling"

_UNSETTLED = _on("redo.id", only={"redo.id": {"$exists": True}})

INDEXES: Mapping[str, Sequence[IndexModel]] = {
    "journal": [_on("event_id", "batch")],
    "accounts": [
        _on("person_id", "sequence"),
        _on("founded", unique=True, only={"founded": {"$exists": True}}),
        _UNSETTLED,
    ],
    "turnstiles": [_UNSETTLED],
    "inbox": [
        _on("status", "sequence"),
        _on("forget_at", only={"forget_at": {"$exists": True}}),
    ],
    "sessions": [_UNSETTLED],
    "turns": [
        _on("session_key", "-sequence"),
        _on("session_key", "conversation", "-sequence"),
        _on("person_id", "sequence"),
        _on("attachments"),
    ],
    "links": [_on("chat_key", "message_id", "sequence")],
    "actions": [_on("taken_group", unique=True, only={"taken_group": {"$exists": True}})],
    "outbox": [
        _on("chat_key", "outbox_class", "sequence", only={"open": True}),
        _on("chat_key", "message_id", "-sequence", only={"message_id": {"$exists": True}}),
        _on("status"),
        _UNSETTLED,
    ],
    "entries": [
        _on("book_id", "-occurred_on", "-created_at", "-sequence"),
        _on("book_id", "-created_at", "-sequence"),
    ],
    "learned_categories": [_on("person_id")],
    "notes": [_on("person_id", "scope", "sequence")],
    "schedules": [
        _on("next_fire_at", "sequence", only={"live": True}),
        _on("person_id", "next_fire_at", "sequence"),
        _on("person_id", "created_at", "sequence"),
    ],
    "deliveries": [_on("person_id", "-due_at", "-sequence"), _on("status")],
    "files": [_on("owner", "sha256", unique=True), _on("kept_since"), _on("sha256")],
    "contents.files": [_on("filename", "uploadDate")],
    "contents.chunks": [_on("files_id", "n", unique=True)],
    "transcript_items": [_on("chat_id", "-version", unique=True)],
    "web_tokens": [_on("user_id")],
    "invitations": [
        _on("code_hash", unique=True),
        _on("account_key"),
    ],
    "grants": [_on("person_id", "sequence")],
    "binding_codes": [_on("code_hash", unique=True)],
    "merges": [_on("other_id")],
}


async def _indexes(database: AsyncDatabase[Row]) -> None:
    """Make the indexes that are not there yet."""
    with our_errors():
        for name, indexes in INDEXES.items():
            await database[name].create_indexes(list(indexes))


async def _first(database: AsyncDatabase[Row]) -> None:
    await _indexes(database)
    # Made here and not on first use: no writer ever has to make it in a race.
    await Rows(database["counters"]).add({"_id": COUNTER, "value": 0})


async def _conversations(database: AsyncDatabase[Row]) -> None:
    """Put the turns of before into the conversation that a session begins with."""
    with our_errors():
        await database["turns"].update_many(
            {"conversation": {"$exists": False}}, {"$set": {"conversation": ""}}
        )
    await _indexes(database)


async def _homes(database: AsyncDatabase[Row]) -> None:
    """Let the people of before have their reminders where each was set."""
    with our_errors():
        await database["people"].update_many({"home": {"$exists": False}}, {"$set": {"home": ""}})
    await _indexes(database)


async def _gridfs(database: AsyncDatabase[Row]) -> None:
    """Move the bytes of files, which had chunks of a form of our own, into GridFS."""
    await _indexes(database)
    old, chunks = Rows(database["file_chunks"]), Rows(database["contents.chunks"])
    contents = Rows(database["contents.files"])
    for group in await old.grouped({"$group": {"_id": "$sha256"}}):
        digest: str = group["_id"]
        parts = await old.many({"sha256": digest}, sort=[("number", 1)])
        data = b"".join(part["bytes"] for part in parts)
        if (await asyncio.to_thread(hashlib.sha256, data)).hexdigest() == digest:
            for part in parts:
                await chunks.add(
                    {
                        "_id": part["_id"],
                        "files_id": digest,
                        "n": part["number"],
                        "data": part["bytes"],
                    }
                )
            await contents.add(
                {
                    "_id": digest,
                    "filename": digest,
                    "length": len(data),
                    "chunkSize": max(len(part["bytes"]) for part in parts),
                    "uploadDate": datetime.now(UTC),
                }
            )
        await old.remove_all({"sha256": digest})


async def _folded_items(database: AsyncDatabase[Row]) -> None:
    """Have the names of entries found in traditional and in simplified characters."""
    await _indexes(database)
    names = {"item": "$item", "item_folded": "$item_folded"}
    for group in await Rows(database["entries"]).grouped({"$group": {"_id": names}}):
        before, right = group["_id"], folded(group["_id"]["item"])
        if before["item_folded"] != right:
            with our_errors():
                await database["entries"].update_many(before, {"$set": {"item_folded": right}})


STEPS: tuple[Step, ...] = (_first, _indexes, _conversations, _homes, _gridfs, _folded_items)
"""The second: invitations and grants. The fourth: with codes that bind accounts."""


async def prepare(
    database: AsyncDatabase[Row], steps: Sequence[Step] = STEPS, *, filling: bool = False
) -> None:
    """Run the steps that the database lacks.

    Raises:
        ConfigurationError: it is out of reach, newer than the steps, or half filled.
    """
    rows = Rows(database["schema"])
    try:
        if filling:
            await rows.add({"_id": FILLING})
        elif await rows.one({"_id": FILLING}) is not None:
            raise ConfigurationError(
                f"MONGODB_URI: a migration into {database.name} was not finished; "
                "run it again, or name another database"
            )
        found = await rows.one({"_id": "schema"})
        version: int = found["version"] if found else 0
        if found is None:
            await rows.add({"_id": "schema", "version": 0})
        if version > len(steps):
            raise ConfigurationError(
                f"MONGODB_URI: {database.name} has version {version}, this program knows up to "
                f"{len(steps)}; install the newer program"
            )
        for number, step in enumerate(steps[version:], version + 1):
            await step(database)
            await rows.change({"_id": "schema"}, {"$max": {"version": number}})
    except StorageError as error:
        raise ConfigurationError(
            f"MONGODB_URI: {database.name} cannot be opened ({str(error).partition(',')[0]}); "
            "see that the server runs and that the address is right"
        ) from error
