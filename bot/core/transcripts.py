"""What the web chat has shown, so that a reload or a reconnect shows it again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from pydantic import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptItem:
    """One message of the web chat.

    Attributes:
        sequence: place in the chat; stays when the item is replaced.
        version: rises with every change in the chat; a client asks for all after its last one.
        item_id: the client's id of a message, or the outbox id of an answer.
    """

    sequence: int
    version: int
    item_id: str
    author: Literal["person", "bot"]
    payload: Mapping[str, JsonValue]
    at: datetime


class Transcripts(Protocol):
    """Web chat histories by chat id."""

    async def put(
        self,
        chat_id: str,
        item_id: str,
        *,
        author: Literal["person", "bot"],
        payload: Mapping[str, JsonValue],
        at: datetime,
    ) -> TranscriptItem:
        """Append the item, or replace its payload when the id is there.

        The same id with the same payload changes nothing.
        """
        ...

    async def get(self, chat_id: str, item_id: str) -> TranscriptItem | None:
        """Return the item as it is shown now."""
        ...

    async def since(
        self, chat_id: str, version: int, *, limit: int = 500
    ) -> Sequence[TranscriptItem]:
        """Return what changed after ``version``, ordered by version; the newest ``limit``.

        So ``since(chat_id, 0, limit=1)`` is the item that changed last.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAccess:
    """A web sign-in: whose token it is; the token itself is never stored."""

    token_hash: str
    user_id: str
    created_at: datetime


class WebTokens(Protocol):
    """Sign-ins made by the command line."""

    async def add(self, access: WebAccess) -> None:
        """Store a sign-in."""
        ...

    async def find(self, token_hash: str) -> WebAccess | None:
        """Return the sign-in of this hash (sha256 hex)."""
        ...

    async def revoke(self, user_id: str) -> int:
        """Delete all sign-ins of this user; return how many."""
        ...
