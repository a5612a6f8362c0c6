"""Routing rules: words and shapes that speak for an intent, in one table.

A rule is evidence, never a decision: the intent with the most weight wins, and the distance to
the next one becomes the confidence. All patterns are linear in the length of the text.
"""

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from bot.core.patterns import regex
from bot.core.routing import Classification, RoutingContext, Source
from bot.core.tables import read_table

FOLLOW_UP_WEIGHT = 3.0
_FOLLOW_UP = regex(
    r"^(?:请|帮我)?(?:撤销|撤回|删了|删掉|删除|取消|改成|改到|改为|换成|把.{1,30}(?:删|改|换|取消)|"
    r"undo\b|(?:please )?(?:delete|remove|cancel|change|move)\b)",
    re.IGNORECASE,
)
"""Orders that name no kind of thing: they go on with what was talked about before."""

LONGEST_TEXT = 500
"""Characters that are looked at; what a person wants is said by then."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the table: `pattern` speaks for `intent` with `weight`, against it below 0."""

    intent: str
    weight: float
    pattern: re.Pattern[str]


@functools.cache
def rules() -> tuple[Rule, ...]:
    """Return the table of ``rules.yaml``."""
    table = read_table(files("bot").joinpath("rules.yaml").read_text(encoding="utf-8"))
    return tuple(
        Rule(intent, weight, regex(pattern, re.IGNORECASE))
        for intent, lines in table.items()
        for weight, pattern in lines
    )


class RuleClassifier:
    """The source that is always there. Its decisions are labelled `rule_fallback`."""

    def __init__(self, enabled: Iterable[str]) -> None:
        self._enabled = frozenset(enabled)

    @property
    def source(self) -> Source:
        """How its decisions are labelled."""
        return Source.RULE_FALLBACK

    async def classify(self, context: RoutingContext) -> Classification | None:
        """Return labels by the share of their weight; None when no rule speaks."""
        scores = score(context.text)
        last = context.last_agent
        if last is not None and last not in scores and _FOLLOW_UP.match(context.text.strip()):
            scores[last] = FOLLOW_UP_WEIGHT
        if context.has_image and not scores:
            scores = {"ledger_manager": 2.0}
        known = {
            label: weight
            for label, weight in scores.items()
            if label in self._enabled and weight > 0
        }
        if not known:
            return None
        total = sum(known.values()) + 0.5
        ranked = sorted(known.items(), key=lambda item: -item[1])
        return Classification(
            ranked=tuple((label, round(weight / total, 4)) for label, weight in ranked)
        )


def score(message: str) -> dict[str, float]:
    """Return the summed weight of every intent that a rule speaks for."""
    head = message[:LONGEST_TEXT]
    scores: dict[str, float] = {}
    for rule in rules():
        if rule.pattern.search(head):
            scores[rule.intent] = scores.get(rule.intent, 0.0) + rule.weight
    return scores


def labels() -> tuple[str, ...]:
    """Return all intents that the table knows."""
    return tuple(dict.fromkeys(rule.intent for rule in rules()))
