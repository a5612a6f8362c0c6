"""The grammar of times of day."""

from dataclasses import replace
from typing import Final

from bot.language.date_rules import date_of
from bot.language.rules import (
    FOUR_DIGITS,
    MONTHS,
    QUARTERS,
    TOO_LARGE,
    Build,
    Match,
    Rule,
    constant,
    is_whole,
    token_slot,
    whole_number,
    written,
)
from bot.language.slots import Slots

_HOURS: Final = 24
_MINUTES: Final = 59
_ROUND: Final = 5
_FIFTEEN: Final = 15


def hour_of(m: Match, text: str) -> Slots | None:
    """An hour on 24, or a fault."""
    del text
    token = m[0]
    if not is_whole(token):
        return None
    value = whole_number(token)
    if value > _HOURS:
        return Slots(hour=value, fault="no_such_hour") if value < TOO_LARGE else None
    return Slots(hour=value, minute=0)


def _hour_part(value: int, word: str) -> Build:
    def build(m: Match, text: str) -> Slots | None:
        slots = hour_of(m, text)
        return None if slots is None else replace(slots, minute=value)

    del word
    return build


def _hour_minute(m: Match, text: str) -> Slots | None:
    slots, token = hour_of(m, text), m[2]
    if slots is None or token is None or not is_whole(token):
        return None
    value = whole_number(token)
    size = token.end - token.start
    if m[3] is None and size == 1 and not slots.fault:
        return None
    if value > _MINUTES:
        return replace(slots, fault="no_such_hour") if m[3] is not None else None
    return replace(slots, minute=value)


def _hour_minute_second(m: Match, text: str) -> Slots | None:
    slots = _hour_minute(m, text)
    if slots is None or not is_whole(m[4]) or whole_number(m[4]) > _MINUTES:
        return None
    return replace(slots, second=whole_number(m[4]))


def _hour_quarters(m: Match, text: str) -> Slots | None:
    slots, count = hour_of(m, text), whole_number(m[2])
    if slots is None or not 1 <= count < QUARTERS:
        return None
    return replace(slots, minute=_FIFTEEN * count)


def _minutes_before(hour: int, minutes: int, each: int = 1) -> Build:
    """差五分三点: so many minutes before the hour."""

    def build(m: Match, text: str) -> Slots | None:
        slots = hour_of(m[hour : hour + 1], text)
        early = whole_number(m[minutes]) * each
        if slots is None or slots.hour is None or not 1 <= early <= _MINUTES:
            return None
        return replace(slots, hour=slots.hour - 1 or MONTHS, minute=_MINUTES + 1 - early)

    return build


def _clock(m: Match, text: str) -> Slots | None:
    token = m[0]
    if token is None:
        return None
    hour, minute, *rest = token.fields
    meridiem = token.name or (m[1].name if len(m) > 1 and m[1] is not None else "")
    figures = written(token, text)
    return Slots(
        hour=hour,
        minute=minute,
        second=rest[0] if rest else None,
        meridiem=meridiem,
        digital=figures.startswith("0") or hour > MONTHS or hour == 0,
        colon=True,
        fault="no_such_hour" if meridiem and hour > MONTHS and meridiem == "am" else "",
    )


def _compact_clock(m: Match, text: str) -> Slots | None:
    date, token = m[0], m[1]
    if date is None or token is None or token.end - token.start != FOUR_DIGITS:
        return None
    slots = date_of(m, text)
    hour, minute = divmod(int(token.number), 100)
    if slots is None or hour >= _HOURS or minute > _MINUTES:
        return None
    return replace(slots, hour=hour, minute=minute, digital=True)


def _ampm_hour(m: Match, text: str) -> Slots | None:
    del text
    value, minute = whole_number(m[0]), 0
    if value >= TOO_LARGE:
        value, minute = divmod(value, TOO_LARGE)
    if not is_whole(m[0]) or not 1 <= value <= MONTHS or m[-1] is None or minute > _MINUTES:
        return None
    return Slots(hour=value, minute=minute, meridiem=m[-1].name, english=True)


def english_hour(m: Match, text: str) -> Slots | None:
    """An hour said in English."""
    slots = hour_of(m, text)
    if slots is None or slots.fault or not slots.hour:
        return None
    return replace(slots, english=True)


def _at_hour(m: Match, text: str) -> Slots | None:
    at, token = m[0], m[1]
    if (
        at is None
        or token is None
        or written(at, text) not in ("at", "@", "around", "about", "by")
    ):
        return None
    return english_hour(m[1:], text)


def _past_hour(minutes: int) -> Build:
    def build(m: Match, text: str) -> Slots | None:
        slots = english_hour(m[-1:], text)
        return None if slots is None else replace(slots, minute=minutes)

    return build


def _to_hour(m: Match, text: str) -> Slots | None:
    slots = english_hour(m[-1:], text)
    if slots is None or slots.hour is None:
        return None
    return replace(slots, hour=(slots.hour - 1) or MONTHS, minute=45)


def _minutes_past(m: Match, text: str) -> Slots | None:
    slots = english_hour(m[-1:], text)
    minutes, link = whole_number(m[0]), m[-2]
    if slots is None or slots.hour is None or link is None or not 1 <= minutes <= _MINUTES:
        return None
    if written(link, text) not in ("to", "past") or (m[1] is None and minutes % _ROUND):
        return None
    if link.kind == "to":
        return replace(slots, hour=(slots.hour - 1) or MONTHS, minute=60 - minutes)
    return replace(slots, minute=minutes)


def _english_part_hour(m: Match, text: str) -> Slots | None:
    """11 at night: an hour before its part of the day, in English only."""
    part = m[1]
    if part is None or not written(part, text).isascii():
        return None
    slots = english_hour(m, text)
    if slots is None or not slots.hour or slots.hour > MONTHS:
        return None
    return replace(slots, part=part.name)


def _evening_number(m: Match, text: str) -> Slots | None:
    """Tonight 7."""
    day = m[0]
    if day is None or not day.name or not written(day, text).isascii():
        return None
    slots = english_hour(m[1:], text)
    if slots is None or not slots.hour or slots.hour > MONTHS:
        return None
    return replace(slots, day_shift=day.n, part=day.name)


CLOCK_RULES: Final[tuple[Rule, ...]] = (
    ("part", token_slot("part", "name")),
    ("num part", _english_part_hour),
    ("bad", constant(fault="bad_clock")),
    ("day num", _evening_number),
    ("num dian|shi", hour_of),
    ("num dian|shi zheng", hour_of),
    ("num dian|shi num ?fen", _hour_minute),
    ("num dian|shi num fen num miao", _hour_minute_second),
    ("num dian|shi ban", _hour_part(30, "half")),
    ("num dian|shi ke", _hour_part(15, "quarter")),
    ("num dian|shi num ke", _hour_quarters),
    ("lack num fen num dian", _minutes_before(3, 1)),
    ("lack num ke num dian", _minutes_before(3, 1, 15)),
    ("num dian lack num fen", _minutes_before(0, 3)),
    ("num dian lack num ke", _minutes_before(0, 3, 15)),
    ("date num", _compact_clock),
    ("clock", _clock),
    ("clock ampm", _clock),
    ("num ampm", _ampm_hour),
    ("num oclock", english_hour),
    ("at num", _at_hour),
    ("at num ampm", lambda m, text: _ampm_hour(m[1:], text)),
    ("at num oclock", lambda m, text: english_hour(m[1:], text)),
    ("half past num", _past_hour(30)),
    ("quarterhour past num", _past_hour(15)),
    ("quarterhour to num", _to_hour),
    ("num ?unit.minute past|to num", _minutes_past),
    ("noon", constant(hour=12, minute=0, part="noon", english=True)),
    ("midnight", constant(midnight=True)),
    ("ampm", token_slot("meridiem", "name")),
    ("now", constant(now=True)),
    ("zone", token_slot("zone", "name")),
)
"""The rules of this part of the grammar."""
