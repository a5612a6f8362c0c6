"""How a text is understood: the language layer's reading and the router's decision."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from adapters.local_model.classifier import LocalClassifier, is_installed
from adapters.local_model.examples import examples_of
from agents.manifests import load_manifests
from bot.core.routing import UNKNOWN, Classifier, RoutingContext
from bot.language.explain import explain
from bot.router import StationRouter
from bot.rules import RuleClassifier, labels, score

LOCALE = "zh-CN"
LOADING_SECONDS = 120.0
"""The command waits for the model, as nobody waits for an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A text to be explained; without `now` it is read at the present moment."""

    text: str
    zone: ZoneInfo
    now: datetime | None = None
    mode: Literal["reminder", "ledger", "range"] = "reminder"
    id: str = ""


async def explain_all(
    queries: Sequence[Query], *, local_model: bool = True
) -> list[dict[str, object]]:
    """Return one JSON object per query, in order; all packs on, no history.

    Args:
        queries: what to explain.
        local_model: use the local classifier where it is installed (the setting `LOCAL_MODEL`).
    """
    router = StationRouter(
        enabled=labels(),
        classifiers=_classifiers(local_model=local_model),
        fallback="QA",
        unknown="complex_task",
    )
    return [await _explain(query, router) for query in queries]


def _classifiers(*, local_model: bool) -> tuple[Classifier, ...]:
    rules = RuleClassifier(labels())
    if not (local_model and is_installed()):
        return (rules,)
    local = LocalClassifier(
        examples_of(load_manifests()),
        enabled=labels(),
        rule_scores=score,
        wait_seconds=LOADING_SECONDS,
    )
    return (local, rules)


async def _explain(query: Query, router: StationRouter) -> dict[str, object]:
    now = (query.now or datetime.now(UTC)).astimezone(query.zone)
    decision = await router.route(RoutingContext(text=query.text, now=now, locale=LOCALE))
    seen = explain(query.text, now=now, tz=query.zone, mode=query.mode, locale=LOCALE)
    answer: dict[str, object] = {"id": query.id} if query.id else {}
    answer |= {
        "text": query.text,
        "now": now.isoformat(),
        "tz": query.zone.key,
        "route": {
            "intent": decision.intent or UNKNOWN,
            "confidence": decision.confidence,
            "source": str(decision.source),
            "ambiguous": decision.ambiguous,
            "secondary": [wish.intent for wish in decision.secondary],
            "trace": list(decision.trace),
        },
    }
    return answer | {name: value for name, value in seen.items() if name not in answer}
