"""Small ports that belong to no single noun: the clock and the platform adapter."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot.core.events import Account, Attachment, Chat, InboundEvent
from bot.core.inbox import RawUpdate
from bot.core.outbox import OutboxRow
from bot.core.words import Words


class Clock(Protocol):
    """Where `now` comes from; tests turn its hands."""

    def now(self) -> datetime:
        """Return the present instant, aware UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after ``seconds`` of this clock."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How fast a platform takes messages: a token bucket.

    Attributes:
        burst: how many at once, after a pause.
        per_second: how many in the long run.
    """

    burst: float
    per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SendLimits:
    """The rates of a platform; None where it sets none.

    Attributes:
        overall: of one bot.
        private: of one private chat.
        group: of one group.
    """

    overall: Rate | None = None
    private: Rate | None = None
    group: Rate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a platform can do; behaviour is chosen by these, never by the platform's name.

    Attributes:
        edits: a sent message can be replaced in place.
        idempotent_send: sending the same outbox row twice shows one message, so a send whose
            answer was lost is simply repeated.
        capsules: the platform shows the capability capsules.
        whispers: a person who was only met in a group can be written to in private.
        splits: a long message goes out as several, one per call of `Adapter.send`.
        limits: how fast it takes messages.
    """

    edits: bool = True
    idempotent_send: bool = False
    capsules: bool = False
    splits: bool = False
    whispers: bool = True
    limits: SendLimits = SendLimits()


@dataclass(frozen=True, slots=True)
class PartSent:
    """A part of a message is there, more follow.

    Attributes:
        message_id: the platform's id of this part.
    """

    message_id: str


@runtime_checkable
class Connects(Protocol):
    """An adapter that needs a connection for sending."""

    def connected(self) -> AbstractAsyncContextManager[None]:
        """Be able to send while the context is open.

        It is open around `Adapter.running`, so that what an earlier run left goes out at once and
        what is queued at a stop is still sent.
        """
        ...


@runtime_checkable
class Fetches(Protocol):
    """An adapter whose events name files that are still with the platform."""

    async def fetch(self, attachment: Attachment, account: Account) -> Attachment | Words:
        """Return the attachment as a file of our store, owned by the account, or what is wrong.

        What has no bytes, such as a place on the map, is returned as it is. The same file
        fetched again is the same file of the store.

        Raises:
            StorageUnavailableError: it cannot be stored now.
        """
        ...


@runtime_checkable
class HasPrivateChats(Protocol):
    """An adapter that knows where to write to somebody who is not writing just now."""

    def private_chat(self, account: Account) -> Chat:
        """Return the chat of this account and us, whether or not it exists yet."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Growing:
    """An answer that is still being written.

    Attributes:
        text: all of it so far, as a model writes it.
        message_id: the message that shows it already; empty when there is none.
        mention: account id to notify when the chat is a group, as the final answer does.
    """

    event_id: str
    chat: Chat
    text: str
    locale: str
    message_id: str = ""
    mention: str | None = None


@runtime_checkable
class Previews(Protocol):
    """An adapter that can show an answer while it grows."""

    def preview_pause(self, chat: Chat) -> float:
        """Return how many seconds the platform wants between two previews in this chat."""
        ...

    async def preview(self, growing: Growing) -> str:
        """Show it; return the id of the message that the final answer takes over.

        Empty when the preview goes away by itself.

        Raises:
            AdapterError: by reaction; it is decoration, so the next one is simply tried later.
        """
        ...


class Adapter(Protocol):
    """One platform connection. It parses, renders and talks to the platform; nothing else."""

    @property
    def platform(self) -> str:
        """The platform's name, as in `Chat.platform`."""
        ...

    @property
    def bot(self) -> str:
        """Which bot of ours, as in `Chat.bot`."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What this platform can do."""
        ...

    def parse(self, raw: RawUpdate) -> InboundEvent:
        """Return the event in ``raw``: pure, the same every time.

        Raises:
            UnparseableError: the body is not what this platform sends.
        """
        ...

    async def send(self, row: OutboxRow) -> str | PartSent:
        """Send (or edit in place) the row's message; return the platform's message id.

        Where `Capabilities.splits`, one call sends the part after `OutboxRow.parts` and returns
        `PartSent` until the last one; when all parts are there already, it sends nothing and
        returns the last one's id.

        Raises:
            AdapterError: by reaction, see `bot.core.errors`.
        """
        ...

    async def show_typing(self, chat: Chat) -> None:
        """Show that an answer is under way; failures are swallowed, it is decoration."""
        ...

    async def refresh(self, chat: Chat, account: Account) -> None:
        """Show again what stands beside the messages (capsules, menus); it may have changed."""
        ...

    def running(self) -> AbstractAsyncContextManager[None]:
        """Receive updates while the context is open."""
        ...

    def health(self) -> Mapping[str, str]:
        """Return facts for the health page; a value starting with ``!`` means unhealthy."""
        ...
