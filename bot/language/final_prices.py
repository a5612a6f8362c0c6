"""What was paid in the end: a price with what is taken off or put on it, and totals of counts."""

import re
from dataclasses import replace
from decimal import Decimal
from typing import Final

from bot.core.patterns import regex
from bot.language.money_words import MEASURES
from bot.language.numerals import read_number
from bot.language.sums import Sum

_NUMBER: Final = r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十]+)"
_LESS: Final = regex(
    rf"[ ,块元钱]*(?:(?:立|满)?减[了去掉]?|minus ?|less ?)[¥$€£]?(?P<off>{_NUMBER})"
    r"(?![\d.%])[块元]?"
    rf"|[ ,块元钱]*打了?(?P<tenths>\d(?:\.\d)?|[一二三四五六七八九]{{1,2}})折"
    r"|[ ,]*(?:with |at |and )?(?:an? )?(?P<percent>\d{1,2})% (?:off|discount)"
)
_MORE: Final = regex(
    r"[ ,]*(?:\+|plus|and|with|加)? ?(?:an? )?(?P<more>\d{1,2})% ?的?"
    r"(?:tip|tax|service|gst|vat|小费|服务费|税)"
)
_THEN: Final = regex(r"(?:之?后|以后|[ ,=]|等于|就是|只要|是|[付花]了|to)*")
_TIMES: Final = regex(
    rf"[ ,块元钱的]*(?:[一每]?(?:{MEASURES})[ ,]*|/(?:{MEASURES})[ ,]*)?"
    r"(?:买了?|要了?|来了?)?"
    rf"(?:(?P<twice>来回|往返|双程|round ?trip)|(?P<n>{_NUMBER})(?:{MEASURES}))"
    r"(?:一共|总共|合计|共|就?是|花了|[ ,:=])*"
)
_HUNDRED: Final = 100
_TEN: Final = 10


def reckoned(price: Sum, text: str) -> Sum | None:
    """The price with what stands behind it taken off or put on; None where nothing does.

    The sum ends where the words about it end.
    """
    match = _LESS.match(text, price.end) or _MORE.match(text, price.end)
    if match is None:
        return None
    value = _reckon(price.value, match)
    return None if value is None else replace(price, value=value, end=match.end())


def comes_to(price: Sum, whole: Sum, text: str) -> bool:
    """Whether the second sum is what the first comes to: 地铁4块来回8块, 鞋子200打8折160."""
    if {price.currency, whole.currency} - {"", whole.currency or price.currency}:
        return False
    less = reckoned(price, text)
    if less is not None:
        return less.value == whole.value and bool(_THEN.fullmatch(text, less.end, whole.start))
    match = _TIMES.fullmatch(text, price.end, whole.start)
    if match is None:
        return False
    number = read_number(match["n"], 0) if match["n"] else None
    times = number.value if number is not None else Decimal(2)
    return times > 1 and price.value * times == whole.value


def _reckon(value: Decimal, match: re.Match[str]) -> Decimal | None:
    said = match.groupdict()
    if said.get("off"):
        number = read_number(said["off"], 0)
        return value - number.value if number is not None and number.value < value else None
    if said.get("tenths"):
        tenths = _tenths(said["tenths"])
        return value * tenths / _TEN if tenths else None
    percent = int(said.get("percent") or said.get("more") or 0)
    return value * (_HUNDRED + (percent if said.get("more") else -percent)) / _HUNDRED


def _tenths(said: str) -> Decimal | None:
    """八 is 8, 八五 is 8.5, as 8 and 8.5 are."""
    if said[0].isdigit():
        return Decimal(said)
    digits = ["一二三四五六七八九".index(char) + 1 for char in said]
    return Decimal(digits[0]) + (Decimal(digits[1]) / _TEN if len(digits) > 1 else 0)
