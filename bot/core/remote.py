"""Agents that run elsewhere and speak the protocol of seed 002, section 3."""

from collections.abc import Mapping
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from bot.core.agents import Status
from bot.core.errors import BotError

LONGEST_TEXT = 8_000
LONGEST_ACTION = 64


class RemoteAgentError(BotError):
    """A remote agent did not answer in time, or not in the form of the protocol.

    The text is for logs: it names the agent and what happened, never an address or a secret.
    """


class RemoteContext(BaseModel):
    """What a remote agent is told of the conversation (seed 002, 3.1)."""

    model_config = ConfigDict(frozen=True)

    user_id: str
    current_space: str
    current_time: str
    chat_history: tuple[str, ...]
    cross_domain_memo: str


class RemoteRequest(BaseModel):
    """The request (seed 002, 3.1)."""

    model_config = ConfigDict(frozen=True)

    query: str
    context: RemoteContext
    intent_l1: str
    confidence: float
    ambiguous: bool


class RemotePayload(BaseModel):
    """What is to be said and shown (seed 002, 3.2); what we do not know is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str = Field(min_length=1, max_length=LONGEST_TEXT)
    action: str | None = Field(default=None, max_length=LONGEST_ACTION)
    params: Mapping[str, JsonValue] = Field(default_factory=dict)


class RemoteReply(BaseModel):
    """The answer (seed 002, 3.2)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    status: Status
    payload: RemotePayload


class RemoteAgents(Protocol):
    """Asks remote agents."""

    async def ask(self, intent: str, request: RemoteRequest, *, event_id: str) -> RemoteReply:
        """Return the agent's answer.

        The same event may be asked again after a crash: the other side gets `event_id` to tell.

        Raises:
            RemoteAgentError: there is none in time, or it is not in the form of the protocol.
        """
        ...
