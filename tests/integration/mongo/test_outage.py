"""The server goes away under traffic and comes back: nothing is lost, nothing is doubled."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio

from bot.clock import ManualClock
from bot.core.errors import StorageUnavailableError
from bot.core.inbox import InboxStatus, RawUpdate
from storage.mongo.stores import open_stores
from tests.contract.samples import update
from tests.mongo_server import MongoServer, is_installed
from tests.patience import PATIENCE_SECONDS
from tests.stage import TUESDAY, Stage, stage

DOWN_SECONDS = 9.0
"""Longer than the driver itself waits."""
LONGEST_REQUEST_SECONDS = 15.0
PEOPLE = ("anna", "ben", "carl", "dora")


class SteadyClock(ManualClock):
    """Stands at a fixed day but really waits."""

    async def sleep(self, seconds: float) -> None:  # type: ignore[explicit-override]  # since 3.12
        await asyncio.sleep(seconds)


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[MongoServer]:
    if not is_installed():
        pytest.skip("SecantusDB is not installed (extra dev)")
    running = MongoServer(tmp_path / "server")
    await asyncio.to_thread(running.start)
    yield running
    await asyncio.to_thread(running.kill)


@dataclass(slots=True)
class Platform:
    """Delivers each update again until it hears that it is stored, in order per chat."""

    hub: Stage
    sent: list[tuple[str, str]] = field(default_factory=list)
    refused: int = 0
    longest: float = 0.0
    closed: bool = False

    async def talk(self, who: str) -> None:
        number = 0
        while not self.closed:
            number += 1
            text = f"午饭{number}元"
            raw = self.hub.raw({"kind": "message", "text": text, "message": f"m{number}"}, who=who)
            await self.deliver(raw)
            self.sent.append((who, raw.event_id))
            await asyncio.sleep(0.15)

    async def deliver(self, raw: RawUpdate) -> None:
        while True:
            begun = time.monotonic()
            try:
                receipt = await self.hub.app.dispatcher.accept(raw)
            except StorageUnavailableError:
                self.refused += 1
            else:
                assert receipt.status in ("accepted", "duplicate")
                return
            finally:
                self.longest = max(self.longest, time.monotonic() - begun)
            await asyncio.sleep(0.3)


async def test_after_an_outage_everybody_has_been_answered_once(
    server: MongoServer, tmp_path: Path
) -> None:
    stores = open_stores(f"{server.uri}/outage")
    async with stage(tmp_path, clock=SteadyClock(TUESDAY), stores=stores) as hub:
        platform = Platform(hub)
        async with asyncio.TaskGroup() as tasks:
            for who in PEOPLE:
                tasks.create_task(platform.talk(who))
            await asyncio.sleep(2)
            await asyncio.to_thread(server.kill)
            await asyncio.sleep(DOWN_SECONDS)
            await asyncio.to_thread(server.start)
            back = len(platform.sent)
            await asyncio.sleep(2)
            platform.closed = True
        async with asyncio.timeout(PATIENCE_SECONDS):
            await _settled(hub)

        assert platform.refused
        assert platform.longest < LONGEST_REQUEST_SECONDS
        assert len(platform.sent) > back
        await _check(hub, platform)


async def _settled(hub: Stage) -> None:
    while True:
        inbox = await hub.app.stores.inbox.counts()
        outbox = await hub.app.stores.outbox.counts()
        if not (inbox.get("new") or outbox.get("queued") or outbox.get("sending")):
            return
        await asyncio.sleep(0.1)


async def _check(hub: Stage, platform: Platform) -> None:
    asked = Counter(who for who, _ in platform.sent)
    for who in PEOPLE:
        assert await hub.items(who) == [f"午饭 {n}.00" for n in range(1, asked[who] + 1)]
    for _, event_id in platform.sent:
        row = await hub.app.stores.inbox.get(event_id)
        assert row is not None
        assert row.status is InboxStatus.DONE
    shown = {row.draft.outbox_id: row.draft.event_id for row in hub.puppet.sent}
    answers = Counter(shown.values())
    assert answers == Counter(event_id for _, event_id in platform.sent)


async def test_a_request_without_a_server_ends_soon_and_works_again_afterwards(
    server: MongoServer,
) -> None:
    async with open_stores(f"{server.uri}/gone") as stores:
        await asyncio.to_thread(server.kill)
        begun = time.monotonic()
        with pytest.raises(StorageUnavailableError):
            await stores.inbox.accept(update("1"))
        with pytest.raises(StorageUnavailableError):
            await stores.people.get("p_a")
        assert time.monotonic() - begun < 2 * LONGEST_REQUEST_SECONDS

        await asyncio.to_thread(server.start)
        assert await stores.inbox.accept(update("1")) is not None
