"""A turn: one event answered. `Turns.commit` is the single place where its outcome lands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from pydantic import JsonValue

from bot.core.actions import Action
from bot.core.conversations import Conversation
from bot.core.outbox import OutboxDraft
from bot.core.sessions import Session

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """What happened in a turn, as it is kept.

    Attributes:
        text: what the person wrote or pressed.
        reply: plain text of the answer.
        agent, intent, source, confidence: the routing decision.
        calls: tool calls with capped results.
        trace: why it went this way, in the order the router looked.
        conversation: id of the conversation; empty for the one that a session begins with.
        outcome: ``completed``, ``clarify``, ``rejected``, ``failed``, ``stopped``, ...
    """

    event_id: str
    session_key: str
    person_id: str
    account_key: str
    message_id: str
    at: datetime
    text: str
    reply: str
    agent: str
    intent: str
    source: str
    confidence: float
    outcome: str
    calls: tuple[Mapping[str, JsonValue], ...] = ()
    trace: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    memo: str = ""
    conversation: str = ""
    schema_version: int = SCHEMA_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A message that stands for an entity: editing or answering the one reaches the other."""

    chat_key: str
    message_id: str
    entity: str
    event_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOutcome:
    """Everything that a turn leaves behind, besides the effects it journaled.

    Attributes:
        event_ids: all inbox rows that this turn consumed (an album has several).
        session: the new session; stored only if its version is still the loaded one.
        expected_version: the version that was loaded.
        failure: why the inbox rows become dead letters; empty when the turn went well.
    """

    event_ids: tuple[str, ...]
    record: TurnRecord
    session: Session
    expected_version: int
    now: datetime
    actions: tuple[Action, ...] = ()
    outbox: tuple[OutboxDraft, ...] = ()
    links: tuple[Link, ...] = field(default_factory=tuple)
    failure: str = ""


class Turns(Protocol):
    """Turn records and their commit."""

    async def commit(self, outcome: TurnOutcome) -> None:
        """Store turn, session, actions, links and outbox rows and mark the inbox rows done.

        All or nothing, and once: a second commit of the same event changes nothing.

        Raises:
            ConflictError: the session moved on since it was loaded.
        """
        ...

    async def recent(
        self, session_key: str, *, limit: int, conversation: str | None = None
    ) -> Sequence[TurnRecord]:
        """Return the last turns of the session, or of one conversation of it, oldest first."""
        ...

    async def conversations(self, session_key: str, *, limit: int) -> Sequence[Conversation]:
        """Return the conversations of the session in which something was said, latest first."""
        ...

    async def get(self, event_id: str) -> TurnRecord | None:
        """Return the turn of this event."""
        ...

    async def of_person(self, person_id: str) -> Sequence[TurnRecord]:
        """Return all turns of a person, oldest first (for export)."""
        ...

    async def linked(self, chat_key: str, message_id: str) -> tuple[str, ...]:
        """Return the entities that this message stands for, in the order they were linked."""
        ...
