"""Typed cron expressions as rules; what they cannot say exactly is refused with the reason."""

import re
from datetime import datetime
from itertools import product
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.core.recurrence import WEEKDAYS, Rule

_FIELD: Final = r"[\d*][\d*/,\-]*"
_NAMES: Final = r"(?:[\d*][\d*/,\-]*|(?:mon|tue|wed|thu|fri|sat|sun)[a-z,\-]*)"
_IN_TEXT: Final = regex(
    rf"(?<![\d*/,\-])({_FIELD} {_FIELD} {_FIELD} {_FIELD} {_NAMES})(?![\d*/,\-])", re.IGNORECASE
)
_RANGES: Final = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_DAY_NAMES: Final = {
    name.lower(): i for i, name in enumerate(("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"))
}
_FIELDS: Final = 5
_MAX_TIMES: Final = 48
_MIN_STEP: Final = 5
_ITEM: Final = regex(r"(\*|\d{1,2})(?:-(\d{1,2}))?(?:/(\d{1,2}))?")
_SUNDAY: Final = 7


class CronError(ValueError):
    """A cron expression that is not kept.

    Attributes:
        reason: A stable key: `cron_fields`, `cron_range`, `cron_day_and_weekday`,
            `cron_too_many_times`, `too_frequent`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def find_cron(text: str) -> tuple[str, int, int] | None:
    """A cron expression typed in a message, with its place."""
    match = _IN_TEXT.search(text)
    if match is None or ("*" not in match.group() and not match.group()[-1].isalpha()):
        return None
    return match.group(), match.start(), match.end()


def parse_cron(expr: str, *, now: datetime, tz: ZoneInfo) -> Rule:
    """The rule of a five-field cron expression; weekdays 0 and 7 are Sunday.

    Raises:
        CronError: It is malformed, or says what no rule here says exactly.
    """
    fields = expr.lower().split()
    if len(fields) != _FIELDS:
        raise CronError("cron_fields")
    fields[4] = re.sub(r"[a-z]+", _day_number, fields[4])
    minutes, hours, days, months = (
        _values(field, *_RANGES[i]) for i, field in enumerate(fields[:4])
    )
    weekdays = sorted({v % _SUNDAY for v in _values(fields[4], *_RANGES[4])})
    if fields[2] != "*" and fields[4] != "*":
        raise CronError("cron_day_and_weekday")
    start = now.astimezone(tz).replace(tzinfo=None, second=0, microsecond=0)
    times = _times(fields, minutes, hours)
    whole = fields[2:5] == ["*", "*", "*"]
    if whole and times is None:
        return _intraday(fields, start, tz)
    if times is None:
        raise CronError("cron_too_many_times")
    parts = ["FREQ=DAILY"]
    if fields[4] != "*":
        names = [WEEKDAYS[(day - 1) % _SUNDAY] for day in weekdays]
        parts = ["FREQ=WEEKLY", f"BYDAY={','.join(names)}"]
    elif fields[2] != "*":
        parts = ["FREQ=MONTHLY", f"BYMONTHDAY={','.join(map(str, days))}"]
    if fields[3] != "*":
        parts.append(f"BYMONTH={','.join(map(str, months))}")
    return Rule.from_json(
        {
            "type": "rrule",
            "rrule": ";".join(parts),
            "times": times,
            "tz": tz.key,
            "dtstart_local": start,
            "clamp": False,
        }
    )


def _day_number(match: re.Match[str]) -> str:
    number = _DAY_NAMES.get(match.group()[:3])
    if number is None:
        raise CronError("cron_range")
    return str(number)


def _values(field: str, low: int, high: int) -> list[int]:
    found: set[int] = set()
    for item in field.split(","):
        match = _ITEM.fullmatch(item)
        if match is None:
            raise CronError("cron_range")
        first, last, step = match.groups()
        start = low if first == "*" else int(first)
        end = int(last) if last else high if first == "*" or step else start
        if (first == "*" and last) or not low <= start <= end <= high or step == "0":
            raise CronError("cron_range")
        found |= set(range(start, end + 1, int(step or 1)))
    return sorted(found)


def _times(fields: list[str], minutes: list[int], hours: list[int]) -> list[str] | None:
    if len(minutes) * len(hours) > _MAX_TIMES:
        return None
    if fields[0].startswith("*") and len(minutes) > 60 // _MIN_STEP:
        raise CronError("too_frequent")
    return [f"{h:02d}:{m:02d}" for h, m in product(hours, minutes)]


def _intraday(fields: list[str], start: datetime, tz: ZoneInfo) -> Rule:
    """Every N minutes round the clock, where N divides the hour."""
    match = re.fullmatch(r"\*/(\d{1,2})", fields[0])
    if match is None or fields[1] != "*":
        raise CronError("too_frequent" if fields[0] == "*" else "cron_too_many_times")
    step = int(match.group(1))
    if step < _MIN_STEP:
        raise CronError("too_frequent")
    if 60 % step:
        raise CronError("cron_too_many_times")
    return Rule.from_json(
        {
            "type": "rrule",
            "rrule": f"FREQ=MINUTELY;INTERVAL={step}",
            "tz": tz.key,
            "dtstart_local": start.replace(minute=start.minute - start.minute % step),
        }
    )
