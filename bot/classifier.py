"""The language model as a source of the router: one structured call, repaired or passed over."""

import asyncio
import functools
import json
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from importlib.resources import files
from typing import Any

import structlog
from pydantic import BaseModel, Field, field_validator

from bot.core.errors import ModelError
from bot.core.manifests import Manifest
from bot.core.model import Model, ModelMessage, SystemMessage, UserMessage
from bot.core.patterns import regex
from bot.core.ports import Clock
from bot.core.routing import UNKNOWN, Classification, Knowledge, RoutingContext, Source

BUDGET_SECONDS = 2.0
"""What a decision may take, the call included (seed 002, 2.5)."""

UNSURE = 0.5
"""Where a confidence is missing or impossible: routed, and marked as ambiguous."""

UNSURE_BELOW = 0.7
"""Below this, what is known about like messages is looked up and asked with (seed 002, 2.5)."""

LEAST_SECONDS = 0.8
"""With less of the budget left, the first answer stands."""

EXAMPLES = 6
"""Of each agent, in each language, in the prompt."""

_NUMBER = regex(r"\d+(?:\.\d+)?")
_CHINESE = regex(r"[一-鿿]")
PERCENT = 100

log = structlog.get_logger(__name__)


class RoutingAnswer(BaseModel):
    """What the model is asked for."""

    intent: str = Field(description="one label of the list")
    confidence: float = Field(description="0 to 1")
    secondary: list[str] = Field(description="labels of other wishes in the same message")

    @field_validator("confidence", mode="before")
    @classmethod
    def _as_number(cls, value: Any) -> Any:  # noqa: ANN401  # whatever a model says
        """Read ``"0.9"`` and ``"90%"``; what is no number from 0 to 1 says nothing."""
        if isinstance(value, str) and (number := _NUMBER.search(value)):
            value = float(number[0]) / (PERCENT if "%" in value else 1)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return value if is_number and 0 <= value <= 1 else UNSURE


class ModelClassifier:
    """`bot.core.routing.Classifier` by a language model.

    Args:
        manifests: all agents that may be decided for, whatever the person may use.
        count: told how each call ended: ``ok``, ``unknown_label``, or the error's name.
        knowledge: asked where the first answer is unsure and time is left.
    """

    def __init__(
        self,
        model: Model,
        manifests: Sequence[Manifest],
        *,
        clock: Clock,
        count: Callable[[str], None],
        knowledge: Knowledge | None = None,
    ) -> None:
        self._model = model
        self._clock = clock
        self._knowledge = knowledge
        self._instructions = instructions(manifests)
        self._names = _names(manifests)
        self._count = count

    @property
    def source(self) -> Source:
        """How its decisions are labelled."""
        return Source.LLM

    async def classify(self, context: RoutingContext) -> Classification | None:
        """Return the model's decision; None when it cannot be had or read in time."""
        ends = self._clock.now() + timedelta(seconds=BUDGET_SECONDS)
        found = await self._asked(briefing(context), BUDGET_SECONDS)
        if found is None or found.ranked[0][1] >= UNSURE_BELOW or self._knowledge is None:
            return found
        left = (ends - self._clock.now()).total_seconds()
        if left < LEAST_SECONDS:
            return found
        try:
            async with asyncio.timeout(left - LEAST_SECONDS / 2):
                known = await self._knowledge.look_up(context.text)
        except TimeoutError:
            self._count("look_up_late")
            return found
        left = (ends - self._clock.now()).total_seconds()
        if not known or left < LEAST_SECONDS / 2:
            return found
        return await self._asked(briefing(context, known=known), left) or found

    async def _asked(self, told: str, seconds: float) -> Classification | None:
        messages: list[ModelMessage] = [SystemMessage(self._instructions), UserMessage(told)]
        try:
            answer = await self._model.structured(RoutingAnswer, messages, deadline=seconds)
        except ModelError as error:
            self._count(type(error).__name__)
            return None
        label = self._label(answer.intent)
        if label is None:
            log.warning("unknown_label", label=answer.intent[:40])
            self._count("unknown_label")
            return None
        self._count("ok")
        others = {o: None for name in answer.secondary if (o := self._label(name)) is not None}
        return Classification(
            ranked=((label, answer.confidence),),
            secondary=tuple(other for other in others if other not in (label, UNKNOWN)),
        )

    def _label(self, said: str) -> str | None:
        return self._names.get(_folded(said))


@functools.cache
def template() -> str:
    """Return the system prompt without the agents."""
    return files("bot.prompts").joinpath("route.md").read_text(encoding="utf-8")


def instructions(manifests: Iterable[Manifest]) -> str:
    """Return the system prompt: every agent with its description, examples and exclusions."""
    return template().replace("{agents}", "\n".join(_entry(m) for m in manifests if m.routable))


def briefing(context: RoutingContext, *, known: Sequence[str] = ()) -> str:
    """Return everything that may influence the decision (seed 000), as JSON."""
    pending = context.pending
    told = {
        "message": context.text,
        "has_image": context.has_image,
        "image": context.image_summary,
        "chat": str(context.chat_kind),
        "has_pending_ledger": pending is not None and pending.agent == "ledger_manager",
        "pending_complex": pending.name
        if pending is not None and pending.agent == "complex_task"
        else "",
        "open_question_of": pending.agent if pending is not None else "",
        "answered_last": context.last_agent or "",
        "history": list(context.history),
        "summary": context.summary,
        "like_messages": list(known),
    }
    return json.dumps({name: value for name, value in told.items() if value}, ensure_ascii=False)


def _entry(manifest: Manifest) -> str:
    chinese = [e for e in manifest.examples if _CHINESE.search(e)][:EXAMPLES]
    english = [e for e in manifest.examples if not _CHINESE.search(e)][: EXAMPLES // 2]
    lines = [
        f"- {manifest.intent}: {manifest.description.en} ({manifest.description.zh})",
        f"  e.g. {' | '.join([*chinese, *english])}",
    ]
    if manifest.excludes:
        lines.append(f"  not: {' | '.join(manifest.excludes[:EXAMPLES])}")
    return "\n".join(lines)


def _names(manifests: Iterable[Manifest]) -> dict[str, str]:
    """Return the labels by everything that an agent is called."""
    names = {UNKNOWN: UNKNOWN}
    for manifest in manifests:
        if not manifest.routable:
            continue
        called = (
            manifest.agent_name,
            manifest.agent_id,
            manifest.display_name.zh,
            manifest.display_name.en,
            manifest.intent,
        )
        names |= {_folded(name): manifest.intent for name in called}
    return names


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
