"""The durable inbox: nothing is acknowledged to a platform before its row is here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal, Protocol

from pydantic import JsonValue

from bot.core.words import Words


class UpdateKind(StrEnum):
    """What an adapter can tell by a peek, before anything is parsed."""

    MESSAGE = "message"
    BUTTON = "button"
    STOP = "stop"
    RECALL = "recall"
    """A message was taken back: the key is that of its delivery with `RECALLED` behind it."""


RECALLED = "#recalled"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawUpdate:
    """An update as the platform sent it.

    Attributes:
        delivery_key: the platform's id of this delivery, unique per bot.
        lane: what is handled in order; the session (chat, thread, account) or the chat.
        received_at: aware UTC.
        body: the platform's JSON, untouched.
    """

    platform: str
    bot: str
    delivery_key: str
    kind: UpdateKind
    lane: str
    received_at: datetime
    body: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def event_id(self) -> str:
        """Unique for ever: platform, bot and delivery key."""
        return f"{self.platform}:{self.bot}:{self.delivery_key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What an adapter hears back; only after it may the offset, the 200 or the ack go out.

    Attributes:
        text: for a press the toast, for a refusal the reason.
    """

    status: Literal["accepted", "duplicate", "refused"]
    text: Words | None = None


class Sink(Protocol):
    """The one callable an adapter knows of the rest."""

    async def __call__(self, raw: RawUpdate) -> Receipt:
        """Accept the update durably.

        Raises:
            StorageUnavailableError: nothing was stored; the platform should deliver again.
        """
        ...


class InboxStatus(StrEnum):
    """Where an accepted update stands."""

    NEW = "new"
    DONE = "done"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRow:
    """An accepted update.

    Attributes:
        sequence: rises in the order of acceptance.
        attempts: how often work on it has begun.
        note: why it is dead; empty otherwise.
    """

    sequence: int
    update: RawUpdate
    status: InboxStatus
    attempts: int
    note: str = ""


class Inbox(Protocol):
    """Accepted updates by their unique key."""

    async def accept(self, update: RawUpdate) -> InboxRow | None:
        """Store the update; return None when its event id is already there."""
        ...

    async def begin(self, event_id: str) -> InboxRow | None:
        """Count an attempt and return the row; None when it is not NEW any more."""
        ...

    async def pending(self) -> Sequence[tuple[str, str]]:
        """Return (event id, lane) of all NEW rows in the order of acceptance."""
        ...

    async def finish(
        self, event_id: str, *, status: InboxStatus, note: str, now: datetime
    ) -> None:
        """Mark the row without a turn: a dead letter, or an update that needs no answer."""
        ...

    async def get(self, event_id: str) -> InboxRow | None:
        """Return the row."""
        ...

    async def purge(self, *, done_before: datetime) -> int:
        """Forget the bodies of rows done before then; the keys stay. Return how many."""
        ...

    async def counts(self) -> Mapping[str, int]:
        """Return how many rows there are by status."""
        ...
