"""Which time of day the slots mean: parts of the day, bare hours, midnights."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from bot.language.results import Context, Trouble
from bot.language.slots import Slots

PART_HOURS: Final = {
    "dawn": 4,
    "night": 0,
    "morning": 8,
    "forenoon": 10,
    "noon": 12,
    "afternoon": 15,
    "dusk": 18,
    "evening": 20,
}
"""The hour that stands for a part of the day when no hour is said."""
PART_RANGES: Final = {
    "dawn": (0, 5),
    "night": (0, 5),
    "morning": (5, 9),
    "forenoon": (8, 12),
    "noon": (11, 13),
    "afternoon": (12, 18),
    "dusk": (17, 19),
    "evening": (18, 24),
}
DEFAULT_HOUR: Final = 9
"""The hour of a reminder for which only the day was said."""
_NOON: Final = 12
_NIGHT_ENDS: Final = 6
_EVENING_FROM: Final = 5
_LATE: Final = 9
_AFTER_NOON: Final = {"noon": (1, 4), "afternoon": (0, 11), "dusk": (4, 11), "evening": (5, 11)}
"""The hours that mean twelve later in a part of the day."""
_AFTER_NOON_UNTIL: Final = 5
_OFFICE_UNTIL: Final = 4
_OPEN_HOURS: Final = (5, 6)
_FULL_DAY: Final = 24


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day on the day it was said for.

    Attributes:
        days: 1 when it falls on the following day: tonight at 12.
        at: The wall time.
        open: It may as well be twelve hours later.
    """

    days: int
    at: time
    open: bool = False


def on(day: date, clock: Clock) -> datetime:
    """The naive moment of a clock said for a day."""
    return datetime.combine(day + timedelta(days=clock.days), clock.at)


def clock_of(slots: Slots) -> Clock | None:
    """The time of day the slots mean, None when they give no hour.

    Raises:
        Trouble: There is no such time of day.
    """
    if slots.fault == "no_such_hour":
        raise Trouble("no_such_hour", status="reject")
    if slots.midnight:
        late = slots.part == "evening" or slots.day_shift == 0 or not slots.has_date()
        return Clock(int(late), time(0))
    if slots.hour is None:
        return None
    hour, minute = slots.hour, slots.minute or 0
    second = slots.second or 0
    if hour > _FULL_DAY or (hour == _FULL_DAY and (minute or second)):
        raise Trouble("no_such_hour", status="reject")
    if hour == _FULL_DAY:
        return Clock(1, time(0))
    if slots.meridiem and hour <= _NOON:
        hour = hour % _NOON + (_NOON if slots.meridiem == "pm" else 0)
        return Clock(0, time(hour, minute, second))
    if slots.part:
        days, hour = _in_part(slots.part, hour)
        return Clock(days, time(hour, minute, second))
    unsure = 1 <= hour <= _NOON and not slots.digital
    return Clock(0, time(hour, minute, second), open=unsure)


def _in_part(part: str, hour: int) -> tuple[int, int]:
    """Days to add and the hour on 24, for an hour said with a part of the day."""
    if hour > _NOON:
        if part in ("dawn", "morning", "forenoon"):
            raise Trouble("contradiction")
        return 0, hour
    if part == "night" and hour % _NOON:
        return 0, hour + _NOON if hour >= _LATE else hour
    if part == "dawn":
        return 0, hour % _NOON
    if part in ("evening", "night") and hour % _NOON < _EVENING_FROM:
        return 1, hour % _NOON
    low, high = _AFTER_NOON.get(part, (_NOON, 0))
    return 0, hour + _NOON if low <= hour <= high else hour


def settle(clock: Clock, day: date | None, slots: Slots, context: Context) -> datetime:
    """The naive moment of a clock on a day, or at its next fitting occurrence.

    Raises:
        Trouble: It has to be asked.
    """
    if day is not None:
        return _on_day(clock, day, slots, context)
    now = context.now.replace(tzinfo=None)
    today = now.date()
    if not clock.open:
        return _sure_without_day(clock, slots, context, today)
    faces = [on(today + timedelta(days=d), c) for d in (0, 1) for c in _faces(clock, context)]
    ahead = sorted(f for f in faces if f > now)
    if context.mode != "reminder" or context.hint:
        return ahead[0] if context.mode != "ledger" else faces[0]
    first = ahead[0]
    literal = datetime.combine(today, clock.at)
    if slots.colon and literal <= now:
        options = (first, literal + timedelta(days=1))
        raise Trouble("bare_hour", candidates=tuple(sorted({*options})))
    night = first.time() < time(_NIGHT_ENDS) and now.hour >= _NIGHT_ENDS
    if first.date() > today and (night or first.hour == _NIGHT_ENDS):
        raise Trouble("bare_hour", candidates=(first, first + timedelta(hours=_NOON)))
    return first


def _faces(clock: Clock, context: Context) -> list[Clock]:
    hour = clock.at.hour
    early = Clock(0, clock.at.replace(hour=hour % _NOON))
    late = Clock(0, clock.at.replace(hour=hour % _NOON + _NOON))
    if context.hint:
        return [early if context.hint == "am" else late]
    return [early, late]


def _sure_without_day(clock: Clock, slots: Slots, context: Context, today: date) -> datetime:
    now = context.now.replace(tzinfo=None)
    found = on(today, clock)
    if found > now or context.mode == "ledger":
        return found
    tomorrow = found + timedelta(days=1)
    if slots.part in ("dawn", "night"):
        return tomorrow
    if context.mode == "range":
        return found if slots.part or slots.meridiem else tomorrow
    if clock.at < time(_NIGHT_ENDS) and slots.hour in (0, _FULL_DAY):
        return tomorrow
    raise Trouble("past_today", candidates=(tomorrow,))


def _on_day(clock: Clock, day: date, slots: Slots, context: Context) -> datetime:
    now = context.now.replace(tzinfo=None)
    if not clock.open:
        return on(day, clock)
    early, late = on(day, _faces(clock, context)[0]), on(day, _faces(clock, context)[-1])
    if clock.at.hour == _NOON:
        return late
    if day == now.date() and context.mode == "reminder":
        ahead = [face for face in (early, late) if face > now]
        return ahead[0] if ahead else late
    if early == late:
        return early
    if clock.at.hour in _OPEN_HOURS and context.mode == "reminder":
        raise Trouble("bare_hour", candidates=(early, late))
    return (
        late
        if clock.at.hour <= _OFFICE_UNTIL or (slots.english and clock.at.hour <= _AFTER_NOON_UNTIL)
        else early
    )
