"""The fitted model: encoder x n-grams x rules, with a temperature from out-of-fold scores."""

from collections.abc import Sequence

import numpy as np

from adapters.local_model.examples import Example, RuleScores
from adapters.local_model.features import Encoder, Matrix, Ngrams, unit
from adapters.local_model.regression import Labels, fit, log_softmax, softmax

ENCODER_STRENGTH = 10.0
NGRAM_STRENGTH = 30.0
RULE_WEIGHT = 0.6
FOLDS = 5


class LocalModel:
    """Classifies one text in a few milliseconds. Fitting takes a second or two."""

    def __init__(
        self, examples: Sequence[Example], *, encoder: Encoder, rule_scores: RuleScores
    ) -> None:
        """Fit the weights and the temperature on the examples."""
        self.labels = tuple(dict.fromkeys(example.label for example in examples))
        self._encoder = encoder
        self._rule_scores = rule_scores
        texts = [example.text for example in examples]
        place = {label: number for number, label in enumerate(self.labels)}
        labels = np.array([place[example.label] for example in examples], dtype=np.int64)
        encoded = np.asarray(encoder.encode(texts), dtype=np.float32)
        self._mean: Matrix = encoded.mean(axis=0, keepdims=True)
        encoded = unit(encoded - self._mean)
        self._ngrams = Ngrams(texts)
        counted = self._ngrams.matrix(texts)
        rules = self._rules(texts)
        classes = len(self.labels)
        held_out = rules
        weights = []
        for rows, strength in ((encoded, ENCODER_STRENGTH), (counted, NGRAM_STRENGTH)):
            gram = rows @ rows.T
            held_out = held_out + _out_of_fold(gram, labels, classes, strength)
            weights.append(rows.T @ fit(gram, labels, classes, strength=strength))
        self._by_meaning, self._by_letters = weights
        self._temperature = _temperature(held_out, labels)

    def probabilities(self, texts: Sequence[str]) -> Matrix:
        """Return calibrated probabilities, one row per text, columns as `labels`."""
        encoded = np.asarray(self._encoder.encode(list(texts)), dtype=np.float32)
        scores = (
            log_softmax(unit(encoded - self._mean) @ self._by_meaning)
            + log_softmax(self._ngrams.matrix(texts) @ self._by_letters)
            + self._rules(texts)
        )
        return softmax(scores / self._temperature)

    def _rules(self, texts: Sequence[str]) -> Matrix:
        rows = np.zeros((len(texts), len(self.labels)), dtype=np.float32)
        for number, text in enumerate(texts):
            found = self._rule_scores(text)
            for column, label in enumerate(self.labels):
                rows[number, column] = RULE_WEIGHT * found.get(label, 0.0)
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
