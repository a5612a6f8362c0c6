"""Effects: writes that happen once, however often the turn that wants them is run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
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


class Journal(Protocol):
    """The tool calls of a turn, written before the first of them runs."""

    async def record(self, event_id: str, batch: int, calls: Sequence[ToolCall]) -> None:
        """Store the calls of this batch; the first writer wins."""
        ...

    async def load(self, event_id: str) -> Mapping[int, tuple[ToolCall, ...]]:
        """Return the batches of the event; empty when it never got so far."""
        ...
