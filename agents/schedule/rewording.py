"""What words do to a stored reminder: another rule, another clock on its days, another text."""

import re
from datetime import UTC, datetime, time

from agents.schedule import present
from agents.schedule.calls import update_call
from agents.schedule.moves import is_one_day, moved_to
from agents.schedule.timing import Timing, clocks_of
from bot.core.agents import Turn, zone_of
from bot.core.effects import ToolCall
from bot.core.patterns import regex
from bot.core.recurrence import Rule
from bot.core.schedules import Schedule, ScheduleChange
from bot.language.recurrence import next_fire
from bot.language.times import resolve_time

_NOON = 12
_EVENING = 17
"""From this hour on, a bare hour for what rings may be one of the evening as well."""

_NUMBER = regex(r"[¥$€]?\d+(?:[.,]\d+)*(?:块钱?|元)?[。.!！]?")
_FORENOON = regex(r"[早晨]|上午|凌晨|\d ?am\b|morning", re.IGNORECASE)


def calls_for(
    turn: Turn, schedule: Schedule, words: str, timing: Timing, clocks: tuple[str, ...]
) -> list[ToolCall]:
    """Return the calls that do what the words say with a reminder; none when that is in doubt."""
    based = timing.candidates[0] if timing.reason == "no_time_of_day" else None
    if clocks and (at_clock := _at_clock(schedule, clocks, words, turn)):
        return at_clock
    if based is not None and schedule.rule.times:
        return [_with_rule(schedule, based, schedule.rule.times, turn)]
    if timing.status in {"ask", "reject"} or is_one_day(schedule, timing.rule):
        return []
    if timing.rule is None:
        is_number = _NUMBER.fullmatch(words.strip()) is not None  # of a price, not of a thing
        return [] if is_number else [update_call(schedule, ScheduleChange(what=words.strip()))]
    return _to_rule(schedule, timing.rule, words, turn)


def at_either(schedule: Schedule, halves: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return a reminder's rule at both times that a bare hour may mean.

    Nothing when its own time settles it: "改到6点" of a reminder in the afternoon.
    """
    local = present.fire_local(schedule)
    return () if local is None or local.hour >= _NOON else at_times(schedule, halves)


def at_times(schedule: Schedule, clocks: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return a reminder's rule at each of several times of day, to choose from."""
    local = present.fire_local(schedule)
    if local is None:
        return ()
    if schedule.rule.type != "once":
        rule = schedule.rule
        return tuple(rule.model_copy(update={"times": (clock,)}) for clock in clocks if rule.times)
    moments = (datetime.combine(local.date(), time.fromisoformat(clock)) for clock in clocks)
    return tuple(present.once_rule(moment.replace(tzinfo=local.tzinfo)) for moment in moments)


def instead_of_one(schedule: Schedule, clock: str) -> tuple[Rule, ...]:
    """Return a rule of several times of day with one of them changed, or with the new one only.

    Nothing for a rule of one time.
    """
    rule = schedule.rule
    if len(rule.times) <= 1:
        return ()
    changed = [tuple(sorted({clock, *rule.times} - {old})) for old in rule.times]
    return tuple(
        rule.model_copy(update={"times": times})
        for times in dict.fromkeys((*changed, (clock,)))
        if times != rule.times
    )


def in_other_half(schedule: Schedule, clock: str) -> tuple[str, ...]:
    """Return an early hour and the late one for what rings late: which is meant is not certain."""
    local, said = present.fire_local(schedule), time.fromisoformat(clock)
    if local is None or local.hour < _EVENING or not 0 < said.hour < _NOON:
        return ()
    return (clock, f"{said.hour + _NOON:02}:{said.minute:02}")


def clocks_in(words: str, turn: Turn) -> tuple[str, ...]:
    """Return the times of day when they are all that the words say about time."""
    spans = resolve_time(words, now=turn.now, tz=zone_of(turn.now), mode="reminder").spans
    return clocks_of(words[spans[0][0] : spans[0][1]], turn.now) if len(spans) == 1 else ()


def _to_rule(schedule: Schedule, rule: Rule, words: str, turn: Turn) -> list[ToolCall]:
    """Return the call that gives a reminder another rule; a one-off keeps an unsaid time."""
    if rule.type == "once" and schedule.rule.type == "once":
        moved = moved_to(turn, schedule, words, rule)
        rule = rule.model_copy(update={"dtstart_local": moved})
    fire_at = next_fire(rule, turn.now.astimezone(UTC))
    change = ScheduleChange(rule=rule, next_fire_at=fire_at)
    return [] if fire_at is None else [update_call(schedule, change)]


def _at_clock(
    schedule: Schedule, clocks: tuple[str, ...], words: str, turn: Turn
) -> list[ToolCall]:
    """Return the call that keeps the days of a reminder and changes the time of day."""
    if schedule.rule.type == "once":
        return _same_day(schedule, clocks, words, turn)
    return [_with_rule(schedule, schedule.rule, clocks, turn)] if schedule.rule.times else []


def _same_day(
    schedule: Schedule, clocks: tuple[str, ...], words: str, turn: Turn
) -> list[ToolCall]:
    """Return the call that moves a one-off to another time of its day; none when that is over."""
    local = present.fire_local(schedule)
    if local is None or len(clocks) != 1:
        return []
    hour, minute = (int(part) for part in clocks[0].split(":"))
    moved = local.replace(hour=hour, minute=minute)
    if moved <= turn.now and hour < _NOON and not _FORENOON.search(words):
        moved = local.replace(hour=hour + _NOON, minute=minute)
    rule = present.once_rule(moved)
    fire_at = next_fire(rule, turn.now.astimezone(UTC))
    if fire_at is None:
        return []
    return [update_call(schedule, ScheduleChange(rule=rule, next_fire_at=fire_at))]


def _with_rule(schedule: Schedule, base: Rule, clocks: tuple[str, ...], turn: Turn) -> ToolCall:
    """Return the call that gives a reminder the days of a rule at these times of day."""
    rule = base.model_copy(update={"times": clocks})
    fire_at = next_fire(rule, turn.now.astimezone(UTC))
    return update_call(schedule, ScheduleChange(rule=rule, next_fire_at=fire_at))
