"""Timings moved a while ahead of the point that was stated."""

from dataclasses import replace
from datetime import date, datetime, timedelta

from agents.schedule.timing import Timing
from bot.core.recurrence import WEEKDAYS, Rule

_DAY = timedelta(days=1)
_EVERY_MONTH = 28
"""So many days has every month."""

_PLAIN_YEAR = 2001
_MARCH = 3
"""Days before one of March or later are others in a leap year when they reach into February."""


def earlier(timing: Timing, distance: timedelta) -> Timing:
    """Return the timing a while before; a question where a rule cannot be moved so far."""
    if timing.status == "ask":
        moved = tuple(r for c in timing.candidates if (r := _moved(c, distance)) is not None)
        return replace(timing, candidates=moved)
    if timing.rule is None:
        return timing
    rule = _moved(timing.rule, distance)
    return Timing("ask", reason="ahead_of_rule") if rule is None else replace(timing, rule=rule)


def _moved(rule: Rule, distance: timedelta) -> Rule | None:
    if rule.type == "once":
        return rule.model_copy(update={"dtstart_local": rule.dtstart_local - distance})
    if distance >= _DAY:
        whole = distance % _DAY == timedelta(0)
        return _days_before(rule, distance // _DAY) if whole else None
    clocks = [datetime.strptime(clock, "%H:%M") for clock in rule.times]  # noqa: DTZ007
    moved = [clock - distance for clock in clocks]
    crosses = any(m.date() != c.date() for m, c in zip(moved, clocks, strict=True))
    if not moved or (crosses and rule.rrule != "FREQ=DAILY"):
        return None
    return rule.model_copy(update={"times": tuple(sorted(f"{m:%H:%M}" for m in moved))})


def _days_before(rule: Rule, days: int) -> Rule | None:
    """Return the rule on other days of the week, month or year; None where that is no rule."""
    parts = dict(part.split("=", 1) for part in rule.rrule.split(";") if "=" in part)
    freq, named = parts.get("FREQ"), set(parts) - {"FREQ", "INTERVAL"}
    if freq == "WEEKLY" and named == {"BYDAY"}:
        moved = {(WEEKDAYS.index(day) - days) % 7 for day in parts["BYDAY"].split(",")}
        parts["BYDAY"] = ",".join(WEEKDAYS[day] for day in sorted(moved))
    elif freq == "MONTHLY" and named == {"BYMONTHDAY"}:
        on = [int(day) - days for day in parts["BYMONTHDAY"].split(",")]
        if min(on) < 1:
            return None
        parts["BYMONTHDAY"] = ",".join(str(day) for day in on)
    elif freq == "YEARLY" and named == {"BYMONTH", "BYMONTHDAY"} and "," not in rule.rrule:
        month, day = int(parts["BYMONTH"]), int(parts["BYMONTHDAY"])
        if not 1 <= day <= _EVERY_MONTH or days > _EVERY_MONTH:
            return None
        earlier_on = date(_PLAIN_YEAR, month, day) - timedelta(days=days)
        if earlier_on.month < _MARCH <= month:
            return None
        parts["BYMONTH"], parts["BYMONTHDAY"] = str(earlier_on.month), str(earlier_on.day)
    else:
        return None
    rrule = ";".join(f"{name}={value}" for name, value in parts.items())
    return rule.model_copy(update={"rrule": rrule})
