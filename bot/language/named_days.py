"""Festivals and days of the lunar calendar, in the year that is meant."""

from datetime import date, timedelta
from typing import Final

from bot.language.festivals import festival_date
from bot.language.lunar import lunar_month_of, lunar_to_solar, lunar_year_of
from bot.language.nearest import nearest
from bot.language.results import Context, Trouble
from bot.language.slots import Slots
from bot.language.spans import Days, one_day
from bot.language.workdays import load_calendar

_DECEMBER: Final = 12


def festival_of(slots: Slots, context: Context, year: int | None) -> Days:
    """The festival of a year, else the nearest.

    Raises:
        Trouble: It is not held in that year.
    """
    if year is not None:
        found = festival_date(slots.festival, year)
        if found is None:
            raise Trouble("no_such_date", status="reject")
        return _festival_days(slots, found)
    base = context.now.year
    dates = [festival_date(slots.festival, y) for y in range(base - 2, base + 3)]
    return _festival_days(slots, nearest([d for d in dates if d], context, slots))


def _festival_days(slots: Slots, day: date) -> Days:
    """The festival itself, or the days off around it where they are official: 国庆期间."""
    calendar = load_calendar()
    if slots.period != "holiday" or not calendar.is_holiday(day):
        return one_day(day)
    first, last = calendar.holiday_of(day)
    return Days(first, last + timedelta(days=1), "day", ranged=True)


def lunar_of(slots: Slots, context: Context, year: int | None) -> Days:
    """A lunar month, or a day of it, of a year, else the nearest.

    Raises:
        Trouble: No such day in reach.
    """
    month, day = slots.month or 1, slots.day or 1
    years = [year] if year is not None else range(context.now.year - 2, context.now.year + 3)
    if slots.leap and year is None:
        years = range(context.now.year - 1, context.now.year + 40)
    dates = [d for y in years if (d := lunar_to_solar(y, month, day, leap=slots.leap))]
    if not dates:
        raise Trouble("no_such_date", status="reject")
    found = dates[0] if year is not None else nearest(dates, context, slots)
    if slots.day is None:
        following = lunar_to_solar(lunar_year_of(found), month, -1, leap=slots.leap)
        end = (following or found) + timedelta(days=1)
        return Days(found, end, "month")
    return one_day(found)


def lunar_day_of(slots: Slots, context: Context, year: int | None) -> Days:
    """初八 without a month: the next such lunar day.

    Raises:
        Trouble: There is none, or a year is named without a month.
    """
    if year is not None:
        raise Trouble("which_month")
    this_year, month = lunar_month_of(context.now.date())
    dates: list[date] = []
    for step in range(-2, 4):
        y, m = divmod(this_year * _DECEMBER + month - 1 + step, _DECEMBER)
        found = lunar_to_solar(y, m + 1, slots.day or 1)
        if found is not None:
            dates.append(found)
    if not dates:
        raise Trouble("no_such_date", status="reject")
    return one_day(nearest(dates, context, slots))
