"""The grammar of time phrases: a table of token patterns and what each of them states."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from bot.language.durations import read_length
from bot.language.slots import Length, Slots, merge
from bot.language.tokens import Token, full_year

Match = Sequence[Token | None]
Build = Callable[[Match, str], Slots | None]

_MONTHS = 12
_DAYS = 31
_HOURS = 24
_MINUTES = 59
_TEN = 10
_ROUND = 5
_TOO_LARGE = 100
_YEAR_LOW = 1000
_YEAR_HIGH = 9999
_LUNAR_DAYS = 30
_QUARTERS = 4
_FIFTEEN = 15
_LONG_FORM = 3
_CLOCK_FORM = 4


@dataclass(frozen=True, slots=True)
class Phrase:
    """A stretch of tokens that says one thing about time.

    Attributes:
        first: Index of its first token.
        last: Index after its last token.
        slots: What it says, when it is about a date or a time of day.
        length: What it says, when it is a length of time.
    """

    first: int
    last: int
    slots: Slots | None = None
    length: Length | None = None


def _int(token: Token | None) -> int:
    if token is None:
        return 0
    return token.n if token.kind in ("ordinal", "a") else int(token.number)


def _whole(token: Token | None) -> bool:
    return token is not None and token.number == int(token.number)


def _written(token: Token, text: str) -> str:
    return text[token.start : token.end]


def _year(m: Match, text: str) -> Slots | None:
    token = m[0]
    if token is None or not _whole(token):
        return None
    value, size = int(token.number), token.end - token.start
    if token.name in ("arabic", "digits") and size in (2, _CLOCK_FORM):
        year = full_year(value, _written(token, text) if token.name == "arabic" else "00"[:size])
        return Slots(year=year) if year >= _YEAR_LOW else None
    return None


def _bare_year(m: Match, text: str) -> Slots | None:
    token = m[0]
    if token is None or token.name != "arabic" or token.end - token.start != _CLOCK_FORM:
        return None
    value = int(token.number) if _whole(token) else 0
    del text
    return Slots(year=value) if 1900 <= value <= 2100 else None  # noqa: PLR2004


def _month(m: Match, text: str) -> Slots | None:
    del text
    token = m[0]
    if not _whole(token) or (token is not None and token.name == "en"):
        return None
    value = _int(token)
    if not 1 <= value <= _MONTHS:
        return None
    return Slots(month=value)


def _month_day(m: Match, text: str) -> Slots | None:
    slots = _month(m, text)
    token = m[2]
    if slots is None and len(m) > 3 and _int(m[0]) < _TOO_LARGE and _whole(m[0]):  # noqa: PLR2004
        return Slots(month=_int(m[0]), fault="no_such_date")
    if slots is None or token is None or not _whole(token) or not 1 <= _int(token) <= _DAYS:
        return None
    return replace(slots, day=_int(token))


def _day(m: Match, text: str) -> Slots | None:
    del text
    token = m[0]
    if not _whole(token) or (token is not None and token.name == "en"):
        return None
    value = _int(token)
    if value < 1:
        return None
    return Slots(day=value) if value <= _DAYS else Slots(day=value, fault="no_such_date")


def _lunar_day(m: Match, text: str) -> Slots | None:
    del text
    value = _int(m[-1])
    limit = _TEN if m[0] is not None and m[0].kind == "chu" else _LUNAR_DAYS
    return Slots(day=value, lunar=True) if 1 <= value <= limit else None


def _hour(m: Match, text: str) -> Slots | None:
    del text
    token = m[0]
    if not _whole(token):
        return None
    value = _int(token)
    if value > _HOURS:
        return Slots(hour=value, fault="no_such_hour") if value < 100 else None  # noqa: PLR2004
    return Slots(hour=value, minute=0)


def _hour_part(value: int, word: str) -> Build:
    def build(m: Match, text: str) -> Slots | None:
        slots = _hour(m, text)
        return None if slots is None else replace(slots, minute=value)

    del word
    return build


def _hour_minute(m: Match, text: str) -> Slots | None:
    slots, token = _hour(m, text), m[2]
    if slots is None or token is None or not _whole(token):
        return None
    value = _int(token)
    size = token.end - token.start
    if m[3] is None and size < 2 and not slots.fault:  # noqa: PLR2004
        return None
    if value > _MINUTES:
        return replace(slots, fault="no_such_hour") if m[3] is not None else None
    return replace(slots, minute=value)


def _hour_minute_second(m: Match, text: str) -> Slots | None:
    slots = _hour_minute(m, text)
    if slots is None or not _whole(m[4]) or _int(m[4]) > _MINUTES:
        return None
    return replace(slots, second=_int(m[4]))


def _hour_quarters(m: Match, text: str) -> Slots | None:
    slots, count = _hour(m, text), _int(m[2])
    if slots is None or not 1 <= count < _QUARTERS:
        return None
    return replace(slots, minute=_FIFTEEN * count)


def _minutes_before(hour: int, minutes: int, each: int = 1) -> Build:
    """差五分三点: so many minutes before the hour."""

    def build(m: Match, text: str) -> Slots | None:
        slots = _hour(m[hour : hour + 1], text)
        early = _int(m[minutes]) * each
        if slots is None or slots.hour is None or not 1 <= early <= _MINUTES:
            return None
        return replace(slots, hour=slots.hour - 1 or _MONTHS, minute=_MINUTES + 1 - early)

    return build


def _workdays(sign: int) -> Build:
    """三个工作日后."""

    def build(m: Match, text: str) -> Slots | None:
        del text
        count = _int(m[0])
        return Slots(period=f"workdays:{sign * count}") if 1 <= count <= _TOO_LARGE else None

    return build


def _next_workday(m: Match, text: str) -> Slots | None:
    direction = m[0]
    del text
    if direction is None or abs(direction.n) != 1:
        return None
    return Slots(period=f"workdays:{direction.n}")


def _clock(m: Match, text: str) -> Slots | None:
    token = m[0]
    if token is None:
        return None
    hour, minute, *rest = token.fields
    meridiem = token.name or (m[1].name if len(m) > 1 and m[1] is not None else "")
    written = _written(token, text)
    return Slots(
        hour=hour,
        minute=minute,
        second=rest[0] if rest else None,
        meridiem=meridiem,
        digital=written.startswith("0") or hour > _MONTHS or hour == 0,
        colon=True,
        fault="no_such_hour" if meridiem and hour > _MONTHS and meridiem == "am" else "",
    )


def _compact_clock(m: Match, text: str) -> Slots | None:
    date, token = m[0], m[1]
    if date is None or token is None or token.end - token.start != _CLOCK_FORM:
        return None
    slots = _date(m, text)
    hour, minute = divmod(int(token.number), 100)
    if slots is None or hour >= _HOURS or minute > _MINUTES:
        return None
    return replace(slots, hour=hour, minute=minute, digital=True)


def _date(m: Match, text: str) -> Slots | None:
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
        fault="" if month <= _MONTHS and day <= _DAYS and month else "no_such_date",
    )


def _ampm_hour(m: Match, text: str) -> Slots | None:
    del text
    value = _int(m[0])
    if not _whole(m[0]) or not 1 <= value <= _MONTHS or m[-1] is None:
        return None
    return Slots(hour=value, minute=0, meridiem=m[-1].name, english=True)


def _english_hour(m: Match, text: str) -> Slots | None:
    slots = _hour(m, text)
    if slots is None or slots.fault or not slots.hour:
        return None
    return replace(slots, english=True)


def _at_hour(m: Match, text: str) -> Slots | None:
    at, token = m[0], m[1]
    if (
        at is None
        or token is None
        or _written(at, text) not in ("at", "@", "around", "about", "by")
    ):
        return None
    return _english_hour(m[1:], text)


def _past_hour(minutes: int) -> Build:
    def build(m: Match, text: str) -> Slots | None:
        slots = _english_hour(m[-1:], text)
        return None if slots is None else replace(slots, minute=minutes)

    return build


def _to_hour(m: Match, text: str) -> Slots | None:
    slots = _english_hour(m[-1:], text)
    if slots is None or slots.hour is None:
        return None
    return replace(slots, hour=(slots.hour - 1) or _MONTHS, minute=45)


def _minutes_past(m: Match, text: str) -> Slots | None:
    slots = _english_hour(m[-1:], text)
    minutes, link = _int(m[0]), m[-2]
    if slots is None or slots.hour is None or link is None or not 1 <= minutes <= _MINUTES:
        return None
    if _written(link, text) not in ("to", "past") or (m[1] is None and minutes % _ROUND):
        return None
    if link.kind == "to":
        return replace(slots, hour=(slots.hour - 1) or _MONTHS, minute=60 - minutes)
    return replace(slots, minute=minutes)


def _english_month_day(month: int, day: int, year: int | None = None) -> Build:
    def build(m: Match, text: str) -> Slots | None:
        month_token, day_token = m[month], m[day]
        if month_token is None or day_token is None or not 1 <= _int(day_token) <= _DAYS:
            return None
        if day_token.kind == "num" and (not _whole(day_token) or day_token.name == "zh"):
            return None
        slots = Slots(month=month_token.n, day=_int(day_token), english=True)
        year_token = m[year] if year is not None else None
        if year_token is None:
            return slots
        written = _written(year_token, text)
        if not _whole(year_token) or len(written) not in (2, _CLOCK_FORM):
            return None
        return replace(slots, year=full_year(int(year_token.number), written))

    return build


def _english_month_year(m: Match, text: str) -> Slots | None:
    year = _bare_year(m[-1:], text)
    return None if year is None or m[0] is None else replace(year, month=m[0].n, english=True)


def _nth_weekday(nth: int, weekday: int, sign: int = 1) -> Build:
    def build(m: Match, text: str) -> Slots | None:
        token = m[weekday]
        which = m[nth]
        if token is None or which is None:
            return None
        count = -1 if which.kind == "nth_last" else _int(which)
        if count > _TEN * 2 or not count:
            return None
        english = text[token.start : token.end].isascii()
        return Slots(nth=count * sign, weekday=token.n, english=english)

    return build


def _last_weekday(m: Match, text: str) -> Slots | None:
    token = m[-1] if m[-1] is not None and m[-1].kind == "weekday" else m[1]
    return (
        None
        if token is None or m[0] is None or m[0].n != -1 or text is None
        else Slots(nth=-1, weekday=token.n, english=True)
    )


def _dir_weekday(m: Match, text: str) -> Slots | None:
    direction, token = m[0], m[-1]
    if direction is None or token is None:
        return None
    english = _written(token, text).isascii()
    return Slots(week_shift=direction.n, weekday=token.n, english=english)


def _dir_unit(m: Match, text: str) -> Slots | None:  # noqa: ARG001, PLR0911
    direction, token = m[0], m[-1]
    if direction is None or token is None:
        return None
    kinds = {"nian": "year", "yue": "month", "ri": "day", "fen": "minute", "miao": "second"}
    unit = token.name or kinds.get(token.kind, "")
    if unit == "week":
        return Slots(week_shift=direction.n, unit="week")
    if unit == "month":
        return Slots(month_shift=direction.n, unit="month")
    if unit == "year":
        return Slots(year_shift=direction.n, unit="year")
    if unit == "weekend":
        return Slots(week_shift=direction.n, unit="weekend")
    if unit == "quarter":
        return Slots(period=f"quarter_shift:{direction.n}")
    if unit in ("hour", "minute", "second") and direction.n:
        count = Length(((unit, Decimal(1)),))
        return Slots(shift=count, sign=1 if direction.n > 0 else -1, window="rolling")
    return None


def _half_of_dir(m: Match, text: str) -> Slots | None:
    """上个半年 is the half before this one."""
    del text
    return Slots(period=f"half_shift:{m[0].n}") if m[0] is not None else None


def _quarter(m: Match, text: str) -> Slots | None:
    del text
    value = _int(m[1]) if m[0] is not None and m[0].kind == "di" else _int(m[0])
    return Slots(period=f"quarter:{value}") if 1 <= value <= _QUARTERS else None


def _period(m: Match, text: str) -> Slots | None:
    del text
    token = m[0]
    if token is None:
        return None
    if token.kind == "tenday":
        return Slots(period=f"tenday:{token.n}")
    if token.kind == "season":
        return Slots(period=f"season:{token.n}")
    return Slots(period=f"half_{token.name}:{token.n}")


def _edge(m: Match, text: str) -> Slots | None:
    del text
    token = m[0]
    if token is None:
        return None
    if token.name.startswith("month"):
        return Slots(day=token.n)
    if token.name.startswith("year"):
        return Slots(month=1 if token.n > 0 else _MONTHS, day=token.n)
    return Slots(week_shift=0, weekday=0 if token.n > 0 else 6)


def _month_edge(m: Match, text: str) -> Slots | None:
    """10月底: the edge of a named month."""
    del text
    first, edge = m[0], m[1]
    if first is None or edge is None or not edge.name.startswith("month"):
        return None
    month = first.n if first.kind == "month" else _int(first)
    return Slots(month=month, day=edge.n) if 1 <= month <= _MONTHS else None


def _dir_edge(m: Match, text: str) -> Slots | None:
    """下个月底, 本周末尾: the edge of a counted period."""
    del text
    direction, edge = m[0], m[1]
    if direction is None or edge is None:
        return None
    if edge.name.startswith("month"):
        return Slots(month_shift=direction.n, day=edge.n)
    return Slots(week_shift=direction.n, weekday=0 if edge.n > 0 else 6)


def _year_tail(m: Match, text: str) -> Slots | None:
    """明年底, 今年初."""
    del text
    year, tail = m[0], m[1]
    if year is None or tail is None:
        return None
    if tail.kind == "chu":
        return Slots(year_shift=year.n, month=1, day=1)
    return Slots(year_shift=year.n, month=_MONTHS, day=-1)


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
    if era is None or not 1 <= _int(number) <= _TOO_LARGE:
        return None
    return Slots(year=era.n + _int(number))


def _decade(m: Match, text: str) -> Slots | None:
    """十九世纪七十年代, 90年代."""
    del text
    century = _int(m[0]) - 1 if len(m) > 2 else 0  # noqa: PLR2004
    tens = _int(m[-2])
    if not 0 <= tens < _TOO_LARGE or tens % _TEN or not 0 <= century <= _DAYS:
        return None
    if len(m) == 2:  # noqa: PLR2004
        century = 19 if tens >= 3 * _TEN else 20
    return Slots(period=f"decade:{century * 100 + tens}")


def _english_part_hour(m: Match, text: str) -> Slots | None:
    """11 at night: an hour before its part of the day, in English only."""
    part = m[1]
    if part is None or not _written(part, text).isascii():
        return None
    slots = _english_hour(m, text)
    if slots is None or not slots.hour or slots.hour > _MONTHS:
        return None
    return replace(slots, part=part.name)


def _english_day(m: Match, text: str) -> Slots | None:
    """On the 15th; the first time is no date."""
    at, token = m[0], m[1]
    if at is None or token is None or not text[token.start].isdigit() or token.n > _DAYS:
        return None
    return Slots(day=token.n, english=True) if _written(at, text) in ("on", "the") else None


def _last_day_of(m: Match, text: str) -> Slots | None:
    """Last day of next month, last day of march."""
    del text
    month = m[3]
    if month is None:
        return None
    if month.kind == "month":
        return Slots(month=month.n, day=-1, english=True)
    return Slots(month_shift=month.n, day=-1, english=True)


def _evening_number(m: Match, text: str) -> Slots | None:
    """Tonight 7."""
    day = m[0]
    if day is None or not day.name or not _written(day, text).isascii():
        return None
    slots = _english_hour(m[1:], text)
    if slots is None or not slots.hour or slots.hour > _MONTHS:
        return None
    return replace(slots, day_shift=day.n, part=day.name)


def _nth_unit(m: Match, text: str) -> Slots | None:
    """第三个月, the 36th day: counted within the year or the month around it."""
    token, count = m[-1], _int(m[1] if m[0] is not None and m[0].kind == "di" else m[0])
    if token is None or not count:
        return None
    kinds = {"yue": "month", "ri": "day"}
    unit = token.name or kinds.get(token.kind, "")
    if unit == "month" and count <= _MONTHS:
        return Slots(month=count)
    if unit in ("week", "day") and text:
        return Slots(period=f"nth_{unit}:{count}")
    return None


def _first_units(m: Match, text: str) -> Slots | None:
    """前两周, 最后三周 of a longer period: only together with it."""
    count = _int(m[1])
    token = m[-1]
    if token is None or m[0] is None or not count:
        return None
    unit = token.name or ("month" if token.kind == "yue" else "")
    del text
    if unit not in ("week", "day", "month"):
        return None
    side = "last" if m[0].kind == "nth_last" else "first"
    return Slots(period=f"{side}_{unit}:{count}")


def _constant(**values: object) -> Build:
    def build(m: Match, text: str) -> Slots | None:
        del m, text
        return Slots(**values)  # type: ignore[arg-type]

    return build


def _token_slot(slot: str, attribute: str = "n") -> Build:
    def build(m: Match, text: str) -> Slots | None:
        token = m[0]
        if token is None:
            return None
        english = _written(token, text).isascii()
        return Slots(**{slot: getattr(token, attribute)}, english=english)

    return build


def _day_word(m: Match, text: str) -> Slots | None:
    token = m[0]
    if token is None:
        return None
    return Slots(day_shift=token.n, part=token.name, english=_written(token, text).isascii())


def _two_days(m: Match, text: str) -> Slots | None:
    """明后两天: both days."""
    del text, m
    return Slots(period="two_days:1")


RULES: Final[tuple[tuple[str, Build], ...]] = (
    ("day", _day_word),
    ("day_pair", _two_days),
    ("weekday", _token_slot("weekday")),
    ("dir weekday", _dir_weekday),
    ("dir ge weekday", _dir_weekday),
    ("dir unit", _dir_unit),
    ("dir nian|yue|ri", _dir_unit),
    ("dir ban nian", _half_of_dir),
    ("year", _token_slot("year_shift")),
    ("num nian", _year),
    ("num &to", _bare_year),
    ("of|in num", lambda m, text: _bare_year(m[1:], text)),
    ("num yue", _month),
    ("num yue num", _month_day),
    ("num yue num hao|ri", _month_day),
    ("month", _token_slot("month")),
    ("num hao|ri", _day),
    ("chu num", _lunar_day),
    ("lunarmonth", lambda m, _: Slots(month=m[0].n, lunar=True) if m[0] else None),
    (
        "lunarmonth num",
        lambda m, _: (
            Slots(month=m[0].n, day=_int(m[1]), lunar=True)
            if m[0] and 1 <= _int(m[1]) <= _LUNAR_DAYS
            else None
        ),
    ),
    ("lunar", _constant(lunar=True)),
    ("lunar num !yue|nian|dian|shi", _lunar_day),
    ("leap", _constant(leap=True, lunar=True)),
    ("festival", _token_slot("festival", "name")),
    ("date", _date),
    ("date num", _compact_clock),
    ("date zheng", _date),
    ("part", _token_slot("part", "name")),
    ("edge", _edge),
    ("num edge", _month_edge),
    ("month edge", _month_edge),
    ("dir edge", _dir_edge),
    ("year tail|chu", _year_tail),
    ("dir month", _dir_month),
    ("era num nian", _era_year),
    ("num century num decades", _decade),
    ("num decades", _decade),
    ("num part", _english_part_hour),
    ("at ordinal !unit|weekday|tolast", _english_day),
    ("dir.-1 unit.day of|in at unit.month", _constant(month_shift=0, day=-1)),
    ("dir.-1 unit.day of|in dir unit.month", _last_day_of),
    ("dir.-1 unit.day of|in month", _last_day_of),
    ("bad", _constant(fault="bad_clock")),
    ("day num", _evening_number),
    ("half_period", _period),
    ("tenday", _period),
    ("season", _period),
    ("num unit.quarter", _quarter),
    ("di num unit.quarter", _quarter),
    ("ordinal unit.quarter", _quarter),
    ("unit.weekend", _constant(unit="weekend")),
    ("at unit.weekend", _constant(unit="weekend")),
    ("di num unit.month|unit.week|unit.day", _nth_unit),
    ("ordinal unit.day|unit.week|unit.month", _nth_unit),
    ("before|nth_last num unit.week|unit.day|unit.month", _first_units),
    ("di num weekday", _nth_weekday(1, 2)),
    ("di num ge weekday", _nth_weekday(1, 3)),
    ("nth_last weekday", _nth_weekday(0, 1)),
    ("fromlast num weekday", _nth_weekday(1, 2, -1)),
    ("fromlast num ge weekday", _nth_weekday(1, 3, -1)),
    ("ordinal weekday", _nth_weekday(0, 1)),
    ("ordinal tolast weekday", _nth_weekday(0, 2, -1)),
    ("dir weekday of|in", _last_weekday),
    ("month num|ordinal", _english_month_day(0, 1)),
    ("month num|ordinal ?comma num", _english_month_day(0, 1, 3)),
    ("month ?comma num", _english_month_year),
    ("num|ordinal ?of|in month", _english_month_day(2, 0)),
    ("num|ordinal ?of|in month ?comma num", _english_month_day(2, 0, 4)),
    ("dir.-1|dir.0|dir.1 unit.week weekday", _dir_weekday),
    ("num dian|shi", _hour),
    ("num dian|shi zheng", _hour),
    ("num dian|shi num ?fen", _hour_minute),
    ("num dian|shi num fen num miao", _hour_minute_second),
    ("num dian|shi ban", _hour_part(30, "half")),
    ("num dian|shi ke", _hour_part(15, "quarter")),
    ("num dian|shi num ke", _hour_quarters),
    ("lack num fen num dian", _minutes_before(3, 1)),
    ("lack num ke num dian", _minutes_before(3, 1, 15)),
    ("num dian lack num fen", _minutes_before(0, 3)),
    ("num dian lack num ke", _minutes_before(0, 3, 15)),
    ("num unit.workday after", _workdays(1)),
    ("num unit.workday before", _workdays(-1)),
    ("dir unit.workday", _next_workday),
    ("nth_last unit.day", _constant(period="last_day:1")),
    ("clock", _clock),
    ("clock ampm", _clock),
    ("num ampm", _ampm_hour),
    ("num oclock", _english_hour),
    ("at num", _at_hour),
    ("at num ampm", lambda m, text: _ampm_hour(m[1:], text)),
    ("at num oclock", lambda m, text: _english_hour(m[1:], text)),
    ("half past num", _past_hour(30)),
    ("quarterhour past num", _past_hour(15)),
    ("quarterhour to num", _to_hour),
    ("num ?unit.minute past|to num", _minutes_past),
    ("noon", _constant(hour=12, minute=0, part="noon", english=True)),
    ("midnight", _constant(midnight=True)),
    ("ampm", _token_slot("meridiem", "name")),
    ("now", _constant(now=True)),
    ("zone", _token_slot("zone", "name")),
)


@dataclass(frozen=True, slots=True)
class _Pattern:
    elements: tuple[tuple[str, frozenset[str]], ...]
    build: Build


def _compile() -> dict[str, list[_Pattern]]:
    found: dict[str, list[_Pattern]] = {}
    for text, build in RULES:
        elements = tuple(
            (e[0] if e[0] in "?&!" else "", frozenset(e.lstrip("?&!").split("|")))
            for e in text.split()
        )
        pattern = _Pattern(elements, build)
        for first in elements[0][1]:
            found.setdefault(first.partition(".")[0], []).append(pattern)
    return found


_INDEX: Final = _compile()
_BLOCKING_AFTER_NUMBER: Final = frozenset({"measure", "unit", "times"})


def _fits(token: Token, wanted: frozenset[str]) -> bool:
    return (
        token.kind in wanted
        or f"{token.kind}.{token.name}" in wanted
        or f"{token.kind}.{token.n}" in wanted
    )


def _matches(pattern: _Pattern, tokens: Sequence[Token], at: int) -> tuple[Match, int] | None:
    got: list[Token | None] = []
    for sign, wanted in pattern.elements:
        if at < len(tokens) and _fits(tokens[at], wanted):
            if sign == "!":
                return None
            if sign != "&":
                got.append(tokens[at])
                at += 1
        elif sign == "!":
            continue
        elif sign == "?":
            got.append(None)
        else:
            return None
    return got, at


def _by_table(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    best: Phrase | None = None
    for pattern in _INDEX.get(tokens[at].kind, ()):
        match = _matches(pattern, tokens, at)
        if match is None or (best is not None and match[1] <= best.last):
            continue
        got, end = match
        if _counts_something(got[-1], tokens, end):
            continue
        slots = pattern.build(got, text)
        if slots is not None:
            best = Phrase(at, end, slots)
    return best


def _counts_something(last: Token | None, tokens: Sequence[Token], end: int) -> bool:
    """Whether the number at the end belongs to what follows: 三月五次, 两点五升."""
    if last is None or end >= len(tokens):
        return False
    if last.kind == "dian" and tokens[end].kind == "num":
        last, end = tokens[end], end + 1
    if last.kind != "num" or end >= len(tokens):
        return False
    return tokens[end].kind in _BLOCKING_AFTER_NUMBER


def _around_length(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:  # noqa: C901, PLR0911
    """A length with the word before or after it that makes it a distance or a window."""
    lead = tokens[at]
    length = read_length(tokens, at, text)
    if length is not None:
        value, end, certain, _ = length
        tail = tokens[end] if end < len(tokens) else None
        if tail is not None and end + 1 < len(tokens) and _counted_from(tail, tokens[end + 1]):
            known = tokens[end + 1].kind == "day"
            fault = "" if known else "unclear_distance"
            return Phrase(at, end + 1, Slots(shift=value, sign=1, fault=fault, english=True))
        if tail is not None and tail.kind in ("after", "before", "within"):
            english_before = text[tail.start : tail.end] in ("before", "after", "within")
            if not english_before:
                sign = -1 if tail.kind == "before" else 1
                window = "deadline" if tail.kind == "within" else ""
                return Phrase(at, end + 1, Slots(shift=value, sign=sign, window=window))
        return Phrase(at, end, length=value) if certain else None
    if lead.kind not in ("in", "after", "before", "next", "past", "dir", "within", "at"):
        return None
    begin = at + 1
    if lead.kind == "in" and begin < len(tokens) and tokens[begin].kind == "at":
        begin += 1
    if (
        begin < len(tokens)
        and tokens[begin].kind in ("dir", "ge", "past", "next")
        and lead.kind == "at"
    ):
        lead, begin = tokens[begin], begin + 1
    if begin < len(tokens) and tokens[begin].kind == "de":
        begin += 1
    length = read_length(tokens, begin, text) if begin < len(tokens) else None
    if length is None:
        return None
    value, end, *_ = length
    slots = _window(lead, value, text[lead.start : lead.end])
    if slots is None:
        return None
    if end < len(tokens) and tokens[end].kind in ("after", "before") and lead.kind != "in":
        return None
    if lead.kind == "in" and end < len(tokens) and tokens[end].kind in ("after", "within"):
        end += 1
    return Phrase(at, end, slots)


def _counted_from(link: Token, base: Token) -> bool:
    """Whether a length is counted from another day: a week from tomorrow."""
    return link.kind == "from" and base.kind in ("day", "weekday", "date", "month", "festival")


def _bare_end(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    """The first number of 9到11点, 8-10号, 2 to 4 pm: it has the unit of the second."""
    if at + 2 >= len(tokens) or tokens[at].kind != "num" or tokens[at + 2].kind != "num":
        return None
    between = tokens[at - 1].kind == "from" if at else False
    if tokens[at + 1].kind != "to" and not (between and tokens[at + 1].kind == "and"):
        return None
    unit = tokens[at + 3].kind if at + 3 < len(tokens) else ""
    match: Match = [tokens[at]]
    if unit in ("dian", "shi", "ampm", "oclock"):
        slots = _hour(match, text)
    elif unit in ("hao", "ri"):
        slots = _day(match, text)
    elif unit == "yue":
        slots = _month(match, text)
    elif between and unit not in _BLOCKING_AFTER_NUMBER:
        slots = _english_hour(match, text)
    else:
        return None
    return None if slots is None or slots.fault else Phrase(at, at + 1, slots)


def _bare_second_end(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    """The 4 of from 2 to 4."""
    if at < 3 or tokens[at].kind != "num" or tokens[at - 3].kind != "from":  # noqa: PLR2004
        return None
    if tokens[at - 2].kind not in ("num", "clock") or tokens[at - 1].kind not in ("to", "and"):
        return None
    if at + 1 < len(tokens) and tokens[at + 1].kind in _BLOCKING_AFTER_NUMBER:
        return None
    slots = _english_hour([tokens[at]], text)
    return None if slots is None else Phrase(at, at + 1, slots)


def _window(lead: Token, value: Length, word: str) -> Slots | None:  # noqa: PLR0911
    match lead.kind:
        case "in":
            if word == "还剩" and len(value.parts) > 1:
                return None
            window = "rolling" if word == "还剩" else ""
            return Slots(shift=value, sign=1, window=window)
        case "within":
            return Slots(shift=value, sign=1, window="deadline")
        case "after":
            return Slots(shift=value, sign=1, window="rolling")
        case "before":
            return Slots(shift=value, sign=-1, window="aligned")
        case "next":
            return Slots(shift=value, sign=1, window="rolling")
        case "past":
            return Slots(shift=value, sign=-1, window="rolling")
        case "dir" if lead.n and value.parts[0][1] >= 1:
            english = word.isascii()
            sign = 1 if lead.n > 0 else -1
            return Slots(shift=value, sign=sign, window="rolling" if english else "aligned")
        case _:
            return None


def phrase_at(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    """The longest time phrase that begins at a token."""
    if at >= len(tokens):
        return None
    ends = _bare_end(tokens, at, text)
    if ends is not None:
        return ends
    around = _around_length(tokens, at, text)
    table = _by_table(tokens, at, text)
    if around is None or table is None:
        return around or table or _bare_second_end(tokens, at, text)
    if table.last > around.last or _is_full_date(table, tokens[at], text):
        return table
    if around.length is not None:
        length = read_length(tokens, at, text)
        if table.last == around.last or (length is not None and length.weak):
            return table
    return around


def _is_full_date(table: Phrase, first: Token, text: str) -> bool:
    """Whether it begins with a year in four digits: 2018年之后 is no distance."""
    year = table.slots.year if table.slots is not None else None
    return year is not None and str(year) == text[first.start : first.end][:_CLOCK_FORM]


_LINKS: Final = frozenset({"de", "of", "at", "comma", "in", "from"})


def read_phrases(tokens: Sequence[Token], text: str) -> Iterator[Phrase]:
    """The time phrases of a text in order, neighbours that speak of one time merged."""
    at, open_phrase = 0, None
    while at < len(tokens):
        phrase = phrase_at(tokens, at, text)
        if phrase is not None and open_phrase is not None and phrase.slots is not None:
            phrase = _part_of(open_phrase, phrase, tokens, text)
        if phrase is None:
            if open_phrase is not None and tokens[at].kind not in _LINKS:
                yield open_phrase
                open_phrase = None
            at += 1
            continue
        at = phrase.last
        if open_phrase is not None:
            joined = _join(open_phrase, phrase)
            if joined is not None:
                open_phrase = joined
                continue
            yield open_phrase
        open_phrase = phrase
    if open_phrase is not None:
        yield open_phrase


def _part_of(outer: Phrase, phrase: Phrase, tokens: Sequence[Token], text: str) -> Phrase:
    """前两周 after 2021年的 is a part of it, not a stretch before now."""
    longer = outer.slots is not None and (
        outer.slots.year is not None
        or outer.slots.year_shift is not None
        or outer.slots.month is not None
        or outer.slots.month_shift is not None
    )
    if not longer or phrase.slots is None or phrase.slots.shift is None:
        return phrase
    return _by_table(tokens, phrase.first, text) or phrase


def _join(first: Phrase, second: Phrase) -> Phrase | None:
    if first.slots is None or second.slots is None:
        return None
    merged = merge(first.slots, second.slots)
    return None if merged is None else Phrase(first.first, second.last, merged)
