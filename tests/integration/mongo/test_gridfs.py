"""The bytes of files are GridFS as every driver reads it, whatever the way there was."""

import hashlib
from datetime import UTC, timedelta
from typing import Any

import pytest
from gridfs import AsyncGridFSBucket
from motor.motor_asyncio import AsyncIOMotorClient, AsyncIOMotorGridFSBucket
from pymongo import AsyncMongoClient

from storage.mongo.database import open_database
from storage.mongo.files import BUCKET, CHUNK_BYTES, MongoFiles
from storage.mongo.schema import STEPS, prepare
from storage.mongo.stores import open_stores
from tests.contract.samples import NOW, later

LARGE = bytes(range(256)) * (CHUNK_BYTES // 100)


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


async def kept(uri: str) -> str:
    async with open_stores(uri) as stores:
        await stores.files.put("a", LARGE, name="n", mime="m", now=NOW)
    return digest_of(LARGE)


async def test_the_bucket_is_read_by_pymongo(uri: str) -> None:
    digest = await kept(uri)
    async with AsyncMongoClient[dict[str, Any]](uri, tz_aware=True) as client:
        bucket = AsyncGridFSBucket(client.get_default_database(), bucket_name=BUCKET)
        opened: Any = await bucket.open_download_stream(digest)

        assert await opened.read() == LARGE
        assert (opened.length, opened.chunk_size) == (len(LARGE), CHUNK_BYTES)
        assert abs(opened.upload_date.replace(tzinfo=UTC) - NOW) < timedelta(milliseconds=1)


async def test_the_bucket_is_read_by_motor(uri: str) -> None:
    digest = await kept(uri)
    client: Any = AsyncIOMotorClient(uri)
    bucket: Any = AsyncIOMotorGridFSBucket(client.get_default_database(), bucket_name=BUCKET)
    opened = await bucket.open_download_stream_by_name(digest)

    assert await opened.read() == LARGE
    client.close()


async def test_an_upload_that_was_killed_is_finished_by_the_next_one(uri: str) -> None:
    async with open_database(uri) as database:
        files, digest = MongoFiles(database), digest_of(LARGE)
        await files.put_bytes(digest, LARGE, now=NOW)
        await database.rows(f"{BUCKET}.files").remove_all({})
        await database.rows(f"{BUCKET}.chunks").remove_all({"n": 1})

        stored = await files.put("a", LARGE, name="n", mime="m", now=NOW)

        assert await files.get("a", stored.file_id) == (stored, LARGE)


async def test_what_no_row_names_goes_with_the_purge_half_uploads_too(uri: str) -> None:
    async with open_database(uri) as database:
        files = MongoFiles(database)
        kept = await files.put("a", b"kept", name="n", mime="m", now=later(days=2))
        await files.put("a", b"old", name="n", mime="m", now=NOW)
        await database.rows(f"{BUCKET}.chunks").add(
            {"_id": "x:0", "files_id": "x", "n": 0, "data": b"half"}
        )

        assert await files.purge(created_before=later(days=1)) == 1

        chunks = await database.rows(f"{BUCKET}.chunks").many({})
        contents = await database.rows(f"{BUCKET}.files").many({})
        assert [chunk["data"] for chunk in chunks] == [b"kept"]
        assert [content["_id"] for content in contents] == [kept.sha256]


@pytest.mark.parametrize("stopped", [False, True])
async def test_the_chunks_of_before_become_gridfs_and_broken_ones_are_left_behind(
    uri: str,
    stopped: bool,  # noqa: FBT001
) -> None:
    """A move that was stopped after its first write is repeated."""
    async with AsyncMongoClient[dict[str, Any]](uri, tz_aware=True) as client:
        database = client.get_default_database()
        await prepare(database, STEPS[:4])
        whole, half = digest_of(LARGE), digest_of(b"never whole")
        parts = [LARGE[at : at + CHUNK_BYTES] for at in range(0, len(LARGE), CHUNK_BYTES)]
        rows = [
            {"_id": f"{whole}:{n}", "sha256": whole, "number": n, "bytes": part}
            for n, part in enumerate(parts)
        ]
        await database["file_chunks"].insert_many(rows)
        await database["file_chunks"].insert_one(
            {"_id": f"{half}:0", "sha256": half, "number": 0, "bytes": b"never"}
        )
        if stopped:
            await database[f"{BUCKET}.chunks"].insert_one(
                {"_id": rows[0]["_id"], "files_id": whole, "n": 0, "data": parts[0]}
            )

        await prepare(database)

        bucket = AsyncGridFSBucket(database, bucket_name=BUCKET)
        assert await (await bucket.open_download_stream(whole)).read() == LARGE
        assert [item.filename async for item in bucket.find({})] == [whole]
        assert await database["file_chunks"].count_documents({}) == 0
