"""The connected pages: a queue each, so that a slow one holds up nobody."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime

from aiohttp import web

from adapters.web.schemas import ServerFrame
from bot.locales.catalogue import nearest_locale

QUEUE_FRAMES = 500
BURST = 20
PER_SECOND = 5.0


class Connection:
    """One open page.

    Attributes:
        user: whose page it is.
        signed_in: they came with a token.
        hint: the browser's language.
        locale: the person's language, as last shown.
    """

    def __init__(
        self, user: str, *, signed_in: bool, hint: str, abort: Callable[[], None]
    ) -> None:
        self.user = user
        self.signed_in = signed_in
        self.hint = hint
        self.locale = nearest_locale(hint)
        self._abort = abort
        self._frames: asyncio.Queue[ServerFrame] = asyncio.Queue(QUEUE_FRAMES)

    def push(self, frame: ServerFrame) -> None:
        """Queue a frame; a page that does not read is cut off and will ask for a replay."""
        try:
            self._frames.put_nowait(frame)
        except asyncio.QueueFull:
            self.cut()

    def cut(self) -> None:
        """End the connection at once; the page comes back by itself."""
        self._abort()

    async def write(self, socket: web.WebSocketResponse) -> None:
        """Send what is queued until cancelled or cut off."""
        try:
            while True:
                frame = await self._frames.get()
                await socket.send_str(frame.model_dump_json())
        except ConnectionError:
            return


class Clients:
    """All open pages by user."""

    def __init__(self) -> None:
        self._by_user: defaultdict[str, set[Connection]] = defaultdict(set)

    def add(self, connection: Connection) -> None:
        """Let the page hear what happens; adding it again changes nothing."""
        self._by_user[connection.user].add(connection)

    def remove(self, connection: Connection) -> None:
        """Forget the page."""
        self._by_user[connection.user].discard(connection)
        if not self._by_user[connection.user]:
            del self._by_user[connection.user]

    def of(self, user: str) -> tuple[Connection, ...]:
        """Return the open pages of a user."""
        return tuple(self._by_user.get(user, ()))

    def push(self, user: str, frame: ServerFrame) -> None:
        """Queue a frame for every open page of a user."""
        for connection in self.of(user):
            connection.push(frame)

    def __len__(self) -> int:
        return sum(len(pages) for pages in self._by_user.values())


class Bucket:
    """How much a page may still say: a burst, then so many frames a second."""

    def __init__(self, now: datetime) -> None:
        self._left = float(BURST)
        self._at = now

    def take(self, now: datetime) -> bool:
        """Return whether one more frame is allowed, and count it."""
        passed = max(0.0, (now - self._at).total_seconds())
        self._left = min(float(BURST), self._left + passed * PER_SECOND)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
