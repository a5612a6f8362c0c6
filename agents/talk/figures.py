"""Figures in a model's prose about money: each has to stand in what it was told.

A model adds up wrongly and makes sums up. A number that neither the person said nor a tool
returned is taken out with its sentence; counting few things is no such number.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from pydantic import JsonValue

from agents.tool_steps import Step
from bot.core.ledger import from_minor
from bot.core.patterns import regex

FEW = 12
"""Up to here a whole number may count rows, months or points of a list."""

_NUMBER = regex(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_MONEY = regex(
    r"[¥￥$€£]\s*$|^\s*(?:元|块|毛|角|分钱|美元|欧元|日元|刀|rmb|cny|usd|eur|yuan|dollars?|euros?|bucks)",
    re.IGNORECASE,
)
_SENTENCES = regex(r"[^。！!？?\n]*?(?:[。！!？?\n]+|\.(?=\s|$)|$)")


def without_strange_figures(text: str, known: frozenset[Decimal]) -> tuple[str, bool]:
    """Return the text without the sentences whose figures are not known, and whether some went."""
    kept = [s for s in _SENTENCES.findall(text) if not _is_strange(s, known)]
    told = "".join(kept)
    return (text, False) if told == text else (told.strip(), True)


def figures_of(steps: Sequence[Step], said: Iterable[str]) -> frozenset[Decimal]:
    """Return the figures that the tools returned and that stand in what was said."""
    found: set[Decimal] = set()
    for words in said:
        found.update(_numbers(words))
    for step in steps:
        for done in step.done:
            found.update(_told(done.result))
    return frozenset(found)


def _is_strange(sentence: str, known: frozenset[Decimal]) -> bool:
    for match in _NUMBER.finditer(sentence):
        number = _value(match.group())
        is_money = bool(
            _MONEY.search(sentence[: match.start()]) or _MONEY.search(sentence[match.end() :])
        )
        is_few = not is_money and number <= FEW and number == number.to_integral_value()
        if number not in known and not is_few:
            return True
    return False


def _numbers(words: str) -> Iterator[Decimal]:
    return (_value(match.group()) for match in _NUMBER.finditer(words))


def _value(written: str) -> Decimal:
    return Decimal(written.replace(",", "")).normalize()


def _told(value: JsonValue) -> Iterator[Decimal]:
    """Yield the figures of a result; of rows and sums the amount, not its minor units."""
    match value:
        case bool() | None:
            return
        case int() | float():
            yield Decimal(str(value)).normalize()
        case str():
            yield from _numbers(value)
        case list():
            for each in value:
                yield from _told(each)
        case dict():
            minor, currency = value.get("minor"), value.get("currency")
            rest = value
            if isinstance(minor, int) and isinstance(currency, str):
                yield from_minor(minor, currency).normalize()
                rest = {name: each for name, each in value.items() if name != "minor"}
            for each in rest.values():
                yield from _told(each)
