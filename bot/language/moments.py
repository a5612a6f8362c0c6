"""Which moment or stretch the slots of one phrase mean."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.language.clocks import DEFAULT_HOUR, PART_HOURS, PART_RANGES, Clock, clock_of, settle
from bot.language.dates import days_of
from bot.language.results import Bound, Context, ResolvedTime, Trouble
from bot.language.slots import SECONDS, Length, Slots
from bot.language.spans import Days, add_months, one_day, shifted
from bot.language.wall_times import SAFE_YEARS, localize, stretch
from bot.language.windows import window_of

_DAY_SECONDS: Final = 86400
_COARSE: Final = frozenset({"week", "month", "quarter", "year", "decade"})
_COUNTED_FROM: Final = frozenset({"week", "month", "year"})
_FEW_DAYS: Final = 3


def moment_of(slots: Slots, context: Context) -> ResolvedTime | None:
    """The time one phrase means; None when it says too little.

    Raises:
        Trouble: It has to be asked or refused.
    """
    context = in_zone(slots, context)
    if slots.fault in ("bad_clock", "vague", "unclear_distance"):
        _ask_unclear(slots.fault, context)
        return None
    if slots.offset is not None:
        return _anchored(slots, slots.offset, context)
    if slots.shift is not None:
        return _distance(slots, context)
    return _stated(slots, context)


def _stated(slots: Slots, context: Context) -> ResolvedTime | None:
    """The time of a date, a clock, a part of the day, or of all of them."""
    if slots.now and not slots.has_date():
        return ResolvedTime("point", context.now, None, None, "second", (0, 0))
    clock, days = clock_of(slots), days_of(slots, context)
    if slots.unsure:
        ask_order(slots, context)
    if clock is not None or slots.now:
        return _at_clock(slots, clock, days, context)
    if days is not None:
        return _dated(slots, days, context)
    return _part_of_day(slots, context.now.date(), context) if slots.part else None


def _dated(slots: Slots, days: Days, context: Context) -> ResolvedTime:
    if slots.part and days.grain == "day" and not days.ranged:
        return _part_of_day(slots, days.start, context)
    return _whole_days(slots, days, context)


def _ask_unclear(fault: str, context: Context) -> None:
    """Words of time that give none: no time where that does no harm, else a question."""
    if fault == "unclear_distance":
        raise Trouble("range_unclear")
    if fault == "bad_clock" and context.mode == "reminder":
        raise Trouble("no_such_hour", status="reject")
    if fault == "vague" and context.mode != "range":
        raise Trouble("approximate")


def _anchored(slots: Slots, offset: Length, context: Context) -> ResolvedTime:
    """The time some length before or after another one."""
    base = replace(slots, offset=None, offset_sign=0)
    whole_days = all(SECONDS[unit] >= _DAY_SECONDS for unit, _ in offset.parts)
    relaxed = replace(context, mode="range")
    if not whole_days:
        found = moment_of(base, relaxed) if base.has_clock() else None
        if found is None or found.start is None:
            raise Trouble("range_unclear")
        start = found.start.astimezone(UTC) + slots.offset_sign * timedelta(
            seconds=offset.seconds()
        )
        return replace(found, start=start.astimezone(context.tz), grain="minute")
    days = days_of(base, relaxed)
    if days is None or days.grain != "day":
        raise Trouble("range_unclear")
    midnight = datetime.combine(days.start, time(0))
    day = shifted(midnight, offset, slots.offset_sign).date()
    clock = clock_of(base)
    if clock is not None:
        return _moment(settle(clock, day, base, context), base, context)
    if base.part:
        return _part_of_day(base, day, context)
    return _whole_days(base, one_day(day), context)


def in_zone(slots: Slots, context: Context) -> Context:
    """The context in the zone that was named, if one was."""
    if not slots.zone:
        return context
    zone = ZoneInfo(slots.zone)
    return replace(context, now=context.now.astimezone(zone), tz=zone)


def ask_order(slots: Slots, context: Context) -> None:
    """Ask whether 1/2 is the first of February or the second of January."""
    year, month, day = slots.year or context.now.year, slots.month or 1, slots.day or 1
    options = tuple(datetime(year, m, d) for m, d in ((month, day), (day, month)))  # noqa: DTZ001
    raise Trouble("day_or_month_first", candidates=options)


def _distance(slots: Slots, context: Context) -> ResolvedTime:
    length = slots.shift or Length(())
    if slots.window and slots.window != "deadline":
        return window_of(slots, length, context)
    if all(SECONDS[unit] < _DAY_SECONDS for unit, _ in length.parts):
        return _elapsed(slots, length, context)
    naive = shifted(context.now.replace(tzinfo=None), length, slots.sign)
    if naive.year not in SAFE_YEARS:
        raise Trouble("too_far", status="reject")
    rest = replace(slots, shift=None, sign=0, window="")
    if rest.month is not None or rest.day is not None:
        year = naive.year
        rest = replace(rest, year=year if rest.year is None else rest.year)
        return moment_of(rest, context) or _never()
    day = naive.date()
    if rest.weekday is not None:
        day += timedelta(days=rest.weekday - day.weekday())
    day += timedelta(days=rest.day_shift or 0)
    clock = clock_of(rest)
    if clock is not None:
        return _moment(settle(clock, day, rest, context), rest, context)
    if rest.part or rest.weekday is not None or rest.day_shift is not None:
        return _dated(rest, one_day(day), context)
    return _away(naive, slots, context)


def _elapsed(slots: Slots, length: Length, context: Context) -> ResolvedTime:
    """The moment some hours or minutes of elapsed time away."""
    if slots.has_clock() or slots.day_given():
        raise Trouble("contradiction")
    try:
        distance = slots.sign * timedelta(seconds=length.seconds())
        moment = (context.now.astimezone(UTC) + distance).astimezone(context.tz)
    except OverflowError:
        raise Trouble("too_far", status="reject") from None
    if slots.window == "deadline" and context.mode == "reminder":
        raise Trouble("only_a_limit", candidates=(moment,))
    return ResolvedTime("point", moment, None, None, length.grain(), (0, 0))


def _away(naive: datetime, slots: Slots, context: Context) -> ResolvedTime:
    """The moment some days, months or years away, with nothing else said."""
    grain = (slots.shift or Length(())).grain()
    unit = "day" if SECONDS[grain] >= _DAY_SECONDS else grain
    bounded = slots.window == "deadline"
    start = localize(naive, context.tz)
    adjusted = grain in ("month", "year", "quarter") and naive.day != context.now.day
    if bounded and context.mode == "reminder":
        raise Trouble("only_a_limit", candidates=(start,))
    return ResolvedTime("point", start, None, None, unit, (0, 0), adjusted=adjusted)


def _never() -> ResolvedTime:
    raise Trouble("no_such_date", status="reject")


def _part_of_day(slots: Slots, day: date, context: Context) -> ResolvedTime:
    if context.mode != "reminder":
        low, high = PART_RANGES[slots.part]
        midnight = datetime.combine(day, time(0))
        return stretch(
            midnight + timedelta(hours=low), midnight + timedelta(hours=high), "hour", context.tz
        )
    if slots.part in ("dawn", "night"):
        raise Trouble("which_hour")
    start = localize(datetime.combine(day, time(PART_HOURS[slots.part])), context.tz)
    return ResolvedTime("point", start, None, None, "hour", (0, 0), default_time=True)


def _at_clock(
    slots: Slots, clock: Clock | None, days: Days | None, context: Context
) -> ResolvedTime:
    if slots.now and clock is None and days is not None and days.grain in _COUNTED_FROM:
        days = one_day(_as_far(slots, context.now.date()))
    if days is not None and (days.grain != "day" or days.ranged):
        if days.ranged and days.grain == "day" and clock is not None:
            options = [days.start + timedelta(days=d) for d in range((days.end - days.start).days)]
            raise Trouble(
                "which_day",
                candidates=tuple(settle(clock, d, slots, context) for d in options[:3]),
            )
        raise Trouble("which_day")
    if clock is None:
        naive = datetime.combine(
            days.start if days else context.now.date(), context.now.time().replace(microsecond=0)
        )
        return ResolvedTime("point", localize(naive, context.tz), None, None, "second", (0, 0))
    naive = settle(clock, days.start if days else None, slots, context)
    now = context.now.replace(tzinfo=None)
    if naive <= now and context.mode == "reminder":
        naive = _next_round(naive, slots)
    return _moment(naive, slots, context)


def _as_far(slots: Slots, today: date) -> date:
    """下周这个时候, this time next month: the same day so many weeks, months or years away."""
    months = (slots.month_shift or 0) + 12 * (slots.year_shift or 0)
    return add_months(today + timedelta(weeks=slots.week_shift or 0), months)


def _next_round(naive: datetime, slots: Slots) -> datetime:
    """The same weekday or day of the month next time, where no week or month was said."""
    if slots.weekday is not None and (slots.week_shift, slots.day, slots.nth) == (
        None,
        None,
        None,
    ):
        return naive + timedelta(days=7)
    bare_day = (slots.year, slots.month, slots.month_shift) == (None, None, None)
    if slots.day is not None and slots.day_shift is None and bare_day:
        return datetime.combine(add_months(naive.date(), 1), naive.time())
    return naive


def _moment(naive: datetime, slots: Slots, context: Context) -> ResolvedTime:
    start = localize(naive, context.tz)
    grain = "second" if slots.second is not None else "minute" if slots.minute else "hour"
    moved = start.replace(tzinfo=None) != naive
    return ResolvedTime(
        "point", start, None, None, grain, (0, 0), bound=_bound(slots), adjusted=moved
    )


def _bound(slots: Slots) -> Bound:
    if slots.bound.startswith(("after", "since")):
        return "after"
    return "before" if slots.bound.startswith("before") else "exact"


def _whole_days(slots: Slots, days: Days, context: Context) -> ResolvedTime:
    grain, start, end = days.grain, days.start, days.end
    bound = _bound(slots)
    if (
        bound == "after"
        and grain in _COARSE
        and slots.bound == "after"
        and context.mode == "range"
    ):
        start = end if _excludes(slots) else start
    if bound == "before" and slots.bound.endswith("!"):
        start = end
    if context.mode == "reminder":
        return _reminder_day(days, slots, context)
    point = not days.ranged and bound == "exact"
    first = localize(datetime.combine(start, time(0)), context.tz)
    last = localize(datetime.combine(end, time(0)), context.tz) if bound == "exact" else None
    kind = "point" if point or bound != "exact" else "range"
    return ResolvedTime(
        "range" if kind == "range" else "point", first, last, None, grain, (0, 0), bound=bound
    )


def _excludes(slots: Slots) -> bool:
    return slots.bound == "after" and not slots.day_given()


def _reminder_day(days: Days, slots: Slots, context: Context) -> ResolvedTime:
    if days.grain != "day" or days.ranged:
        raise Trouble("which_day", candidates=_each_day(days, context))
    start = localize(datetime.combine(days.start, time(DEFAULT_HOUR)), context.tz)
    return ResolvedTime(
        "point", start, None, None, "day", (0, 0), bound=_bound(slots), default_time=True
    )


def _each_day(days: Days, context: Context) -> tuple[datetime, ...]:
    """The days of a short stretch that are still to come, to choose from: those of a weekend."""
    length = (days.end - days.start).days
    if length > _FEW_DAYS:
        return ()
    hour, now = time(DEFAULT_HOUR), context.now.replace(tzinfo=None)
    each = (datetime.combine(days.start + timedelta(days=d), hour) for d in range(length))
    return tuple(moment for moment in each if moment > now)
