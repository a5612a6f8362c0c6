"""From a received update to its row: what both polling and webhook do with each one."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

import structlog
from pydantic import JsonValue

from adapters.telegram.parse import PLATFORM
from adapters.telegram.peek import Fate, Peek, peek
from adapters.telegram.schemas import Me
from bot.core.events import Chat
from bot.core.inbox import RawUpdate, Receipt, Sink
from bot.core.ports import Clock
from bot.core.reach import Reach
from bot.core.words import Words, text

_MANY_ALBUMS = 256
_BUSY_EVERY = timedelta(seconds=30)

log = structlog.get_logger(__name__)


class Intake:
    """Hands updates to the sink; `take` says whether one may be acknowledged.

    Attributes:
        me: who we are; None until the platform has told.
        moved: new ids of groups that became supergroups; learned again after a stop.
    """

    def __init__(
        self,
        *,
        sink: Sink,
        reach: Reach,
        clock: Clock,
        bot: str,
        answer: Callable[[str, Words | None, str], Awaitable[None]],
        tell: Callable[[Chat, Words, str], Awaitable[None]],
    ) -> None:
        """Prepare.

        Args:
            sink: takes what is for us.
            reach: is told when a chat is lost or back.
            clock: the time.
            bot: our id.
            answer: answers a press: query id, toast, language hint.
            tell: says something to a chat at once, past the outbox.
        """
        self._sink = sink
        self._reach = reach
        self._clock = clock
        self._bot = bot
        self._answer = answer
        self._tell = tell
        self._albums: OrderedDict[str, None] = OrderedDict()
        self._told_busy: dict[str, datetime] = {}
        self._tasks: asyncio.TaskGroup | None = None
        self.me: Me | None = None
        self.moved: dict[str, int] = {}

    def begin(self, tasks: asyncio.TaskGroup) -> None:
        """Answer presses in these tasks."""
        self._tasks = tasks

    async def take(self, body: dict[str, JsonValue]) -> bool:
        """Store the update or leave it; return whether the platform may forget it.

        Raises:
            StorageUnavailableError: nothing was stored; it must be delivered again.
        """
        seen = self._with_its_album(peek(body, bot=self._bot, me=self.me))
        await self._learn(seen)
        if seen.fate is Fate.UNSURE:
            return False
        if seen.fate is Fate.IGNORE:
            if seen.query_id:
                self._spawn(self._answer(seen.query_id, text("hub.press_unknown"), seen.locale))
            return True
        update_id = body.get("update_id")
        if not isinstance(update_id, int):
            log.error("update_without_id")
            return True
        receipt = await self._sink(
            RawUpdate(
                platform=PLATFORM,
                bot=self._bot,
                delivery_key=str(update_id),
                kind=seen.kind,
                lane=seen.lane,
                received_at=self._clock.now(),
                body={"update": body, "username": self.me.username if self.me else ""},
            )
        )
        self._reply(seen, receipt)
        return True

    def _with_its_album(self, seen: Peek) -> Peek:
        """Let in all of an album in a group: only one of its messages names us."""
        if not seen.album:
            return seen
        if seen.fate is Fate.ACCEPT:
            self._albums[seen.album] = None
            while len(self._albums) > _MANY_ALBUMS:
                self._albums.popitem(last=False)
        elif seen.fate is Fate.IGNORE and seen.album in self._albums:
            return replace(seen, fate=Fate.ACCEPT)
        return seen

    async def _learn(self, seen: Peek) -> None:
        if seen.chat is None:
            return
        if seen.moved_to is not None:
            self.moved[seen.chat.chat_id] = seen.moved_to
        if seen.kicked:
            await self._reach.lost(seen.chat, "the bot was blocked or removed")
        else:
            await self._reach.back(seen.chat)

    def _reply(self, seen: Peek, receipt: Receipt) -> None:
        if seen.query_id:
            self._spawn(self._answer(seen.query_id, receipt.text, seen.locale))
        elif receipt.status == "refused" and receipt.text is not None and seen.chat is not None:
            now, chat_id = self._clock.now(), seen.chat.chat_id
            last = self._told_busy.get(chat_id)
            if last is None or now - last >= _BUSY_EVERY:
                self._told_busy[chat_id] = now
                self._spawn(self._tell(seen.chat, receipt.text, seen.locale))

    def _spawn(self, work: Awaitable[None]) -> None:
        async def run() -> None:
            await work

        if self._tasks is not None:
            self._tasks.create_task(run())
