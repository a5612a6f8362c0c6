"""Answers to a question about a time that say only a part of it: what was said before stays."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Final

from agents.schedule.earlier import earlier
from agents.schedule.present import once_rule
from agents.schedule.timing import Timing, clocks_of, hours_of, timing_of
from bot.core.agents import zone_of
from bot.core.patterns import regex
from bot.core.recurrence import Rule
from bot.language.ahead import length_of
from bot.language.recurrence import resolve_recurrence
from bot.language.times import resolve_time

_PARTICLES: Final = regex(r"[\s,，。.!！的吧呢好了]*")
WHICH_DAY: Final = "which_day"
WHICH_UNIT: Final = "which_unit"
_DAY: Final = timedelta(days=1)
_FROM_TODAY: Final = regex(r"[今明后]|\b(?:today|tonight|tomorrow|in \d)", re.IGNORECASE)
"""A day that is counted from today is of no other week or month that was said before."""

ONCE_OR_REPEATED: Final = "once_or_repeated"
"""The question whether a day that was answered is the only one; the repetition comes first."""


def completed(
    words: str, asked: Timing, now: datetime, ahead: timedelta = timedelta(0)
) -> Timing | None:
    """Return what was asked about together with the answer; None when that says nothing of it.

    A time of day alone keeps the days that were said, a day alone keeps the repetition.
    """
    own = resolve_recurrence(words, now=now, tz=zone_of(now))
    if own.rule is not None:
        return _through_the_day(words, asked, own.rule, now)
    if own.status == "ask":
        alike = [
            rule for rule in asked.candidates if rule.rrule in {c.rrule for c in own.candidates}
        ]
        return Timing("ok", rule=alike[0]) if len(alike) == 1 and alike[0].rrule else None
    if asked.reason == WHICH_UNIT and (length := length_of(words)) is not None:
        return Timing("ok", rule=once_rule(now + length))
    if ahead:
        return _ahead(words, asked, now, ahead)
    return _at_clocks(words, asked, now) or _joined(words, asked, now) or _once(words, asked, now)


def _through_the_day(words: str, asked: Timing, own: Rule, now: datetime) -> Timing | None:
    """Return the hours that were said, filled by the answer: 每天8点到10点之间 + 每小时.

    Never the hours of the whole day; None for a repetition of days, which takes their place.
    """
    if not asked.said or not own.rrule.startswith(("FREQ=HOURLY", "FREQ=MINUTELY")):
        return None
    found = resolve_recurrence(f"{asked.said} {words}", now=now, tz=zone_of(now))
    filled = found.rule is not None and found.rule.times
    return Timing("ok", rule=found.rule) if filled else None


def _at_clocks(words: str, asked: Timing, now: datetime) -> Timing | None:
    """Return what was offered at other times of day, where its days are certain."""
    clocks, halves = clocks_of(words, now), hours_of(words, now)
    known = asked.reason == WHICH_DAY or _days_are_known(asked.candidates)
    if not (clocks or halves) or not known:
        return None
    times = [clocks] if clocks else [(half,) for half in halves]
    rules = tuple(
        dict.fromkeys(rule for base in asked.candidates for at in times for rule in _at(base, at))
    )
    ahead = tuple(r for r in rules if r.type != "once" or r.dtstart_local > _local(now))
    if not ahead:
        return None
    if len(ahead) == 1:
        return Timing("ok", rule=ahead[0])
    reason = "bare_hour" if len(ahead) == len(halves) else asked.reason
    return replace(asked, candidates=ahead, reason=reason)


def _days_are_known(rules: Sequence[Rule]) -> bool:
    """Whether all of the rules repeat, or all are of one day."""
    kinds = {rule.type == "once" for rule in rules}
    return kinds == {False} or (
        kinds == {True} and len({rule.dtstart_local.date() for rule in rules}) == 1
    )


def _at(base: Rule, clocks: tuple[str, ...]) -> list[Rule]:
    """Return a rule at other times of day; one moment for each of them where it is a day."""
    if base.type != "once":
        return [base.model_copy(update={"times": clocks})] if base.times else []
    day = base.dtstart_local.date()
    moments = (datetime.combine(day, time.fromisoformat(clock)) for clock in clocks)
    return [base.model_copy(update={"dtstart_local": moment}) for moment in moments]


def _joined(words: str, asked: Timing, now: datetime) -> Timing | None:
    """Return what the words before and those of the answer say together: 每两周 + 周三."""
    is_whole = asked.candidates and asked.reason != "which_times"
    if not asked.said or is_whole:
        return None
    first, _, rest = asked.said.partition(" ")
    asks: Timing | None = None
    for together in dict.fromkeys((f"{asked.said} {words}", f"{first} {words} {rest}".strip())):
        found = resolve_recurrence(together, now=now, tz=zone_of(now))
        if found.status == "none" and not _FROM_TODAY.search(words):
            asks = asks or _day_in(together, now)
        if found.status == "none" or not _covers(together, found.spans):
            continue
        if found.rule is not None:
            return Timing("ok", rule=found.rule)
        asks = (
            asks
            if asks and asks.candidates
            else replace(asked, candidates=found.candidates, reason=found.reason, said=together)
        )
    return asks


def _day_in(together: str, now: datetime) -> Timing | None:
    """Return the moment that a week or a month and the answer say together: 下周 + 周三."""
    spans = resolve_time(together, now=now, tz=zone_of(now), mode="reminder").spans
    timing = timing_of(together, now)
    if timing.status not in {"ok", "ask"} or not _covers(together, spans):
        return None
    return replace(timing, said=together) if timing.status == "ask" else timing


def _covers(words: str, spans: Sequence[tuple[int, int]]) -> bool:
    inside = {i for start, end in spans for i in range(start, end)}
    rest = "".join(char for i, char in enumerate(words) if i not in inside)
    return _PARTICLES.fullmatch(rest) is not None


def _once(words: str, asked: Timing, now: datetime) -> Timing | None:
    """Return the question whether one day was meant where a repetition was asked about."""
    timing = timing_of(words, now)
    repeats = [rule for rule in asked.candidates if rule.type != "once" and rule.times]
    if not asked.said or timing.rule is None or timing.rule.type != "once":
        return None
    if not repeats:
        return replace(asked, candidates=(timing.rule,))
    start = timing.rule.dtstart_local
    kept = repeats[0].model_copy(update={"times": (f"{start:%H:%M}",)})
    return replace(asked, candidates=(kept, timing.rule), reason=ONCE_OR_REPEATED)


def _ahead(words: str, asked: Timing, now: datetime, ahead: timedelta) -> Timing | None:
    """Return the same for a reminder that comes ahead of its point; it asks again in doubt.

    What was offered is moved already: by its days for good, by the rest until another time of
    day is said.
    """
    if (at_clocks := _at_clocks(words, asked, now)) is not None:
        return earlier(at_clocks, ahead % _DAY)
    if (joined := _joined(words, asked, now)) is not None:
        return earlier(joined, ahead)
    return asked if asked.said else None


def _local(now: datetime) -> datetime:
    return now.replace(tzinfo=None)
