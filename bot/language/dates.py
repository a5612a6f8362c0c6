"""Which day or period the slots mean, seen from now."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from bot.language.clocks import DEFAULT_HOUR
from bot.language.festivals import festival_date, nth_weekday
from bot.language.lunar import lunar_month_of, lunar_to_solar, lunar_year_of
from bot.language.results import Context, Trouble
from bot.language.slots import Length, Slots
from bot.language.workdays import load_calendar

_DECEMBER: Final = 12
_NEAR: Final = 60
_NIGHT_ENDS: Final = 5
_MIN_YEAR: Final = 1
_MAX_YEAR: Final = 9998
_SATURDAY: Final = 5
_SEASON_START: Final = {1: 3, 2: 6, 3: 9, 4: 12}


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


def _days_of(slots: Slots, context: Context) -> Days | None:  # noqa: C901, PLR0911
    today = context.now.date()
    year = slots.year
    if slots.year_shift is not None:
        year = today.year + slots.year_shift
    if year is not None and not _MIN_YEAR < year < _MAX_YEAR:
        raise Trouble("too_far", status="reject")
    if slots.festival:
        return _festival(slots, context, year)
    if slots.lunar and slots.month is not None:
        return _lunar(slots, context, year)
    if slots.lunar and slots.day is not None:
        return _lunar_day_only(slots, context)
    if slots.nth is not None and slots.weekday is not None:
        return _nth(slots, context, year)
    if slots.period:
        return _period(slots, context, year)
    if slots.day_shift is not None:
        return _counted_day(slots, context, year)
    if slots.month is not None or slots.day is not None or slots.month_shift is not None:
        return _month_or_day(slots, context, year)
    if slots.weekday is not None or slots.week_shift is not None or slots.unit == "weekend":
        return _week(slots, context)
    if year is not None:
        return Days(date(year, 1, 1), date(year + 1, 1, 1), "year")
    return None


def _festival(slots: Slots, context: Context, year: int | None) -> Days:
    if year is not None:
        found = festival_date(slots.festival, year)
        if found is None:
            raise Trouble("no_such_date", status="reject")
        return one_day(found)
    base = context.now.year
    dates = [festival_date(slots.festival, y) for y in range(base - 2, base + 3)]
    return one_day(_choose([d for d in dates if d], context, slots))


def _lunar(slots: Slots, context: Context, year: int | None) -> Days:
    month, day = slots.month or 1, slots.day or 1
    years = [year] if year is not None else range(context.now.year - 2, context.now.year + 3)
    if slots.leap and year is None:
        years = range(context.now.year - 1, context.now.year + 40)
    dates = [d for y in years if (d := lunar_to_solar(y, month, day, leap=slots.leap))]
    if not dates:
        raise Trouble("no_such_date", status="reject")
    found = dates[0] if year is not None else _choose(dates, context, slots)
    if slots.day is None:
        following = lunar_to_solar(lunar_year_of(found), month, -1, leap=slots.leap)
        end = (following or found) + timedelta(days=1)
        return Days(found, end, "month")
    return one_day(found)


def _lunar_day_only(slots: Slots, context: Context) -> Days:
    """初八 without a month: the next such lunar day."""
    year, month = lunar_month_of(context.now.date())
    dates: list[date] = []
    for step in range(-2, 4):
        y, m = divmod(year * _DECEMBER + month - 1 + step, _DECEMBER)
        found = lunar_to_solar(y, m + 1, slots.day or 1)
        if found is not None:
            dates.append(found)
    if not dates:
        raise Trouble("no_such_date", status="reject")
    return one_day(_choose(dates, context, slots))


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
    return one_day(_choose(dates, context, slots))


def _counted_day(slots: Slots, context: Context, year: int | None) -> Days:
    shift = slots.day_shift or 0
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


def _month_or_day(slots: Slots, context: Context, year: int | None) -> Days:  # noqa: C901
    today = context.now.date()
    if slots.month_shift is not None:
        first = add_months(today.replace(day=1), slots.month_shift)
        return _within_month(slots, first)
    if slots.month is None:
        return _day_only(slots, context, year)
    if year is not None:
        return _within_month(slots, _existing(year, slots.month, 1))
    years = range(today.year - 1, today.year + 3)
    if slots.day is None:
        starts = [_existing(y, slots.month, 1) for y in years]
        this = _existing(today.year, slots.month, 1)
        if context.mode == "ledger" or slots.side < 0:
            chosen = max(s for s in starts if s <= today)
        else:
            chosen = this if this >= today.replace(day=1) else starts[2]
        return _month(chosen)
    dates = [d for y in years if (d := _try(y, slots.month, slots.day))]
    if not dates:
        dates = [
            d for y in range(today.year, today.year + 9) if (d := _try(y, slots.month, slots.day))
        ]
        if not dates or context.mode == "reminder":
            raise Trouble("no_such_date", status="reject" if not dates else "ask")
    if slots.weekday is not None and slots.week_shift is None:
        if context.mode == "reminder":
            return one_day(_matching(_choose(dates, context, slots), slots.weekday))
        matching = [d for d in dates if d.weekday() == slots.weekday]
        near = min((d for d in matching), key=lambda d: abs((d - today).days), default=None)
        if near is None:
            raise Trouble("weekday_mismatch")
        return one_day(near)
    return one_day(_choose(dates, context, slots))


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
        return _month(first)
    return one_day(_existing(first.year, first.month, slots.day))


def _month(first: date) -> Days:
    return Days(first, add_months(first, 1), "month")


def _day_only(slots: Slots, context: Context, year: int | None) -> Days:
    today, day = context.now.date(), slots.day or 1
    if year is not None:
        raise Trouble("which_month")
    first = today.replace(day=1)
    firsts = [add_months(first, shift) for shift in range(-2, 4)]
    dates = [d for f in firsts if (d := _try(f.year, f.month, day))]
    chosen = _choose(dates, context, slots)
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


def _week(slots: Slots, context: Context) -> Days:
    today = context.now.date()
    monday = today - timedelta(days=today.weekday())
    if slots.unit == "weekend":
        start = monday + timedelta(days=_SATURDAY + 7 * (slots.week_shift or 0))
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


def _choose(dates: list[date], context: Context, slots: Slots) -> date:
    """The one of several years or months that is meant: the next, or in the ledger the last."""
    today = context.now.date()
    ahead = min((d for d in dates if d >= today), default=None)
    behind = max((d for d in dates if d <= today), default=None)
    if slots.side < 0 and dates:
        return max((d for d in dates if d < today), default=dates[0])
    if context.mode == "ledger":
        if behind is None:
            raise Trouble("future")
        if ahead is not None and ahead != today and slots.month is not None:  # noqa: SIM102
            if (ahead - today).days < _NEAR < (today - behind).days:
                raise Trouble("future")
        return behind
    if ahead is None:
        raise Trouble("past")
    return ahead


def _period(slots: Slots, context: Context, year: int | None) -> Days:  # noqa: C901, PLR0911
    name, _, number = slots.period.partition(":")
    count, today = int(number), context.now.date()
    base_year = year if year is not None else today.year
    if name == "two_days":
        start = today + timedelta(days=1)
        return Days(start, start + timedelta(days=2), "day", ranged=True)
    if name == "workdays":
        return one_day(_workday(today, count))
    if name == "decade":
        return Days(date(count, 1, 1), date(count + 10, 1, 1), "year", ranged=True)
    if name == "quarter":
        first = date(base_year, 3 * count - 2, 1)
        return Days(first, add_months(first, 3), "quarter", ranged=True)
    if name == "quarter_shift":
        first = add_months(date(today.year, 3 * ((today.month - 1) // 3) + 1, 1), 3 * count)
        return Days(first, add_months(first, 3), "quarter", ranged=True)
    if name == "half_shift":
        first = add_months(date(today.year, 1 if today.month <= 6 else 7, 1), 6 * count)  # noqa: PLR2004
        return Days(first, add_months(first, 6), "month", ranged=True)
    if name == "half_year":
        first = date(base_year, 6 * count - 5, 1)
        return Days(first, add_months(first, 6), "month", ranged=True)
    if name == "season":
        first = date(base_year, _SEASON_START[count], 1)
        return Days(first, add_months(first, 3), "month", ranged=True)
    around = _around(slots, context, year)
    if name == "half_month":
        middle = around.start + timedelta(days=15)
        return _stretch(around.start, middle) if count == 1 else _stretch(middle, around.end)
    if name == "tenday":
        edges = [around.start + timedelta(days=d) for d in (0, 10, 20)] + [around.end]
        return _stretch(edges[count - 1], edges[count])
    return _counted_period(name, count, around)


def _workday(day: date, count: int) -> date:
    """The working day so many working days away."""
    calendar = load_calendar()
    step = timedelta(days=1 if count > 0 else -1)
    for _ in range(abs(count)):
        day += step
        while not calendar.is_workday(day):
            day += step
    return day


def _stretch(start: date, end: date) -> Days:
    return Days(start, end, "day", ranged=True)


def _around(slots: Slots, context: Context, year: int | None) -> Days:
    """The year or month of which a part is meant."""
    today = context.now.date()
    if slots.month is not None or slots.month_shift is not None:
        return _month_or_day(
            Slots(month=slots.month, month_shift=slots.month_shift, year=slots.year), context, year
        )
    yearly = slots.period.startswith(("nth_", "first_", "last_"))
    if year is not None or yearly:
        first = date(year or today.year, 1, 1)
        return Days(first, date(first.year + 1, 1, 1), "year")
    return _month(today.replace(day=1))


def _counted_period(name: str, count: int, around: Days) -> Days:
    """The nth day or week, the first two weeks, the last three days of a period."""
    place, _, unit = name.partition("_")
    monday = around.start + timedelta(days=-around.start.weekday() % 7)
    if place == "nth":
        step = timedelta(days=1) if unit == "day" else timedelta(weeks=1)
        start = (around.start if unit == "day" else monday) + step * (count - 1)
        if start >= around.end:
            raise Trouble("no_such_date", status="reject")
        return Days(start, start + step, unit)
    if unit == "month":
        first = add_months(around.start, 0) if place == "first" else add_months(around.end, -count)
        return Days(first, add_months(first, count), "month", ranged=True)
    if unit == "day" and count == 1:
        return one_day(around.start if place == "first" else around.end - timedelta(days=1))
    step = timedelta(days=1) if unit == "day" else timedelta(weeks=1)
    if place == "first":
        start = around.start if unit == "day" else monday
        return Days(start, start + step * count, unit, ranged=True)
    end = around.end if unit == "day" else around.end - timedelta(days=around.end.weekday())
    return Days(end - step * count, end, unit, ranged=True)
