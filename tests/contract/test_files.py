"""Promises of `bot.core.files.Files`."""

import asyncio
import hashlib

import pytest

from bot.core.files import MAX_FILE_BYTES, StoredFile
from bot.core.stores import Stores
from tests.contract.samples import NOW, ODD, RACERS, later, outcome

A, B = "telegram/b//1", "telegram/b//2"
DATA = b"\x89PNG\x00 picture"


async def put(stores: Stores, owner: str = A, data: bytes = DATA, *, days: int = 0) -> StoredFile:
    return await stores.files.put(
        owner, data, name="../../etc/passwd", mime="image/png", now=later(days=days)
    )


async def test_a_file_comes_back_with_its_bytes(stores: Stores) -> None:
    file = await put(stores)

    assert await stores.files.get(A, file.file_id) == (file, DATA)
    assert file == StoredFile(
        file_id=file.file_id,
        owner=A,
        name="../../etc/passwd",
        mime="image/png",
        size_bytes=len(DATA),
        sha256=hashlib.sha256(DATA).hexdigest(),
        created_at=NOW,
    )


async def test_the_same_bytes_of_the_same_owner_are_the_same_file(stores: Stores) -> None:
    files = await asyncio.gather(*(put(stores, days=n) for n in range(RACERS)))

    assert len({file.file_id for file in files}) == 1
    assert await stores.files.counts() == {"files": 1, "bytes": len(DATA)}


async def test_the_same_bytes_of_two_owners_are_two_files_kept_once(stores: Stores) -> None:
    mine, theirs = await put(stores, A), await put(stores, B)

    assert mine.file_id != theirs.file_id
    assert await stores.files.counts() == {"files": 2, "bytes": len(DATA)}


async def test_a_file_is_its_owners_only(stores: Stores) -> None:
    file = await put(stores, A)

    assert await stores.files.get(B, file.file_id) is None
    for made_up in ("f_nothing", "../switchboard.db", file.sha256, ODD, ""):
        assert await stores.files.get(A, made_up) is None


@pytest.mark.parametrize("size", [0, MAX_FILE_BYTES + 1])
async def test_empty_and_too_large_files_are_refused(stores: Stores, size: int) -> None:
    with pytest.raises(ValueError, match=str(size)):
        await put(stores, data=bytes(size))
    assert await stores.files.counts() == {"files": 0, "bytes": 0}


async def test_a_file_of_the_largest_size_is_kept(stores: Stores) -> None:
    file = await put(stores, data=bytes(MAX_FILE_BYTES))

    assert file.size_bytes == MAX_FILE_BYTES


async def test_old_files_are_purged_unless_a_turn_has_attached_them(stores: Stores) -> None:
    old = await put(stores, data=b"old")
    attached = await put(stores, data=b"attached")
    fresh = await put(stores, data=b"fresh", days=30)
    await stores.turns.commit(outcome("e", attachments=("platform-id", attached.file_id)))

    assert await stores.files.purge(created_before=later(days=30)) == 1
    assert await stores.files.purge(created_before=later(days=30)) == 0

    assert await stores.files.get(A, old.file_id) is None
    assert await stores.files.get(A, attached.file_id) == (attached, b"attached")
    assert await stores.files.get(A, fresh.file_id) == (fresh, b"fresh")


async def test_purging_one_owners_file_leaves_the_others_bytes(stores: Stores) -> None:
    await put(stores, A)
    theirs = await put(stores, B, days=30)

    assert await stores.files.purge(created_before=later(days=1)) == 1
    assert await stores.files.get(B, theirs.file_id) == (theirs, DATA)


async def test_a_purged_file_can_be_sent_again(stores: Stores) -> None:
    await put(stores)
    await stores.files.purge(created_before=later(days=1))
    file = await put(stores, days=2)

    assert await stores.files.get(A, file.file_id) == (file, DATA)


async def test_a_file_that_was_sent_again_is_young_again(stores: Stores) -> None:
    file = await put(stores)
    await put(stores, days=30)

    assert await stores.files.purge(created_before=later(days=30)) == 0
    assert await stores.files.get(A, file.file_id) == (file, DATA)
