"""What a person asked us to remember."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.core.effects import Effect


class MemoryType(StrEnum):
    """Kinds of lasting facts; short-lived things are never kept."""

    PREFERENCE = "preference"
    FACT = "fact"
    GOAL = "goal"
    PROJECT = "project"
    CONSTRAINT = "constraint"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryNote:
    """A remembered sentence.

    Attributes:
        scope: empty for the person's own memory, a chat key for a group's memory.
    """

    note_id: str
    person_id: str
    scope: str
    type: MemoryType
    text: str
    created_at: datetime
    updated_at: datetime


class Memory(Protocol):
    """Notes by person and scope; nothing of one scope shows in another."""

    async def save(
        self, person_id: str, scope: str, kind: MemoryType, text: str, *, effect: Effect
    ) -> MemoryNote:
        """Store a note."""
        ...

    async def append(
        self, person_id: str, scope: str, note_id: str, text: str, *, effect: Effect
    ) -> MemoryNote:
        """Add a sentence to a note.

        Raises:
            NotFoundError: no such note of this person in this scope.
        """
        ...

    async def delete(
        self, person_id: str, scope: str, note_id: str, *, effect: Effect
    ) -> MemoryNote:
        """Forget a note; return what it was.

        Raises:
            NotFoundError: no such note of this person in this scope.
        """
        ...

    async def list(self, person_id: str, scope: str) -> Sequence[MemoryNote]:
        """Return the notes, oldest first."""
        ...

    async def of_person(self, person_id: str) -> Sequence[MemoryNote]:
        """Return the person's notes of all scopes, oldest first: for the person alone to read."""
        ...
