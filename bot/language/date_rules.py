"""The grammar of dates: days, months, years, festivals, lunar and English dates."""

from dataclasses import replace
from decimal import Decimal
from typing import Final

from bot.language.rules import (
    DAYS,
    FOUR_DIGITS,
    MONTHS,
    TEN,
    TOO_LARGE,
    Build,
    Match,
    Rule,
    constant,
    is_whole,
    token_slot,
    whole_number,
    written,
)
from bot.language.slots import Length, Slots
from bot.language.tokens import full_year

_YEAR_LOW: Final = 1000
_LUNAR_DAYS: Final = 30
_LONGEST_ERA: Final = 199
_LIKELY_YEARS: Final = range(1900, 2101)


def _year(m: Match, text: str) -> Slots | None:
    token = m[0]
    if token is None or not is_whole(token):
        return None
    value, size = int(token.number), token.end - token.start
    if token.name in ("arabic", "digits") and size in (2, FOUR_DIGITS):
        year = full_year(value, written(token, text) if token.name == "arabic" else "00"[:size])
        return Slots(year=year) if year >= _YEAR_LOW else None
    return None


def _bare_year(m: Match, text: str) -> Slots | None:
    token = m[0]
    if token is None or token.name != "arabic" or token.end - token.start != FOUR_DIGITS:
        return None
    value = int(token.number) if is_whole(token) else 0
    del text
    return Slots(year=value) if value in _LIKELY_YEARS else None


def month_of(m: Match, text: str) -> Slots | None:
    """A month by its number."""
    del text
    token = m[0]
    if not is_whole(token) or (token is not None and token.name == "en"):
        return None
    value = whole_number(token)
    if not 1 <= value <= MONTHS:
        return None
    return Slots(month=value)


def _month_day(m: Match, text: str) -> Slots | None:
    slots = month_of(m, text)
    token = m[2]
    if slots is None and m[-1] is not m[2] and is_whole(m[0]) and whole_number(m[0]) < TOO_LARGE:
        return Slots(month=whole_number(m[0]), fault="no_such_date")
    if (
        slots is None
        or token is None
        or not is_whole(token)
        or not 1 <= whole_number(token) <= DAYS
    ):
        return None
    return replace(slots, day=whole_number(token))


def day_of(m: Match, text: str) -> Slots | None:
    """A day of the month, or a fault."""
    token = m[0]
    if token is None or not is_whole(token) or token.name == "en":
        return None
    value = whole_number(token)
    if value < 1 or written(token, text) == "两":
        return None
    return Slots(day=value) if value <= DAYS else Slots(day=value, fault="no_such_date")


def _lunar_day(m: Match, text: str) -> Slots | None:
    del text
    value = whole_number(m[-1])
    limit = TEN if m[0] is not None and m[0].kind == "chu" else _LUNAR_DAYS
    return Slots(day=value, lunar=True) if 1 <= value <= limit else None


def date_of(m: Match, text: str) -> Slots | None:
    """A date written in figures."""
    del text
    token = m[0]
    if token is None:
        return None
    year, month, day = token.fields
    return Slots(
        year=year or None,
        month=month,
        day=day or None,
        unsure=token.name == "unsure",
        fault="" if month <= MONTHS and day <= DAYS and month else "no_such_date",
    )


def _english_month_day(month: int, day: int, year: int | None = None) -> Build:
    def build(m: Match, text: str) -> Slots | None:
        month_token, day_token = m[month], m[day]
        if month_token is None or day_token is None or not 1 <= whole_number(day_token) <= DAYS:
            return None
        if day_token.kind == "num" and (not is_whole(day_token) or day_token.name == "zh"):
            return None
        slots = Slots(month=month_token.n, day=whole_number(day_token), english=True)
        year_token = m[year] if year is not None else None
        if year_token is None:
            return slots
        figures = written(year_token, text)
        if not is_whole(year_token) or len(figures) not in (2, FOUR_DIGITS):
            return None
        return replace(slots, year=full_year(int(year_token.number), figures))

    return build


def _english_month_year(m: Match, text: str) -> Slots | None:
    token = m[-1]
    year = _bare_year(m[-1:], text)
    if token is not None and token.name == "arabic" and DAYS < token.number < TOO_LARGE:
        year = Slots(year=full_year(int(token.number)))
    return None if year is None or m[0] is None else replace(year, month=m[0].n, english=True)


def _dir_month(m: Match, text: str) -> Slots | None:
    """This september, last march."""
    del text
    direction, month = m[0], m[1]
    if direction is None or month is None or abs(direction.n) > 1:
        return None
    return Slots(month=month.n, side=direction.n, english=True)


def _era_year(m: Match, text: str) -> Slots | None:
    """民国三年, 康熙二十年."""
    del text
    era, number = m[0], m[1]
    if era is None or not 1 <= whole_number(number) <= _LONGEST_ERA:
        return None
    return Slots(year=era.n + whole_number(number))


def _english_day(m: Match, text: str) -> Slots | None:
    """On the 15th; the first time is no date."""
    at, token = m[0], m[1]
    if at is None or token is None or not text[token.start].isdigit() or token.n > DAYS:
        return None
    return Slots(day=token.n, english=True) if written(at, text) in ("on", "the") else None


def _day_word(m: Match, text: str) -> Slots | None:
    token = m[0]
    if token is None:
        return None
    return Slots(day_shift=token.n, part=token.name, english=written(token, text).isascii())


def _weekday_week(m: Match, text: str) -> Slots | None:
    """Friday week: a week after the next Friday."""
    day, week = m[0], m[1]
    if day is None or week is None or written(week, text) != "week":
        return None
    after = Length((("week", Decimal(1)),))
    return Slots(weekday=day.n, offset=after, offset_sign=1, english=True)


def _weekend_of_dir(m: Match, _text: str) -> Slots | None:
    """下周六日: both days."""
    return Slots(week_shift=m[0].n, unit="weekend") if m[0] else None


def _holiday(m: Match, _text: str) -> Slots | None:
    return Slots(festival=m[0].name, period="holiday") if m[0] else None


DATE_RULES: Final[tuple[Rule, ...]] = (
    ("day", _day_word),
    ("weekday", token_slot("weekday")),
    ("year", token_slot("year_shift")),
    ("num nian", _year),
    ("num &to", _bare_year),
    ("of|in num", lambda m, text: _bare_year(m[1:], text)),
    ("num yue", month_of),
    ("num yue num", _month_day),
    ("num yue num hao|ri", _month_day),
    ("month", token_slot("month")),
    ("num hao|ri", day_of),
    ("chu num", _lunar_day),
    ("lunarmonth", lambda m, _: Slots(month=m[0].n, lunar=True) if m[0] else None),
    (
        "lunarmonth num",
        lambda m, _: (
            Slots(month=m[0].n, day=whole_number(m[1]), lunar=True)
            if m[0] and 1 <= whole_number(m[1]) <= _LUNAR_DAYS
            else None
        ),
    ),
    ("lunar", constant(lunar=True)),
    ("lunar num !yue|nian|dian|shi", _lunar_day),
    ("leap", constant(leap=True, lunar=True)),
    ("festival", token_slot("festival", "name")),
    ("festival ?de holiday", _holiday),
    ("date", date_of),
    ("date zheng", date_of),
    ("dir month", _dir_month),
    ("same_time &day|dir|year|festival|date|month", constant(now=True)),
    ("weekday unit.week", _weekday_week),
    ("era num nian", _era_year),
    ("before_era num nian", constant(fault="no_such_date")),
    ("weekday.5 ri", constant(unit="weekend")),
    ("dir weekday.5 ri", _weekend_of_dir),
    ("month num|ordinal", _english_month_day(0, 1)),
    ("month num|ordinal ?comma num", _english_month_day(0, 1, 3)),
    ("month ?comma num", _english_month_year),
    ("num|ordinal ?of|in month", _english_month_day(2, 0)),
    ("num|ordinal ?of|in month ?comma num", _english_month_day(2, 0, 4)),
    ("at ordinal !unit|weekday|tolast", _english_day),
)
"""The rules of this part of the grammar."""
