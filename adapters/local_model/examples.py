"""The training set: the manifests' own examples, and utterances without evidence."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from bot.core.manifests import Manifest
from bot.core.routing import UNKNOWN
from bot.core.tables import read_table

RuleScores = Callable[[str], Mapping[str, float]]
"""Text -> weight of the rules for each label."""


@dataclass(frozen=True, slots=True)
class Example:
    """An utterance and the label it belongs to."""

    text: str
    label: str


@functools.cache
def unknown_texts() -> tuple[str, ...]:
    """Return the utterances without evidence for any agent."""
    source = files("adapters.local_model").joinpath("unknown.yaml").read_text(encoding="utf-8")
    return tuple(str(text) for text in read_table(source))


def examples_of(manifests: Sequence[Manifest]) -> tuple[Example, ...]:
    """Return the training set of these agents."""
    known = [Example(text, m.intent) for m in manifests if m.routable for text in m.examples]
    return (*known, *(Example(text, UNKNOWN) for text in unknown_texts()))
