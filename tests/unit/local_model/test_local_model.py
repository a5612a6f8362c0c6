"""The local classifier: calibrated, masked, cached, and never posing as another source."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from adapters.local_model import cache
from adapters.local_model.classifier import (
    MOST_CONFIDENT,
    LocalClassifier,
    build_model,
    is_installed,
)
from adapters.local_model.examples import Example
from adapters.local_model.features import Matrix
from adapters.local_model.model import LocalModel, Weights, fit_weights
from bot.core.routing import RoutingContext, Source

EXAMPLES = tuple(
    Example(text, label)
    for label, texts in {
        "money": ("lunch 35", "taxi 20", "coffee 4", "spent 12 on tea", "dinner 60"),
        "time": ("remind me at 8", "wake me at 6", "alarm for 7", "remind me later", "timer"),
        "unknown": ("hmm", "that one", "ok", "again", "whatever"),
    }.items()
    for text in texts
)
CONTEXT = RoutingContext(
    text="lunch 12", now=datetime(2026, 12, 1, tzinfo=ZoneInfo("UTC")), locale="en"
)


class Letters:
    """An encoder that counts letters: enough for fifteen examples."""

    def encode(self, texts: list[str]) -> Matrix:
        rows = np.zeros((len(texts), 128), dtype=np.float32)
        for number, text in enumerate(texts):
            for letter in text:
                rows[number, ord(letter) % 128] += 1
        return rows


def no_rules(_text: str) -> Mapping[str, float]:
    return {}


def weights() -> Weights:
    return fit_weights(EXAMPLES, encoder=Letters(), rule_scores=no_rules)


def build(_e: Sequence[Example], _r: object, _c: Path | None) -> LocalModel:
    return LocalModel(weights(), encoder=Letters(), rule_scores=no_rules)


def broken(_e: Sequence[Example], _r: object, _c: Path | None) -> LocalModel:
    raise OSError("no weights")


def classifier(*enabled: str, **more: object) -> LocalClassifier:
    options: dict[str, object] = {"build": build, "wait_seconds": 30.0, **more}
    return LocalClassifier(EXAMPLES, enabled=enabled, rule_scores=no_rules, **options)  # type: ignore[arg-type]


def test_probabilities_add_up_and_know_the_examples() -> None:
    model = LocalModel(weights(), encoder=Letters(), rule_scores=no_rules)

    rows = model.probabilities([example.text for example in EXAMPLES])

    assert np.allclose(rows.sum(axis=1), 1.0, atol=1e-4)
    best = [model.labels[int(row.argmax())] for row in rows]
    assert sum(b == e.label for b, e in zip(best, EXAMPLES, strict=True)) >= 13


def test_rules_move_the_probabilities() -> None:
    plain = LocalModel(weights(), encoder=Letters(), rule_scores=no_rules)
    ruled = LocalModel(weights(), encoder=Letters(), rule_scores=lambda _t: {"time": 5.0})
    column = plain.labels.index("time")

    assert ruled.probabilities(["tea"])[0, column] > plain.probabilities(["tea"])[0, column]


async def test_labels_that_are_switched_off_are_masked_and_nothing_is_renormalised() -> None:
    found = await classifier("time").classify(CONTEXT)

    assert found is not None
    assert {label for label, _ in found.ranked} == {"time", "unknown"}
    assert sum(value for _, value in found.ranked) < 1


async def test_no_confidence_is_reported_above_the_cap() -> None:
    local = LocalClassifier(
        EXAMPLES,
        enabled=("money", "time"),
        rule_scores=no_rules,
        wait_seconds=30.0,
        build=lambda _e, _r, _c: LocalModel(
            weights(), encoder=Letters(), rule_scores=lambda _t: {"time": 50.0}
        ),
    )

    found = await local.classify(CONTEXT)

    assert found is not None
    assert found.ranked[0] == ("time", MOST_CONFIDENT)


async def test_a_model_that_cannot_be_loaded_hands_on_to_the_next_source() -> None:
    local = classifier("money", build=broken)

    assert await local.classify(CONTEXT) is None
    assert await local.classify(CONTEXT) is None
    assert local.source is Source.LOCAL_MODEL


async def test_a_model_that_is_still_loading_hands_on_to_the_next_source() -> None:
    assert await classifier("money", wait_seconds=0.0).classify(CONTEXT) is None


def test_weights_come_back_from_the_cache_as_they_were(tmp_path: Path) -> None:
    fitted = weights()
    name = cache.fingerprint(EXAMPLES, no_rules)

    cache.store(tmp_path, name, fitted)
    found = cache.load(tmp_path, name)

    assert found is not None
    texts = ["lunch 99", "wake me"]
    again = LocalModel(found, encoder=Letters(), rule_scores=no_rules).probabilities(texts)
    first = LocalModel(fitted, encoder=Letters(), rule_scores=no_rules).probabilities(texts)
    assert np.allclose(again, first)


def test_a_damaged_cache_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "routing-x.npz").write_bytes(b"not numpy")

    assert cache.load(tmp_path, "x") is None
    assert cache.load(tmp_path, "missing") is None


def test_the_fingerprint_changes_with_examples_and_rules() -> None:
    other = (*EXAMPLES, Example("more", "money"))

    names = {
        cache.fingerprint(EXAMPLES, no_rules),
        cache.fingerprint(other, no_rules),
        cache.fingerprint(EXAMPLES, lambda _t: {"time": 1.0}),
    }

    assert len(names) == 3


@pytest.mark.skipif(not is_installed(), reason="the extra `local` is not installed")
async def test_while_a_text_is_classified_linear_algebra_has_one_thread() -> None:
    """Measured: with its own limit the encoder takes 1.8 s a text on two loaded cores."""
    seen: set[int] = set()

    class Watching:
        def encode(self, texts: list[str]) -> Matrix:
            seen.update(p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas")
            return Letters().encode(texts)

    watched = LocalModel(weights(), encoder=Watching(), rule_scores=no_rules)
    local = classifier("money", build=lambda _e, _r, _c: watched)

    await local.classify(CONTEXT)

    assert seen == {1}


@pytest.mark.skipif(not is_installed(), reason="the extra `local` is not installed")
def test_the_real_encoder_is_loaded_and_classifies() -> None:
    model = build_model(EXAMPLES, no_rules, None)

    row = model.probabilities(["wake me at nine"])[0]

    assert model.labels[int(row.argmax())] == "time"
