"""Lunar dates and the festivals that move: solar dates by borax, loaded when first needed."""

from datetime import date, timedelta

FIRST_YEAR = 1901
LAST_YEAR = 2099
_LAST_MONTH = 12
_EASTER_BASE = 22


def lunar_to_solar(year: int, month: int, day: int, *, leap: bool = False) -> date | None:
    """The solar date of a lunar one; day -1 is the last of the month; None where there is none.

    Day 30 of a month with 29 days has no date here: the caller decides to clamp or to ask.
    """
    from borax.calendars.lunardate import LCalendars, LunarDate  # noqa: PLC0415

    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        days = int(LCalendars.ndays(year, month, int(leap)))
        found = LunarDate(year, month, days if day == -1 else day, int(leap)).to_solar_date()
    except (ValueError, IndexError, KeyError):
        return None
    return date(found.year, found.month, found.day)


def lunar_year_of(day: date) -> int:
    """The lunar year in which a solar date lies."""
    new_year = lunar_to_solar(day.year, 1, 1)
    return day.year if new_year is None or day >= new_year else day.year - 1


def lunar_month_of(day: date) -> tuple[int, int]:
    """The lunar year and month in which a solar date lies; a leap month counts as its namesake."""
    from borax.calendars.lunardate import LunarDate  # noqa: PLC0415

    if not FIRST_YEAR < day.year <= LAST_YEAR:
        return day.year, day.month
    found = LunarDate.from_solar_date(day.year, day.month, day.day)
    return int(found.year), int(found.month)


def lunar_words(day: date) -> str:
    """The lunar month and day of a solar date in Chinese; empty outside of the tables."""
    from borax.calendars.lunardate import LunarDate  # noqa: PLC0415

    if not FIRST_YEAR < day.year <= LAST_YEAR:
        return ""
    found = LunarDate.from_solar_date(day.year, day.month, day.day)
    return f"{found.cn_leap}{found.cn_month}月{found.cn_day}"


def new_years_eve(year: int) -> date | None:
    """The last day of a lunar year: the 29th or the 30th of its twelfth month."""
    return lunar_to_solar(year, _LAST_MONTH, -1)


def solar_term(year: int, name: str) -> date | None:
    """The date of one of the 24 solar terms in a year."""
    from borax.calendars.lunardate import TERMS_CN, TermUtils  # noqa: PLC0415

    try:
        index = TERMS_CN.index(name)
        found = TermUtils.nth_term_day(year, index)
    except (ValueError, IndexError, KeyError):
        return None
    return date(found.year, found.month, found.day)


def easter(year: int) -> date:
    """Easter Sunday of a year, by the anonymous Gregorian rule."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    j = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * j) // 451
    return date(year, 3, _EASTER_BASE) + timedelta(days=h + j - 7 * m)
