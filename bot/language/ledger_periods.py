"""Periods that questions to the ledger name in words of their own: 今年前三个月, 10月到现在."""

from datetime import date, timedelta
from typing import Final

from bot.core.patterns import regex
from bot.language.numerals import read_number

_FIRST: Final = regex(
    r"(?P<year>今年|去年|前年|(?:\d{4})年)的?[前头](?P<n>\d{1,2}|[一二两三四五六七八九十]{1,2})个?(?P<unit>月|季度)"
)
_UNTIL_NOW: Final = regex(
    r"[到至](?:现在|目前|今日?|今天)|至今|以来|\bsince\b|\b(?:until|till|to) (?:now|today)\b"
)
_AGO: Final = {"今年": 0, "去年": 1, "前年": 2}
_MONTHS: Final = 12
_QUARTER: Final = 3

Days = tuple[date, date]


def first_of_year(text: str, today: date) -> Days | None:
    """The first months or quarters of a year; None where none are named.

    Args:
        text: The message in one spelling.
        today: The local day.
    """
    match = _FIRST.search(text)
    number = read_number(match["n"], 0) if match else None
    if match is None or number is None:
        return None
    said = match["year"]
    year = today.year - _AGO[said] if said in _AGO else int(said[:-1])
    months = int(number.value) * (_QUARTER if match["unit"] == "季度" else 1)
    if not 0 < months <= _MONTHS:
        return None
    last = date(year, months, 1) + timedelta(days=31)
    return date(year, 1, 1), last.replace(day=1)


def lasts_until_now(text: str) -> bool:
    """Whether a period goes on until the present day."""
    return _UNTIL_NOW.search(text) is not None
