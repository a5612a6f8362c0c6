"""Several reminders in one message: when each of them is, and whether that is certain."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from agents.schedule.timing import Timing, clocks_of, says_part, timing_of
from bot.core.agents import zone_of
from bot.core.recurrence import Rule
from bot.language.clauses import Clause
from bot.language.recurrence import next_fire

_NOON = 12


@dataclass(frozen=True, slots=True)
class Wanted:
    """One reminder to be set."""

    what: str
    rule: Rule


def all_wanted(clauses: tuple[Clause, ...], now: datetime) -> tuple[Wanted, ...]:
    """Return every reminder, a time without a day on the day before it; nothing when in doubt."""
    found: list[Wanted] = []
    for clause in clauses:
        timing = timing_of(clause.text, now)
        if found and _is_clock(clause, now):
            timing = _same_day(found[-1].rule, clause, now)
        if timing.status != "ok" or timing.rule is None or not clause.what:
            return ()
        if next_fire(timing.rule, now.astimezone(UTC)) is None:
            return ()
        found.append(Wanted(clause.what, timing.rule))
    return tuple(found)


def _is_clock(clause: Clause, now: datetime) -> bool:
    return len(clocks_of(clause.time_words, now)) == 1


def _same_day(before: Rule, clause: Clause, now: datetime) -> Timing:
    """Return the time of day of a clause on the days of the reminder before it."""
    (clock,) = clocks_of(clause.time_words, now)
    if before.type != "once":
        if not before.times:
            return Timing("ask")
        first, hour = before.times[-1], int(clock[:2])
        if not says_part(clause.time_words):
            clock = f"{hour % _NOON:02d}{clock[2:]}"
            if clock <= first:
                clock = f"{hour % _NOON + _NOON:02d}{clock[2:]}"
            if clock <= first:
                return Timing("ask")
        return Timing("ok", rule=before.model_copy(update={"times": (clock,)}))
    start = before.dtstart_local
    hour, minute = (int(part) for part in clock.split(":"))
    moment = start.replace(hour=hour, minute=minute)
    if not says_part(clause.time_words):
        moment = moment.replace(hour=hour % _NOON)
        if moment <= start:
            moment += timedelta(hours=_NOON)
        if moment <= start or moment.date() != start.date():
            return Timing("ask")
    if moment.replace(tzinfo=zone_of(now)) <= now:
        return Timing("ask")
    return replace(Timing("ok"), rule=before.model_copy(update={"dtstart_local": moment}))
