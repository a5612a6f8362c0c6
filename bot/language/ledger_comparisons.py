"""Two stretches of days held against each other: 这个月比上个月多花了多少, this week vs last."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.language.results import ResolvedTime
from bot.language.times import resolve_time

_COMPARED: Final = re.compile(
    r"对比|相比|比较|比起来|比(?!如|例|赛|特币|亚迪|萨)"
    r"|compare|versus|\bvs\b|(?:more|less|higher|lower) than"
)
_JOINT: Final = re.compile(
    r"对比|相比|比较|比起来|比|和|与|跟|同"
    r"|compared (?:to|with)|compare|versus|\bvs\b|\b(?:to|with|than|and)\b"
)
_MONEY: Final = re.compile(
    r"花|支出|消费|开销|开支|账|收入|挣|赚|钱|spen[dt]|expens|income|earn|cost|money"
)
_WEEK, _MONTH_MOST, _YEAR_MOST = 7, 31, 366


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared.

    Attributes:
        later: First day and the day after the last of the later stretch.
        earlier: The same of the earlier one.
        about_money: Words for spending or earning are there.
        rest: The words without those of time and comparing.
    """

    later: tuple[date, date]
    earlier: tuple[date, date]
    about_money: bool
    rest: str


def parse_comparison(text: str, now: datetime, tz: ZoneInfo) -> Comparison | None:
    """The comparison of two stretches of days that a message asks for; None when it asks for none.

    One stretch alone is held against the present one of its length: 比上个月多吗.
    """
    if not _COMPARED.search(text):
        return None
    stretches: list[tuple[date, date]] = []
    rest: list[str] = []
    for part in _JOINT.split(text):
        found = resolve_time(part, now=now, tz=tz, mode="range")
        stretches += [days for t in found.times if (days := _days(t, tz)) is not None]
        words = part
        for first, last in reversed(found.spans):
            words = f"{words[:first]} {words[last:]}"
        rest.append(words)
    if len(stretches) == 1 and (present := _present_like(stretches[0], now.astimezone(tz).date())):
        stretches.append(present)
    if len(set(stretches)) != 2:  # noqa: PLR2004  # one against another
        return None
    earlier, later = sorted(stretches)
    said = " ".join(rest)
    return Comparison(later, earlier, _MONEY.search(said) is not None, said)


def _days(time: ResolvedTime, tz: ZoneInfo) -> tuple[date, date] | None:
    if time.start is None or time.end is None:
        return None
    last = time.end.astimezone(tz) - timedelta(microseconds=1)
    return time.start.astimezone(tz).date(), last.date() + timedelta(days=1)


def _present_like(days: tuple[date, date], today: date) -> tuple[date, date] | None:
    """The day, week, month or year of today, as long as the other one."""
    length = (days[1] - days[0]).days
    if length == 1:
        return today, today + timedelta(days=1)
    if length == _WEEK:
        monday = today - timedelta(days=today.weekday())
        return monday, monday + timedelta(days=_WEEK)
    if days[0].day != 1:
        return None
    if length <= _MONTH_MOST:
        first = today.replace(day=1)
        return first, (first + timedelta(days=_MONTH_MOST + 1)).replace(day=1)
    if length <= _YEAR_MOST and (days[0].month, days[1].month) == (1, 1):
        return today.replace(month=1, day=1), today.replace(year=today.year + 1, month=1, day=1)
    return None
