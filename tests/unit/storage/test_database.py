"""The database: whole transactions, errors by reaction, a free event loop."""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.core.errors import (
    ConfigurationError,
    ConflictError,
    StorageError,
    StorageUnavailableError,
)
from storage.sqlite import database as module
from storage.sqlite.database import Database, open_database
from storage.sqlite.schema import Migration

TEA = Migration(1, "CREATE TABLE tea (name TEXT PRIMARY KEY, cups INTEGER CHECK (cups > 0));\n")


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(tmp_path / "tea.db", migrations=[TEA]) as opened:
        yield opened


def brew(connection: sqlite3.Connection, name: str = "green", cups: int = 1) -> None:
    connection.execute("INSERT INTO tea VALUES (?, ?)", (name, cups))


def names(connection: sqlite3.Connection) -> list[str]:
    return [row["name"] for row in connection.execute("SELECT name FROM tea ORDER BY name")]


async def test_the_settings_that_durability_rests_on_are_set(database: Database) -> None:
    full = 2
    shared = {
        "journal_mode": "wal",
        "synchronous": full,
        "foreign_keys": 1,
        "busy_timeout": 5000,
    }

    def look(connection: sqlite3.Connection) -> dict[str, object]:
        wanted = (*shared, "query_only")
        return {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in wanted}

    assert await database.read(look) == shared | {"query_only": 1}
    assert await database.write(look) == shared | {"query_only": 0}


async def test_an_exception_inside_a_job_leaves_nothing_and_the_writer_goes_on(
    database: Database,
) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        brew(connection)
        raise RuntimeError("mid-way")

    with pytest.raises(RuntimeError, match="mid-way"):
        await database.write(fail)
    assert await database.read(names) == []
    await database.write(brew)
    assert await database.read(names) == ["green"]


async def test_readers_cannot_write(database: Database) -> None:
    with pytest.raises(StorageError, match="readonly"):
        await database.read(brew)
    assert await database.read(names) == []


async def test_a_reader_sees_one_state_from_beginning_to_end(database: Database) -> None:
    reading, written = threading.Event(), threading.Event()

    def look_twice(connection: sqlite3.Connection) -> tuple[list[str], list[str]]:
        before = names(connection)
        reading.set()
        written.wait(5)
        return before, names(connection)

    looking = asyncio.create_task(database.read(look_twice))
    await asyncio.to_thread(reading.wait, 5)
    await database.write(brew)
    written.set()

    assert await looking == ([], [])
    assert await database.read(names) == ["green"]


async def test_a_slow_write_holds_up_neither_the_loop_nor_the_readers(
    database: Database,
) -> None:
    go_on = threading.Event()

    def slow(connection: sqlite3.Connection) -> None:
        brew(connection)
        go_on.wait(5)

    writing = asyncio.create_task(database.write(slow))
    assert await database.read(names) == []
    go_on.set()
    await writing
    assert await database.read(names) == ["green"]


async def test_a_cancelled_write_happens_whole_or_not_at_all(database: Database) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(connection: sqlite3.Connection) -> None:
        begun.set()
        go_on.wait(5)
        brew(connection, "first")
        brew(connection, "second")

    writing = asyncio.create_task(database.write(slow))
    queued = asyncio.create_task(database.write(lambda connection: brew(connection, "queued")))
    await asyncio.to_thread(begun.wait, 5)
    writing.cancel()
    queued.cancel()
    go_on.set()
    await asyncio.gather(writing, queued, return_exceptions=True)

    await database.write(lambda connection: brew(connection, "third"))
    assert await database.read(names) == ["first", "second", "third"]


async def test_a_second_row_under_one_key_is_a_conflict(database: Database) -> None:
    await database.write(brew)
    with pytest.raises(ConflictError, match=r"tea\.name"):
        await database.write(brew)


async def test_a_mistake_of_ours_is_a_storage_error_and_not_worth_repeating(
    database: Database,
) -> None:
    with pytest.raises(StorageError) as refusal:
        await database.write(lambda connection: brew(connection, cups=0))
    assert type(refusal.value) is StorageError
    with pytest.raises(StorageError, match="no such table"):
        await database.read(lambda connection: connection.execute("SELECT * FROM milk"))


async def test_a_full_disk_is_unavailable_and_leaves_nothing(database: Database) -> None:
    def limit(connection: sqlite3.Connection, pages: int) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()

    await database.write(lambda connection: limit(connection, 5))
    with pytest.raises(StorageUnavailableError, match="full"):
        await database.write(lambda connection: brew(connection, "x" * 100_000))
    assert await database.read(names) == []

    await database.write(lambda connection: limit(connection, 1000))
    await database.write(brew)
    assert await database.read(names) == ["green"]


async def test_a_database_that_another_process_holds_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_TIMEOUT_SECONDS", 0.01)
    path = tmp_path / "tea.db"
    async with open_database(path, migrations=[TEA]) as database:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageUnavailableError, match="locked"):
                await database.write(brew)
            other.execute("ROLLBACK")
        await database.write(brew)


async def test_a_closed_database_is_unavailable(tmp_path: Path) -> None:
    async with open_database(tmp_path / "tea.db", migrations=[TEA]) as database:
        pass

    with pytest.raises(StorageUnavailableError, match="closed"):
        await database.write(brew)
    with pytest.raises(StorageUnavailableError, match="closed"):
        await database.read(names)


async def test_closing_waits_for_what_has_begun(tmp_path: Path) -> None:
    has_begun, may_end = threading.Event(), threading.Event()

    def slow(connection: sqlite3.Connection) -> None:
        has_begun.set()
        assert may_end.wait(10)
        brew(connection)

    async with open_database(tmp_path / "tea.db", migrations=[TEA]) as database:
        writing = asyncio.create_task(database.write(slow))
        assert await asyncio.to_thread(has_begun.wait, 10)
        asyncio.get_running_loop().call_soon(may_end.set)  # while it is being closed
    await writing

    async with open_database(tmp_path / "tea.db", migrations=[TEA]) as database:
        assert await database.read(names) == ["green"]


async def test_a_file_that_cannot_be_opened_is_a_matter_of_configuration(tmp_path: Path) -> None:
    (tmp_path / "tea.db").mkdir()
    with pytest.raises(ConfigurationError, match="DATA_DIR"):
        async with open_database(tmp_path / "tea.db", migrations=[TEA]):
            pass


async def test_a_folder_that_cannot_be_written_to_is_a_matter_of_configuration() -> None:
    with pytest.raises(ConfigurationError, match="name another folder"):
        async with open_database(Path("/proc/self/tea.db"), migrations=[TEA]):
            pass


async def test_an_sqlite_that_is_too_old_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "OLDEST_SQLITE", (99, 0, 0))
    with pytest.raises(ConfigurationError, match="too old"):
        async with open_database(tmp_path / "tea.db", migrations=[TEA]):
            pass


async def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "tea.db"
    async with open_database(path, migrations=[TEA]) as database:
        await database.write(brew)
        modes = await asyncio.to_thread(modes_for_others, tmp_path)

    assert "tea.db" in modes
    assert set(modes.values()) == {0}


def modes_for_others(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o077 for file in folder.iterdir()}
