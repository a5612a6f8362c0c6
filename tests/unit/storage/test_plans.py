"""The statements that run all the time are index look-ups, whatever the tables hold."""

import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.core.ledger import EntryFilter
from bot.core.outbox import OutboxClass
from bot.core.stores import Stores
from storage.sqlite import database as module
from storage.sqlite.database import Database, open_database
from storage.sqlite.inbox import SqliteInbox
from storage.sqlite.ledger import SqliteLedger
from storage.sqlite.outbox import SqliteOutbox
from storage.sqlite.schedules import SqliteSchedules
from storage.sqlite.stores import open_stores
from storage.sqlite.turns import SqliteTurns
from tests.contract.samples import CHAT, NOW, effect, firing, outcome, reminder

Call = Callable[[Database], Awaitable[object]]

CALLS: dict[str, Call] = {
    "next_due_at": lambda database: SqliteSchedules(database).next_due_at(),
    "due": lambda database: SqliteSchedules(database).due(NOW, limit=100),
    "upcoming": lambda database: SqliteSchedules(database).upcoming("p", limit=10),
    "deliveries": lambda database: SqliteSchedules(database).deliveries("p"),
    "open_chats": lambda database: SqliteOutbox(database).open_chats(),
    "next_for": lambda database: SqliteOutbox(database).next_for(CHAT.key, OutboxClass.BULK),
    "find_sent": lambda database: SqliteOutbox(database).find_sent(CHAT.key, "m"),
    "outbox get": lambda database: SqliteOutbox(database).get("o"),
    "inbox pending": lambda database: SqliteInbox(database).pending(),
    "inbox begin": lambda database: SqliteInbox(database).begin("e"),
    "inbox purge": lambda database: SqliteInbox(database).purge(done_before=NOW),
    "recent": lambda database: SqliteTurns(database).recent("s", limit=8),
    "recent of a conversation": lambda database: SqliteTurns(database).recent(
        "s", limit=8, conversation="c"
    ),
    "linked": lambda database: SqliteTurns(database).linked(CHAT.key, "m"),
    "find": lambda database: SqliteLedger(database).find("p", EntryFilter(), limit=10),
    "latest": lambda database: SqliteLedger(database).latest("p", EntryFilter(), limit=10),
}

ALLOWED_SCANS = ("outbox_open", "inbox_new")
"""Partial indexes that hold open rows only: reading one whole reads what is open."""


class Recorder:
    """Stands between a job and its connection and keeps the statements."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.statements: list[str] = []

    def connect(self, path: Path) -> sqlite3.Connection:
        connection = _connect(path)
        connection.set_trace_callback(self.statements.append)
        return connection


_connect = module._connect


@pytest_asyncio.fixture
async def recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Database, Recorder]]:
    recorder = Recorder(tmp_path / "a.db")
    monkeypatch.setattr(module, "_connect", recorder.connect)
    async with open_database(recorder.path) as database:
        yield database, recorder


@pytest.mark.parametrize("name", CALLS)
async def test_a_frequent_statement_is_an_index_lookup(
    recorded: tuple[Database, Recorder], name: str
) -> None:
    database, recorder = recorded
    recorder.statements.clear()
    await CALLS[name](database)

    statements = [text for text in recorder.statements if re.match(r"\s*(SELECT|UPDATE)", text)]
    assert statements
    for statement in statements:
        plan = await explained(database, statement)
        scans = [step for step in plan if step.startswith("SCAN")]
        assert all(any(index in step for index in ALLOWED_SCANS) for step in scans), plan
        sorts = [step for step in plan if "TEMP B-TREE FOR ORDER BY" in step]
        assert not sorts or "LIMIT" not in statement, plan


async def explained(database: Database, statement: str) -> list[str]:
    def job(connection: sqlite3.Connection) -> list[str]:
        return [row["detail"] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]

    return await database.read(job)


async def test_a_firing_and_a_commit_use_indexes_too(
    recorded: tuple[Database, Recorder], tmp_path: Path
) -> None:
    database, recorder = recorded
    async with open_stores(recorder.path, files_folder=tmp_path / "files") as stores:
        recorder.statements.clear()
        await _write_something(stores)

    searched = [text for text in recorder.statements if re.match(r"\s*(SELECT|UPDATE)", text)]
    assert searched
    for statement in searched:
        plan = await explained(database, statement)
        assert not [step for step in plan if "SCAN" in step], (statement, plan)


async def _write_something(stores: Stores) -> None:
    made = await stores.schedules.insert("p_a", reminder(), effect=effect("a"))
    fired = firing(made)
    await stores.schedules.fire([fired], now=NOW)
    await stores.turns.commit(outcome("e", attachments=("f",)))
    await stores.outbox.mark_sending(fired.outbox[0].outbox_id)
    await stores.outbox.mark_sent(fired.outbox[0].outbox_id, message_id="m", now=NOW)
    token = fired.actions[0].token
    for event_id in ("press 1", "press 2"):
        await stores.actions.claim(
            token, person_id="p_a", chat_key=CHAT.key, event_id=event_id, now=NOW
        )
