"""The days, weeks, months or years that a stretch of days is split into."""

from datetime import date, timedelta

from bot.core.words import Verbatim, Words
from bot.language.ledger_breakdowns import Grain
from bot.locales.moments import day_words

MOST_PARTS = 31
_WIDER: dict[Grain, Grain] = {"day": "month", "week": "month", "month": "year"}
_WEEKS, _YEARS = 8, 5

Stretch = tuple[date, date]


def parts_of(
    grain: Grain, since: date | None, until: date | None, today: date
) -> tuple[Grain, tuple[Stretch, ...]]:
    """Return the parts, the earliest first; longer ones where there would be too many.

    Without a stretch those that are usually meant; what has not come is left out.
    """
    first = since or _usual(grain, today)
    last = until if until and since and since > today else today + timedelta(days=1)
    last = min(last, until) if until else last
    parts: list[Stretch] = []
    start = first
    while start < last and len(parts) <= MOST_PARTS:
        end = min(_next(start, grain), last)
        parts.append((start, end))
        start = end
    if len(parts) > MOST_PARTS and grain in _WIDER:
        return parts_of(_WIDER[grain], first, last, today)
    return grain, tuple(parts)


def _usual(grain: Grain, today: date) -> date:
    """Return where a breakdown begins that names no stretch."""
    if grain == "day":
        return today.replace(day=1)
    if grain == "week":
        return today - timedelta(days=today.weekday(), weeks=_WEEKS - 1)
    return date(today.year - (_YEARS - 1 if grain == "year" else 0), 1, 1)


def _next(day: date, grain: Grain) -> date:
    """Return the first day of the part after the one that a day is in."""
    if grain == "day":
        return day + timedelta(days=1)
    if grain == "week":
        return day + timedelta(days=7 - day.weekday())
    if grain == "year":
        return date(day.year + 1, 1, 1)
    return (day.replace(day=1) + timedelta(days=31)).replace(day=1)


def part_words(grain: Grain, part: Stretch, locale: str) -> Words:
    """Return how a part is called."""
    since, last = part[0], part[1] - timedelta(days=1)
    match grain:
        case "day":
            return Verbatim(day_words(since, locale))
        case "week":
            return Verbatim(f"{since:%m-%d} – {last:%m-%d}")
        case "month":
            return Verbatim(f"{since:%Y-%m}")
        case "year":
            return Verbatim(f"{since:%Y}")
