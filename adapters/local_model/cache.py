"""Fitted weights on disk, under the hash of what they were fitted from."""

import contextlib
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from adapters.local_model.examples import Example, RuleScores
from adapters.local_model.features import Ngrams
from adapters.local_model.model import (
    ENCODER_STRENGTH,
    NGRAM_STRENGTH,
    RULE_WEIGHT,
    Weights,
)

FORM = 1
"""Raise it when the stored form changes."""


def fingerprint(examples: Sequence[Example], rule_scores: RuleScores) -> str:
    """Return a hash that changes with examples, rules and constants."""
    lines = [f"{FORM} {ENCODER_STRENGTH} {NGRAM_STRENGTH} {RULE_WEIGHT}"]
    for example in examples:
        scores = sorted(rule_scores(example.text).items())
        lines.append(f"{example.label}\t{example.text}\t{scores}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:20]


def load(folder: Path, name: str) -> Weights | None:
    """Return the stored weights; None when there are none that can be read."""
    try:
        with np.load(folder / f"routing-{name}.npz", allow_pickle=False) as data:
            return Weights(
                labels=tuple(str(label) for label in data["labels"]),
                mean=data["mean"],
                ngrams=Ngrams([str(gram) for gram in data["grams"]], data["idf"]),
                by_meaning=data["by_meaning"],
                by_letters=data["by_letters"],
                temperature=float(data["temperature"]),
            )
    except (OSError, ValueError, KeyError):
        return None


def store(folder: Path, name: str, weights: Weights) -> None:
    """Keep the weights and drop older ones; a folder that cannot be written is no harm."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / f"routing-{name}.npz"
        half = folder / f"half-{os.getpid()}.npz"
        np.savez(
            half,
            labels=np.array(weights.labels),
            mean=weights.mean,
            grams=np.array(list(weights.ngrams.vocabulary)),
            idf=weights.ngrams.idf,
            by_meaning=weights.by_meaning,
            by_letters=weights.by_letters,
            temperature=np.array(weights.temperature),
        )
        half.replace(fresh)
        for old in folder.glob("routing-*.npz"):
            if old != fresh:
                old.unlink()
