"""A served world and pages that talk to it."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Self

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

from tests.integration.web.fakes import World
from tests.patience import PATIENCE_SECONDS

Frame = dict[str, object]


class Page:
    """A page as the server sees it: a socket, and what it has heard."""

    def __init__(self, session: ClientSession, world: World) -> None:
        self._session = session
        self.world = world
        self.socket: ClientWebSocketResponse | None = None

    async def open(self, version: int = 0, headers: Mapping[str, str] | None = None) -> Self:
        self.socket = await self._session.ws_connect(
            f"{self.world.origin}/ws", headers={"Origin": self.world.origin, **(headers or {})}
        )
        await self.say(type="hello", version=version, locale="en")
        return self

    @property
    def _open(self) -> ClientWebSocketResponse:
        assert self.socket is not None
        return self.socket

    async def say(self, **frame: object) -> None:
        await self.say_raw(json.dumps(frame))

    async def say_raw(self, data: str) -> None:
        await self._open.send_str(data)

    async def say_bytes(self, data: bytes) -> None:
        await self._open.send_bytes(data)

    async def hear(self, kind: str) -> Frame:
        """Return the next frame of this type; others before it are dropped."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                message = await self._open.receive()
                assert message.type is WSMsgType.TEXT, f"closed while waiting for {kind}"
                frame: Frame = json.loads(message.data)
                if frame["type"] == kind:
                    return frame

    async def hear_items(self) -> list[Frame]:
        items = (await self.hear("items"))["items"]
        assert isinstance(items, list)
        return items

    async def close(self) -> None:
        await self._open.close()


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    async with world.served():
        yield world


@pytest.fixture
async def session() -> AsyncIterator[ClientSession]:
    async with ClientSession() as session:
        yield session


@pytest.fixture
async def page(world: World, session: ClientSession) -> AsyncIterator[Page]:
    page = await Page(session, world).open()
    await page.hear("items")
    yield page
    await page.close()
