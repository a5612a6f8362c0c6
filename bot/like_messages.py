"""What is known about messages like one: examples of the agents that share its letters."""

from collections.abc import Iterable, Sequence

from bot.core.manifests import Manifest
from bot.core.patterns import regex

MOST = 8
LEAST_SHARED = 0.4
"""Dice coefficient of the letter pairs: from here on 92 % of the finds hold the right label."""

_NO_LETTERS = regex(r"[\W_]+")


class LikeMessages:
    """`bot.core.routing.Knowledge` from the manifests, of which the prompt shows only a few."""

    def __init__(self, manifests: Iterable[Manifest]) -> None:
        self._known = [
            (example, manifest.intent, _pairs(example))
            for manifest in manifests
            if manifest.routable
            for example in manifest.examples
        ]

    async def look_up(self, words: str) -> Sequence[str]:
        """Return the likest examples as ``words -> label``, the likest first."""
        asked = _pairs(words)
        if not asked:
            return ()
        rated = [
            (2 * len(asked & pairs) / (len(asked) + len(pairs)), example, label)
            for example, label, pairs in self._known
            if pairs
        ]
        best = sorted((r for r in rated if r[0] >= LEAST_SHARED), key=lambda r: -r[0])[:MOST]
        return tuple(f"{example} -> {label}" for _, example, label in best)


def _pairs(words: str) -> frozenset[str]:
    letters = _NO_LETTERS.sub("", words).casefold()
    return frozenset(letters[i : i + 2] for i in range(len(letters) - 1))
