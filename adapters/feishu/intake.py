"""From a received event to its row: what both the long connection and the webhook do with it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import structlog
from pydantic import JsonValue

from adapters.feishu.directory import Directory
from adapters.feishu.parse import PLATFORM
from adapters.feishu.peek import Fate, Peek, peek
from adapters.feishu.schemas import PRESS, Me
from bot.core.errors import StorageUnavailableError
from bot.core.events import Chat
from bot.core.inbox import RawUpdate, Receipt, Sink
from bot.core.ports import Clock
from bot.core.reach import Reach
from bot.core.words import Words, text
from bot.locales.catalogue import resolve

ANSWER_WITHIN_SECONDS = 2.5
"""A press has to be answered within 3 s and is not delivered again.

Source: https://open.feishu.cn/document/event-subscription-guide/callback-subscription/callback-overview
"""

_BUSY_EVERY = timedelta(seconds=30)
_TOASTS = {"zh_cn": "zh-CN", "en_us": "en"}

T = TypeVar("T")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Taken:
    """What the platform hears back.

    Attributes:
        acknowledged: it may forget the event; otherwise it delivers it again.
        answer: for a press: the body of the answer.
    """

    acknowledged: bool
    answer: dict[str, JsonValue] | None = None


class Intake:
    """Hands events to the sink; `take` says what the platform hears.

    Attributes:
        me: who we are; None until the platform has told.
        received: how many events were for us.
        heard: is told of each message: its chat and id.
    """

    def __init__(
        self,
        *,
        sink: Sink,
        reach: Reach,
        clock: Clock,
        bot: str,
        directory: Directory,
        is_ours: Callable[[str], bool],
        heard: Callable[[Chat, str], None],
        tell: Callable[[Chat, Words], Awaitable[None]],
        answer_within: float = ANSWER_WITHIN_SECONDS,
    ) -> None:
        """Prepare.

        Args:
            sink: takes what is for us.
            reach: is told when a chat is lost or back.
            clock: the time.
            bot: our app's id.
            directory: names of people.
            is_ours: whether a message id is one that we sent.
            heard: is told of each message of a person.
            tell: says something to a chat at once, past the outbox.
            answer_within: seconds in which a press is answered, whatever becomes of it.
        """
        self._sink = sink
        self._reach = reach
        self._clock = clock
        self._bot = bot
        self._directory = directory
        self._is_ours = is_ours
        self._heard = heard
        self._tell = tell
        self._answer_within = answer_within
        self._told_busy: dict[str, datetime] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.me: Me | None = None
        self.received = 0

    async def close(self) -> None:
        """Finish what has begun: a press may still be on its way into the store."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._answer_within)
        for task in tuple(self._tasks):
            task.cancel()
        await self._directory.close()

    async def take(self, body: Mapping[str, JsonValue]) -> Taken:
        """Store the event or leave it; return what the platform hears."""
        body = as_event(body)
        seen = peek(
            body,
            bot=self._bot,
            me=self.me.open_id if self.me else "",
            is_ours=self._is_ours,
        )
        if _type_of(body) == PRESS:
            return Taken(acknowledged=True, answer=await self._press(body, seen))
        try:
            if self._directory.is_at_hand(seen.open_id) and seen.lane not in self._turns:
                await self._message(body, seen)
            else:  # what comes meanwhile waits as well, so that the order stays
                async with self._turns.setdefault(seen.lane, asyncio.Lock()):
                    await self._message(body, seen)
        except StorageUnavailableError:
            return Taken(acknowledged=False)
        return Taken(acknowledged=seen.fate is not Fate.UNSURE)

    async def _message(self, body: Mapping[str, JsonValue], seen: Peek) -> None:
        await self._learn(seen)
        if seen.fate is Fate.ACCEPT:
            receipt = await self._store(body, seen, await self._directory.name(seen.open_id))
            self._tell_refused(seen, receipt)

    async def _press(self, body: Mapping[str, JsonValue], seen: Peek) -> dict[str, JsonValue]:
        """Answer in time, whatever the work takes: it goes on by itself."""
        if seen.fate is not Fate.ACCEPT:
            key = "hub.press_foreign" if seen.foreign else "hub.press_unknown"
            return toast("info", text(key))
        work = self._spawn(self._store(body, seen, self._directory.known(seen.open_id)))
        done, _ = await asyncio.wait({work}, timeout=self._answer_within)
        if not done:
            return toast("info", text("feishu.press_taken"))
        error = work.exception()
        if isinstance(error, StorageUnavailableError):
            return toast("error", text("feishu.press_failed"))
        if error is not None:
            raise error
        receipt = work.result()
        if receipt.status == "refused":
            return toast("warning", receipt.text or text("hub.busy"))
        if receipt.text is not None:
            return toast("info", receipt.text)
        return toast("info", text("feishu.press_taken"))

    async def _store(self, body: Mapping[str, JsonValue], seen: Peek, name: str) -> Receipt:
        self.received += 1
        if seen.chat is not None and seen.message_id:
            self._heard(seen.chat, seen.message_id)
        return await self._sink(
            RawUpdate(
                platform=PLATFORM,
                bot=self._bot,
                delivery_key=seen.key,
                kind=seen.kind,
                lane=seen.lane,
                received_at=self._clock.now(),
                body={
                    "event": dict(body),
                    "me": self.me.open_id if self.me else "",
                    "name": name,
                },
            )
        )

    async def _learn(self, seen: Peek) -> None:
        if seen.chat is None:
            return
        if seen.lost:
            await self._reach.lost(seen.chat, "the bot was removed, or the group was closed")
        else:
            await self._reach.back(seen.chat)

    def _tell_refused(self, seen: Peek, receipt: Receipt) -> None:
        if receipt.status != "refused" or receipt.text is None or seen.chat is None:
            return
        now, chat_id = self._clock.now(), seen.chat.chat_id
        last = self._told_busy.get(chat_id)
        if last is None or now - last >= _BUSY_EVERY:
            self._told_busy[chat_id] = now
            self._spawn(self._tell(seen.chat, receipt.text))

    def _spawn(self, work: Awaitable[T]) -> asyncio.Task[T]:
        async def run() -> T:
            return await work

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def toast(kind: str, words: Words) -> dict[str, JsonValue]:
    """Return the answer to a press: a short message in the reader's own language.

    Source: https://open.feishu.cn/document/feishu-cards/card-callback-communication
    """
    said: dict[str, JsonValue] = {theirs: resolve(words, ours) for theirs, ours in _TOASTS.items()}
    return {"toast": {"type": kind, "content": said["zh_cn"], "i18n": said}}


def as_event(body: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Return a press of the older shape, without a header, in the shape of today.

    Source: https://open.feishu.cn/document/deprecated-guide/message-card/card-callback
    """
    if "header" in body or "action" not in body or "open_message_id" not in body:
        return body
    tenant = body.get("tenant_key")
    context: JsonValue = {
        "open_message_id": body.get("open_message_id"),
        "open_chat_id": body.get("open_chat_id"),
    }
    event: JsonValue = {
        "operator": {"open_id": body.get("open_id"), "tenant_key": tenant},
        "token": body.get("token"),
        "action": body.get("action"),
        "context": context,
    }
    header: JsonValue = {
        "event_id": body.get("token"),
        "event_type": PRESS,
        "tenant_key": tenant,
    }
    return {"schema": "2.0", "header": header, "event": event}


def _type_of(body: Mapping[str, JsonValue]) -> JsonValue:
    header = body.get("header")
    return header.get("event_type") if isinstance(header, dict) else None
