"""Effects: writes that happen once, however often the turn that wants them is run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pydantic import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The identity of one write.

    A repository method that takes an effect stores it, its arguments and its result together
    with the write. When the id is there already nothing is written and the stored result is
    returned.

    Attributes:
        effect_id: (event id, ordinal) as one string; unique in the store.
        at: aware UTC, the occurrence time of the causing event.
    """

    effect_id: str
    at: datetime
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool by name with its arguments."""

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)


class ExternalStatus(StrEnum):
    """What is known of a call whose effect lies in another service."""

    PENDING = "pending"
    DONE = "done"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalEffect:
    """A call to another service, noted before it left.

    Attributes:
        result: what came back; None while nothing did.
    """

    effect_id: str
    status: ExternalStatus
    result: JsonValue = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalCall:
    """A call to another service as it is kept: what was asked, when, and what came of it."""

    effect_id: str
    call: ToolCall
    status: ExternalStatus
    result: JsonValue
    began_at: datetime


class Journal(Protocol):
    """The tool calls of a turn, written before the first of them runs."""

    async def record(self, event_id: str, batch: int, calls: Sequence[ToolCall]) -> None:
        """Store the calls of this batch; the first writer wins."""
        ...

    async def load(self, event_id: str) -> Mapping[int, tuple[ToolCall, ...]]:
        """Return the batches of the event; empty when it never got so far."""
        ...

    async def begin_external(
        self, effect: Effect, call: ToolCall, *, person_id: str
    ) -> ExternalEffect | None:
        """Note that the call leaves now as PENDING; return what was noted of it before, if so.

        None means that this call is the first and has to be made. PENDING means that a run before
        this one died while it was under way: nobody knows whether it happened.
        """
        ...

    async def end_external(
        self, effect_id: str, *, status: ExternalStatus, result: JsonValue
    ) -> None:
        """Note how the call ended; what is DONE stays as it is."""
        ...

    async def external_calls(self, person_id: str) -> Sequence[ExternalCall]:
        """Return the person's calls to other services, oldest first."""
        ...
