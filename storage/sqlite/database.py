"""One SQLite file: a single writer thread, a few readers, and whole transactions only."""

import asyncio
import contextlib
import queue
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from bot.core.errors import ConfigurationError, StorageUnavailableError
from storage.folder import one_at_a_time, prepare_folder
from storage.sqlite.failures import translated
from storage.sqlite.schema import MIGRATIONS, Migration, migrate

T = TypeVar("T")

Job = Callable[[sqlite3.Connection], T]
"""A plain function that is run whole inside one transaction."""

READERS = 4
BUSY_TIMEOUT_SECONDS = 5.0
OLDEST_SQLITE = (3, 37, 0)
"""The first version with STRICT tables."""


class Database:
    """Runs jobs against the file without blocking the event loop."""

    def __init__(self, writer: sqlite3.Connection, readers: Sequence[sqlite3.Connection]) -> None:
        self._writer = writer
        self._readers: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
        for reader in readers:
            self._readers.put(reader)
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite-write")
        self._read_threads = ThreadPoolExecutor(len(readers), thread_name_prefix="sqlite-read")

    async def write(self, job: Job[T]) -> T:
        """Run the job in the writer thread: all of it is on disk when this returns, or nothing.

        Raises:
            StorageError: by reaction; nothing was written.
        """
        return await self._submit(self._write_thread, lambda: _write(self._writer, job))

    async def read(self, job: Job[T]) -> T:
        """Run the job in a reader thread, on one state of the database.

        Raises:
            StorageError: by reaction.
        """
        return await self._submit(self._read_threads, lambda: self._read(job))

    def close(self) -> None:
        """Finish what has begun and close the file; blocking."""
        self._write_thread.shutdown()
        self._read_threads.shutdown()
        while not self._readers.empty():
            self._readers.get().close()
        self._writer.close()

    def _read(self, job: Job[T]) -> T:
        connection = self._readers.get()
        try:
            return _read(connection, job)
        finally:
            self._readers.put(connection)

    @staticmethod
    async def _submit(threads: ThreadPoolExecutor, call: Callable[[], T]) -> T:
        try:
            future = asyncio.get_running_loop().run_in_executor(threads, call)
        except RuntimeError as error:
            raise StorageUnavailableError("the database is closed") from error
        return await future


def _write(connection: sqlite3.Connection, job: Job[T]) -> T:
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = job(connection)
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise translated(error) from error
    return result


def _read(connection: sqlite3.Connection, job: Job[T]) -> T:
    try:
        connection.execute("BEGIN")
        try:
            return job(connection)
        finally:
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise translated(error) from error


@contextlib.asynccontextmanager
async def open_database(
    path: Path, *, migrations: Sequence[Migration] = MIGRATIONS
) -> AsyncIterator[Database]:
    """Open the file, made and brought up to date if need be, and close it at the end.

    Raises:
        ConfigurationError: the file is not ours, newer than this program, or out of reach.
    """
    database = await asyncio.to_thread(_open, path, migrations)
    try:
        yield database
    finally:
        await asyncio.to_thread(database.close)


def _open(path: Path, migrations: Sequence[Migration]) -> Database:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise ConfigurationError(
            f"SQLite {sqlite3.sqlite_version} is too old; use a Python with SQLite 3.37 or newer"
        )
    prepare_folder(path.parent)
    try:
        # The server and a command may start together: one of them makes or migrates the file.
        with one_at_a_time(path.with_name(f"{path.name}.opening")):
            return _open_alone(path, migrations)
    except (sqlite3.DatabaseError, OSError) as error:
        raise ConfigurationError(
            f"DATA_DIR: the database {path} cannot be opened ({error}); "
            "make it readable and writable, restore it from a backup, or name another folder"
        ) from error


def _open_alone(path: Path, migrations: Sequence[Migration]) -> Database:
    with contextlib.ExitStack() as opened:
        writer = opened.enter_context(contextlib.closing(_connect(path)))
        writer.execute("PRAGMA journal_mode = WAL")
        migrate(writer, path, migrations)
        readers = [
            opened.enter_context(contextlib.closing(_connect(path))) for _ in range(READERS)
        ]
        for reader in readers:
            reader.execute("PRAGMA query_only = ON")
        opened.pop_all()
    return Database(writer, readers)


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        path.touch(mode=0o600)  # what people write down is for nobody else on the machine
    connection = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection
