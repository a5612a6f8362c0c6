"""How much a price for each comes to: 2 cups at 18, 3 hours at 10, 8 a pound and 3 pounds."""

import re
from decimal import Decimal
from typing import Final

from bot.core.patterns import regex
from bot.language.money_words import (
    COUNT,
    COUNT_EN,
    EACH_AFTER,
    EACH_BEFORE,
    MEASURES,
    RATE_AFTER,
    RATE_BEFORE,
)
from bot.language.numerals import read_number
from bot.language.sum_clauses import Clause
from bot.language.sums import Sum

_NUMBER: Final = r"(\d+(?:\.\d+)?|[一二两三四五六七八九十]+)"
_ONE_OF: Final = regex(
    rf"[一每1](?P<unit>公斤|{MEASURES})[^\d,;。]{{0,6}}?(?:的?价格?|才|是|要)? ?$"
)
"""One of a thing whose price follows: 一斤苹果8块."""

_TAKING: Final = r"(?:买|要|来|称|吃|喝|加|用|点|订|住|拿|租|打|坐)了?"
_HALF: Final = Decimal("0.5")
_END: Final = r"半?[ ,;。.!了]*(?:$|(?<=[,;。]))"
_SO_MANY: Final = regex(rf"[ ,;。]*{_TAKING}{_NUMBER}(?:公斤|{MEASURES}){_END}")


def counted(
    text: str, item: Sum, clause: Clause, previous: int, *, alone: bool
) -> tuple[Decimal, bool]:
    """The amount of a sum, and whether it was computed from a count.

    Args:
        text: The message in one spelling.
        item: The sum.
        clause: What belongs to it.
        previous: Where the sum before it ends.
        alone: It is the only sum, so that a count in any clause is one of its thing.
    """
    rate = RATE_AFTER.match(text, item.end)
    rate = rate or RATE_BEFORE.search(text, previous, item.start)
    if rate is not None:
        return _measured(text, item, rate)
    each = EACH_BEFORE.search(text[clause.start : item.start])
    after = EACH_AFTER.match(text, item.end)
    if each is None and after is None:
        return _taken(text, item, clause) if alone else (item.value, False)
    limit = item.start if each is None else clause.start + each.start()
    begin = after.end() if after else item.end
    counts = list(COUNT.finditer(text, previous if alone else clause.start, limit))
    counts = counts or list(COUNT.finditer(text, begin, len(text) if alone else clause.end))
    counts = counts or list(COUNT.finditer(text, previous, limit))
    if after is not None and not counts:
        counts = list(COUNT_EN.finditer(text, previous, limit))
    count = _how_many(text, counts[0]) if counts else Decimal(0)
    return (item.value * count, count != 1) if count >= 1 else (item.value, False)


def _measured(text: str, item: Sum, rate: re.Match[str]) -> tuple[Decimal, bool]:
    """The amount for so many units at a rate: 停车10块/小时停了3小时."""
    for match in re.finditer(rf"{_NUMBER}个?{rate[1]}", text):
        number = read_number(match[1], 0)
        if match.start() >= rate.end() or match.end() <= min(rate.start(), item.start):
            return item.value * (number.value if number else 1), True
    return item.value, False


def _taken(text: str, item: Sum, clause: Clause) -> tuple[Decimal, bool]:
    """The amount of what was taken at the price of one that was told before it."""
    one = _ONE_OF.search(text[clause.start : item.start])
    taken = one and regex(rf"{_TAKING}{_NUMBER}{one['unit']}{_END}").search(text, item.end)
    count = _how_many(text, taken) if taken else Decimal(0)
    return (item.value * count, True) if count else (item.value, False)


def _how_many(text: str, match: re.Match[str]) -> Decimal:
    """The number of a count; 2斤半 is two and a half."""
    number = read_number(match[1], 0)
    half = text.startswith("半", match.end()) or "半" in match[0]
    return (number.value if number else Decimal(0)) + (_HALF if half else 0)


def says_how_many(clause: str) -> bool:
    """Whether a clause says how many were taken and nothing else: 买了3斤."""
    return _SO_MANY.fullmatch(clause) is not None
