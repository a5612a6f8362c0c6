"""Stretches of days, and steps by the calendar."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from bot.language.results import Trouble
from bot.language.slots import Length

_MIN_YEAR: Final = 1
_MAX_YEAR: Final = 9998


@dataclass(frozen=True, slots=True)
class Days:
    """A stretch of days.

    Attributes:
        start: The first day.
        end: The day after the last.
        grain: What kind of stretch was named.
        ranged: It was said as a stretch, not as one period.
        adjusted: The day was moved to fit the month.
    """

    start: date
    end: date
    grain: str
    ranged: bool = False
    adjusted: bool = False


def one_day(day: date, *, adjusted: bool = False) -> Days:
    """A single day."""
    return Days(day, day + timedelta(days=1), "day", adjusted=adjusted)


def add_months(day: date, months: int) -> date:
    """The same day some months on, or the last day of that month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not _MIN_YEAR <= year <= _MAX_YEAR:
        raise Trouble("too_far", status="reject")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def shifted(now: datetime, length: Length, sign: int) -> datetime:
    """A naive local time some length away; months and years by the calendar.

    Raises:
        Trouble: It is out of all reach.
    """
    moment, months, rest = now, 0, timedelta()
    try:
        for unit, count in length.parts:
            if unit in ("month", "quarter", "year", "decade"):
                factor = {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
                whole = int(count * factor)
                months += whole
                rest += timedelta(days=30 * float(count * factor - whole))
            else:
                part = Length(((unit, count),))
                rest += timedelta(seconds=part.seconds())
        day = add_months(moment.date(), sign * months)
        return datetime.combine(day, moment.time()) + sign * rest
    except (OverflowError, ValueError):
        raise Trouble("too_far", status="reject") from None


def month_of(first: date) -> Days:
    """The month that begins on a day."""
    return Days(first, add_months(first, 1), "month")
