"""Routing vocabulary: what the router looks at and what it decides."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.core.events import ChatKind
from bot.core.sessions import Pending

DIRECT_CONFIDENCE = 0.8
"""From here on a known label is routed without doubt (seed 002, 2.3)."""

AMBIGUOUS_CONFIDENCE = 0.5
"""From here on it is routed with `ambiguous`; below, the fallback agent takes it."""

UNKNOWN = "unknown"


class Source(StrEnum):
    """Who decided; sources never pose as one another."""

    GATE = "gate"
    COMMAND = "command"
    ACTION = "action"
    CAPSULE = "capsule"
    PENDING = "pending"
    EDIT = "edit"
    FAST_PATH = "fast_path"
    LLM = "llm"
    LOCAL_MODEL = "local_model"
    RULE_FALLBACK = "rule_fallback"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingContext:
    """What may influence a decision (seed 000, classification context).

    Attributes:
        now: aware, in the person's zone.
        history: the last 8 messages, oldest first, as ``person: ...`` / ``bot: ...``.
        image_summary: pre-analysis of the first image; empty when there is none.
        keepers: labels of agents that keep what the text names of this person's; looked up only
            for a text that names a date or a thing without its kind.
    """

    text: str
    now: datetime
    locale: str
    chat_kind: ChatKind = ChatKind.PRIVATE
    has_image: bool = False
    image_summary: str = ""
    capsule: str | None = None
    pending: Pending | None = None
    last_agent: str | None = None
    history: tuple[str, ...] = ()
    summary: str = ""
    keepers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Wish:
    """Another wish in the same input.

    Attributes:
        text: its own words, or the whole input where they cannot be told apart.
    """

    intent: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Where an input goes.

    Attributes:
        intent: label of an enabled agent.
        ambiguous: the agent may ask back first (seed 002, 2.3).
        secondary: other wishes in the same input, to be named with buttons.
        focus: the words of the main wish where others are named; empty for the whole input.
        trace: what each station said, in order, for `/why`.
    """

    intent: str
    confidence: float
    source: Source
    ambiguous: bool = False
    secondary: tuple[Wish, ...] = ()
    focus: str = ""
    trace: tuple[str, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """What a classifier says before the policy is applied.

    Attributes:
        ranked: labels with their confidence, the best first.
        secondary: labels of other wishes that the source sees.
    """

    ranked: tuple[tuple[str, float], ...]
    secondary: tuple[str, ...] = ()


class Knowledge(Protocol):
    """Looks up what may help to decide an unsure case (seed 002, 2.5)."""

    async def look_up(self, words: str) -> Sequence[str]:
        """Return what was found, a line each, the best first; nothing when nothing fits.

        Raises:
            TimeoutError: it took too long.
        """
        ...


class Classifier(Protocol):
    """A source of classifications: the language model, the local model, the rules."""

    @property
    def source(self) -> Source:
        """How its decisions are labelled."""
        ...

    async def classify(self, context: RoutingContext) -> Classification | None:
        """Return the classification; None when this source cannot tell or is not there."""
        ...


class Router(Protocol):
    """Decides which agent answers."""

    async def route(self, context: RoutingContext) -> Decision:
        """Return the decision; always one, whatever the input."""
        ...


class Labels(Protocol):
    """The labels that are switched on, from the manifests."""

    @property
    def enabled(self) -> Sequence[str]:
        """Intent labels of live agents."""
        ...
