"""What a button means: a stored row under an opaque token, claimed by one atomic write."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from pydantic import JsonValue

DEFAULT_LIFETIME = timedelta(days=2)


class Uses(StrEnum):
    """How often a button may be pressed."""

    ONCE = "once"
    MANY = "many"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionDraft:
    """What an agent wants a button to do.

    Attributes:
        name: verb the owning agent understands, e.g. ``undo``.
        arguments: JSON values; they come back from our own store, never from the client.
        subject: the entity it is about, e.g. ``ledger:e_...``; empty when none.
        revision: the subject's revision that the person saw.
    """

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)
    subject: str = ""
    revision: int = 0
    uses: Uses = Uses.ONCE
    lifetime: timedelta = DEFAULT_LIFETIME


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A stored action.

    Attributes:
        owner_id: the person who may press it.
        chat_key: the chat it was shown in.
        group: actions of one message; claiming a `once` action uses up its whole group's
            `once` actions, so that Confirm and Cancel exclude each other.
        claimed_by: event id of the press that took it.
    """

    token: str
    owner_id: str
    chat_key: str
    agent: str
    name: str
    arguments: Mapping[str, JsonValue]
    subject: str
    revision: int
    uses: Uses
    group: str
    expires_at: datetime
    claimed_by: str | None = None


class ClaimStatus(StrEnum):
    """How a press ended; only `GRANTED` runs anything."""

    GRANTED = "granted"
    UNKNOWN = "unknown"
    FOREIGN = "foreign"
    EXPIRED = "expired"
    USED = "used"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The answer to one press; `action` is None only when the token is unknown."""

    status: ClaimStatus
    action: Action | None = None


class Actions(Protocol):
    """Stored actions; they are written by `Turns.commit` and by the scheduler's firing."""

    async def claim(
        self, token: str, *, person_id: str, chat_key: str, event_id: str, now: datetime
    ) -> Claim:
        """Take the action for this event, in one atomic write.

        The same event is granted again (a crash eats nothing), whoever owns the action or the
        account by then: what it did may have been to bind them otherwise. Another person or
        another chat gets FOREIGN and consumes nothing. A claimed `once` action is USED for every
        other event, and so are the `once` actions of its group.
        """
        ...

    async def get(self, token: str) -> Action | None:
        """Return the action without taking it."""
        ...
