"""Conversations: what a session consists of between one `/new` and the next; their summaries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

TITLED_BY = 12
"""Turns from the beginning on among which a title is looked for."""


def title_of(said: Iterable[str]) -> str:
    """Return the first words that are no command and no press; the first of all when none are."""
    texts = [text for text in said if text.strip()]
    return next((text for text in texts if not text.startswith(("/", "["))), next(iter(texts), ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation of a session, as its turns show it.

    Attributes:
        conversation_id: empty for the one that a session begins with.
        title: what the person said first, see `title_of`.
    """

    conversation_id: str
    title: str
    turns: int
    began_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What was said in a conversation before the turns that are read whole.

    Attributes:
        covers: how many turns, from the beginning on.
        last_event: the last of them.
    """

    session_key: str
    conversation_id: str
    person_id: str
    text: str
    covers: int
    last_event: str


class Summaries(Protocol):
    """Summaries by session and conversation; made outside the lane, so they may be behind."""

    async def get(self, session_key: str, conversation_id: str) -> Summary | None:
        """Return the summary."""
        ...

    async def put(self, summary: Summary) -> None:
        """Store it, unless the stored one covers as many turns already."""
        ...

    async def of_person(self, person_id: str) -> Sequence[Summary]:
        """Return the summaries of all conversations of a person."""
        ...
