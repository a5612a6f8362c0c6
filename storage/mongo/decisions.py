"""One document decides, the others follow.

There is no transaction over several documents here, on purpose: it would need a replica set.
Instead a write that touches several is decided by one conditional write of one document, which
carries all that remains to be done (``redo``). That is then done, in order and repeatable, and
taken away. Whoever meets a document with a ``redo`` does it first; a start does all there are.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import bson
import structlog

from bot.core.errors import StorageError, StorageUnavailableError
from bot.core.ids import new_id
from storage.mongo.database import Database
from storage.mongo.driver import Row
from storage.mongo.failures import our_errors
from storage.mongo.rows import Filter

log = structlog.get_logger(__name__)

Write = Mapping[str, Any]
"""A write that may be repeated at any later time without harm."""

DECIDING = ("turnstiles", "sessions", "outbox", "accounts")
"""The collections whose documents decide."""


def insert(collection: str, *rows: Row) -> Write:
    """Write the rows whose key is free; a row of such a collection is never deleted."""
    return {"in": collection, "rows": list(rows)}


def update(collection: str, wanted: Filter, fields: Row) -> Write:
    """Set the fields of the rows that are still as ``wanted``."""
    return {"in": collection, "wanted": dict(wanted), "fields": fields}


class Decisions:
    """Takes decisions and sees them through."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._interrupted: set[tuple[str, str]] = set()

    async def found(self, collection: str, row: Row, writes: Sequence[Write]) -> bool:
        """Decide by adding a document; False when its key is taken and nothing was written."""
        await self._take_up()
        redo = _redo(writes)
        with self._noting(collection, row["_id"]):
            if not await self._database.rows(collection).add({**row, "redo": redo}):
                return False
            await self._see_through(collection, row["_id"], redo)
        return True

    async def decide(
        self,
        collection: str,
        wanted: Filter,
        change: Mapping[str, Mapping[str, Any]],
        writes: Sequence[Write],
    ) -> bool:
        """Decide by changing the document that is as ``wanted``; False when it is not.

        ``wanted`` names the ``_id`` and a state that this very change ends; a ``redo`` that the
        document had in that state must have been settled before.
        """
        await self._take_up()
        if not writes:
            return await self._database.rows(collection).change(wanted, change)
        redo = _redo(writes)
        fields = {**change.get("$set", {}), "redo": redo}
        decision = {**change, "$set": fields}
        with self._noting(collection, wanted["_id"]):
            if not await self._database.rows(collection).change(wanted, decision):
                return False
            await self._see_through(collection, wanted["_id"], redo)
        return True

    async def settle(self, collection: str, row: Row | None) -> None:
        """Do what the document, as just read, still carries."""
        if row is not None and "redo" in row:
            with self._noting(collection, row["_id"]):
                await self._see_through(collection, row["_id"], row["redo"])

    async def settle_all(self) -> None:
        """Do what any document still carries."""
        for collection in DECIDING:
            for row in await self._database.rows(collection).many({"redo.id": {"$exists": True}}):
                await self.settle(collection, row)

    async def _take_up(self) -> None:
        """Do what a lost connection or a cancelled task has left in this process."""
        for collection, row_id in tuple(self._interrupted):
            row = await self._database.rows(collection).one({"_id": row_id})
            await self._try_to_settle(collection, row)
            self._interrupted.discard((collection, row_id))

    async def _try_to_settle(self, collection: str, row: Row | None) -> None:
        """Settle, but let one document that cannot be settled not hold up the others."""
        try:
            await self.settle(collection, row)
        except StorageUnavailableError:
            raise
        except StorageError:
            log.exception("redo_failed", collection=collection, id=row and row["_id"])

    @contextlib.contextmanager
    def _noting(self, collection: str, row_id: str) -> Iterator[None]:
        """Note what may be decided and is not seen through: the answer may be all that is lost."""
        try:
            yield
        except BaseException:
            self._interrupted.add((collection, row_id))
            raise

    async def _see_through(self, collection: str, row_id: str, redo: Row) -> None:
        with our_errors():
            writes = bson.decode(redo["writes"])["writes"]
        for write in writes:
            await self._do(write)
        await self._database.rows(collection).change(
            {"_id": row_id, "redo.id": redo["id"]}, {"$unset": {"redo": ""}}
        )

    async def _do(self, write: Write) -> None:
        rows = self._database.rows(write["in"])
        if "rows" in write:
            await rows.add_all(write["rows"])
        else:
            await rows.change_all(write["wanted"], {"$set": write["fields"]})


def _redo(writes: Sequence[Write]) -> Row:
    # One binary field: stored documents may not hold filters as they are.
    with our_errors():
        return {"id": new_id("r"), "writes": bson.encode({"writes": list(writes)})}
