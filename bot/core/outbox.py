"""The durable outbox: every message has its row before it is sent, under a stable id."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.core.events import Chat
from bot.core.messages import OutboundMessage


class OutboxClass(StrEnum):
    """Interactive messages overtake bulk ones; order holds per chat within a class."""

    INTERACTIVE = "interactive"
    BULK = "bulk"


class Purpose(StrEnum):
    """What the message is for: decides whether a send whose answer was lost is repeated."""

    ANSWER = "answer"
    CONFIRMATION = "confirmation"
    REMINDER = "reminder"


class OutboxStatus(StrEnum):
    """Where a message stands; SENDING after a restart means that the answer was lost."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxDraft:
    """A message to be queued.

    Attributes:
        outbox_id: derived from what caused it, so a re-run queues it once.
        event_id: the inbox event it answers; empty for a reminder.
        person_id: whose message it is.
        entities: what the message shows, as ``noun:id``; edits and replies find them again.
        delivery_id: the reminder delivery that this message is; its state follows this row.
    """

    outbox_id: str
    chat: Chat
    person_id: str
    message: OutboundMessage
    event_id: str = ""
    outbox_class: OutboxClass = OutboxClass.INTERACTIVE
    purpose: Purpose = Purpose.ANSWER
    entities: tuple[str, ...] = ()
    delivery_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRow:
    """A queued message.

    Attributes:
        sequence: rises in the order of queueing.
        not_before: aware UTC; when the next attempt may begin.
        message_id: the platform's id once sent.
        error: the last failure, without secrets.
        parts: ids of its parts that are there already; empty text for one whose answer was lost.
    """

    sequence: int
    draft: OutboxDraft
    status: OutboxStatus
    attempts: int
    not_before: datetime
    created_at: datetime
    message_id: str | None = None
    error: str = ""
    parts: tuple[str, ...] = ()


class Outbox(Protocol):
    """Queued messages; besides `put` they are written by `Turns.commit` and by firing."""

    async def put(self, draft: OutboxDraft, *, now: datetime) -> None:
        """Queue a message that belongs to no turn; the same id again changes nothing."""
        ...

    async def open_chats(self) -> Sequence[tuple[str, OutboxClass]]:
        """Return (chat key, class) of everything QUEUED or SENDING."""
        ...

    async def next_for(self, chat_key: str, outbox_class: OutboxClass) -> OutboxRow | None:
        """Return the oldest row of this chat and class that is QUEUED or SENDING."""
        ...

    async def mark_sending(self, outbox_id: str) -> None:
        """Count an attempt before the request leaves."""
        ...

    async def mark_part(self, outbox_id: str, *, message_id: str) -> None:
        """Record that the next part is there and queue the rest; attempts begin anew."""
        ...

    async def mark_sent(self, outbox_id: str, *, message_id: str, now: datetime) -> None:
        """Record the platform's id; link it to the row's entities; settle its delivery.

        A delivery becomes DELIVERED, or LATE when it was begun late.
        """
        ...

    async def mark_retry(self, outbox_id: str, *, not_before: datetime, error: str) -> None:
        """Queue it again for later; its delivery becomes RETRYING."""
        ...

    async def mark_failed(self, outbox_id: str, *, error: str, now: datetime) -> None:
        """Give up; its delivery becomes SKIPPED with the reason."""
        ...

    async def get(self, outbox_id: str) -> OutboxRow | None:
        """Return the row."""
        ...

    async def find_sent(self, chat_key: str, message_id: str) -> OutboxRow | None:
        """Return the newest row that shows as this message."""
        ...

    async def counts(self) -> Mapping[str, int]:
        """Return how many rows there are by status."""
        ...
