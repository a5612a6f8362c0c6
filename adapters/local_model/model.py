"""The fitted model: encoder x n-grams x rules, with a temperature from held-out scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adapters.local_model.examples import Example, RuleScores
from adapters.local_model.features import Encoder, Matrix, Ngrams, unit
from adapters.local_model.regression import Labels, fit, log_softmax, softmax

ENCODER_STRENGTH = 10.0
NGRAM_STRENGTH = 30.0
RULE_WEIGHT = 0.6
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything that fitting finds out.

    Attributes:
        mean: the examples' mean embedding, taken off before lengths are made one.
        by_meaning, by_letters: features x labels.
        temperature: divides the summed scores, so that probabilities mean what they say.
    """

    labels: tuple[str, ...]
    mean: Matrix
    ngrams: Ngrams
    by_meaning: Matrix
    by_letters: Matrix
    temperature: float


class LocalModel:
    """Classifies a text in a few milliseconds."""

    def __init__(self, weights: Weights, *, encoder: Encoder, rule_scores: RuleScores) -> None:
        self.labels = weights.labels
        self._weights = weights
        self._encoder = encoder
        self._rule_scores = rule_scores

    def probabilities(self, texts: Sequence[str]) -> Matrix:
        """Return calibrated probabilities, one row per text, columns as `labels`."""
        known = self._weights
        encoded = np.asarray(self._encoder.encode(list(texts)), dtype=np.float32)
        scores = (
            log_softmax(unit(encoded - known.mean) @ known.by_meaning)
            + log_softmax(known.ngrams.matrix(texts) @ known.by_letters)
            + rule_rows(texts, known.labels, self._rule_scores)
        )
        return softmax(scores / known.temperature)


def fit_weights(
    examples: Sequence[Example], *, encoder: Encoder, rule_scores: RuleScores
) -> Weights:
    """Return weights and temperature for the examples; a second or two of work."""
    labels = tuple(dict.fromkeys(example.label for example in examples))
    texts = [example.text for example in examples]
    place = {label: number for number, label in enumerate(labels)}
    target = np.array([place[example.label] for example in examples], dtype=np.int64)
    encoded = np.asarray(encoder.encode(texts), dtype=np.float32)
    mean: Matrix = encoded.mean(axis=0, keepdims=True)
    ngrams = Ngrams.of(texts)
    held_out = rule_rows(texts, labels, rule_scores)
    found = []
    for rows, strength in (
        (unit(encoded - mean), ENCODER_STRENGTH),
        (ngrams.matrix(texts), NGRAM_STRENGTH),
    ):
        gram = rows @ rows.T
        held_out = held_out + _out_of_fold(gram, target, len(labels), strength)
        found.append(rows.T @ fit(gram, target, len(labels), strength=strength))
    by_meaning, by_letters = found
    return Weights(labels, mean, ngrams, by_meaning, by_letters, _temperature(held_out, target))


def rule_rows(texts: Sequence[str], labels: Sequence[str], rule_scores: RuleScores) -> Matrix:
    """Return what the rules add to the scores of each text."""
    rows = np.zeros((len(texts), len(labels)), dtype=np.float32)
    for number, text in enumerate(texts):
        scores = rule_scores(text)
        rows[number] = [RULE_WEIGHT * scores.get(label, 0.0) for label in labels]
    return rows


def _out_of_fold(gram: Matrix, labels: Labels, classes: int, strength: float) -> Matrix:
    """Return log probabilities of every example by weights that have not seen it."""
    scores = np.zeros((len(labels), classes), dtype=np.float32)
    fold_of = np.arange(len(labels)) % FOLDS
    for fold in range(FOLDS):
        rest, held = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        parts = fit(gram[np.ix_(rest, rest)], labels[rest], classes, strength=strength)
        scores[held] = log_softmax(gram[np.ix_(held, rest)] @ parts)
    return scores


def _temperature(scores: Matrix, labels: Labels) -> float:
    """Return the temperature that makes the held-out scores most likely."""
    rows = np.arange(len(labels))
    candidates = np.geomspace(0.3, 3.0, 60)
    losses = [-log_softmax(scores / t)[rows, labels].mean() for t in candidates]
    return float(candidates[int(np.argmin(losses))])
