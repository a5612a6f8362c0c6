"""Which day or period the slots mean, seen from now."""

from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final

from bot.language.clocks import DEFAULT_HOUR
from bot.language.festivals import nth_weekday
from bot.language.named_days import festival_of, lunar_day_of, lunar_of
from bot.language.nearest import nearest
from bot.language.periods import fixed_period, part_of
from bot.language.results import Context, Trouble
from bot.language.slots import Slots
from bot.language.spans import Days, add_months, month_of, one_day

_DECEMBER: Final = 12
_NIGHT_ENDS: Final = 5
_MIN_YEAR: Final = 1
_MAX_YEAR: Final = 9998
_SATURDAY: Final = 5
_LONGEST_MONTH: Final = 31
_OF_WHAT: Final = frozenset({"nth_day", "nth_workday", "last_workday"})
"""They mean nothing without the month or year that they are counted in."""


def days_of(slots: Slots, context: Context) -> Days | None:
    """The day or period the slots mean; None when they say nothing about the date.

    Raises:
        Trouble: There is no such day, or several are meant.
    """
    if slots.fault == "no_such_date":
        raise Trouble("no_such_date", status="reject")
    try:
        found = _days_of(slots, context)
    except (OverflowError, ValueError):
        raise Trouble("too_far", status="reject") from None
    if found is not None and slots.weekday is not None and _is_dated(slots):
        _check_weekday(slots, found)
    return found


def _is_dated(slots: Slots) -> bool:
    return slots.nth is None and (slots.day is not None or slots.day_shift is not None)


def _check_weekday(slots: Slots, found: Days) -> None:
    if found.start.weekday() != slots.weekday:
        raise Trouble("weekday_mismatch")


def _days_of(slots: Slots, context: Context) -> Days | None:
    today = context.now.date()
    year = slots.year if slots.year_shift is None else today.year + slots.year_shift
    if year is not None and not _MIN_YEAR < year < _MAX_YEAR:
        raise Trouble("too_far", status="reject")
    for applies, read in _KINDS:
        if applies(slots):
            return read(slots, context, year)
    return None if year is None else Days(date(year, 1, 1), date(year + 1, 1, 1), "year")


def _nth(slots: Slots, context: Context, year: int | None) -> Days:
    nth, weekday = slots.nth or 1, slots.weekday or 0
    today = context.now.date()
    if slots.month_shift is not None:
        first = add_months(today.replace(day=1), slots.month_shift)
        months = [(first.year, first.month)]
    elif slots.month is not None:
        years = [year] if year is not None else [today.year - 1, today.year, today.year + 1]
        months = [(y, slots.month) for y in years]
    elif year is not None:
        raise Trouble("which_month")
    else:
        following = add_months(today.replace(day=1), 1)
        months = [(today.year, today.month), (following.year, following.month)]
    if any(not 1 <= m <= _DECEMBER for _, m in months):
        raise Trouble("no_such_date", status="reject")
    ahead = [m for m in months if m >= (today.year, today.month)]
    dates = [d for y, m in months if (d := nth_weekday(y, m, weekday, nth))]
    if not dates or (ahead and nth_weekday(*ahead[0], weekday, nth) is None):
        raise Trouble("no_such_date", status="reject")
    if len(months) == 1:
        return one_day(dates[0])
    return one_day(nearest(dates, context, slots))


def _counted_day(slots: Slots, context: Context, year: int | None) -> Days:
    shift = (slots.day_shift or 0) + 7 * (slots.week_shift or 0)
    day = add_months(context.now.date() + timedelta(days=shift), slots.month_shift or 0)
    if year is not None:
        day = add_months(day, 12 * (year - context.now.year))
    if slots.day is not None:
        stated = _existing(year or day.year, slots.month or day.month, slots.day)
        if stated != day:
            options = tuple(datetime.combine(d, time(DEFAULT_HOUR)) for d in (day, stated))
            raise Trouble("contradiction", candidates=options)
    if context.mode == "reminder" and shift == 1 and context.now.hour < _NIGHT_ENDS:
        raise Trouble("which_tomorrow")
    return one_day(day)


def _existing(year: int, month: int, day: int) -> date:
    if not 1 <= month <= _DECEMBER or not _MIN_YEAR < year < _MAX_YEAR:
        raise Trouble("no_such_date", status="reject")
    size = monthrange(year, month)[1]
    if day < 0:
        return date(year, month, size + 1 + day)
    if day > size:
        raise Trouble("no_such_date", status="reject")
    return date(year, month, day)


def _month_or_day(slots: Slots, context: Context, year: int | None) -> Days:
    today = context.now.date()
    if slots.month_shift is not None:
        return _within_month(slots, add_months(today.replace(day=1), slots.month_shift))
    if slots.month is None:
        return _day_only(slots, context, year)
    if year is not None:
        return _within_month(slots, _existing(year, slots.month, 1))
    if slots.day is None:
        return _next_month(slots, context)
    return one_day(_next_date(slots, slots.month, slots.day, context))


def _next_month(slots: Slots, context: Context) -> Days:
    """A month without a year: this one or the next of its name; in the ledger the last."""
    today = context.now.date()
    starts = [
        _existing(year, slots.month or 1, 1) for year in range(today.year - 1, today.year + 2)
    ]
    if context.mode == "ledger" or slots.side < 0:
        return month_of(max(start for start in starts if start <= today))
    return month_of(min(start for start in starts if start >= today.replace(day=1)))


def _next_date(slots: Slots, month: int, day: int, context: Context) -> date:
    """A day of a month without a year."""
    today = context.now.date()
    years = range(today.year - 1, today.year + 9)
    dates = [found for year in years if (found := _try(year, month, day))]
    if not dates:
        raise Trouble("no_such_date", status="reject")
    if slots.weekday is None or slots.week_shift is not None:
        return nearest(dates, context, slots)
    if context.mode == "reminder":
        return _matching(nearest(dates, context, slots), slots.weekday)
    near = [
        found
        for found in dates
        if found.weekday() == slots.weekday and found.year < today.year + 3
    ]
    if not near:
        raise Trouble("weekday_mismatch")
    return min(near, key=lambda found: abs((found - today).days))


def _matching(day: date, weekday: int) -> date:
    """The day, when it is that weekday; else both readings are asked."""
    if day.weekday() == weekday:
        return day
    other = day + timedelta(days=(weekday - day.weekday() + 3) % 7 - 3)
    options = tuple(datetime.combine(d, time(DEFAULT_HOUR)) for d in (day, other))
    raise Trouble("weekday_mismatch", candidates=options)


def _try(year: int, month: int, day: int) -> date | None:
    try:
        return _existing(year, month, day)
    except Trouble:
        return None


def _within_month(slots: Slots, first: date) -> Days:
    if slots.day is None:
        return month_of(first)
    return one_day(_existing(first.year, first.month, slots.day))


def _day_only(slots: Slots, context: Context, year: int | None) -> Days:
    today, day = context.now.date(), slots.day or 1
    if year is not None:
        raise Trouble("which_month")
    first = today.replace(day=1)
    firsts = [add_months(first, shift) for shift in range(-2, 4)]
    dates = [d for f in firsts if (d := _try(f.year, f.month, day))]
    chosen = nearest(dates, context, slots)
    month_wanted = first if day < 0 or day >= today.day else add_months(first, 1)
    if (
        context.mode == "reminder"
        and (chosen.year, chosen.month)
        != (
            month_wanted.year,
            month_wanted.month,
        )
        and day > monthrange(month_wanted.year, month_wanted.month)[1]
    ):
        raise Trouble("no_such_day_this_month")
    return one_day(chosen)


def _week(slots: Slots, context: Context, year: int | None) -> Days:
    del year
    today = context.now.date()
    monday = today - timedelta(days=today.weekday())
    if slots.unit == "weekend":
        start = monday + timedelta(days=_SATURDAY + 7 * (slots.week_shift or 0))
        if context.mode == "ledger" and slots.week_shift is None and start > today:
            start -= timedelta(days=7)
        return Days(start, start + timedelta(days=2), "day", ranged=True)
    if slots.weekday is None:
        start = monday + timedelta(weeks=slots.week_shift or 0)
        return Days(start, start + timedelta(days=7), "week")
    if slots.week_shift is not None and not (slots.english and slots.week_shift == 0):
        return one_day(monday + timedelta(days=slots.weekday + 7 * slots.week_shift))
    ahead = (slots.weekday - today.weekday()) % 7
    if context.mode == "ledger":
        return one_day(today - timedelta(days=(today.weekday() - slots.weekday) % 7))
    if ahead == 0 and slots.english and not slots.has_clock() and not slots.part:
        ahead = 7
    day = today + timedelta(days=ahead)
    return one_day(day)


def _period(slots: Slots, context: Context, year: int | None) -> Days:
    name, _, number = slots.period.partition(":")
    count, today = int(number), context.now.date()
    found = fixed_period(name, count, today.year if year is None else year, today)
    return part_of(name, count, _around(slots, context, year)) if found is None else found


def _around(slots: Slots, context: Context, year: int | None) -> Days:
    """The year or month of which a part is meant."""
    today = context.now.date()
    if slots.month is not None or slots.month_shift is not None:
        return _month_or_day(
            Slots(month=slots.month, month_shift=slots.month_shift, year=slots.year), context, year
        )
    place, _, count = slots.period.partition(":")
    if year is None and place in _OF_WHAT and int(count) <= _LONGEST_MONTH:
        raise Trouble("which_month")
    yearly = slots.period.startswith(("nth_", "first_", "last_"))
    if year is not None or yearly:
        first = date(year or today.year, 1, 1)
        return Days(first, date(first.year + 1, 1, 1), "year")
    return month_of(today.replace(day=1))


def _is_month_or_day(slots: Slots) -> bool:
    return any(part is not None for part in (slots.month, slots.day, slots.month_shift))


def _is_week(slots: Slots) -> bool:
    return slots.weekday is not None or slots.week_shift is not None or slots.unit == "weekend"


_KINDS: Final[
    tuple[
        tuple[Callable[[Slots], bool], Callable[[Slots, Context, int | None], Days]],
        ...,
    ]
] = (
    (lambda slots: bool(slots.festival), festival_of),
    (lambda slots: slots.lunar and slots.month is not None, lunar_of),
    (lambda slots: slots.lunar and slots.day is not None, lunar_day_of),
    (lambda slots: slots.nth is not None and slots.weekday is not None, _nth),
    (lambda slots: bool(slots.period), _period),
    (lambda slots: slots.day_shift is not None, _counted_day),
    (_is_month_or_day, _month_or_day),
    (_is_week, _week),
)
"""Which slots decide how a date is read; the first that applies wins."""
