"""Read-only views that a platform shows beside the messages: capsules, state, traces."""

from dataclasses import dataclass
from typing import Protocol

from bot.core.events import Account, Chat
from bot.core.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class CapsuleView:
    """A capability capsule as shown (seed 002, 2.6): at most one of a bar is selected."""

    intent: str
    icon: str
    label: Words
    selected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatView:
    """What one person sees in one chat beside the messages.

    Attributes:
        locale: the person's language; the platform's hint while they are unknown.
        capsules: only those of branches the person may use; empty before onboarding is over.
    """

    locale: str
    capsules: tuple[CapsuleView, ...]


class ChatViews(Protocol):
    """Views by account; a person never sees another's."""

    async def chat(self, chat: Chat, account: Account) -> ChatView:
        """Return what this account sees in this chat now."""
        ...

    async def trace(self, account: Account, event_id: str) -> tuple[Words, ...]:
        """Return why the turn of this event went as it did; empty when it is not theirs."""
        ...
