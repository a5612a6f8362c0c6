"""How a text is understood: the language layer's reading and the router's decision."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from adapters.llm.access import build_chain
from adapters.llm.chain import ModelChain
from adapters.local_model.classifier import LocalClassifier, is_installed
from adapters.local_model.examples import examples_of
from agents.manifests import load_manifests
from bot.classifier import ModelClassifier
from bot.clock import SystemClock
from bot.core.routing import UNKNOWN, Classifier, RoutingContext
from bot.evaluation import Phrase, evaluate, judge, report
from bot.language.explain import explain
from bot.like_messages import LikeMessages
from bot.router import StationRouter
from bot.rules import RuleClassifier, labels, score
from bot.settings import Settings

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
    queries: Sequence[Query], settings: Settings, *, ask_model: bool = False
) -> list[dict[str, object]]:
    """Return one JSON object per query, in order; all packs on, no history.

    Args:
        queries: what to explain.
        settings: which models there are.
        ask_model: ask the configured language model too.
    """
    async with whole_router(settings, ask_model=ask_model) as router:
        return [await _explain(query, router) for query in queries]


async def evaluate_routing(
    phrases: Sequence[Phrase], settings: Settings, *, ask_model: bool = False
) -> list[str]:
    """Route labelled phrases and return the figures as lines; all packs on, no history."""
    now = datetime.now(UTC).astimezone(ZoneInfo(settings.timezone))
    async with whole_router(settings, ask_model=ask_model) as router:
        await judge(router, phrases[:1], now=now, locale=LOCALE)  # loads what is loaded at need
        return report(evaluate(await judge(router, phrases, now=now, locale=LOCALE)))


@asynccontextmanager
async def whole_router(settings: Settings, *, ask_model: bool) -> AsyncIterator[StationRouter]:
    """Open a router over every agent, without a store."""
    classifiers: list[Classifier] = [RuleClassifier(labels())]
    if settings.local_model != "off" and is_installed():
        local = LocalClassifier(
            examples_of(load_manifests()),
            enabled=labels(),
            rule_scores=score,
            wait_seconds=LOADING_SECONDS,
        )
        classifiers.insert(0, local)
    async with AsyncExitStack() as stack:
        model = _model(settings) if ask_model else None
        if model is not None:
            await stack.enter_async_context(model.running())
            manifests = load_manifests()
            asked = ModelClassifier(
                model,
                manifests,
                clock=SystemClock(),
                count=_uncounted,
                knowledge=LikeMessages(manifests),
            )
            classifiers.insert(0, asked)
        yield StationRouter(
            enabled=labels(),
            classifiers=classifiers,
            fallback="QA",
            unknown="complex_task",
        )


def _model(settings: Settings) -> ModelChain | None:
    return build_chain(
        settings.providers,
        files=None,
        clock=SystemClock(),
        proxy=settings.openai_proxy,
        count=_uncounted,
        key_refused=_unsaid,
    )


def _uncounted(_result: object) -> None:
    """Count nothing: the command has no counters."""


async def _unsaid(_provider: str) -> None:
    """Tell nobody: the trace says that the model could not tell."""


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
