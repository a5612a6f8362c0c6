"""Migrations: once, whole, after a backup, never backwards; old data still reads."""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from bot.core.errors import ConfigurationError
from bot.core.ledger import EntryFilter
from bot.core.outbox import OutboxClass
from bot.core.stores import Stores
from storage.sqlite.database import Database, open_database
from storage.sqlite.schema import MIGRATIONS, Migration
from storage.sqlite.stores import open_stores
from tests.contract.samples import CHAT, NOW, account, effect, later, reminder, update

FIXTURES = Path(__file__).parents[2] / "data" / "migrations"

TEA = Migration(1, "CREATE TABLE tea (name TEXT);\nINSERT INTO tea VALUES ('green');\n")
SPLIT = Migration(
    2,
    """
    -- Rebuilds a table; the ; in this comment ends nothing.
    CREATE TABLE new_tea (name TEXT, sort TEXT NOT NULL);
    INSERT INTO new_tea SELECT name, 'a;b' FROM tea;
    DROP TABLE tea;
    ALTER TABLE new_tea RENAME TO tea;
    """,
)
BROKEN = Migration(3, "INSERT INTO tea VALUES ('black', 'c');\nINSERT INTO nowhere VALUES (1);\n")


def fixture(tmp_path: Path, name: str) -> Path:
    path = tmp_path / "switchboard.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript((FIXTURES / f"{name}.sql").read_text("utf-8"))
    return path


def tables(path: Path) -> set[tuple[str, str]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {(name, "".join(sql.split())) for name, sql in rows}


def content(path: Path) -> list[tuple[str, ...]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM tea").fetchall()


def listing(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir() if item.suffix != ".opening")


@contextlib.asynccontextmanager
async def opened(path: Path, *migrations: Migration) -> AsyncIterator[Database]:
    async with open_database(path, migrations=migrations) as database:
        yield database


async def bring_to(path: Path, *migrations: Migration) -> None:
    async with opened(path, *migrations):
        pass


def test_migrations_are_numbered_without_gaps() -> None:
    assert [step.number for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def test_every_migration_of_existing_data_has_a_fixture_of_the_state_before() -> None:
    assert {path.stem for path in FIXTURES.glob("*.sql")} == {
        f"before_{step.number:04}" for step in MIGRATIONS[1:]
    }


@pytest.mark.parametrize("step", MIGRATIONS[1:], ids=lambda step: f"{step.number:04}")
async def test_a_migrated_database_has_the_schema_of_a_new_one(
    tmp_path: Path, step: Migration
) -> None:
    path = fixture(tmp_path, f"before_{step.number:04}")
    await bring_to(path, *MIGRATIONS)
    await bring_to(tmp_path / "new.db", *MIGRATIONS)

    assert tables(path) == tables(tmp_path / "new.db")


async def test_the_data_of_version_1_still_reads(tmp_path: Path) -> None:
    path = fixture(tmp_path, "before_0002")
    async with open_stores(path, files_folder=tmp_path / "files") as stores:
        await check_version_1(stores)
        made = await stores.schedules.insert("p_a", reminder(), effect=effect("new"))
        assert await stores.schedules.due(NOW, limit=1) == (made,)

    before = tmp_path / "switchboard.db.before-0002"
    with contextlib.closing(sqlite3.connect(before)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (1,)
        assert copy.execute("SELECT count(*) FROM entries").fetchone() == (2,)


async def test_the_data_of_version_2_still_reads(tmp_path: Path) -> None:
    path = fixture(tmp_path, "before_0003")
    async with open_stores(path, files_folder=tmp_path / "files") as stores:
        await check_version_1(stores)
        (schedule,) = await stores.schedules.of_person("p_a")
        assert (schedule.rule.rrule, schedule.rule.times) == ("FREQ=WEEKLY;BYDAY=MO", ("08:00",))
        assert schedule.next_fire_at == later(days=7)
        (delivery,) = await stores.schedules.deliveries("p_a")
        assert (delivery.schedule_id, delivery.due_at) == (schedule.schedule_id, NOW)
        latest = await stores.ledger.latest("p_a", EntryFilter(), limit=1)
        assert [entry.minor for entry in latest] == [20]


async def test_the_names_of_version_9_are_found_in_other_characters(tmp_path: Path) -> None:
    path = fixture(tmp_path, "before_0010")
    async with open_stores(path, files_folder=tmp_path / "files") as stores:
        for spelling in ("午饭", "午飯"):
            entries = await stores.ledger.find("p_a", EntryFilter(item=spelling), limit=9)
            assert [entry.item for entry in entries] == ["午飯", "午饭"]


async def check_version_1(stores: Stores) -> None:
    person = await stores.people.find(account())
    assert person is not None
    assert (person.person_id, person.zone, person.currency) == ("p_a", "Asia/Shanghai", "CNY")
    assert list(await stores.inbox.pending()) == [("telegram:b:2", "lane")]
    assert await stores.inbox.accept(update("1")) is None
    turn = await stores.turns.get("telegram:b:1")
    assert turn is not None
    assert (turn.intent, turn.attachments) == ("ledger_manager", ("f_1",))
    session = await stores.sessions.load("s")
    assert session is not None
    assert session.version == 1
    assert session.held is not None
    row = await stores.outbox.next_for(CHAT.key, OutboxClass.INTERACTIVE)
    assert row is not None
    assert (row.draft.outbox_id, row.draft.entities) == ("o", ("ledger:e_1",))
    button = await stores.actions.get("t")
    assert button is not None
    assert (button.name, button.subject) == ("undo", "ledger:e_1")
    (total,) = await stores.ledger.totals("p_a", EntryFilter())
    assert (total.minor, total.count) == (30, 2)
    assert len(await stores.ledger.append("p_a", [], effect=effect("add"))) == 2
    (note,) = await stores.memory.list("p_a", "")
    assert note.text == "likes tea"


async def test_a_step_is_applied_once(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    for _ in range(2):
        await bring_to(path, TEA)

    assert content(path) == [("green",)]


async def test_a_new_database_needs_no_backup(tmp_path: Path) -> None:
    await bring_to(tmp_path / "a.db", TEA, SPLIT)

    assert listing(tmp_path) == ["a.db"]
    assert content(tmp_path / "a.db") == [("green", "a;b")]


async def test_an_existing_database_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await bring_to(path, TEA)
    (tmp_path / "a.db.before-0002.unfinished").write_bytes(b"of a killed process")
    await bring_to(path, TEA, SPLIT)

    assert content(path) == [("green", "a;b")]
    assert content(tmp_path / "a.db.before-0002") == [("green",)]
    assert listing(tmp_path) == ["a.db", "a.db.before-0002"]


async def test_a_step_that_fails_leaves_the_state_before_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await bring_to(path, TEA)
    with pytest.raises(ConfigurationError, match="nowhere"):
        await bring_to(path, TEA, SPLIT, BROKEN)

    assert content(path) == [("green", "a;b")]
    await bring_to(path, TEA, SPLIT)


async def test_processes_that_open_a_new_database_together_build_it_once(
    tmp_path: Path,
) -> None:
    await asyncio.gather(*(bring_to(tmp_path / "a.db", TEA, SPLIT) for _ in range(5)))

    assert content(tmp_path / "a.db") == [("green", "a;b")]


async def test_a_step_must_not_leave_broken_references(tmp_path: Path) -> None:
    parents = Migration(1, "CREATE TABLE a (id TEXT PRIMARY KEY);\nINSERT INTO a VALUES ('x');\n")
    children = Migration(
        2, "CREATE TABLE b (a TEXT REFERENCES a);\nINSERT INTO b VALUES ('nobody');\n"
    )
    with pytest.raises(ConfigurationError, match="broken references"):
        await bring_to(tmp_path / "a.db", parents, children)


async def test_a_database_of_a_newer_program_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await bring_to(path, TEA, SPLIT)
    with pytest.raises(ConfigurationError) as refusal:
        await bring_to(path, TEA)

    assert "version 2, this program knows up to 1" in str(refusal.value)
    assert "a.db.before-0002" in str(refusal.value)
    assert content(path) == [("green", "a;b")]


@pytest.mark.parametrize("written", [[b"not a database" * 100], []])
async def test_a_file_of_another_program_is_refused(
    tmp_path: Path, written: Sequence[bytes]
) -> None:
    path = tmp_path / "a.db"
    if written:
        path.write_bytes(written[0])
    else:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE theirs (x)")

    with pytest.raises(ConfigurationError, match="another folder"):
        await bring_to(path, TEA)
