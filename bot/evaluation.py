"""How well the router does on labelled phrases: the figures of `eval routing`."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.core.routing import Decision, Router, RoutingContext

BINS = 10
"""Reliability bins of equal width."""

PLANNER = "complex_task"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A labelled phrase; `also` are labels that are right too."""

    text: str
    intent: str
    also: frozenset[str] = frozenset()

    def is_right(self, label: str) -> bool:
        """Whether the label is right; what is unknown is for the planner to take apart."""
        taken = self.also | {self.intent}
        return label in taken or (label == PLANNER and UNKNOWN in taken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A phrase, what was decided, and how many milliseconds that took."""

    phrase: Phrase
    decision: Decision
    milliseconds: float

    @property
    def is_right(self) -> bool:
        """Whether the decision is right."""
        return self.phrase.is_right(self.decision.intent)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassScore:
    """One label: recall, precision and their harmonic mean, 0 to 1."""

    label: str
    count: int
    recall: float
    precision: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Decisions of about the same confidence, and the share that was right."""

    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Everything that is measured on one set.

    Attributes:
        ece: expected calibration error, 0 to 1.
        confusion: (wanted, decided) -> how often, wrong decisions only.
        sources: source -> share of the decisions.
        p50, p95: milliseconds of a decision.
    """

    count: int
    accuracy: float
    macro_f1: float
    ece: float
    classes: tuple[ClassScore, ...]
    bins: tuple[Bin, ...]
    confusion: Mapping[tuple[str, str], int]
    sources: Mapping[str, float]
    p50: float
    p95: float


async def judge(
    router: Router, phrases: Sequence[Phrase], *, now: datetime, locale: str
) -> list[Judged]:
    """Route every phrase on its own, without history."""
    judged = []
    for phrase in phrases:
        begun = time.perf_counter()
        context = RoutingContext(text=phrase.text, now=now, locale=locale)
        decision = await router.route(context)
        took = (time.perf_counter() - begun) * 1000
        judged.append(Judged(phrase=phrase, decision=decision, milliseconds=took))
    return judged


def evaluate(judged: Sequence[Judged]) -> Evaluation:
    """Return the figures.

    Raises:
        ValueError: nothing was judged.
    """
    if not judged:
        raise ValueError("no phrases")
    classes = _classes(judged)
    bins = _bins(judged)
    right = sum(item.is_right for item in judged)
    times = sorted(item.milliseconds for item in judged)
    sources = Counter(str(item.decision.source) for item in judged)
    return Evaluation(
        count=len(judged),
        accuracy=right / len(judged),
        macro_f1=sum(item.f1 for item in classes) / len(classes),
        ece=sum(b.count * abs(b.accuracy - b.confidence) for b in bins) / len(judged),
        classes=classes,
        bins=bins,
        confusion=Counter(
            (item.phrase.intent, item.decision.intent) for item in judged if not item.is_right
        ),
        sources={source: count / len(judged) for source, count in sources.most_common()},
        p50=times[len(times) // 2],
        p95=times[len(times) * 95 // 100],
    )


def _classes(judged: Sequence[Judged]) -> tuple[ClassScore, ...]:
    """Return the score of every label of the set; what is right counts for the wanted label."""
    wanted = Counter(item.phrase.intent for item in judged)
    hits = Counter(item.phrase.intent for item in judged if item.is_right)
    claims = Counter(
        item.phrase.intent if item.is_right else item.decision.intent for item in judged
    )
    return tuple(
        ClassScore(
            label=label,
            count=wanted[label],
            recall=hits[label] / wanted[label],
            precision=hits[label] / claims[label] if claims[label] else 0.0,
        )
        for label in sorted(wanted)
    )


def _bins(judged: Sequence[Judged]) -> tuple[Bin, ...]:
    filled: dict[int, list[Judged]] = {}
    for item in judged:
        filled.setdefault(min(int(item.decision.confidence * BINS), BINS - 1), []).append(item)
    return tuple(
        Bin(
            count=len(items),
            confidence=sum(item.decision.confidence for item in items) / len(items),
            accuracy=sum(item.is_right for item in items) / len(items),
        )
        for _, items in sorted(filled.items())
    )


def report(evaluation: Evaluation, *, worst: int = 10) -> list[str]:
    """Return the figures as lines of Markdown."""
    e = evaluation
    lines = [
        f"{e.count} phrases: {e.accuracy:.1%} right, macro-F1 {e.macro_f1:.3f}, ECE {e.ece:.3f}",
        f"time of a decision: p50 {e.p50:.1f} ms, p95 {e.p95:.1f} ms",
        "sources: " + ", ".join(f"{source} {share:.0%}" for source, share in e.sources.items()),
        "",
        "| label | phrases | recall | precision | F1 |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {c.label} | {c.count} | {c.recall:.1%} | {c.precision:.1%} | {c.f1:.3f} |"
        for c in e.classes
    ]
    lines += ["", "| confidence | decisions | right |", "|---|---|---|"]
    lines += [f"| {b.confidence:.2f} | {b.count} | {b.accuracy:.1%} |" for b in e.bins]
    confused = sorted(e.confusion.items(), key=lambda pair: -pair[1])[:worst]
    if confused:
        lines += ["", "| wanted | decided | times |", "|---|---|---|"]
        lines += [f"| {a} | {b} | {times} |" for (a, b), times in confused]
    return lines
