"""The rest of the product, as small as the web chat can tell: everything in memory."""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal

from pydantic import JsonValue

from adapters.charts import Charts
from adapters.http import HttpServer
from adapters.web.adapter import WebAdapter
from adapters.web.parse import chat_of
from bot.core.errors import StorageUnavailableError
from bot.core.events import Account, Chat, InboundEvent
from bot.core.files import MAX_FILE_BYTES, StoredFile
from bot.core.inbox import InboxRow, InboxStatus, RawUpdate, Receipt
from bot.core.messages import Block, Key, OutboundMessage
from bot.core.outbox import OutboxDraft, OutboxRow, OutboxStatus, Purpose
from bot.core.transcripts import TranscriptItem, WebAccess
from bot.core.views import CapsuleView, ChatView
from bot.core.words import Verbatim, Words

CAPSULES = (("MEETING", "📅", "会议预定"), ("IOT", "💡", "设备控制"), ("TICKET", "📝", "工单创建"))
Answer = Callable[["RawUpdate"], Awaitable[None]]


class WallClock:
    """The real time, or the one that a test sets."""

    def __init__(self) -> None:
        self.fixed: datetime | None = None

    def now(self) -> datetime:
        return self.fixed or datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        raise AssertionError(f"the web chat waits for nothing, not {seconds} s")


@dataclass
class MemoryInbox:
    """A sink that remembers; `receipts` overrules it by delivery key."""

    accepted: list[RawUpdate] = field(default_factory=list)
    receipts: dict[str, Receipt] = field(default_factory=dict)
    is_down: bool = False
    answer: Answer | None = None

    async def __call__(self, raw: RawUpdate) -> Receipt:
        if self.is_down:
            raise StorageUnavailableError
        known = any(each.event_id == raw.event_id for each in self.accepted)
        told = self.receipts.get(raw.delivery_key) or self.receipts.get(raw.kind.value)
        if told and told.status == "refused":
            return told
        if not known:
            self.accepted.append(raw)
            if self.answer:
                await self.answer(raw)
        return Receipt(
            status="duplicate" if known else "accepted", text=told.text if told else None
        )

    async def get(self, event_id: str) -> InboxRow | None:
        for place, raw in enumerate(self.accepted):
            if raw.event_id == event_id:
                return InboxRow(sequence=place, update=raw, status=InboxStatus.NEW, attempts=1)
        return None


@dataclass
class MemoryTranscripts:
    """Chats as lists."""

    chats: dict[str, dict[str, TranscriptItem]] = field(default_factory=dict)
    version: int = 0

    async def put(
        self,
        chat_id: str,
        item_id: str,
        *,
        author: Literal["person", "bot"],
        payload: Mapping[str, JsonValue],
        at: datetime,
    ) -> TranscriptItem:
        chat = self.chats.setdefault(chat_id, {})
        known = chat.get(item_id)
        if known and known.payload == payload:
            return known
        self.version += 1
        if known:
            item = replace(known, payload=payload, version=self.version)
        else:
            item = TranscriptItem(
                sequence=len(chat) + 1,
                version=self.version,
                item_id=item_id,
                author=author,
                payload=payload,
                at=at,
            )
        chat[item_id] = item
        return item

    async def get(self, chat_id: str, item_id: str) -> TranscriptItem | None:
        return self.chats.get(chat_id, {}).get(item_id)

    async def since(
        self, chat_id: str, version: int, *, limit: int = 500
    ) -> Sequence[TranscriptItem]:
        items = [i for i in self.chats.get(chat_id, {}).values() if i.version > version]
        return sorted(items, key=lambda item: item.version)[-limit:]


@dataclass
class MemoryFiles:
    """Files by owner and content."""

    files: dict[tuple[str, str], tuple[StoredFile, bytes]] = field(default_factory=dict)

    async def put(
        self, owner: str, data: bytes, *, name: str, mime: str, now: datetime
    ) -> StoredFile:
        if not 0 < len(data) <= MAX_FILE_BYTES:
            raise ValueError(len(data))
        digest = hashlib.sha256(data).hexdigest()
        file = StoredFile(
            file_id=f"f_{digest[:20]}",
            owner=owner,
            name=name,
            mime=mime,
            size_bytes=len(data),
            sha256=digest,
            created_at=now,
        )
        return self.files.setdefault((owner, file.file_id), (file, data))[0]

    async def get(self, owner: str, file_id: str) -> tuple[StoredFile, bytes] | None:
        return self.files.get((owner, file_id))

    async def purge(self, *, created_before: datetime) -> int:
        raise AssertionError(f"the web chat purges nothing, not before {created_before}")

    async def counts(self) -> Mapping[str, int]:
        return {"files": len(self.files)}


@dataclass
class MemoryTokens:
    """Sign-ins by hash."""

    rows: dict[str, WebAccess] = field(default_factory=dict)

    async def add(self, access: WebAccess) -> None:
        self.rows[access.token_hash] = access

    async def find(self, token_hash: str) -> WebAccess | None:
        return self.rows.get(token_hash)

    async def revoke(self, user_id: str) -> int:
        kept = {key: row for key, row in self.rows.items() if row.user_id != user_id}
        gone, self.rows = len(self.rows) - len(kept), kept
        return gone

    async def invite(self, user_id: str, token: str) -> None:
        digest = hashlib.sha256(token.encode()).hexdigest()
        await self.add(WebAccess(token_hash=digest, user_id=user_id, created_at=datetime.now(UTC)))


@dataclass
class MemoryViews:
    """One language and one selected capsule per user."""

    locale: str = "zh-CN"
    selected: dict[str, str | None] = field(default_factory=dict)
    traces: dict[tuple[str, str], tuple[Words, ...]] = field(default_factory=dict)

    async def chat(self, chat: Chat, account: Account) -> ChatView:
        del account
        chosen = self.selected.get(chat.chat_id)
        return ChatView(
            locale=self.locale,
            capsules=tuple(
                CapsuleView(
                    intent=intent, icon=icon, label=Verbatim(label), selected=intent == chosen
                )
                for intent, icon, label in CAPSULES
            ),
        )

    async def trace(self, account: Account, event_id: str) -> tuple[Words, ...]:
        return self.traces.get((account.user_id, event_id), ())


@dataclass
class World:
    """A web chat with everything around it."""

    host: str = "127.0.0.1"
    allowed_hosts: tuple[str, ...] = ()
    inbox: MemoryInbox = field(default_factory=MemoryInbox)
    transcripts: MemoryTranscripts = field(default_factory=MemoryTranscripts)
    files: MemoryFiles = field(default_factory=MemoryFiles)
    tokens: MemoryTokens = field(default_factory=MemoryTokens)
    views: MemoryViews = field(default_factory=MemoryViews)
    clock: WallClock = field(default_factory=WallClock)
    port: int = 0
    sent: int = 0

    def __post_init__(self) -> None:
        self.adapter = WebAdapter(
            sink=self.inbox,
            accepted=self.inbox.get,
            transcripts=self.transcripts,
            files=self.files,
            tokens=self.tokens,
            views=self.views,
            clock=self.clock,
            charts=Charts(),
            host=self.host,
            allowed_hosts=self.allowed_hosts,
        )

    @asynccontextmanager
    async def served(self) -> AsyncIterator[HttpServer]:
        server = HttpServer(
            "127.0.0.1",
            self.port,
            routes=self.adapter.routes(),
            health={"web": self.adapter.health},
            metrics=lambda: "switchboard_up 1\n",
            guard=self.adapter.access.guard,
        )
        async with server, self.adapter.running():
            self.port = server.port
            yield server

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def parsed(self) -> list[InboundEvent]:
        return [self.adapter.parse(raw) for raw in self.inbox.accepted]

    async def say(
        self,
        *blocks: Block,
        user: str = "local",
        keys: tuple[tuple[Key, ...], ...] = (),
        replaces: str | None = None,
        outbox_id: str | None = None,
        event_id: str = "",
        purpose: Purpose = Purpose.ANSWER,
    ) -> str:
        self.sent += 1
        draft = OutboxDraft(
            outbox_id=outbox_id or f"o_{self.sent}",
            event_id=event_id,
            chat=chat_of(user),
            person_id=f"p_{user}",
            message=OutboundMessage(
                blocks=blocks, locale=self.views.locale, keys=keys, replaces=replaces
            ),
            purpose=purpose,
        )
        row = OutboxRow(
            sequence=self.sent,
            draft=draft,
            status=OutboxStatus.SENDING,
            attempts=1,
            not_before=self.clock.now(),
            created_at=self.clock.now(),
        )
        return await self.adapter.send(row)
