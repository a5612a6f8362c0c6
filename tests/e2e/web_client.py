"""A page without a browser: it delivers what is said once and in order, over any interruption.

It follows `adapters/web/static/link.js`: one entry is on its way at a time, always under the same
id, and a reconnect asks for what came after the newest version heard.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType

Frame = dict[str, Any]
RETRY_SECONDS = 0.2
REOPEN_SECONDS = 0.03


@dataclass(frozen=True, slots=True)
class Item:
    """A message as the page shows it."""

    item_id: str
    sequence: int
    version: int
    author: str
    payload: Mapping[str, Any]

    @property
    def event(self) -> str:
        """The event that this answers, as far as the page is told."""
        return str(self.payload.get("event", ""))

    @property
    def text(self) -> str:
        """What can be read in it."""
        if self.author == "person":
            return str(self.payload["text"])
        return "\n".join(str(block.get("text", "")) for block in self.payload["blocks"])

    @property
    def buttons(self) -> dict[str, str]:
        """Tokens by label."""
        return {key["label"]: key["token"] for row in self.payload["keys"] for key in row}


class WebClient:
    """One open page of one person.

    Attributes:
        user: whose page it is.
        items: what the page shows, by id.
        sent: frames in the order in which they were said.
        receipts: every receipt heard, by frame id.
        refusals: errors heard, by frame id ("" where none was named).
        state: the last state frame.
        previews: growing answers, as they were shown.
    """

    def __init__(self, user: str, token: str = "") -> None:
        self.user = user
        self._token = token
        self.items: dict[str, Item] = {}
        self.sent: list[Frame] = []
        self.receipts: dict[str, list[str]] = {}
        self.refusals: dict[str, str] = {}
        self.state: Frame = {}
        self.previews: list[Frame] = []
        self.version = 0
        self._queue: deque[Frame] = deque()
        self._on_its_way = ""
        self._is_ready = False
        self._work = asyncio.Event()
        self._news = asyncio.Condition()

    # --- what a person does -------------------------------------------------------------------

    def say(self, text: str) -> str:
        """Send a message; return the id of its event."""
        return self.deliver(type="message", text=text)

    def edit(self, event: str, text: str) -> str:
        """Give an own message new words."""
        return self.deliver(type="edit", item=event.rpartition(":")[2], text=text)

    def press(self, item: Item, label: str) -> str:
        """Press a button."""
        return self.deliver(type="press", item=item.item_id, token=item.buttons[label])

    def capsule(self, intent: str) -> str:
        """Press a capsule."""
        return self.deliver(type="capsule", intent=intent)

    def deliver(self, **frame: object) -> str:
        """Queue a frame under an id of its own; return the id of its event."""
        frame_id = f"{self.user}-{len(self.sent):06d}"
        self.sent.append({"id": frame_id, **frame})
        self._queue.append(self.sent[-1])
        self._work.set()
        return f"web:web:{self.user}:{frame_id}"

    # --- what a person sees -------------------------------------------------------------------

    async def until(self, check: Callable[[], object]) -> None:
        """Wait until the check holds; it is asked again whenever something is heard."""
        async with self._news:
            await self._news.wait_for(check)

    async def answer(self, event: str) -> Item:
        """Wait for what the bot says to this event."""
        await self.until(lambda: self.answers(event))
        return self.answers(event)[0]

    async def delivered(self) -> None:
        """Wait until everything said was taken."""
        await self.until(lambda: not self._queue)

    def answers(self, event: str) -> list[Item]:
        """Return the messages that answer this event, as far as they are here."""
        return [item for item in self.items.values() if item.event == event]

    @property
    def shown(self) -> list[Item]:
        """What the page shows, from top to bottom."""
        return sorted(self.items.values(), key=lambda item: item.sequence)

    # --- the line -------------------------------------------------------------------------------

    async def attend(self, origin: Callable[[], str]) -> None:
        """Stay connected to where the bot is, for ever."""
        async with ClientSession() as session:
            while True:
                if address := origin():
                    with suppress(ClientError, OSError):  # it is away: killed or starting
                        await self._converse(session, address)
                await asyncio.sleep(REOPEN_SECONDS)

    async def _converse(self, session: ClientSession, origin: str) -> None:
        headers = {"Origin": origin}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        async with session.ws_connect(f"{origin}/ws", headers=headers) as socket:
            await socket.send_json({"type": "hello", "version": self.version, "locale": "zh-CN"})
            writer = asyncio.create_task(self._write(socket))
            try:
                async for message in socket:
                    if message.type is WSMsgType.TEXT:
                        await self._hear(json.loads(message.data))
            finally:
                self._is_ready, self._on_its_way = False, ""
                writer.cancel()

    async def _hear(self, frame: Frame) -> None:
        match frame["type"]:
            case "items":
                self._show(frame)
            case "ack":
                self.receipts.setdefault(frame["id"], []).append(frame["status"])
                self._taken(frame["id"])
            case "error" if frame["retry"]:
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self._hurry)
            case "error":
                self.refusals[frame["id"] or ""] = frame["text"]
                self._taken(frame["id"])
            case "state":
                self.state = frame
            case "preview":
                self.previews.append(frame)
            case _:
                pass  # typing, traces: nothing to remember
        async with self._news:
            self._news.notify_all()

    def _show(self, frame: Frame) -> None:
        if frame["reset"]:
            self.items.clear()
            self.version = 0
        for raw in frame["items"]:
            item = Item(raw["id"], raw["sequence"], raw["version"], raw["author"], raw["payload"])
            self.items[item.item_id] = item
            self.version = max(self.version, item.version)
        if frame["replay"]:
            self._is_ready = True
            self._hurry()

    def _taken(self, frame_id: str | None) -> None:
        if self._queue and self._queue[0]["id"] == frame_id:
            self._queue.popleft()
            self._hurry()

    def _hurry(self) -> None:
        self._on_its_way = ""
        self._work.set()

    async def _write(self, socket: ClientWebSocketResponse) -> None:
        """Send the head of the queue, whenever it is not on its way yet."""
        with suppress(ClientError, OSError):
            while True:
                await self._work.wait()
                self._work.clear()
                if self._is_ready and self._queue and self._on_its_way != self._queue[0]["id"]:
                    self._on_its_way = self._queue[0]["id"]
                    await socket.send_str(json.dumps(self._queue[0]))


@asynccontextmanager
async def attending(origin: Callable[[], str], *clients: WebClient) -> AsyncIterator[None]:
    """Keep the pages connected while the context is open."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(client.attend(origin)) for client in clients]
        yield
        for task in tasks:
            task.cancel()
