"""Timings moved a while ahead of the point that was stated."""

from dataclasses import replace
from datetime import datetime, timedelta

from agents.schedule.timing import Timing
from bot.core.recurrence import Rule

_DAY = timedelta(days=1)


def earlier(timing: Timing, distance: timedelta) -> Timing:
    """Return the timing a while before; a question where a rule cannot be moved so far."""
    if timing.status == "ask":
        moved = tuple(r for c in timing.candidates if (r := _moved(c, distance)) is not None)
        return replace(timing, candidates=moved)
    if timing.rule is None:
        return timing
    rule = _moved(timing.rule, distance)
    return Timing("ask", reason="which_times") if rule is None else replace(timing, rule=rule)


def _moved(rule: Rule, distance: timedelta) -> Rule | None:
    if rule.type == "once":
        return rule.model_copy(update={"dtstart_local": rule.dtstart_local - distance})
    clocks = [datetime.strptime(clock, "%H:%M") for clock in rule.times]  # noqa: DTZ007
    moved = [clock - distance for clock in clocks]
    crosses = any(m.date() != c.date() for m, c in zip(moved, clocks, strict=True))
    if not moved or distance >= _DAY or (crosses and rule.rrule != "FREQ=DAILY"):
        return None
    return rule.model_copy(update={"times": tuple(sorted(f"{m:%H:%M}" for m in moved))})
