"""What was acknowledged is there after a restart, and after ``kill -9`` at any moment."""

import asyncio
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from bot.core.inbox import InboxStatus
from bot.core.ledger import EntryFilter
from bot.core.outbox import OutboxStatus
from bot.core.stores import Stores
from tests.contract.openers import Opener
from tests.contract.samples import (
    CHAT,
    NOW,
    account,
    action,
    draft,
    effect,
    entry,
    later,
    outcome,
    person,
    reminder,
    update,
)

ROOT = Path(__file__).parents[2]


async def test_everything_is_there_after_a_restart(opener: Opener, tmp_path: Path) -> None:
    async with opener(tmp_path) as stores:
        await stores.people.get_or_create(account(), defaults=person())
        await stores.inbox.accept(update("1"))
        await stores.inbox.accept(update("2"))
        await stores.turns.commit(
            outcome("telegram:b:1", actions=(action(),), outbox=(draft("o"),))
        )
        entries = await stores.ledger.append("p_a", [entry(30)], effect=effect("add"))
        made = await stores.schedules.insert("p_a", reminder(), effect=effect("remind"))
        file = await stores.files.put("a", b"data", name="n", mime="m", now=NOW)
        item = await stores.transcripts.put("c", "i", author="bot", payload={}, at=NOW)

    async with opener(tmp_path) as stores:
        assert await stores.people.find(account()) == person()
        assert [event for event, _ in await stores.inbox.pending()] == ["telegram:b:2"]
        assert await stores.turns.get("telegram:b:1") is not None
        assert await stores.actions.get("t") == action()
        assert list(await stores.outbox.open_chats()) == [(CHAT.key, draft("o").outbox_class)]
        assert await stores.ledger.append("p_a", [], effect=effect("add")) == entries
        assert await stores.schedules.due(NOW, limit=9) == (made,)
        assert await stores.files.get("a", file.file_id) == (file, b"data")
        assert list(await stores.transcripts.since("c", 0)) == [item]


@pytest.mark.parametrize("lines", [40, 217])
async def test_what_was_acknowledged_outlives_a_kill(
    store_kind: str, opener: Opener, tmp_path: Path, lines: int
) -> None:
    acknowledged = await _write_and_kill(store_kind, tmp_path, lines)
    assert set(acknowledged) == {"inbox", "turn", "sent", "entry", "fired", "file"}

    async with opener(tmp_path) as stores:
        await _check_flow(stores, acknowledged)
        await _check_effects(stores, acknowledged)


async def _write_and_kill(kind: str, folder: Path, lines: int) -> dict[str, list[str]]:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.contract.writing_child",
        kind,
        str(folder),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdout is not None
    read = [await child.stdout.readline() for _ in range(lines)]
    child.kill()
    read += (await child.stdout.read()).splitlines(keepends=True)
    await child.wait()
    acknowledged: dict[str, list[str]] = defaultdict(list)
    for line in read:
        if line.endswith(b"\n"):
            kind_of_write, _, key = line.decode().strip().partition(" ")
            acknowledged[kind_of_write].append(key)
    return acknowledged


async def _check_flow(stores: Stores, acknowledged: dict[str, list[str]]) -> None:
    done = 0
    for event_id in acknowledged["inbox"]:
        row = await stores.inbox.get(event_id)
        assert row is not None
        turn, message = await stores.turns.get(event_id), await stores.outbox.get(f"o:{event_id}")
        # A turn, its message and the end of its inbox row are one: all there, or none.
        assert (turn is not None) == (message is not None)
        assert (turn is not None) == (row.status is InboxStatus.DONE)
        done += turn is not None
    for event_id in acknowledged["turn"]:
        assert await stores.turns.get(event_id) is not None
    for outbox_id in acknowledged["sent"]:
        message = await stores.outbox.get(outbox_id)
        assert message is not None
        assert message.status is OutboxStatus.SENT
    session = await stores.sessions.load("s")
    assert session is not None
    assert session.version == done


async def _check_effects(stores: Stores, acknowledged: dict[str, list[str]]) -> None:
    for entry_id in acknowledged["entry"]:
        assert await stores.ledger.get("p_a", entry_id) is not None
    (total,) = await stores.ledger.totals("p_a", EntryFilter())
    assert total.count % 2 == 0
    assert total.minor == total.count // 2 * 3
    fired = len(acknowledged["fired"])
    deliveries = await stores.schedules.deliveries("p_a", limit=10_000)
    assert len(deliveries) in (fired, fired + 1)
    assert await stores.schedules.next_due_at() == later(days=len(deliveries))
    for file_id in acknowledged["file"]:
        assert await stores.files.get("owner", file_id) is not None
