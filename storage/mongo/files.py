"""Files in MongoDB: the bytes in GridFS under their sha256, the owners in rows.

The form is that of GridFS, so that its tools and every driver read the bucket. The driver's own
upload is not used: one that is repeated after a lost connection or a kill leaves chunks that
nobody owns, or finds its id taken by what is not whole. Here chunks have ids of their own, a
repeated write finds them, and the file's document comes last.

Source: https://github.com/mongodb/specifications/blob/master/source/gridfs/gridfs-spec.md
"""

import asyncio
import hashlib
from collections.abc import Mapping
from datetime import datetime

from bot.core.errors import StorageError, StorageUnavailableError
from bot.core.files import MAX_FILE_BYTES, StoredFile
from bot.core.ids import derived_id
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database
from storage.mongo.driver import Row
from storage.mongo.rows import Rows

BUCKET = "contents"
CHUNK_BYTES = 1 << 20
BATCH_CHUNKS = 8
"""Chunks in one request; all of them stay well below the size of a message."""


class MongoFiles:
    """`bot.core.files.Files` over the collection ``files`` and the GridFS bucket ``contents``.

    The bytes are there before their row is written, and go after it, so a row always has its
    bytes. What a crash leaves behind without a row goes with the next purge.
    """

    def __init__(self, database: Database) -> None:
        self._rows = database.rows("files")
        self._contents = database.rows(f"{BUCKET}.files")
        self._chunks = database.rows(f"{BUCKET}.chunks")
        self._turns = database.rows("turns")
        self._sweeping = asyncio.Lock()

    async def put(
        self, owner: str, data: bytes, *, name: str, mime: str, now: datetime
    ) -> StoredFile:
        """Store the bytes; the same bytes of the same owner give the same file.

        Raises:
            ValueError: more than `MAX_FILE_BYTES`, or empty.
        """
        if not 0 < len(data) <= MAX_FILE_BYTES:
            raise ValueError(f"a file has 1 to {MAX_FILE_BYTES} bytes, not {len(data)}")
        digest = await asyncio.to_thread(lambda: hashlib.sha256(data).hexdigest())
        kept_since = to_micros(now)
        row = {
            "_id": derived_id("f", owner, digest),
            "owner": owner,
            "name": name,
            "mime": mime,
            "size_bytes": len(data),
            "sha256": digest,
            "created_at": kept_since,
            "kept_since": kept_since,
        }
        async with self._sweeping:
            await self.put_bytes(digest, data, now=now)
            await self._rows.add(row)
            stored = await self._rows.changed(
                {"_id": row["_id"]}, {"$max": {"kept_since": kept_since}}
            )
        if stored is None:
            raise StorageUnavailableError("the file was purged while it was written")
        return _file(stored)

    async def put_bytes(self, digest: str, data: bytes, *, now: datetime) -> None:
        """Store the bytes under their sha256, unless they are there."""
        if await self._contents.one({"_id": digest}) is not None:
            return
        chunks = [
            {"_id": f"{digest}:{number}", "files_id": digest, "n": number, "data": part}
            for number, part in enumerate(
                data[at : at + CHUNK_BYTES] for at in range(0, len(data), CHUNK_BYTES)
            )
        ]
        for at in range(0, len(chunks), BATCH_CHUNKS):
            await self._chunks.add_all(chunks[at : at + BATCH_CHUNKS])
        await self._contents.add(
            {
                "_id": digest,
                "filename": digest,
                "length": len(data),
                "chunkSize": CHUNK_BYTES,
                "uploadDate": now,
            }
        )

    async def get_bytes(self, digest: str) -> bytes:
        """Return the bytes of this sha256; empty when there are none."""
        chunks = await self._chunks.many({"files_id": digest}, sort=[("n", 1)])
        return b"".join(chunk["data"] for chunk in chunks)

    async def get(self, owner: str, file_id: str) -> tuple[StoredFile, bytes] | None:
        """Return the file and its bytes; None when this owner has no such file.

        Raises:
            StorageError: chunks are missing.
        """
        row = await self._rows.one({"_id": file_id, "owner": owner})
        if row is None:
            return None
        data = await self.get_bytes(row["sha256"])
        if len(data) != row["size_bytes"]:
            raise StorageError(f"file {file_id} has no bytes any more")
        return _file(row), data

    async def purge(self, *, created_before: datetime) -> int:
        """Delete files last sent before then that no turn has attached; return how many."""
        before = to_micros(created_before)
        async with self._sweeping:
            old = await self._rows.many({"kept_since": {"$lt": before}}, fields=["_id"])
            attached = await self._attached([row["_id"] for row in old])
            gone = [row["_id"] for row in old if row["_id"] not in attached]
            count = await self._rows.remove_all(
                {"_id": {"$in": gone}, "kept_since": {"$lt": before}}
            )
            await self._sweep()
            return count

    async def counts(self) -> Mapping[str, int]:
        """Return the number of files and the bytes of their contents, each counted once."""
        groups = await self._rows.grouped(
            {"$group": {"_id": "$sha256", "bytes": {"$max": "$size_bytes"}, "n": {"$sum": 1}}}
        )
        return {
            "files": sum(group["n"] for group in groups),
            "bytes": sum(group["bytes"] for group in groups),
        }

    async def _attached(self, file_ids: list[str]) -> set[str]:
        turns = await self._turns.many({"attachments": {"$in": file_ids}}, fields=["attachments"])
        return {ref for turn in turns for ref in turn["attachments"]}

    async def _sweep(self) -> None:
        """Remove the bytes that no row names, also those whose upload never ended."""
        kept = await _values(self._rows, "sha256")
        for contents, key in ((self._contents, "_id"), (self._chunks, "files_id")):
            lost = await _values(contents, key) - kept
            if lost:
                await contents.remove_all({key: {"$in": sorted(lost)}})


async def _values(rows: Rows, key: str) -> set[str]:
    groups = await rows.grouped({"$group": {"_id": f"${key}"}})
    return {group["_id"] for group in groups}


def _file(row: Row) -> StoredFile:
    return StoredFile(
        file_id=row["_id"],
        owner=row["owner"],
        name=row["name"],
        mime=row["mime"],
        size_bytes=row["size_bytes"],
        sha256=row["sha256"],
        created_at=from_micros(row["created_at"]),
    )
