"""Multinomial logistic regression in numpy, in the span of its examples.

The weights are a combination of the examples, so fitting works on their small Gram matrix and
never on the features.
"""

import numpy as np
import numpy.typing as npt

from adapters.local_model.features import Matrix

Labels = npt.NDArray[np.int64]

STEPS = 400


def fit(gram: Matrix, labels: Labels, classes: int, *, strength: float) -> Matrix:
    """Return how much each example speaks for each class (examples x classes).

    Scores of a new row are its products with the examples, times this. Regularised by
    1 / ``strength``; classes weigh the same whatever their number of examples.

    Args:
        gram: products of the examples with one another.
        labels: the class of each example.
        classes: how many there are.
        strength: inverse of the regularisation.
    """
    count = len(labels)
    target = np.eye(classes, dtype=np.float32)[labels]
    frequency = np.maximum(target.sum(axis=0), 1.0)
    weight = (count / (classes * frequency))[labels][:, None].astype(np.float32)
    penalty = 1.0 / strength
    largest = float(np.linalg.norm(gram, 2))
    step = 1.0 / (penalty + 0.5 * largest * float(weight.max()))
    parts = np.zeros((count, classes), dtype=np.float32)
    ahead = parts
    for number in range(STEPS):
        slope = weight * (softmax(gram @ ahead) - target) + penalty * ahead
        following: Matrix = ahead - np.float32(step) * slope
        ahead = following + np.float32(number / (number + 3)) * (following - parts)
        parts = following
    return parts


def softmax(scores: Matrix) -> Matrix:
    """Return probabilities by row."""
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Matrix = shifted / shifted.sum(axis=1, keepdims=True)
    return result


def log_softmax(scores: Matrix) -> Matrix:
    """Return log probabilities by row."""
    result: Matrix = np.log(np.maximum(softmax(scores), 1e-9))
    return result
