"""Text to vectors: character n-grams weighted by rarity, and the sentence encoder."""

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from bot.core.patterns import regex

Matrix = npt.NDArray[np.float32]

LONGEST_TEXT = 300
"""Characters that are looked at; what a person wants is said by then."""

_BLANKS = regex(r"\s+")


def fold(text: str) -> str:
    """Return the text as the n-grams see it: NFKC, lower case, single blanks, bounded."""
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", text[:LONGEST_TEXT]).lower()).strip()


class Encoder(Protocol):
    """A sentence encoder."""

    def encode(self, texts: list[str]) -> Any:  # noqa: ANN401  # the package has no types
        """Return one row per text."""
        ...


class Ngrams:
    """Character 1-3-grams with sublinear counts, inverse document frequency and unit length."""

    def __init__(self, grams: Sequence[str], idf: Matrix) -> None:
        """Take the vocabulary and the rarity of each of its grams."""
        self.vocabulary = {gram: index for index, gram in enumerate(grams)}
        self.idf = idf

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """Return the vocabulary and rarities of ``texts``."""
        seen: Counter[str] = Counter()
        for text in texts:
            seen.update(set(_grams(fold(text))))
        grams = sorted(seen)
        total = len(texts)
        idf = [math.log((1 + total) / (1 + seen[gram])) + 1 for gram in grams]
        return cls(grams, np.array(idf, dtype=np.float32))

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """Return one row of unit length per text."""
        rows = np.zeros((len(texts), len(self.vocabulary)), dtype=np.float32)
        for number, text in enumerate(texts):
            for gram, count in Counter(_grams(fold(text))).items():
                index = self.vocabulary.get(gram)
                if index is not None:
                    rows[number, index] = (1 + math.log(count)) * self.idf[index]
        return unit(rows)


def _grams(text: str) -> list[str]:
    padded = f"\x02{text}\x03"
    return [padded[i : i + n] for n in (1, 2, 3) for i in range(len(padded) - n + 1)]


def unit(rows: Matrix) -> Matrix:
    """Return the rows with unit length; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Matrix = rows / np.maximum(lengths, 1e-9)
    return scaled
