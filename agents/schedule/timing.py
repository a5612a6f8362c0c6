"""When a reminder is to fire: one answer out of the time and the recurrence in a text."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from agents.schedule.present import once_rule
from bot.core.agents import zone_of
from bot.core.recurrence import Rule
from bot.language.recurrence import resolve_recurrence
from bot.language.times import resolve_time


@dataclass(frozen=True, slots=True)
class Timing:
    """When, or why not.

    Attributes:
        rule: with `ok`.
        candidates: with `ask`, what to offer; may be empty.
        reason: stable key of the question or the refusal.
    """

    status: Literal["ok", "ask", "reject", "none"]
    rule: Rule | None = None
    candidates: tuple[Rule, ...] = ()
    reason: str = ""


def timing_of(words: str, now: datetime) -> Timing:
    """Return when the words say, seen from ``now`` (local, in a named zone)."""
    zone = zone_of(now)
    repeated = resolve_recurrence(words, now=now, tz=zone)
    if repeated.status == "ok":
        return Timing("ok", rule=repeated.rule)
    if repeated.status == "ask":
        return Timing("ask", candidates=repeated.candidates, reason=repeated.reason)
    times = resolve_time(words, now=now, tz=zone, mode="reminder")
    if times.status == "reject":
        return Timing("reject", reason=times.reason)
    if times.status == "ask":
        rules = tuple(once_rule(c.astimezone(zone)) for c in times.candidates)
        return Timing("ask", candidates=rules, reason=times.reason)
    if times.status == "none" or not times.times:
        return Timing("none")
    first = times.times[0]
    if first.start is not None:
        return Timing("ok", rule=once_rule(first.start.astimezone(zone)))
    if first.seconds is not None:
        later = (now + timedelta(seconds=first.seconds)).astimezone(zone)
        return Timing("ok", rule=once_rule(later))
    return Timing("none")
