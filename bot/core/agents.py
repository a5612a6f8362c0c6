"""The agent port: a request comes in, a value goes back. Agents never send anything."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal, Protocol
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from bot.core.actions import Action
from bot.core.events import Attachment, Chat, ChatKind, HeldMessage
from bot.core.messages import Block, Button
from bot.core.outbox import Purpose
from bot.core.people import Person
from bot.core.permissions import Profile
from bot.core.routing import Decision
from bot.core.sessions import Pending
from bot.core.tools import ToolRunner
from bot.core.turns import TurnRecord
from bot.core.words import Words


class Status(StrEnum):
    """How an agent ended (seed 002, 3.2)."""

    COMPLETED = "COMPLETED"
    CLARIFY = "CLARIFY"
    REJECTED = "REJECTED"


Progress = Callable[[str], Awaitable[None]]
"""Shows the whole text so far; it returns at once and never fails, however often it is called."""


async def silent(text: str) -> None:
    """Show nothing."""
    del text


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One request to an agent (seed 002, 3.1) with what it may use to answer.

    Attributes:
        query: what the person wrote; empty for a press.
        decision: intent, confidence, `ambiguous`, source.
        command: name of the slash command that led here; `query` is then its argument.
        action: the pressed action, claimed for this turn.
        pending: this agent's own open question, when the input may answer it.
        linked: entities that the edited or answered message stands for, as ``noun:id``.
        edited: the person changed a message that was answered before.
        recalled_at: when a message was said that is now taken back, and for which `linked` stands;
            the agent says what stays of it, and nothing else.
        now: aware, in the person's zone; the event's time, not the clock's.
        held: onboarding only: the newcomer's first message.
        history: the last 10 turns, oldest first.
        memo: cross-domain memo: what another agent did just before.
        account_key: owner of the files that came with the message.
        session_key, conversation: what goes on; `history` is of this conversation only.
        summary: what was said in this conversation before `history`.
        space: the space that the person is in, as they said.
        tools: the narrowed tools of this turn.
        progress: shows the answer while it grows; the result says it in full all the same.
    """

    event_id: str
    query: str
    person: Person
    profile: Profile
    chat: Chat
    account_id: str
    message_id: str
    now: datetime
    decision: Decision
    tools: ToolRunner
    command: str = ""
    action: Action | None = None
    pending: Pending | None = None
    linked: tuple[str, ...] = ()
    edited: bool = False
    recalled_at: datetime | None = None
    attachments: tuple[Attachment, ...] = ()
    held: HeldMessage | None = None
    history: tuple[TurnRecord, ...] = ()
    memo: str = ""
    space: str = ""
    account_name: str = ""
    account_locale: str = ""
    account_key: str = ""
    session_key: str = ""
    conversation: str = ""
    summary: str = ""
    progress: Progress = silent

    @property
    def locale(self) -> str:
        """The reader's language."""
        return self.person.locale

    @property
    def in_group(self) -> bool:
        """Whether others read along."""
        return self.chat.kind is ChatKind.GROUP


def zone_of(now: datetime) -> ZoneInfo:
    """Return the zone of a turn's `now`.

    Raises:
        TypeError: `now` is not in a named zone; the dispatcher always makes it so.
    """
    if not isinstance(now.tzinfo, ZoneInfo):
        raise TypeError("now has no named zone")
    return now.tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResult:
    """What an agent wants said and kept.

    Attributes:
        blocks: the answer.
        pending: the question that is open now; None closes the agent's own.
        repaint: replace the message whose button was pressed, instead of a new one.
        hand_off: serve this text next, in the same turn: the newcomer's held message, or the
            ledger passing on to chat (seed 000). Each at most once.
        entities: what the answer shows, as ``noun:id``; edits and replies find them again.
        action, params: the seed's payload fields for remote agents and cards.
        memo: one line for the next agent, without private content.
        conversation: the conversation to go on with from now on; None stays in this one.
        hold: onboarding only: the input answers nothing; keep it and serve it at the end.
        unrecorded: the answer is shown and not kept in the turn's record, so no later prompt and
            no export holds it.
        private: said in a group, what only the person is to read: it goes to their private chat
            where the platform has one that can be written to, else nowhere.
    """

    blocks: tuple[Block, ...]
    status: Status = Status.COMPLETED
    buttons: tuple[tuple[Button, ...], ...] = ()
    pending: Pending | None = None
    purpose: Purpose = Purpose.ANSWER
    repaint: bool = False
    hand_off: "HandOff | None" = None
    entities: tuple[str, ...] = ()
    action: str | None = None
    params: Mapping[str, JsonValue] = field(default_factory=dict)
    memo: str = ""
    conversation: str | None = None
    hold: bool = False
    unrecorded: bool = False
    private: "AgentResult | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOff:
    """Go on with this message: to a named agent, or through the router."""

    message: HeldMessage
    intent: str | None = None


class Agent(Protocol):
    """Answers one intent. It holds services and no per-chat state."""

    @property
    def intent(self) -> str:
        """Its routing label; stored in sessions and actions."""
        ...

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the answer to the turn.

        Raises:
            BotError: by reaction; the dispatcher turns it into words.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSpec:
    """A slash command and who answers it; `agent` None means the dispatcher itself."""

    name: str
    agent: str | None
    description: Words
    kind: Literal["public", "hidden"] = "public"
