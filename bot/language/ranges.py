"""Stretches with two ends: 明天下午三点到6点, 周三到周五."""

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Final

from bot.language.clocks import Clock, clock_of, on, settle
from bot.language.dates import days_of
from bot.language.moments import ask_order, in_zone
from bot.language.results import Context, ResolvedTime, Trouble
from bot.language.slots import Slots
from bot.language.spans import Days, add_months, one_day
from bot.language.wall_times import stretch

_EVENING: Final = 20
_SMALL_HOURS: Final = 5


def range_of(a: Slots, b: Slots, context: Context) -> ResolvedTime | None:
    """The stretch from one time to another; None when they are no stretch.

    Raises:
        Trouble: Its ends contradict each other, or it has to be asked.
    """
    if a.window or b.window:
        return None
    context = in_zone(replace(a, zone=a.zone or b.zone), context)
    if a.has_clock() and b.has_clock():
        return _clock_range(a, b, context)
    if a.has_clock() or b.has_clock():
        return None
    return _day_range(a, b, context)


def _inherit(a: Slots, b: Slots) -> Slots:
    """The second end with the larger units of the first where it is silent."""
    if b.day_shift is not None or b.festival or b.weekday is not None:
        return b
    values: dict[str, int | None] = {}
    if b.day is not None and b.month is None and b.month_shift is None:
        values = {"month": a.month, "month_shift": a.month_shift}
    if b.year is None and b.year_shift is None:
        values |= {"year": a.year, "year_shift": a.year_shift}
    return replace(b, **values, lunar=a.lunar or b.lunar)  # type: ignore[arg-type]


def _day_range(a: Slots, b: Slots, context: Context) -> ResolvedTime | None:
    if a.year_shift is None and a.year is None and a.has_date() is False:
        return None
    if a.unsure or b.unsure:
        ask_order(a, context)
    start = days_of(a, context)
    end = days_of(_inherit(a, b), context)
    if start is None or end is None:
        return None
    if a.day is not None and b.day is None and end.grain != "day":
        raise Trouble("range_unclear")
    if end.start < start.start:
        end = _later_end(b, start, end)
    if end.end <= start.start:
        raise Trouble("end_before_start")
    if context.mode == "reminder":
        raise Trouble("which_day")
    grain = end.grain if end.grain == start.grain else "day"
    return stretch(
        datetime.combine(start.start, time(0)),
        datetime.combine(end.end, time(0)),
        grain,
        context.tz,
    )


def _later_end(b: Slots, start: Days, end: Days) -> Days:
    """The end moved past the start, when it was said without week or year."""
    if b.weekday is not None and b.week_shift is None:
        days = (b.weekday - start.start.weekday()) % 7
        return one_day(start.start + timedelta(days=days))
    if b.month is not None and b.year is None and b.year_shift is None:
        return Days(add_months(end.start, 12), add_months(end.end, 12), end.grain)
    return end


def _clock_range(a: Slots, b: Slots, context: Context) -> ResolvedTime | None:
    if b.meridiem and not a.meridiem and not a.part:
        a = replace(a, meridiem=b.meridiem) if _fits_meridiem(a, b) else a
    if not b.part and not b.meridiem and not b.has_date():
        b = replace(b, part="" if a.part in ("evening", "noon") else a.part, meridiem="")
    if not a.has_date() and b.has_date() and b.day_shift is None:
        a = replace(a, year=b.year, month=b.month, day=b.day, weekday=b.weekday)
    relaxed = replace(context, mode="range") if context.mode == "reminder" else context
    days_a, days_b = days_of(a, context), days_of(b, context)
    clock_a, clock_b = clock_of(a), clock_of(b)
    if clock_a is None or clock_b is None:
        return None
    if days_a is None and days_b is not None and b.english:
        day = days_b.start
        early, late = (settle(c, day, s, relaxed) for c, s in ((clock_a, a), (clock_b, b)))
        days_a = days_b if early < late else None
    start = settle(clock_a, days_a.start if days_a else None, a, relaxed)
    if days_a is None and clock_a.open and context.mode == "reminder" and start.hour >= _EVENING:
        raise Trouble("bare_hour", candidates=(start, start + timedelta(hours=12)))
    if days_b is not None:
        end = settle(clock_b, days_b.start, b, relaxed)
        if end <= start:
            raise Trouble("end_before_start")
    else:
        end = _end_after(start, clock_b, a, b)
    return stretch(start, end, "minute" if start.minute or end.minute else "hour", context.tz)


def _fits_meridiem(a: Slots, b: Slots) -> bool:
    return (a.hour or 0) % 12 <= (b.hour or 0) % 12


def _end_after(start: datetime, clock: Clock, a: Slots, b: Slots) -> datetime:
    """The first occurrence of the end's clock face after the start that makes sense."""
    day = start.date()
    if not clock.open and not b.part:
        end = on(day, clock)
        return end if end > start else end + timedelta(days=1)
    if not clock.open:
        end = on(day, clock)
        if end > start:
            return end
        if b.part == "dawn" or clock.at.hour == 0:
            return end + timedelta(days=1)
        raise Trouble("end_before_start")
    faces = [
        datetime.combine(day + timedelta(days=d), clock.at.replace(hour=clock.at.hour % 12 + h))
        for d in (0, 1)
        for h in (0, 12)
    ]
    end = next(face for face in faces if face > start)
    if a.part == "evening" and clock.at.hour % 12 >= _SMALL_HOURS and end.date() > day:
        raise Trouble("end_before_start", candidates=(start,))
    return end
