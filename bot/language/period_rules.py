"""The grammar of periods: counted weeks and months, parts of them, the nth weekday."""

from decimal import Decimal
from typing import Final

from bot.language.rules import (
    DAYS,
    MONTHS,
    QUARTERS,
    TEN,
    TOO_LARGE,
    Build,
    Match,
    Rule,
    constant,
    whole_number,
    written,
)
from bot.language.slots import Length, Slots

_MARK_UNITS: Final = {
    "nian": "year",
    "yue": "month",
    "fen": "minute",
    "miao": "second",
}


def _nth_weekday(nth: int, weekday: int, sign: int = 1) -> Build:
    def build(m: Match, text: str) -> Slots | None:
        token = m[weekday]
        which = m[nth]
        if token is None or which is None:
            return None
        count = -1 if which.kind == "nth_last" else whole_number(which)
        if count > TEN * 2 or not count:
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
    english = written(token, text).isascii()
    return Slots(week_shift=direction.n, weekday=token.n, english=english)


def _dir_unit(m: Match, text: str) -> Slots | None:
    """这周, 上个月, next year, 上个季度, 上个小时."""
    del text
    direction, token = m[0], m[-1]
    if direction is None or token is None:
        return None
    shift = direction.n
    unit = token.name or _MARK_UNITS.get(token.kind, "")
    if unit in ("hour", "minute", "second") and shift:
        count = Length(((unit, Decimal(1)),))
        return Slots(shift=count, sign=1 if shift > 0 else -1, window="rolling")
    return {
        "week": Slots(week_shift=shift, unit="week"),
        "weekend": Slots(week_shift=shift, unit="weekend"),
        "month": Slots(month_shift=shift, unit="month"),
        "year": Slots(year_shift=shift, unit="year"),
        "quarter": Slots(period=f"quarter_shift:{shift}"),
    }.get(unit)


def _half_of_dir(m: Match, text: str) -> Slots | None:
    """上个半年 is the half before this one."""
    del text
    return Slots(period=f"half_shift:{m[0].n}") if m[0] is not None else None


def _quarter(m: Match, text: str) -> Slots | None:
    del text
    value = whole_number(m[1]) if m[0] is not None and m[0].kind == "di" else whole_number(m[0])
    return Slots(period=f"quarter:{value}") if 1 <= value <= QUARTERS else None


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
        return Slots(month=1 if token.n > 0 else MONTHS, day=token.n)
    return Slots(week_shift=0, weekday=0 if token.n > 0 else 6)


def _month_edge(m: Match, text: str) -> Slots | None:
    """10月底: the edge of a named month."""
    del text
    first, edge = m[0], m[1]
    if first is None or edge is None or not edge.name.startswith("month"):
        return None
    month = first.n if first.kind == "month" else whole_number(first)
    return Slots(month=month, day=edge.n) if 1 <= month <= MONTHS else None


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
    return Slots(year_shift=year.n, month=MONTHS, day=-1)


def _decade(m: Match, text: str) -> Slots | None:
    """九十年代: the one that most people have seen."""
    del text
    tens = whole_number(m[-2])
    if not 0 <= tens < TOO_LARGE or tens % TEN:
        return None
    return Slots(period=f"decade:{(1900 if tens >= 3 * TEN else 2000) + tens}")


def _decade_of_century(m: Match, text: str) -> Slots | None:
    """十九世纪七十年代."""
    del text
    century, tens = whole_number(m[0]), whole_number(m[-2])
    if not 1 <= century <= DAYS or not 0 <= tens < TOO_LARGE or tens % TEN:
        return None
    return Slots(period=f"decade:{(century - 1) * 100 + tens}")


def _last_day_of(m: Match, text: str) -> Slots | None:
    """Last day of next month, last day of march."""
    del text
    month = m[3]
    if month is None:
        return None
    if month.kind == "month":
        return Slots(month=month.n, day=-1, english=True)
    return Slots(month_shift=month.n, day=-1, english=True)


def _nth_unit(m: Match, text: str) -> Slots | None:
    """第三个月, the 36th day: counted within the year or the month around it."""
    token, count = m[-1], whole_number(m[1] if m[0] is not None and m[0].kind == "di" else m[0])
    if token is None or not count:
        return None
    kinds = {"yue": "month", "ri": "day"}
    unit = token.name or kinds.get(token.kind, "")
    if unit == "month" and count <= MONTHS:
        return Slots(month=count)
    if unit in ("week", "day") and text:
        return Slots(period=f"nth_{unit}:{count}")
    return None


def _first_units(m: Match, text: str) -> Slots | None:
    """前两周, 最后三周 of a longer period: only together with it."""
    count = whole_number(m[1])
    token = m[-1]
    if token is None or m[0] is None or not count:
        return None
    unit = token.name or ("month" if token.kind == "yue" else "")
    del text
    if unit not in ("week", "day", "month"):
        return None
    side = "last" if m[0].kind == "nth_last" else "first"
    return Slots(period=f"{side}_{unit}:{count}")


def _two_days(m: Match, text: str) -> Slots | None:
    """明后两天: both days."""
    del text
    return None if m[0] is None else Slots(period=f"two_days:{m[0].n}")


def _quarter_end(m: Match, text: str) -> Slots | None:
    """三季度末: its last day."""
    del text
    value = whole_number(m[1] if m[0] is not None and m[0].kind == "di" else m[0])
    return Slots(period=f"quarter_end:{value}") if 1 <= value <= QUARTERS else None


def _same_period(m: Match, text: str) -> Slots | None:
    """去年同期: that year up to the day that is today."""
    del text
    return None if m[0] is None else Slots(year_shift=m[0].n, period="to_date:1")


def _quarter_end_of_dir(m: Match, text: str) -> Slots | None:
    """下个季度末."""
    del text
    return None if m[0] is None else Slots(period=f"quarter_shift_end:{m[0].n}")


PERIOD_RULES: Final[tuple[Rule, ...]] = (
    ("day_pair", _two_days),
    ("dir weekday", _dir_weekday),
    ("dir ge weekday", _dir_weekday),
    ("dir unit", _dir_unit),
    ("vaguely", constant(fault="vague")),
    ("after|before di num unit", constant(fault="unclear_distance")),
    ("dir nian|yue|ri", _dir_unit),
    ("dir ban nian", _half_of_dir),
    ("edge", _edge),
    ("num edge", _month_edge),
    ("month edge", _month_edge),
    ("dir edge", _dir_edge),
    ("year tail|chu", _year_tail),
    ("num century num decades", _decade_of_century),
    ("num decades", _decade),
    ("dir.-1 unit.day of|in at unit.month", constant(month_shift=0, day=-1)),
    ("dir.-1 unit.day of|in dir unit.month", _last_day_of),
    ("dir.-1 unit.day of|in month", _last_day_of),
    ("half_period", _period),
    ("tenday", _period),
    ("season", _period),
    ("num unit.quarter", _quarter),
    ("di num unit.quarter", _quarter),
    ("ordinal unit.quarter", _quarter),
    ("unit.quarter tail", constant(period="quarter_end:0")),
    ("num unit.quarter tail", _quarter_end),
    ("di num unit.quarter tail", _quarter_end),
    ("dir unit.quarter tail", _quarter_end_of_dir),
    ("year same_period", _same_period),
    ("unit.weekend", constant(unit="weekend")),
    ("at unit.weekend", constant(unit="weekend")),
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
    ("dir.-1|dir.0|dir.1 unit.week weekday", _dir_weekday),
    ("nth_last unit.day", constant(period="last_day:1")),
)
"""The rules of this part of the grammar."""
