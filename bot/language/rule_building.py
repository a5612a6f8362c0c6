"""From a draft to a rule: what the words leave open is filled in or asked."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.recurrence import MIN_MINUTES, WEEKDAYS, Rule
from bot.language.clocks import DEFAULT_HOUR, PART_HOURS, clock_of
from bot.language.festivals import fixed_day, lunar_day
from bot.language.limits import Limits
from bot.language.occurrences import next_fire
from bot.language.repeat_days import INTRADAY, Draft
from bot.language.results import Context
from bot.language.slots import Slots

_QUARTER_STARTS: Final = [1, 4, 7, 10]
_QUARTER_ENDS: Final = [3, 6, 9, 12]
_MONTHS_A_QUARTER: Final = 3
_OFFICE_UNTIL: Final = 4
_OPEN_HOURS: Final = (5, 6)
_NOON: Final = 12
_DEFAULT_TIME: Final = f"{DEFAULT_HOUR:02d}:00"
_MAX_DAY: Final = 31
_OFFERED: Final = frozenset(
    {"interval_or_gap", "once_or_weekly", "once_or_daily", "once_or_repeated"}
)
_MAX_TIMES: Final = 48


class Doubt(Exception):  # noqa: N818
    """Why a draft gives no rule: a question, with rules to offer."""

    def __init__(self, reason: str, candidates: tuple[Rule, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.candidates = candidates


def build_rule(draft: Draft, limits: Limits, context: Context) -> tuple[Rule, bool]:
    """The rule of a draft, and whether its time of day is the default.

    Raises:
        Doubt: It has to be asked.
    """
    doubt = draft.doubt or limits.doubt or _uncounted_days(draft) or _of_one_day(draft)
    if draft.freq == "SECONDLY" or (draft.freq == "MINUTELY" and draft.interval < MIN_MINUTES):
        raise Doubt("too_frequent")
    if doubt and doubt not in _OFFERED:
        raise Doubt(doubt)
    between = draft.between and not (draft.step or draft.freq in INTRADAY)
    uncounted = _count_a_day(draft, limits, context)
    times, late, default_time = _times(draft, context)
    _shape(draft, context)
    if uncounted or between:
        raise Doubt("which_times", (_rule(draft, limits, context, times),))
    if late:
        _move_to_next_day(draft)
    if doubt == "interval_or_gap":
        options = []
        for interval in (draft.interval - 1, draft.interval):
            draft.interval = interval
            options.append(_rule(draft, limits, context, times or [_DEFAULT_TIME]))
        raise Doubt(doubt, tuple(options))
    if doubt in ("once_or_daily", "once_or_repeated"):
        daily = _rule(draft, limits, context, times)
        once = daily.model_copy(update={"count": len(times), "until": None})
        raise Doubt(doubt, (daily, once))
    if doubt:
        raise Doubt(doubt, (_rule(draft, limits, context, times),))
    if default_time and context.mode == "reminder":
        raise Doubt("no_time_of_day", (_rule(draft, limits, context, times),))
    return _rule(draft, limits, context, times), default_time


def _of_one_day(draft: Draft) -> str:
    """Why to ask when only the hours of one day are said to repeat: 周六9点到12点每半小时."""
    dates = draft.bymonthday or (len(draft.byday) == 1 and not draft.byday[0][0])
    return "once_or_repeated" if draft.freq in INTRADAY and draft.window and dates else ""


def _uncounted_days(draft: Draft) -> str:
    """Why to ask when only the number of days in the week is said; "" when they are named."""
    if not draft.days_a_week or len(draft.byday) == draft.days_a_week:
        return ""
    return "which_day" if draft.days_a_week == 1 else "which_times"


def _count_a_day(draft: Draft, limits: Limits, context: Context) -> bool:
    """Whether it is said how often a day but not when: 每天三次; then the count is no end."""
    daily = draft.freq == "DAILY" or draft.kind in ("workday", "freeday")
    if not limits.count or limits.in_all or not daily or context.mode != "reminder":
        return False
    if draft.clocks and len(draft.clocks) != limits.count:
        return False
    limits.count = None
    return not draft.clocks


def _times(draft: Draft, context: Context) -> tuple[list[str], bool, bool]:
    """Wall times, whether they fall on the following day, and whether they are the default."""
    if not draft.clocks:
        intraday = draft.freq in INTRADAY
        return ([] if intraday else [_DEFAULT_TIME]), False, not intraday
    if draft.freq in INTRADAY or (draft.step and draft.window):
        return _filled(draft, context), False, False
    found: list[str] = []
    late: set[int] = set()
    part = draft.part
    for slots in draft.clocks:
        part = slots.part or part
        days, at = _wall_time(slots if slots.part else replace(slots, part=part), context)
        late.add(days)
        found.append(at.strftime("%H:%M"))
    if len(late) > 1 and draft.freq != "DAILY":
        raise Doubt("times_cross_midnight")
    return found, late == {1}, False


def _filled(draft: Draft, context: Context) -> list[str]:
    """The times of a stretch of the day: 每天9点到18点每小时."""
    if draft.window is None or len(draft.clocks) != 1:
        raise Doubt("interval_and_time")
    step = draft.step
    if draft.freq in INTRADAY:
        step = draft.interval * (60 if draft.freq == "HOURLY" else 1)
        draft.freq, draft.interval = "DAILY", 1
    _, first = _wall_time(draft.clocks[0], context)
    _, last = _wall_time(draft.window, context)
    begin, end = (at.hour * 60 + at.minute for at in (first, last))
    if end <= begin and last.hour < _NOON:
        end += _NOON * 60
    minutes = range(begin, end + 1, step)
    if end <= begin or step < MIN_MINUTES or len(minutes) > _MAX_TIMES:
        raise Doubt("too_frequent" if step < MIN_MINUTES else "interval_and_time")
    return [f"{at // 60:02d}:{at % 60:02d}" for at in minutes]


def _wall_time(slots: Slots, context: Context) -> tuple[int, time]:
    clock = clock_of(slots)
    if clock is None:
        if slots.part in ("dawn", "night"):
            raise Doubt("which_hour")
        return 0, time(PART_HOURS[slots.part])
    hour = clock.at.hour
    if not clock.open or hour == _NOON:
        return clock.days, clock.at
    if context.hint:
        return 0, clock.at.replace(hour=hour + _NOON if context.hint == "pm" else hour)
    if hour in _OPEN_HOURS and context.mode == "reminder":
        raise Doubt("bare_hour")
    return 0, clock.at.replace(hour=hour + _NOON if hour <= _OFFICE_UNTIL else hour)


def _shape(draft: Draft, context: Context) -> None:
    """Fill in what the words leave to the frequency, or ask."""
    if draft.kind:
        return
    if draft.festival:
        _festival(draft)
    elif draft.bymonth or draft.freq == "YEARLY":
        _yearly(draft, context, context.now.date())
    elif draft.quarterly:
        _quarterly(draft)
    elif draft.byday:
        _weekdays(draft)
    elif draft.bymonthday:
        _month_days(draft)
    else:
        _without_days(draft, context)


def _month_days(draft: Draft) -> None:
    if draft.freq in ("WEEKLY", "HOURLY", "MINUTELY"):
        raise Doubt("which_day")
    if draft.freq in ("", "DAILY"):
        draft.freq, draft.interval = "MONTHLY", 1


def _without_days(draft: Draft, context: Context) -> None:
    today = context.now.date()
    if draft.freq == "WEEKLY":
        _need_day(context)
        draft.byday = [(0, today.weekday())]
    elif draft.freq == "MONTHLY":
        _need_day(context)
        draft.bymonthday = [today.day]
    elif not draft.freq and not draft.clocks:
        raise Doubt("interval_unclear")
    draft.freq = draft.freq or "DAILY"


def _need_day(context: Context) -> None:
    if context.mode == "reminder":
        raise Doubt("which_day")


def _festival(draft: Draft) -> None:
    fixed = fixed_day(draft.festival)
    lunar = lunar_day(draft.festival)
    if fixed is not None:
        draft.bymonth, draft.bymonthday = [fixed[0]], [fixed[1]]
    elif lunar is not None:
        draft.kind, draft.lunar = "lunar", lunar
    else:
        raise Doubt("festival_moves")
    draft.freq = "YEARLY"


def _yearly(draft: Draft, context: Context, today: date) -> None:
    if draft.quarterly and draft.bymonth:
        _month_of_quarter(draft)
    if (
        draft.freq in ("", "DAILY", "MONTHLY")
        and draft.bymonth
        and (draft.bymonthday or draft.byday)
    ):
        draft.freq = "YEARLY"
    if draft.freq != "YEARLY":
        draft.freq = draft.freq or "YEARLY"
        return
    if not draft.bymonth and not draft.byday:
        if draft.bymonthday or context.mode == "reminder":
            raise Doubt("which_month")
        draft.bymonth, draft.bymonthday = [today.month], [today.day]
    if draft.bymonth and not draft.bymonthday and not draft.byday:
        if context.mode == "reminder":
            raise Doubt("which_day")
        draft.bymonthday = [1]
    if draft.byday and not draft.bymonth:
        raise Doubt("which_month")


def _month_of_quarter(draft: Draft) -> None:
    """每季度第一个月15号: the months of that place in every quarter."""
    if len(draft.bymonth) > 1 or draft.bymonth[0] > _MONTHS_A_QUARTER:
        raise Doubt("which_month")
    draft.bymonth = [draft.bymonth[0] + first - 1 for first in _QUARTER_STARTS]
    draft.freq, draft.interval = "YEARLY", 1


def _quarterly(draft: Draft) -> None:
    if draft.bymonthday == [1]:
        draft.bymonth = _QUARTER_STARTS
    elif draft.bymonthday == [-1]:
        draft.bymonth = _QUARTER_ENDS
    else:
        raise Doubt("which_day")
    draft.freq, draft.interval = "YEARLY", 1


def _weekdays(draft: Draft) -> None:
    if any(nth for nth, _ in draft.byday):
        if draft.freq not in ("MONTHLY", "YEARLY"):
            draft.freq, draft.interval = "MONTHLY", 1
    elif draft.freq in ("", "DAILY"):
        draft.freq, draft.interval = "WEEKLY", 1 if draft.freq else draft.interval


def _move_to_next_day(draft: Draft) -> None:
    """每周五晚上12点 fires on Saturday at 00:00."""
    if draft.freq == "DAILY":
        return
    if draft.freq == "WEEKLY" and not draft.kind:
        draft.byday = [(nth, (day + 1) % 7) for nth, day in draft.byday]
        return
    raise Doubt("midnight_of_which_day")


def _rule(draft: Draft, limits: Limits, context: Context, times: list[str]) -> Rule:
    now = context.now.replace(tzinfo=None, second=0, microsecond=0)
    start = datetime.combine(limits.start, time(0)) if limits.start else now
    start = max(start, now)
    if limits.count and draft.freq in INTRADAY and start == now:
        minutes = draft.interval * (60 if draft.freq == "HOURLY" else 1)
        start += timedelta(minutes=minutes)  # now is not the first of so many times
    kinds = {"workday": "workday", "freeday": "workday", "nth_workday": "nth_workday"}
    kind = "lunar_yearly" if draft.kind == "lunar" else kinds.get(draft.kind, "rrule")
    data: dict[str, object] = {
        "type": kind,
        "times": times,
        "tz": context.tz.key,
        "dtstart_local": start,
        "until": None if limits.count else limits.until,
        "count": limits.count,
        "skip_holidays": limits.skip_holidays,
        "except_dates": limits.dates,
    }
    if kind == "rrule":
        data["rrule"] = _rrule(draft, limits)
    elif kind == "workday" and limits.weekdays and not limits.months:
        data["except_weekdays"] = sorted(limits.weekdays)
    elif limits.weekdays or limits.months:
        raise Doubt("exception_unclear")
    if draft.kind == "freeday":
        data["free_days"] = True
    if draft.kind == "nth_workday":
        if draft.freq not in ("", "MONTHLY") or draft.interval > 1 or draft.bymonth:
            raise Doubt("not_expressible")
        data["nth"] = draft.nth
    if draft.lunar is not None and kind == "lunar_yearly":
        data["lunar_month"], data["lunar_day"] = draft.lunar
    if draft.interval > 1 and kind == "rrule" and draft.freq not in INTRADAY:
        data["dtstart_local"] = _anchor(data, start)
    return Rule.from_json(data)


def _anchor(data: dict[str, object], start: datetime) -> datetime:
    """The start moved to the first fire, so that every second week counts from it."""
    every = str(data["rrule"])
    once = ";".join(part for part in every.split(";") if not part.startswith("INTERVAL"))
    probe = Rule.from_json({**data, "rrule": once, "until": None, "count": None})
    zone = ZoneInfo(probe.tz)
    first = next_fire(probe, start.replace(tzinfo=zone) - timedelta(minutes=1))
    return start if first is None else first.astimezone(zone).replace(tzinfo=None)


def _rrule(draft: Draft, limits: Limits) -> str:
    byday = sorted(set(draft.byday), key=lambda pair: (pair[1], pair[0]))
    freq, months = draft.freq, sorted(set(draft.bymonth))
    if limits.weekdays:
        kept = [d for d in range(7) if d not in limits.weekdays]
        if byday and all(not nth for nth, _ in byday):
            kept = [d for _, d in byday if d not in limits.weekdays]
        elif byday or freq in ("MONTHLY", "YEARLY"):
            raise Doubt("exception_unclear")
        if freq == "DAILY" and draft.interval == 1:
            freq = "WEEKLY"
        byday = [(0, d) for d in kept]
    if limits.months:
        months = [m for m in months or range(1, 13) if m not in limits.months]
    parts = [f"FREQ={freq}"]
    if draft.interval != 1:
        parts.append(f"INTERVAL={draft.interval}")
    if byday:
        parts.append("BYDAY=" + ",".join(f"{n or ''}{WEEKDAYS[d]}" for n, d in byday))
    if months:
        parts.append("BYMONTH=" + ",".join(map(str, months)))
    if draft.bymonthday:
        days = sorted({d for d in draft.bymonthday if -_MAX_DAY <= d <= _MAX_DAY})
        parts.append("BYMONTHDAY=" + ",".join(map(str, days)))
    return ";".join(parts)
