"""Chats that cannot be written to: the bot was blocked, or thrown out, or the chat is gone."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from bot.core.events import Chat


class GoneChats(Protocol):
    """Reasons by `Chat.place`; few, and all of them are read at the start."""

    async def put(self, place: str, *, reason: str, now: datetime) -> None:
        """Record that the chat is gone; the first reason stays."""
        ...

    async def lift(self, place: str) -> None:
        """Record that it is back; without effect when it was not gone."""
        ...

    async def all(self) -> Mapping[str, str]:
        """Return the reasons."""
        ...


class Reach(Protocol):
    """What adapters tell when they learn about a chat before a message fails or comes in."""

    async def lost(self, chat: Chat, reason: str) -> None:
        """Note that the chat cannot be written to."""
        ...

    async def back(self, chat: Chat) -> None:
        """Note that it can be written to again; nearly free when it always could."""
        ...
