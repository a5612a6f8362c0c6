"""From SQLite to MongoDB and back: everything, exactly, however often it is interrupted."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.core.binding import Holdings, Undoing
from bot.core.errors import ConfigurationError, StorageError
from bot.core.ledger import EntryFilter
from storage.folder import lock_folder
from storage.mongo.stores import open_stores as open_mongo
from storage.sqlite.stores import open_stores as open_sqlite
from storage.transfer import migration
from storage.transfer.migration import Places, copy, migrate
from storage.transfer.mongo_side import MongoSide
from storage.transfer.sqlite_side import SqliteSide
from storage.transfer.tables import CONTENTS, TABLES, Record, Table
from tests.contract.samples import NOW, effect, entry, update
from tests.integration.mongo.filled import fill


@pytest.fixture
def here(tmp_path: Path, uri: str) -> Places:
    return Places(data_dir=tmp_path / "old", mongodb_uri=uri)


@pytest.fixture
def there(tmp_path: Path, uri: str) -> Places:
    (tmp_path / "new").mkdir()
    return Places(data_dir=tmp_path / "new", mongodb_uri=uri)


async def filled(places: Places) -> None:
    folder = places.data_dir
    async with open_sqlite(folder / "switchboard.db", files_folder=folder / "files") as stores:
        await fill(stores)


def quiet(_line: str) -> None:
    """Say nothing."""


def dump(places: Places) -> list[str]:
    with closing(sqlite3.connect(places.data_dir / "switchboard.db")) as connection:
        return sorted(line for line in connection.iterdump() if "sqlite_sequence" not in line)


def files(places: Places) -> dict[str, bytes]:
    folder = places.data_dir / "files"
    return {path.name: path.read_bytes() for path in folder.glob("??/*")}


async def test_there_and_back_everything_is_as_it_was(here: Places, there: Places) -> None:
    await filled(here)

    moved = await copy(here, source="sqlite", target="mongo", say=quiet)
    back = await copy(there, source="mongo", target="sqlite", say=quiet)

    assert moved == back
    assert all(table.count for table in moved)
    assert [table.table for table in moved] == [table.name for table in (*TABLES, CONTENTS)]
    assert dump(there) == dump(here)
    assert files(there) == files(here)


async def test_what_a_mongodb_store_wrote_comes_to_sqlite_and_back(
    there: Places, secantus: str
) -> None:
    async with open_mongo(there.mongodb_uri) as stores:
        await fill(stores)
    again = Places(data_dir=there.data_dir, mongodb_uri=f"{secantus}/again_{there.data_dir.name}")

    moved = await copy(there, source="mongo", target="sqlite", say=quiet)
    back = await copy(again, source="sqlite", target="mongo", say=quiet)

    assert moved == back
    async with open_mongo(there.mongodb_uri) as first, open_mongo(again.mongodb_uri) as second:
        for stores in (first, second):
            assert len(await stores.turns.of_person("p_a")) == 24
        wanted = EntryFilter()
        assert await first.ledger.find("p_a", wanted, limit=99) == await second.ledger.find(
            "p_a", wanted, limit=99
        )


async def test_a_merge_can_be_undone_after_the_move(here: Places) -> None:
    await filled(here)
    await copy(here, source="sqlite", target="mongo", say=quiet)

    async with open_mongo(here.mongodb_uri) as stores:
        assert (await stores.bindings.holdings("p_d")).entries == 2
        assert await stores.bindings.undo("m1", at=NOW) is Undoing.UNDONE
        for name in ("p_c", "p_d"):
            held = await stores.bindings.holdings(name)
            assert held == Holdings(accounts=1, entries=1, reminders=1, notes=1)


async def test_a_moved_store_goes_on_where_it_was(here: Places) -> None:
    await filled(here)
    await copy(here, source="sqlite", target="mongo", say=quiet)

    async with open_mongo(here.mongodb_uri) as stores:
        assert await stores.inbox.accept(update("0")) is None
        pending = await stores.inbox.pending()
        row = await stores.inbox.accept(update("new"))
        assert row is not None
        assert await stores.inbox.pending() == [*pending, ("telegram:b:new", "lane")]
        (made, *_) = await stores.ledger.append("p_a", [], effect=effect("add"))
        voided = await stores.ledger.void("p_a", [made.entry_id], effect=effect("later"))
        assert [item.entry_id for item in voided] == [made.entry_id]
        (newest,) = await stores.ledger.append("p_a", [entry(7)], effect=effect("newest"))
        assert (await stores.ledger.latest("p_a", EntryFilter(), limit=1))[0] == newest
        assert await stores.schedules.next_due_at() == NOW


@pytest.mark.parametrize("source", ["sqlite", "mongo"])
async def test_killed_at_any_batch_it_goes_on_and_ends_the_same(
    here: Places,
    there: Places,
    source: migration.Kind,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await filled(here)
    if source == "mongo":
        await copy(here, source="sqlite", target="mongo", say=quiet)
    places = here if source == "sqlite" else there
    target: migration.Kind = "mongo" if source == "sqlite" else "sqlite"
    side = MongoSide if source == "sqlite" else SqliteSide
    put, left = side.put, [4]

    async def failing(self: MongoSide, table: Table, records: Sequence[Record]) -> None:
        await put(self, table, records)  # type: ignore[arg-type]  # of the class it stands in
        left[0] -= 1
        if left[0] == 0:
            left[0] = 4
            raise KeyboardInterrupt

    monkeypatch.setattr(side, "put", failing)
    stops = 0
    moved: tuple[migration.Moved, ...] = ()
    while not moved:
        try:
            moved = await copy(places, source=source, target=target, say=quiet)
        except KeyboardInterrupt:
            stops += 1

    assert stops > 3
    assert all(table.count for table in moved)
    if source == "mongo":
        assert dump(there) == dump(here)


async def test_a_half_filled_database_is_not_opened(
    here: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(here)

    async def failing(_self: MongoSide, _table: Table, _records: Sequence[Record]) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(MongoSide, "put", failing)
        with pytest.raises(KeyboardInterrupt):
            await copy(here, source="sqlite", target="mongo", say=quiet)

    with pytest.raises(ConfigurationError, match="was not finished"):
        async with open_mongo(here.mongodb_uri):
            pass


async def test_a_store_that_holds_data_is_not_written_to(here: Places) -> None:
    await filled(here)
    await copy(here, source="sqlite", target="mongo", say=quiet)

    with pytest.raises(ConfigurationError, match="holds data"):
        await copy(here, source="sqlite", target="mongo", say=quiet)
    with pytest.raises(ConfigurationError, match="move it away"):
        await copy(here, source="mongo", target="sqlite", say=quiet)


async def test_a_record_that_came_over_differently_is_found(
    here: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(here)
    put = MongoSide.put

    async def spoiling(self: MongoSide, table: Table, records: Sequence[Record]) -> None:
        if table.name == "entries":
            records = [{**record, "minor": record["minor"] + 1} for record in records]
        await put(self, table, records)

    monkeypatch.setattr(MongoSide, "put", spoiling)
    with pytest.raises(StorageError, match="entries differs"):
        await copy(here, source="sqlite", target="mongo", say=quiet)


def test_a_running_bot_is_in_the_way(here: Places) -> None:
    with (
        lock_folder(here.data_dir),
        pytest.raises(ConfigurationError, match="in use by another Switchboard"),
    ):
        migrate(here, source="sqlite", target="mongo", say=quiet)


async def test_every_column_of_sqlite_is_moved(here: Places) -> None:
    await filled(here)
    with closing(sqlite3.connect(here.data_dir / "switchboard.db")) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM pragma_table_list")]
        stored = {
            name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}
            for name in names
            if not name.startswith("sqlite_")
        }
    inside = stored.pop("turn_attachments")
    assert inside == {"ref", "event_id"}
    stored["turns"].add("attachments")
    for name in ("accounts", "entries", "deliveries"):
        stored[name].add("sequence")

    assert {table.name: {*table.key, *table.columns} for table in TABLES} == stored
