"""A rule as an iCalendar file, where RFC 5545 can say it."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.recurrence import RRule, Rule
from bot.language.occurrences import next_fire

_LINE: Final = 75
_SHORTEST_MONTH: Final = 28
_STAMP: Final = "%Y%m%dT%H%M%SZ"
_LOCAL: Final = "%Y%m%dT%H%M%S"


def to_ics(rule: Rule, summary: str, uid: str, *, now: datetime) -> str | None:
    """The rule as an iCalendar text from its first fire on; None when RRULE cannot say it.

    Official workdays, holidays left out and lunar years are not in RFC 5545, nor is a count
    shared by several times of a day. Each time of the day becomes an event of its own.

    Args:
        rule: The rule.
        summary: The text of the event.
        uid: A globally unique name for it.
        now: The moment of the export.
    """
    if rule.type not in ("rrule", "once") or rule.skip_holidays:
        return None
    if rule.count and len(rule.times) > 1:
        return None
    text = "" if rule.type == "once" else _rrule(rule)
    if text is None:
        return None
    events: list[str] = []
    for index, at in enumerate(rule.times or ("",)):
        single = rule.model_copy(update={"times": (at,)}) if at else rule
        events += _event(single, text, summary, uid if not index else f"{uid}-{index}", now)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Switchboard//EN", *events]
    return "".join(_folded(line) for line in [*lines, "END:VCALENDAR"])


def _event(rule: Rule, text: str, summary: str, uid: str, now: datetime) -> list[str]:
    zone = ZoneInfo(rule.tz)
    begin = rule.dtstart_local.replace(tzinfo=zone)
    first = next_fire(rule, begin.astimezone(UTC) - timedelta(minutes=1))
    start = begin if first is None else first.astimezone(zone)
    lines = [
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTAMP:{now.astimezone(UTC).strftime(_STAMP)}",
        f"DTSTART;TZID={rule.tz}:{start.strftime(_LOCAL)}",
        f"SUMMARY:{_escaped(summary)}",
    ]
    if text:
        lines.append(f"RRULE:{text}{_bounds(rule, zone)}")
    clock = time.fromisoformat(rule.times[0]) if rule.times else start.time()
    for day in rule.except_dates:
        moment = datetime.combine(day, clock)
        lines.append(f"EXDATE;TZID={rule.tz}:{moment.strftime(_LOCAL)}")
    return [*lines, "END:VEVENT"]


def _bounds(rule: Rule, zone: ZoneInfo) -> str:
    if rule.until is not None:
        until = rule.until.replace(tzinfo=zone).astimezone(UTC)
        return f";UNTIL={until.strftime(_STAMP)}"
    return f";COUNT={rule.count}" if rule.count else ""


def _rrule(rule: Rule) -> str | None:
    """The RRULE text; a clamped day becomes the last of the days up to it."""
    parsed = rule.parsed()
    late = [day for day in parsed.bymonthday if day > _SHORTEST_MONTH]
    implied = rule.dtstart_local.day > _SHORTEST_MONTH and _day_is_implied(parsed)
    if not rule.clamp or not (late or implied):
        return parsed.text()
    if len(parsed.bymonthday) > 1 or implied or parsed.bysetpos or parsed.byday:
        return None
    if parsed.freq == "YEARLY" and len(parsed.bymonth) != 1:
        return None
    days = tuple(range(_SHORTEST_MONTH, late[0] + 1))
    return replace(parsed, bymonthday=days, bysetpos=(-1,)).text()


def _day_is_implied(parsed: RRule) -> bool:
    named = parsed.byday or parsed.bymonthday
    return parsed.freq in ("MONTHLY", "YEARLY") and not named


def _escaped(text: str) -> str:
    flat = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return "\\n".join(flat.splitlines())


def _folded(line: str) -> str:
    """A content line of at most 75 octets a row, never broken inside a character."""
    rows, row, size = [], "", 0
    for char in line:
        octets = len(char.encode())
        if size + octets > _LINE:
            rows.append(row)
            row, size = " ", 1
        row += char
        size += octets
    return "\r\n".join([*rows, row]) + "\r\n"
