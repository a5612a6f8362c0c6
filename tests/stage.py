"""The whole hub in one process with a puppet for a platform: what most tests talk to."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from bot.app import App, build, opened, working
from bot.clock import ManualClock
from bot.core.errors import AdapterError, UnparseableError
from bot.core.events import (
    Account,
    ButtonPressed,
    CapsuleToggled,
    Chat,
    ChatKind,
    CommandReceived,
    InboundEvent,
    MessageRecalled,
    MessageReceived,
)
from bot.core.inbox import RECALLED, RawUpdate, Receipt, UpdateKind
from bot.core.ledger import EntryFilter
from bot.core.outbox import OutboxRow
from bot.core.people import Person
from bot.core.ports import Capabilities
from bot.core.stores import Stores
from bot.demo import settled
from bot.locales.catalogue import resolve
from bot.outcomes import plain
from bot.preload import preload
from bot.settings import Settings

TUESDAY = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
"""2026-12-01 10:00 in Shanghai."""


@dataclass(slots=True)
class Puppet:
    """A platform on strings: sends are recorded, failures come from a list."""

    platform: str = "puppet"
    bot: str = "puppet"
    capabilities: Capabilities = field(default_factory=lambda: Capabilities(idempotent_send=True))
    sent: list[OutboxRow] = field(default_factory=list)
    failures: list[AdapterError] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def parse(self, raw: RawUpdate) -> InboundEvent:
        body = raw.body
        if body.get("kind") == "recall":
            return self._recall(raw)
        group = bool(body.get("group"))
        common: dict[str, Any] = {
            "event_id": raw.event_id,
            "chat": Chat(
                platform=self.platform,
                bot=self.bot,
                chat_id=str(body["chat"]),
                kind=ChatKind.GROUP if group else ChatKind.PRIVATE,
            ),
            "account": Account(platform=self.platform, bot=self.bot, user_id=str(body["who"])),
            "occurred_at": raw.received_at,
        }
        match body.get("kind"):
            case "message":
                text = str(body["text"])
                if text.startswith("/"):
                    name, _, argument = text[1:].partition(" ")
                    return CommandReceived(
                        message_id=str(body["message"]), name=name, argument=argument, **common
                    )
                return MessageReceived(
                    message_id=str(body["message"]),
                    text=text,
                    edited=bool(body.get("edited")),
                    reply_to=str(body["reply_to"]) if body.get("reply_to") else None,
                    **common,
                )
            case "press":
                return ButtonPressed(
                    message_id=str(body["message"]), token=str(body["token"]), **common
                )
            case "capsule":
                return CapsuleToggled(intent=str(body["intent"]), **common)
            case _:
                raise UnparseableError("not a puppet's update")

    def _recall(self, raw: RawUpdate) -> InboundEvent:
        """Read a recall as its message, whose body the hub has put beside it."""
        recalled = raw.body["recalled"]
        assert isinstance(recalled, dict)
        message = self.parse(replace(raw, body=recalled))
        assert isinstance(message, MessageReceived | CommandReceived)
        return MessageRecalled(
            event_id=raw.event_id,
            chat=message.chat,
            account=message.account,
            occurred_at=raw.received_at,
            message_id=message.message_id,
            recalls=raw.event_id.removesuffix(RECALLED),
        )

    def private_chat(self, account: Account) -> Chat:
        return Chat(platform=self.platform, bot=self.bot, chat_id=f"dm-{account.user_id}")

    async def send(self, row: OutboxRow) -> str:
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append(row)
        self.arrived.set()
        return row.draft.message.replaces or row.draft.outbox_id

    async def show_typing(self, chat: Chat) -> None:
        """Nothing to show."""

    async def refresh(self, chat: Chat, account: Account) -> None:
        """Nothing stands beside the messages."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        yield

    def health(self) -> Mapping[str, str]:
        return {}


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as a person sees it."""

    row: OutboxRow

    @property
    def text(self) -> str:
        message = self.row.draft.message
        return plain(message.blocks, message.locale)

    @property
    def message_id(self) -> str:
        return self.row.draft.message.replaces or self.row.draft.outbox_id

    @property
    def buttons(self) -> dict[str, str]:
        message = self.row.draft.message
        return {
            resolve(key.label, message.locale): key.token for keys in message.keys for key in keys
        }


@dataclass(slots=True)
class Stage:
    """One running application and what is done to it."""

    app: App
    clock: ManualClock
    puppet: Puppet
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)
    last_receipt: Receipt | None = None

    def on(self, puppet: Puppet) -> "Stage":
        """Return the same application as seen from another of its platforms."""
        return replace(self, puppet=puppet)

    async def say(
        self,
        text: str,
        *,
        who: str = "anna",
        chat: str | None = None,
        message: str | None = None,
        key: str | None = None,
        **more: JsonValue,
    ) -> list[Shown]:
        """Say something and return what comes back once all is settled."""
        number = next(self.numbers)
        body: dict[str, JsonValue] = {
            "kind": "message",
            "text": text,
            "message": message or f"u{number}",
            **more,
        }
        kind = UpdateKind.STOP if text == "/stop" else UpdateKind.MESSAGE
        return await self.feed(body, kind=kind, who=who, chat=chat, key=key)

    async def recall(self, key: str) -> list[Shown]:
        """Take a message back that came under this delivery key."""
        body: dict[str, JsonValue] = {"kind": "recall"}
        key += RECALLED
        return await self.feed(body, kind=UpdateKind.RECALL, who="", chat="-", key=key)

    async def press(
        self, shown: Shown, label: str, *, who: str = "anna", chat: str | None = None
    ) -> list[Shown]:
        """Press a button of a message."""
        body: dict[str, JsonValue] = {
            "kind": "press",
            "token": shown.buttons[label],
            "message": shown.message_id,
        }
        chat = chat or shown.row.draft.chat.chat_id
        group = shown.row.draft.chat.kind is ChatKind.GROUP
        return await self.feed(body | {"group": group}, kind=UpdateKind.BUTTON, who=who, chat=chat)

    async def capsule(self, intent: str, *, who: str = "anna") -> list[Shown]:
        """Press a capsule."""
        body: dict[str, JsonValue] = {"kind": "capsule", "intent": intent}
        return await self.feed(body, kind=UpdateKind.MESSAGE, who=who, chat=None)

    async def feed(
        self,
        body: dict[str, JsonValue],
        *,
        kind: UpdateKind,
        who: str,
        chat: str | None,
        key: str | None = None,
        settle: bool = True,
    ) -> list[Shown]:
        """Deliver an update and return what was sent after it."""
        before = len(self.puppet.sent)
        raw = self.raw(body, kind=kind, who=who, chat=chat, key=key)
        self.last_receipt = await self.app.dispatcher.accept(raw)
        if not settle:
            return []
        await settled(self.app.stores)
        return [Shown(row) for row in self.puppet.sent[before:]]

    def raw(
        self,
        body: dict[str, JsonValue],
        *,
        kind: UpdateKind = UpdateKind.MESSAGE,
        who: str = "anna",
        chat: str | None = None,
        key: str | None = None,
    ) -> RawUpdate:
        """Return an update with the next delivery key."""
        chat = chat or f"dm-{who}"
        return RawUpdate(
            platform=self.puppet.platform,
            bot=self.puppet.bot,
            delivery_key=key or f"k{next(self.numbers)}",
            kind=kind,
            lane=f"{chat}:{who}",
            received_at=self.clock.now(),
            body={"who": who, "chat": chat, **body},
        )

    async def later(self, **distance: float) -> list[Shown]:
        """Turn the clock, let what is due fire, and return what was sent."""
        before = len(self.puppet.sent)
        self.clock.turn(**distance)
        await self.app.scheduler.tick()
        await settled(self.app.stores)
        return [Shown(row) for row in self.puppet.sent[before:]]

    async def person(self, who: str = "anna") -> Person:
        """Return the person behind an account."""
        account = Account(platform=self.puppet.platform, bot=self.puppet.bot, user_id=who)
        found = await self.app.stores.people.find(account)
        assert found is not None
        return found

    async def items(self, who: str = "anna") -> list[str]:
        """Return what the person's ledger holds, oldest first, as ``item amount``."""
        owner = (await self.person(who)).person_id
        entries = await self.app.stores.ledger.latest(owner, EntryFilter(), limit=1000)
        return [f"{entry.item} {entry.amount}" for entry in reversed(entries)]


@asynccontextmanager
async def stage(
    folder: Path,
    *,
    clock: ManualClock | None = None,
    puppet: Puppet | None = None,
    others: Sequence[Puppet] = (),
    stores: AbstractAsyncContextManager[Stores] | None = None,
    **settings: object,
) -> AsyncIterator[Stage]:
    """Open the application on a folder; people skip onboarding unless told otherwise.

    ``others`` are further platforms, see `Stage.on`.
    ``stores`` takes the place of those that the settings name.
    """
    clock = clock or ManualClock(TUESDAY)
    puppet = puppet or Puppet()
    values: dict[str, object] = {"data_dir": folder, "onboarding": "off", "local_model": "off"}
    values |= settings
    chosen = Settings(_env_file=None, **values)  # type: ignore[arg-type]
    async with AsyncExitStack() as stack:
        if stores is None:
            app = await stack.enter_async_context(opened(chosen, clock))
        else:
            await asyncio.to_thread(preload, None, chosen.agents_folder)
            app = build(chosen, await stack.enter_async_context(stores), clock)
        await stack.enter_async_context(working(app, puppet, *others))
        yield Stage(app, clock, puppet)
