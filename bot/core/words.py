"""Words for a person: a key of the catalogue with parameters, or text taken as it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Union

Value = Union[str, int, "Text", "Verbatim", "Lines", tuple["Text | Verbatim", ...]]
"""A parameter: plain text, a number, or words that are themselves translated.

A tuple is joined by the language's comma, `Lines` by line breaks.
"""


@dataclass(frozen=True, slots=True)
class Text:
    """A catalogue key and its parameters; adapters resolve it in the reader's language.

    Attributes:
        key: dotted name in ``bot/locales``, e.g. ``ledger.added``.
        params: values for the placeholders; see `Value`.
    """

    key: str
    params: Mapping[str, Value] = field(default_factory=dict)
    kind: Literal["key"] = "key"


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text shown exactly as it is: a person's own words or a model's prose."""

    text: str
    kind: Literal["verbatim"] = "verbatim"


@dataclass(frozen=True, slots=True)
class Lines:
    """Several words, one a line; only as a parameter."""

    parts: tuple[Text | Verbatim, ...]
    kind: Literal["lines"] = "lines"


Words = Text | Verbatim


def text(key: str, **params: Value) -> Text:
    """Return `Text` for ``key``, with the parameters given by name."""
    return Text(key, params)
