"""When a reminder is to fire: one answer out of the time and the recurrence in a text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Literal

from agents.schedule.present import once_rule
from bot.core.agents import zone_of
from bot.core.patterns import regex
from bot.core.recurrence import Rule
from bot.language.recurrence import RecurrenceResult, resolve_recurrence
from bot.language.times import resolve_time


@dataclass(frozen=True, slots=True)
class Timing:
    """When, or why not.

    Attributes:
        rule: with `ok`.
        candidates: with `ask`, what to offer; may be empty.
        reason: stable key of the question or the refusal.
        said: with `ask`, the words of the repetition, the week or the month that is asked about.
    """

    status: Literal["ok", "ask", "reject", "none"]
    rule: Rule | None = None
    candidates: tuple[Rule, ...] = ()
    reason: str = ""
    said: str = ""


WHICH_TOMORROW = "which_tomorrow"
"""The question after midnight; its candidates are today and tomorrow, in this order."""

_DAY_AND_CLOCK = 2
_EVE = time(20)
_EVERY_DAY = ("每天", "every day at ", "every day ")
_OWN_DAY = regex(
    r"今|明|后|昨|周|星期|礼拜|月|号|日|年|天|每|农历|内|之后|以后|"
    r"\b(?:today|tonight|tomorrow|in|next|on|this|every|each|mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE,
)
_BESIDE_CLOCK = regex(
    r"^(?:at\s+|(?:那就?|还是|就|改)+(?=[\d一二两三四五六七八九十早上中下晚]))|(?:就?(?:好|行|可以)?[了吧]|就[好行])[。.!！~]*$",
    re.IGNORECASE,
)
"""Small words around a time of day that answers something: 那就9点半吧."""

_BARE_WEEKDAY = regex(
    r"(?<![上下这本每个])(?:周|星期|礼拜)[一二三四五六日天]"
    r"|(?<!next )(?<!this )(?<!last )(?<!every )\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)
_PART_SAID = regex(
    r"[早晨晚夜午]|凌|\b(?:am|pm|morning|evening|night|noon)\b|\d[ap]m|\b0\d[:：]", re.IGNORECASE
)


def says_part(words: str) -> bool:
    """Whether the words say which half of the day a clock is of."""
    return _PART_SAID.search(words) is not None


def is_bare_weekday(words: str) -> bool:
    """Whether words name a weekday and not of which week."""
    return _BARE_WEEKDAY.search(words) is not None


def clocks_of(words: str, now: datetime) -> tuple[str, ...]:
    """Return the times of day ("HH:MM") when the words name these and no day, else nothing."""
    found = _each_day_at(words, now)
    return found.rule.times if found is not None and found.rule is not None else ()


def hours_of(words: str, now: datetime) -> tuple[str, ...]:
    """Return both times of day that a bare hour may mean ("6点": 06:00, 18:00), else nothing."""
    found = _each_day_at(words, now)
    if found is None or found.reason != "bare_hour":
        return ()
    return tuple(clock for rule in found.candidates for clock in rule.times)


def _each_day_at(words: str, now: datetime) -> RecurrenceResult | None:
    """Return what the words say as the times of every day, when that is all they say."""
    said = words.strip()
    if _OWN_DAY.search(re.sub(r"\bin the\b", "", said, flags=re.IGNORECASE)):
        return None
    said = _BESIDE_CLOCK.sub("", said)
    for every in _EVERY_DAY:
        found = resolve_recurrence(every + said, now=now, tz=zone_of(now))
        rules = [found.rule] if found.rule is not None else list(found.candidates)
        whole = found.span == (0, len(every + said))
        if found.status == "none" or found.default_time or found.reason == "no_time_of_day":
            continue
        alike = all(rule.type == "rrule" and rule.rrule == "FREQ=DAILY" for rule in rules)
        return found if rules and alike and whole else None
    return None


def _both_days(words: str, now: datetime) -> tuple[Rule, ...]:
    """Return what the words mean counted from yesterday and from today: today, tomorrow."""
    noon = now.replace(hour=12, minute=0, second=0, microsecond=0)
    rules: list[Rule] = []
    for seen_from in (noon - timedelta(days=1), noon):
        times = resolve_time(words, now=seen_from, tz=zone_of(now), mode="reminder").times
        start = times[0].start if len(times) == 1 else None
        if start is not None and start > now:
            rules.append(once_rule(start.astimezone(zone_of(now))))
    return tuple(rules)


def timing_of_point(words: str, now: datetime) -> Timing:
    """Return when an event is: its day and its time of day may stand apart."""
    timing = timing_of(words, now)
    spans = resolve_time(words, now=now, tz=zone_of(now), mode="range").spans
    joined = timing_of(" ".join(words[a:b] for a, b in reversed(spans)), now)
    return joined if len(spans) == _DAY_AND_CLOCK and joined.status == "ok" else timing


def timing_of(words: str, now: datetime) -> Timing:
    """Return when the words say, seen from ``now`` (local, in a named zone)."""
    zone = zone_of(now)
    repeated = resolve_recurrence(words, now=now, tz=zone)
    if repeated.status == "ok":
        return Timing("ok", rule=repeated.rule)
    if repeated.status == "ask":
        said = " ".join(words[first:last] for first, last in _apart(repeated.spans))
        return Timing("ask", candidates=repeated.candidates, reason=repeated.reason, said=said)
    times = resolve_time(words, now=now, tz=zone, mode="reminder")
    if times.status == "reject":
        return Timing("reject", reason=times.reason)
    if times.status == "ask":
        rules = tuple(once_rule(c.astimezone(zone)) for c in times.candidates)
        if times.reason == WHICH_TOMORROW:
            rules = rules or _both_days(words, now)
        open_period = times.reason == "which_day" and not rules
        said = " ".join(words[a:b] for a, b in _apart(times.spans)) if open_period else ""
        return Timing("ask", candidates=rules, reason=times.reason, said=said)
    if times.status == "none" or not times.times:
        return Timing("none")
    points = tuple(dict.fromkeys(t.start for t in times.times if t.kind == "point" and t.start))
    if len(points) > 1:
        rules = tuple(once_rule(point.astimezone(zone)) for point in points)
        return Timing("ask", candidates=rules, reason="which_time")
    first = times.times[0]
    if first.start is not None:
        return Timing("ok", rule=once_rule(first.start.astimezone(zone)))
    if first.seconds is not None:
        later = (now + timedelta(seconds=first.seconds)).astimezone(zone)
        return Timing("ok", rule=once_rule(later))
    return Timing("none")


def _apart(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans without those that another one holds."""
    return [
        span
        for span in sorted(set(spans))
        if not any(a <= span[0] and span[1] <= b and (a, b) != span for a, b in spans)
    ]


def of_told_plan(timing: Timing, words: str, now: datetime) -> Timing:
    """Return the timing of a plan that was told first; with a mere day it is asked about.

    "We go to the sea on Friday. Remind me" says when the plan is and not when to be reminded.
    """
    found = resolve_time(words, now=now, tz=zone_of(now), mode="reminder")
    is_default = any(item.default_time for item in found.times)
    if timing.rule is None or timing.rule.type != "once" or not is_default:
        return timing
    start = timing.rule.dtstart_local
    eve = datetime.combine(start.date() - timedelta(days=1), _EVE)
    rules = [timing.rule]
    if eve.replace(tzinfo=zone_of(now)) > now:
        rules.append(timing.rule.model_copy(update={"dtstart_local": eve}))
    return Timing("ask", candidates=tuple(rules), reason="no_time_of_day")


def with_stray_day(timing: Timing, what: str, now: datetime) -> tuple[str, Timing]:
    """Return content and timing; a day left at the end of the content is asked about.

    "remind me the 3pm meeting tomorrow" has the clock in one place and the day in another: read
    apart, it would be stored for today.
    """
    if timing.rule is None or timing.rule.type != "once":
        return what, timing
    found = resolve_time(what, now=now, tz=zone_of(now), mode="reminder")
    last = found.times[-1] if found.times else None
    if last is None or last.start is None or last.grain != "day" or last.span[1] != len(what):
        return what, timing
    rest = what[: last.span[0]].strip(" ,，。.、的")
    read = timing.rule.dtstart_local
    moved = datetime.combine(last.start.date(), read.time())
    if not rest:
        return what, timing
    if moved == read:
        return rest, timing
    other = timing.rule.model_copy(update={"dtstart_local": moved})
    return rest, Timing("ask", candidates=(other, timing.rule), reason="which_time")


def with_stray_clock(timing: Timing, what: str, now: datetime) -> tuple[str, Timing]:
    """Return content and timing; the time of day left at the end of the content is the day's.

    For a day whose time was not said: 提醒我周三开会，下午两点.
    """
    if timing.rule is None or timing.rule.type != "once":
        return what, timing
    spans = resolve_time(what, now=now, tz=zone_of(now), mode="reminder").spans
    if not spans or spans[-1][1] != len(what):
        return what, timing
    rest, said = what[: spans[-1][0]].strip(" ,，。.、的"), what[spans[-1][0] :]
    clocks = clocks_of(said, now) or hours_of(said, now)
    day, rule = timing.rule.dtstart_local.date(), timing.rule
    at = (datetime.combine(day, time.fromisoformat(clock)) for clock in clocks)
    rules = tuple(rule.model_copy(update={"dtstart_local": moment}) for moment in at)
    if not rest or not rules:
        return what, timing
    if len(rules) == 1:
        return rest, Timing("ok", rule=rules[0])
    return rest, Timing("ask", candidates=rules, reason="bare_hour")
