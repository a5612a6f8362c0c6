"""What a chat shows: every change is stored, then pushed, in one order per person."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Literal
from weakref import WeakValueDictionary

from pydantic import JsonValue

from adapters.web.client import Clients, Connection
from adapters.web.render import item_frame
from adapters.web.schemas import Items
from bot.core.transcripts import TranscriptItem, Transcripts

REPLAY_ITEMS = 500


class History:
    """Transcripts together with the pages that show them."""

    def __init__(self, transcripts: Transcripts, clients: Clients) -> None:
        self._transcripts = transcripts
        self._clients = clients
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def order(self, user: str) -> AsyncIterator[None]:
        """Hold back every other change of this person's chat.

        Held while a message is accepted and shown, so that its answer never stands before it;
        held while a page asks for a replay, so that it misses nothing in between.
        """
        lock = self._locks.setdefault(user, asyncio.Lock())
        async with lock:
            yield

    async def show(
        self,
        user: str,
        item_id: str,
        *,
        author: Literal["person", "bot"],
        payload: Mapping[str, JsonValue],
        at: datetime,
    ) -> None:
        """Store the item and push it; call it inside `order`."""
        item = await self._transcripts.put(user, item_id, author=author, payload=payload, at=at)
        self._clients.push(user, Items(items=(item_frame(item),)))

    async def replay(self, connection: Connection, version: int) -> bool:
        """Push what the page has missed and keep it informed; call it inside `order`.

        A page that is ahead of us knows another history (the data was restored or replaced): it
        gets everything.

        Returns:
            Whether this chat has ever shown anything.
        """
        newest = await self._transcripts.since(connection.user, 0, limit=1)
        reset = version > (newest[-1].version if newest else 0)
        items = await self._transcripts.since(
            connection.user, 0 if reset else version, limit=REPLAY_ITEMS
        )
        self._clients.add(connection)
        frames = tuple(item_frame(item) for item in items)
        connection.push(Items(items=frames, replay=True, reset=reset))
        return bool(newest)

    async def own(self, user: str, item_id: str) -> TranscriptItem | None:
        """Return a message that this person wrote."""
        item = await self._transcripts.get(user, item_id)
        return item if item is not None and item.author == "person" else None
