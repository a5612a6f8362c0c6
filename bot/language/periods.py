"""Parts of longer periods: quarters, halves, ten-day stretches, the nth day or week."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from bot.language.results import Trouble
from bot.language.spans import Days, add_months, one_day
from bot.language.workdays import load_calendar

_SEASON_START: Final = {1: 3, 2: 6, 3: 9, 4: 12}
_HALF: Final = 6

Fixed = Callable[[int, int, date], Days]
"""A count, the year and today to a stretch of days."""


def _two_days(count: int, year: int, today: date) -> Days:
    del year
    start = today + timedelta(days=count)
    return Days(start, start + timedelta(days=2), "day", ranged=True)


def _workdays(count: int, year: int, today: date) -> Days:
    """The working day so many working days away."""
    del year
    calendar, day = load_calendar(), today
    step = timedelta(days=1 if count > 0 else -1)
    for _ in range(abs(count)):
        day += step
        while not calendar.is_workday(day):
            day += step
    return one_day(day)


def _months(first: date, months: int, grain: str) -> Days:
    return Days(first, add_months(first, months), grain, ranged=True)


def _decade(count: int, year: int, today: date) -> Days:
    del year, today
    return _months(date(count, 1, 1), 120, "year")


def _quarter(count: int, year: int, today: date) -> Days:
    del today
    return _months(date(year, 3 * count - 2, 1), 3, "quarter")


def _quarter_shift(count: int, year: int, today: date) -> Days:
    del year
    this = date(today.year, 3 * ((today.month - 1) // 3) + 1, 1)
    return _months(add_months(this, 3 * count), 3, "quarter")


def _last_day(quarter: Days) -> Days:
    return one_day(quarter.end - timedelta(days=1))


def _quarter_end(count: int, year: int, today: date) -> Days:
    """Of a quarter by its number; 0 is this one."""
    this = (today.month + 2) // 3
    return _last_day(_quarter(count or this, year, today))


def _quarter_shift_end(count: int, year: int, today: date) -> Days:
    return _last_day(_quarter_shift(count, year, today))


def _to_date(count: int, year: int, today: date) -> Days:
    """A year from its first day to the one that is today."""
    del count
    last = add_months(today, 12 * (year - today.year))
    return Days(date(year, 1, 1), last + timedelta(days=1), "day", ranged=True)


def _half_shift(count: int, year: int, today: date) -> Days:
    del year
    this = date(today.year, 1 if today.month <= _HALF else _HALF + 1, 1)
    return _months(add_months(this, 6 * count), 6, "month")


def _half_year(count: int, year: int, today: date) -> Days:
    del today
    return _months(date(year, 6 * count - 5, 1), 6, "month")


def _season(count: int, year: int, today: date) -> Days:
    del today
    return _months(date(year, _SEASON_START[count], 1), 3, "month")


_FIXED: Final[dict[str, Fixed]] = {
    "two_days": _two_days,
    "workdays": _workdays,
    "decade": _decade,
    "quarter": _quarter,
    "quarter_shift": _quarter_shift,
    "quarter_end": _quarter_end,
    "quarter_shift_end": _quarter_shift_end,
    "to_date": _to_date,
    "half_shift": _half_shift,
    "half_year": _half_year,
    "season": _season,
}


def fixed_period(name: str, count: int, year: int, today: date) -> Days | None:
    """The stretch of a period that needs no longer one around it; None for the others."""
    build = _FIXED.get(name)
    return None if build is None else build(count, year, today)


def part_of(name: str, count: int, around: Days) -> Days:
    """The half, ten days, nth day or first weeks of a longer stretch.

    Raises:
        Trouble: It has no such part.
    """
    if name == "half_month":
        middle = around.start + timedelta(days=15)
        halves = ((around.start, middle), (middle, around.end))
        return _stretch(*halves[count - 1])
    if name == "tenday":
        edges = [around.start + timedelta(days=d) for d in (0, 10, 20)] + [around.end]
        return _stretch(edges[count - 1], edges[count])
    place, _, unit = name.partition("_")
    if unit == "workday":
        return _workday_within(place, count, around)
    if unit == "month":
        first = around.start if place == "first" else add_months(around.end, -count)
        return _months(first, count, "month")
    return _counted(place, unit, count, around)


def _workday_within(place: str, count: int, around: Days) -> Days:
    """The nth working day from the first, or the last."""
    calendar, step = load_calendar(), timedelta(days=1 if place == "nth" else -1)
    day = around.start if place == "nth" else around.end - timedelta(days=1)
    while around.start <= day < around.end:
        if calendar.is_workday(day):
            count -= 1
            if not count:
                return one_day(day)
        day += step
    raise Trouble("no_such_date", status="reject")


def _stretch(start: date, end: date) -> Days:
    return Days(start, end, "day", ranged=True)


def _counted(place: str, unit: str, count: int, around: Days) -> Days:
    """Days and weeks counted from the first day or Monday, or back from the last."""
    step = timedelta(days=1) if unit == "day" else timedelta(weeks=1)
    monday = around.start + timedelta(days=-around.start.weekday() % 7)
    start = around.start if unit == "day" else monday
    end = around.end if unit == "day" else around.end - timedelta(days=around.end.weekday())
    if place == "nth":
        start += step * (count - 1)
        if start >= around.end:
            raise Trouble("no_such_date", status="reject")
        return Days(start, start + step, unit)
    if unit == "day" and count == 1:
        return one_day(start if place == "first" else end - step)
    if place == "first":
        return Days(start, start + step * count, unit, ranged=True)
    return Days(end - step * count, end, unit, ranged=True)
