"""A session: what continues between one person and us in one chat."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pydantic import JsonValue

from bot.core.events import HeldMessage
from bot.core.words import Words


class Expects(StrEnum):
    """What would answer an open question; the router uses it to tell answers from new wishes."""

    CONFIRM = "confirm"
    AMOUNT = "amount"
    TIME = "time"
    WORDS = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """An open question of an agent.

    Attributes:
        agent: intent label of the agent that asked.
        name: which question, in the agent's own words.
        expects: kinds of answers; CONFIRM includes correcting and cancelling.
        state: what the agent needs to go on; JSON.
        question: what was asked, to be repeated when the work is taken up again.
        group: of the buttons under the question, see `bot.core.actions.Action`; set at its commit.
        soft: nothing is really open, a short answer would just refer to it ("不是，是35");
            it is forgotten with the next wish instead of parked.
    """

    agent: str
    name: str
    question: Words
    asked_at: datetime
    expects: tuple[Expects, ...] = ()
    state: Mapping[str, JsonValue] = field(default_factory=dict)
    soft: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """State of one session.

    Attributes:
        key: `Event.session_key`.
        version: rises with every commit; 0 was never stored.
        parked: open questions put aside for a new request, oldest first.
        answered: groups of buttons whose questions were answered in words, oldest first.
        capsule: intent label of the selected capsule.
        held: the first message of a newcomer, served at the end of onboarding.
        agent: intent label that answered last.
        space: where the person says they are, e.g. ``305``; empty when they have not.
        conversation: which conversation goes on; empty for the one it began with.
    """

    key: str
    person_id: str
    version: int = 0
    pending: Pending | None = None
    parked: tuple[Pending, ...] = ()
    capsule: str | None = None
    held: HeldMessage | None = None
    agent: str | None = None
    space: str = ""
    conversation: str = ""
    answered: tuple[str, ...] = ()


class Sessions(Protocol):
    """Sessions by key; they are written by `Turns.commit` only."""

    async def load(self, key: str) -> Session | None:
        """Return the stored session."""
        ...
