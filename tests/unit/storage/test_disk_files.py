"""Files on disk: no client's name is a path, and what a crash leaves behind goes."""

import asyncio
import errno
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.core.errors import ConfigurationError, StorageError, StorageUnavailableError
from bot.core.stores import Stores
from storage.sqlite.stores import open_stores
from tests.contract.samples import NOW, later


@pytest_asyncio.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    async with open_stores(tmp_path / "a.db", files_folder=tmp_path / "files") as opened:
        yield opened


def on_disk(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "files").rglob("*") if path.is_file()]


async def test_the_name_on_disk_is_the_digest(stores: Stores, tmp_path: Path) -> None:
    file = await stores.files.put("../o", b"x", name="../../n", mime="m", now=NOW)

    assert on_disk(tmp_path) == [tmp_path / "files" / file.sha256[:2] / file.sha256]


async def test_equal_bytes_are_on_disk_once_and_go_with_their_last_owner(
    stores: Stores, tmp_path: Path
) -> None:
    await stores.files.put("a", b"x", name="n", mime="m", now=NOW)
    await stores.files.put("b", b"x", name="n", mime="m", now=later(days=1))
    assert len(on_disk(tmp_path)) == 1

    await stores.files.purge(created_before=later(days=1))
    assert len(on_disk(tmp_path)) == 1
    await stores.files.purge(created_before=later(days=2))
    assert on_disk(tmp_path) == []


async def test_bytes_without_a_row_go_with_the_next_purge(stores: Stores, tmp_path: Path) -> None:
    file = await stores.files.put("a", b"x", name="n", mime="m", now=NOW)
    orphan = tmp_path / "files" / "ab" / "abcd"
    orphan.parent.mkdir(exist_ok=True)
    orphan.write_bytes(b"of a killed process")

    assert await stores.files.purge(created_before=NOW) == 0
    assert not orphan.exists()
    assert await stores.files.get("a", file.file_id) == (file, b"x")


async def test_only_abandoned_writes_go_with_the_next_purge(
    stores: Stores, tmp_path: Path
) -> None:
    abandoned, going_on = (tmp_path / "files" / "incoming" / name for name in ("old", "new"))
    for path in (abandoned, going_on):
        path.write_bytes(b"half")
    os.utime(abandoned, (0, 0))

    await stores.files.purge(created_before=NOW)

    assert on_disk(tmp_path) == [going_on]


async def test_a_cancelled_purge_finishes_before_the_next_file_is_put(
    stores: Stores, tmp_path: Path
) -> None:
    purging = asyncio.create_task(stores.files.purge(created_before=NOW))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    purging.cancel()
    file = await stores.files.put("a", b"x", name="n", mime="m", now=NOW)

    assert purging.cancelled()
    assert await stores.files.get("a", file.file_id) == (file, b"x")
    assert len(on_disk(tmp_path)) == 1


async def test_a_full_disk_is_unavailable_and_leaves_no_row(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(handle))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageUnavailableError, match="No space"):
        await stores.files.put("a", b"x", name="n", mime="m", now=NOW)
    assert await stores.files.counts() == {"files": 0, "bytes": 0}


async def test_bytes_that_somebody_deleted_are_an_error_and_no_empty_file(
    stores: Stores, tmp_path: Path
) -> None:
    file = await stores.files.put("a", b"x", name="n", mime="m", now=NOW)
    on_disk(tmp_path)[0].unlink()

    with pytest.raises(StorageError, match=file.file_id):
        await stores.files.get("a", file.file_id)


async def test_a_folder_that_cannot_be_made_is_a_matter_of_configuration(
    tmp_path: Path,
) -> None:
    (tmp_path / "files").write_text("")
    with pytest.raises(ConfigurationError, match="cannot be made"):
        async with open_stores(tmp_path / "a.db", files_folder=tmp_path / "files"):
            pass
