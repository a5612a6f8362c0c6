"""Stretches up to now and from now on: 过去三天, 接下来两小时, the last two weeks."""

from datetime import date, datetime, time, timedelta
from typing import Final

from bot.language.results import Context, ResolvedTime, Trouble
from bot.language.slots import SECONDS, Length, Slots
from bot.language.spans import add_months, shifted
from bot.language.wall_times import stretch

_ALIGNED: Final = frozenset({"week", "month", "year"})
_DAY_SECONDS: Final = 86400


def window_of(slots: Slots, length: Length, context: Context) -> ResolvedTime:
    """The stretch of 过去三天, 接下来两小时, 上两周."""
    if context.mode == "reminder":
        raise Trouble("which_day")
    now = context.now.replace(tzinfo=None, microsecond=0)
    unit = length.parts[0][0]
    if SECONDS[unit] < _DAY_SECONDS:
        other = shifted(now, length, slots.sign)
        start, end = (now, other) if slots.sign > 0 else (other, now)
        return stretch(start, end, unit, context.tz)
    first, last = _window_days(slots, length, now)
    midnight = time(0)
    return stretch(
        datetime.combine(first, midnight), datetime.combine(last, midnight), unit, context.tz
    )


def _window_days(slots: Slots, length: Length, now: datetime) -> tuple[date, date]:
    """The first day of a window and the day after its last."""
    unit, count = length.parts[0][0], int(length.parts[0][1])
    today, day = now.date(), timedelta(days=1)
    whole_years = unit == "year" and slots.sign > 0 and slots.window == "rolling"
    if whole_years or (slots.window == "aligned" and unit in _ALIGNED):
        begin = _period_start(today, unit)
        if slots.sign < 0:
            return _step(begin, unit, -count), begin
        begin = begin if whole_years else _step(begin, unit, 1)
        return begin, _step(begin, unit, count)
    other = shifted(now, length, slots.sign).date()
    if slots.sign > 0:
        later = day if slots.window == "following" and unit in _ALIGNED else timedelta(0)
        return today + later, other + later
    return (other, today) if slots.window == "aligned" else (other + day, today + day)


def _period_start(day: date, unit: str) -> date:
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if unit == "month" else day.replace(month=1, day=1)


def _step(day: date, unit: str, count: int) -> date:
    if unit == "week":
        return day + timedelta(weeks=count)
    return add_months(day, count * (12 if unit == "year" else 1))
