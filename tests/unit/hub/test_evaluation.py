"""The figures of `eval routing`, on decisions that can be counted by hand."""

from collections.abc import Sequence

import pytest

from bot.core.routing import Decision, Source
from bot.evaluation import Judged, Phrase, evaluate, report


def judged(*rows: tuple[str, str, float], also: str = "") -> Sequence[Judged]:
    return [
        Judged(
            phrase=Phrase(text="t", intent=wanted, also=frozenset({also} - {""})),
            decision=Decision(intent=decided, confidence=confidence, source=Source.LLM),
            milliseconds=float(number),
        )
        for number, (wanted, decided, confidence) in enumerate(rows, 1)
    ]


def test_accuracy_recall_precision_and_f1_are_counted_per_label() -> None:
    result = evaluate(judged(("A", "A", 0.9), ("A", "B", 0.9), ("B", "B", 0.9), ("B", "B", 0.9)))

    assert result.accuracy == 0.75
    a, b = result.classes
    assert (a.label, a.recall, a.precision) == ("A", 0.5, 1.0)
    assert (b.label, b.recall) == ("B", 1.0)
    assert b.precision == pytest.approx(2 / 3)
    assert result.macro_f1 == pytest.approx((2 / 3 + 0.8) / 2)
    assert result.confusion == {("A", "B"): 1}


def test_the_calibration_error_is_the_distance_between_confidence_and_truth() -> None:
    sure_and_right = evaluate(judged(("A", "A", 1.0), ("A", "A", 1.0)))
    sure_and_wrong = evaluate(judged(("A", "B", 1.0), ("A", "A", 1.0)))

    assert sure_and_right.ece == 0.0
    assert sure_and_wrong.ece == 0.5
    assert [(b.count, b.confidence, b.accuracy) for b in sure_and_wrong.bins] == [(2, 1.0, 0.5)]


def test_what_is_also_right_counts_and_what_is_unknown_is_for_the_planner() -> None:
    assert evaluate(judged(("A", "B", 0.9), also="B")).accuracy == 1.0
    assert evaluate(judged(("unknown", "complex_task", 0.9))).accuracy == 1.0
    assert evaluate(judged(("A", "complex_task", 0.9))).accuracy == 0.0


def test_the_report_names_every_label_source_and_confusion() -> None:
    lines = "\n".join(report(evaluate(judged(("A", "A", 0.9), ("B", "A", 0.6)))))

    for words in ("50.0% right", "llm 100%", "| A | 1 |", "| B | A | 1 |", "| 0.60 | 1 | 0.0% |"):
        assert words in lines


def test_nothing_cannot_be_evaluated() -> None:
    with pytest.raises(ValueError, match="no phrases"):
        evaluate([])
