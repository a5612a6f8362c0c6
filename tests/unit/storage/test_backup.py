"""A backup holds everything, is checked, and never overwrites."""

import asyncio
from pathlib import Path

import pytest

from bot.core.errors import ConfigurationError
from storage.folder import lock_folder
from storage.sqlite.stores import open_stores
from storage.transfer.backup import Saved, backup, restore
from tests.contract.samples import NOW, effect, entry, outcome


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def fill(data: Path) -> None:
    asyncio.run(_fill(data))


async def _fill(data: Path) -> None:
    async with open_stores(data / "switchboard.db", files_folder=data / "files") as stores:
        await stores.turns.commit(outcome("e1"))
        await stores.ledger.append("p_a", [entry(1), entry(2)], effect=effect("add"))
        await stores.files.put("a", b"bytes", name="n", mime="m", now=NOW)


def test_what_was_backed_up_comes_back(data: Path, tmp_path: Path) -> None:
    fill(data)

    saved = backup(data, tmp_path / "saved")
    restored = restore(tmp_path / "saved", tmp_path / "again")

    assert saved == Saved(folder=tmp_path / "saved", turns=1, entries=2, files=1, missing=0)
    assert restored == saved
    asyncio.run(_check(tmp_path / "again"))


async def _check(data: Path) -> None:
    async with open_stores(data / "switchboard.db", files_folder=data / "files") as stores:
        assert await stores.turns.get("e1") == outcome("e1").record
        assert await stores.files.counts() == {"files": 1, "bytes": 5}
        (made, _) = await stores.ledger.append("p_a", [], effect=effect("add"))
        assert await stores.ledger.get("p_a", made.entry_id) == made


def test_nothing_is_overwritten(data: Path, tmp_path: Path) -> None:
    fill(data)
    backup(data, tmp_path / "saved")

    with pytest.raises(ConfigurationError, match="there already"):
        backup(data, tmp_path / "saved")
    with pytest.raises(ConfigurationError, match="move it away"):
        restore(tmp_path / "saved", data)


def test_a_running_bot_is_in_the_way(data: Path, tmp_path: Path) -> None:
    fill(data)
    backup(data, tmp_path / "saved")

    with lock_folder(data), pytest.raises(ConfigurationError, match="in use"):
        backup(data, tmp_path / "second")
    again = tmp_path / "again"
    with lock_folder(again), pytest.raises(ConfigurationError, match="in use"):
        restore(tmp_path / "saved", again)


@pytest.mark.parametrize("what", ["switchboard.db", "files/*/*"])
def test_a_damaged_backup_is_refused(data: Path, tmp_path: Path, what: str) -> None:
    fill(data)
    backup(data, tmp_path / "saved")
    (path,) = (tmp_path / "saved").glob(what)
    spoiled = bytearray(path.read_bytes())
    spoiled[len(spoiled) // 2 :] = bytes(len(spoiled) - len(spoiled) // 2)
    path.write_bytes(spoiled)

    with pytest.raises(ConfigurationError, match="damaged"):
        restore(tmp_path / "saved", tmp_path / "again")
    assert not (tmp_path / "again" / "switchboard.db").exists()


def test_a_folder_without_a_database_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no backup"):
        restore(tmp_path, tmp_path / "again")
    with pytest.raises(ConfigurationError, match="nothing to back up"):
        backup(tmp_path / "empty", tmp_path / "saved")
