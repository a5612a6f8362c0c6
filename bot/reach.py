"""Which chats can be written to: asked before every send, lifted by whatever comes from there."""

import structlog

from bot.core.events import Chat
from bot.core.ports import Clock
from bot.core.reach import GoneChats

log = structlog.get_logger(__name__)


class StoredReach:
    """`bot.core.reach.Reach` over the store; all of it is in memory once `load` has run."""

    def __init__(self, chats: GoneChats, clock: Clock) -> None:
        self._chats = chats
        self._clock = clock
        self._gone: dict[str, str] = {}

    async def load(self) -> None:
        """Read what earlier runs have learned."""
        self._gone = dict(await self._chats.all())

    def why_not(self, chat: Chat) -> str:
        """Return why the chat cannot be written to; empty when it can."""
        return self._gone.get(chat.place, "")

    async def lost(self, chat: Chat, reason: str) -> None:
        """Note that the chat cannot be written to."""
        if chat.place not in self._gone:
            await self._chats.put(chat.place, reason=reason, now=self._clock.now())
            self._gone[chat.place] = reason
            log.info("chat_gone", chat=chat.place, reason=reason)

    async def back(self, chat: Chat) -> None:
        """Note that it can be written to again."""
        if chat.place in self._gone:
            await self._chats.lift(chat.place)
            self._gone.pop(chat.place, None)
            log.info("chat_back", chat=chat.place)
