"""From one store to another: batch by batch, resumable, and checked at the end."""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bot.core.errors import ConfigurationError, StorageError
from storage.folder import DATABASE, flush_folder, lock_folder
from storage.mongo.database import open_database as open_mongo
from storage.mongo.decisions import Decisions
from storage.mongo.driver import Driver
from storage.sqlite.database import open_database as open_sqlite
from storage.transfer.mongo_side import MongoSide
from storage.transfer.sqlite_side import SqliteSide
from storage.transfer.tables import CONTENTS, TABLES, Side, Sum, Table, sum_of

Kind = Literal["sqlite", "mongo"]

FILES = "files"
UNFINISHED = "switchboard.db.migrating"
PROGRESS = "migration.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A table that was moved and checked."""

    table: str
    count: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the two stores are.

    Attributes:
        data_dir: the folder of SQLite's file, of the files, and of the bot's lock.
        mongodb_uri: the address, with the name of the database.
    """

    data_dir: Path
    mongodb_uri: str
    driver: Driver = "pymongo"


def migrate(
    places: Places,
    *,
    source: Kind,
    target: Kind,
    say: Callable[[str], None],
) -> tuple[Moved, ...]:
    """Copy everything from one store into the other, which must be empty; blocking.

    Killed half-way, it goes on where it was when it is called again. The source is only read.

    Raises:
        ConfigurationError: a bot is running on the folder, or the target holds other data.
        StorageError: after copying the two differ; the text names the table.
    """
    if source == target:
        raise ConfigurationError("--from and --to name the same store")
    with lock_folder(places.data_dir):
        return asyncio.run(copy(places, source=source, target=target, say=say))


async def copy(
    places: Places, *, source: Kind, target: Kind, say: Callable[[str], None]
) -> tuple[Moved, ...]:
    """Do what `migrate` says; the caller holds the folder."""
    where = hashlib.sha256(places.mongodb_uri.encode()).hexdigest()[:8]
    what = f"{source} to {target} ({where})"
    progress = await asyncio.to_thread(_Progress, places.data_dir / PROGRESS, what)
    done = places.data_dir / DATABASE
    if target == "sqlite" and await asyncio.to_thread(done.exists):
        raise ConfigurationError(f"{done} is there already; move it away first")
    async with _opened(places, source) as old, _opened(places, target, filling=True) as new:
        if not progress.is_resumed and not await _is_empty(new):
            raise ConfigurationError(f"the {target} store holds data; name an empty one")
        for table in (*TABLES, CONTENTS):
            await _copy_table(old, new, table, progress)
            say(f"copied {table.name}")
        moved = [await _checked(old, new, table) for table in (*TABLES, CONTENTS)]
        await new.finish()
    if target == "sqlite":
        await asyncio.to_thread(_put_in_place, places.data_dir)
    await asyncio.to_thread(progress.end)
    return tuple(moved)


@contextlib.asynccontextmanager
async def _opened(places: Places, kind: Kind, *, filling: bool = False) -> AsyncIterator[Side]:
    if kind == "sqlite":
        name = UNFINISHED if filling else DATABASE
        async with open_sqlite(places.data_dir / name) as database:
            yield SqliteSide(database, places.data_dir / FILES)
    else:
        async with open_mongo(
            places.mongodb_uri, driver=places.driver, filling=filling
        ) as database:
            await Decisions(database).settle_all()
            yield MongoSide(database)


async def _is_empty(side: Side) -> bool:
    for table in TABLES:
        async for _ in side.pages(table):
            return False
    return True


async def _copy_table(old: Side, new: Side, table: Table, progress: "_Progress") -> None:
    after = progress.cursor_of(table)
    if after is None:
        return
    async for records, cursor in old.pages(table, after):
        await new.put(table, records)
        await asyncio.to_thread(progress.note, table, cursor)
    await asyncio.to_thread(progress.note, table, None)


async def _checked(old: Side, new: Side, table: Table) -> Moved:
    there, here = await sum_of(old, table), await sum_of(new, table)
    if there != here:
        raise StorageError(f"{table.name} differs after copying: {_told(there)}, {_told(here)}")
    return Moved(table=table.name, count=here.count, digest=here.digest)


def _told(found: Sum) -> str:
    return f"{found.count} records with the digest {found.digest[:12]}"


def _put_in_place(data_dir: Path) -> None:
    (data_dir / UNFINISHED).replace(data_dir / DATABASE)
    (data_dir / f"{UNFINISHED}.opening").unlink(missing_ok=True)
    flush_folder(data_dir)


class _Progress:
    """How far an interrupted migration came: a small file beside the data."""

    def __init__(self, path: Path, what: str) -> None:
        self._path = path
        self._cursors: dict[str, str | None] = {}
        self.is_resumed = path.exists()
        if self.is_resumed:
            kept = json.loads(path.read_text("utf-8"))
            if kept["what"] != what:
                raise ConfigurationError(
                    f"{path} tells of a migration from {kept['what']} that was not finished; "
                    "finish it, or delete that file and what it made"
                )
            self._cursors = kept["cursors"]
        self._what = what

    def cursor_of(self, table: Table) -> str | None:
        """Return where to go on with a table; None when it is copied."""
        return self._cursors.get(table.name, "")

    def note(self, table: Table, cursor: str | None) -> None:
        """Keep how far the table is copied."""
        self._cursors[table.name] = cursor
        unfinished = self._path.with_name(f"{self._path.name}.unfinished")
        unfinished.write_text(json.dumps({"what": self._what, "cursors": self._cursors}))
        unfinished.replace(self._path)

    def end(self) -> None:
        """Forget it all: the migration is over."""
        self._path.unlink(missing_ok=True)
