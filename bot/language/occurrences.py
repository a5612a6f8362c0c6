"""When a rule fires: local wall times, expanded from a start moved forward."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.recurrence import RRule, Rule
from bot.language.lunar import lunar_to_solar, lunar_year_of
from bot.language.workdays import WorkdayCalendar, load_calendar

_SEARCH_YEARS: Final = 45
"""How far ahead a fire is looked for before the answer is never."""
_LAST_YEAR: Final = 9000
_CAP_STEPS: Final = 20_000
_MARGIN: Final = timedelta(days=3)
_ONE_DAY: Final = timedelta(days=1)
_DAY_FREQUENCIES: Final = frozenset({"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})
_MONTHS: Final = 12


def next_fire(
    rule: Rule, after_utc: datetime, *, calendar: WorkdayCalendar | None = None
) -> datetime | None:
    """The first moment (UTC) strictly after another at which a rule fires; None for never."""
    return next(iter(_fires(rule, after_utc, calendar or load_calendar())), None)


def upcoming(
    rule: Rule, after_utc: datetime, n: int, *, calendar: WorkdayCalendar | None = None
) -> tuple[datetime, ...]:
    """The next `n` moments (UTC) at which a rule fires; fewer when it ends before."""
    return tuple(islice(_fires(rule, after_utc, calendar or load_calendar()), n))


def _fires(rule: Rule, after_utc: datetime, calendar: WorkdayCalendar) -> Iterator[datetime]:
    zone = ZoneInfo(rule.tz)
    last = after_utc.astimezone(UTC)
    local = last.astimezone(zone).replace(tzinfo=None)
    for moments in _groups(rule, local - _MARGIN, zone, calendar):
        for moment in moments:
            if moment > last:
                yield moment
                last = moment


def _groups(
    rule: Rule, begin: datetime, zone: ZoneInfo, calendar: WorkdayCalendar
) -> Iterator[list[datetime]]:
    """The moments in UTC, a few at a time, each group sorted: a gap may reorder within a day."""
    if rule.type == "rrule" and rule.parsed().freq not in _DAY_FREQUENCIES:
        for moment in _elapsed(rule, begin, zone, calendar):
            yield [moment]
        return
    held: list[datetime] = []
    for naive in _counted(rule, begin, calendar):
        moment = naive.replace(tzinfo=zone).astimezone(UTC)
        ready = [m for m in held if m <= moment - _ONE_DAY]
        if ready:
            yield ready
        held = sorted([*(m for m in held if m > moment - _ONE_DAY), moment])
    yield held


def _counted(rule: Rule, begin: datetime, calendar: WorkdayCalendar) -> Iterator[datetime]:
    start = rule.dtstart_local
    moments = _naive(rule, start if rule.count else max(begin, start), calendar)
    for seen, moment in enumerate(moments, start=1):
        if rule.until is not None and moment > rule.until:
            return
        yield moment
        if rule.count and seen >= rule.count:
            return


def _naive(rule: Rule, begin: datetime, calendar: WorkdayCalendar) -> Iterator[datetime]:
    if rule.type == "once":
        yield rule.dtstart_local
        return
    times = _times(rule)
    for day in _days(rule, begin.date(), calendar):
        if _is_left_out(rule, day, calendar):
            continue
        if rule.until is not None and day > rule.until.date():
            return
        for at in times:
            moment = datetime.combine(day, at)
            if moment >= begin and moment >= rule.dtstart_local:
                yield moment


def _times(rule: Rule) -> list[time]:
    if rule.times:
        return [time.fromisoformat(item) for item in rule.times]
    if rule.type == "rrule":
        parsed = rule.parsed()
        if parsed.byhour:
            return [time(h, m) for h in parsed.byhour for m in parsed.byminute or (0,)]
    return [rule.dtstart_local.time().replace(microsecond=0)]


def _days(rule: Rule, begin: date, calendar: WorkdayCalendar) -> Iterator[date]:
    """The days of a rule from a day on, in order."""
    if rule.type == "workday":
        for offset in range(_SEARCH_YEARS * 366):
            day = begin + timedelta(days=offset)
            if calendar.is_workday(day) != rule.free_days:
                yield day
    elif rule.type == "nth_workday":
        yield from _nth_workdays(rule.nth or 1, begin, calendar)
    elif rule.type == "lunar_yearly":
        yield from _lunar_days(rule, begin)
    else:
        yield from _rrule_days(rule, begin)


def _is_left_out(rule: Rule, day: date, calendar: WorkdayCalendar) -> bool:
    if day in rule.except_dates or day.weekday() in rule.except_weekdays:
        return True
    return rule.skip_holidays and calendar.is_holiday(day)


def _nth_workdays(nth: int, begin: date, calendar: WorkdayCalendar) -> Iterator[date]:
    for offset in range(_MONTHS * _SEARCH_YEARS):
        first = _month_start(begin, offset)
        size = monthrange(first.year, first.month)[1]
        days = [d for i in range(size) if calendar.is_workday(d := first + timedelta(days=i))]
        index = nth - 1 if nth > 0 else nth
        if -len(days) <= index < len(days) and days[index] >= begin:
            yield days[index]


def _month_start(day: date, offset: int) -> date:
    year, month = divmod(day.year * _MONTHS + day.month - 1 + offset, _MONTHS)
    return date(year, month + 1, 1)


def _lunar_days(rule: Rule, begin: date) -> Iterator[date]:
    month, day = rule.lunar_month or 1, rule.lunar_day or 1
    first = lunar_year_of(begin)
    for year in range(first, first + _SEARCH_YEARS):
        found = lunar_to_solar(year, month, day)
        if found is None and rule.clamp:
            found = lunar_to_solar(year, month, -1)
        if found is not None and found >= begin:
            yield found


def _rrule_days(rule: Rule, begin: date) -> Iterator[date]:
    parsed, start = rule.parsed(), rule.dtstart_local.date()
    for period in _periods(parsed, start, begin):
        days = _days_in(parsed, period, start, clamp=rule.clamp)
        if parsed.bysetpos:
            picked = {i - 1 if i > 0 else len(days) + i for i in parsed.bysetpos}
            days = [d for i, d in enumerate(days) if i in picked]
        yield from (d for d in days if d >= begin and d >= start)


def _periods(parsed: RRule, start: date, begin: date) -> Iterator[date]:
    """The first day of each period of the rule, from the one that may hold `begin`."""
    step = parsed.interval
    reach = _SEARCH_YEARS + 2 * step * (parsed.freq == "YEARLY")
    limit = date(min(begin.year + reach, _LAST_YEAR), 1, 1)
    if parsed.freq in ("DAILY", "WEEKLY"):
        base = start if parsed.freq == "DAILY" else start - timedelta(days=start.weekday())
        size = timedelta(days=step if parsed.freq == "DAILY" else 7 * step)
        skipped = max(0, (begin - base) // size - 1)
        period = base + skipped * size
        while period < limit:
            yield period
            period += size
    elif parsed.freq == "MONTHLY":
        ahead = (begin.year - start.year) * _MONTHS + begin.month - start.month
        offset = max(0, ahead // step - 1) * step
        while (period := _month_start(start, offset)) < limit:
            yield period
            offset += step
    else:
        offset = max(0, (begin.year - start.year) // step - 1) * step
        for year in range(start.year + offset, limit.year, step):
            yield date(year, 1, 1)


def _days_in(parsed: RRule, period: date, start: date, *, clamp: bool) -> list[date]:
    match parsed.freq:
        case "DAILY":
            return [period] if _allowed(parsed, period) else []
        case "WEEKLY":
            wanted = {d for _, d in parsed.byday} or {start.weekday()}
            week = (period + timedelta(days=i) for i in range(7))
            return [d for d in week if d.weekday() in wanted and _in_month(parsed, d)]
        case "MONTHLY":
            return _in_period(parsed, [period], start, clamp=clamp)
        case _:
            months = parsed.bymonth or (
                tuple(range(1, 13)) if parsed.byday and not parsed.bymonthday else (start.month,)
            )
            if parsed.byday and not parsed.bymonth and not parsed.bymonthday:
                return _in_year(parsed, period.year)
            firsts = [date(period.year, month, 1) for month in months]
            return _in_period(parsed, firsts, start, clamp=clamp)


def _in_year(parsed: RRule, year: int) -> list[date]:
    """Weekdays counted over a whole year."""
    first = date(year, 1, 1)
    days = [first + timedelta(days=i) for i in range((date(year + 1, 1, 1) - first).days)]
    return _by_weekday(parsed, days)


def _in_month(parsed: RRule, day: date) -> bool:
    return not parsed.bymonth or day.month in parsed.bymonth


def _allowed(parsed: RRule, day: date) -> bool:
    weekdays = {d for _, d in parsed.byday}
    if parsed.bymonthday:
        size = monthrange(day.year, day.month)[1]
        if day.day not in parsed.bymonthday and day.day - size - 1 not in parsed.bymonthday:
            return False
    return _in_month(parsed, day) and (not weekdays or day.weekday() in weekdays)


def _in_period(parsed: RRule, firsts: list[date], start: date, *, clamp: bool) -> list[date]:
    found: set[date] = set()
    for first in firsts:
        if not _in_month(parsed, first):
            continue
        size = monthrange(first.year, first.month)[1]
        days = [first + timedelta(days=i) for i in range(size)]
        if parsed.bymonthday:
            numbers = {_number(n, size, clamp=clamp) for n in parsed.bymonthday}
            days = [d for d in days if d.day in numbers]
            weekdays = {d for _, d in parsed.byday}
            found |= {d for d in days if not weekdays or d.weekday() in weekdays}
        elif parsed.byday:
            found |= set(_by_weekday(parsed, days))
        else:
            number = _number(start.day, size, clamp=clamp)
            found |= {d for d in days if d.day == number}
    return sorted(found)


def _number(day: int, size: int, *, clamp: bool) -> int:
    if day < 0:
        return size + 1 + day
    return min(day, size) if clamp else day


def _by_weekday(parsed: RRule, days: list[date]) -> list[date]:
    found: set[date] = set()
    for nth, weekday in parsed.byday:
        matching = [d for d in days if d.weekday() == weekday]
        if not nth:
            found |= set(matching)
        elif abs(nth) <= len(matching):
            found.add(matching[nth - 1 if nth > 0 else nth])
    return sorted(found)


def _elapsed(
    rule: Rule, begin: datetime, zone: ZoneInfo, calendar: WorkdayCalendar
) -> Iterator[datetime]:
    """Every N minutes or hours of elapsed time; the BY parts and dates filter by local time."""
    parsed = rule.parsed()
    step = timedelta(**{"minutes" if parsed.freq == "MINUTELY" else "hours": parsed.interval})
    base = rule.dtstart_local.replace(tzinfo=zone).astimezone(UTC)
    aware = begin.replace(tzinfo=zone).astimezone(UTC)
    skipped = 0 if rule.count else max(0, (aware - base) // step)
    seen, moment = 0, base + skipped * step
    for _ in range(_CAP_STEPS):
        local = moment.astimezone(zone).replace(tzinfo=None)
        if rule.until is not None and local > rule.until:
            return
        if not _is_day(parsed, rule, local.date(), calendar):
            tomorrow = datetime.combine(local.date() + _ONE_DAY, time(0))
            moment += max(1, -((local - tomorrow) // step)) * step
            continue
        if _is_time(parsed, local):
            seen += 1
            yield moment
            if rule.count and seen >= rule.count:
                return
        moment += step


def _is_day(parsed: RRule, rule: Rule, day: date, calendar: WorkdayCalendar) -> bool:
    if _is_left_out(rule, day, calendar):
        return False
    return _allowed(parsed, day)


def _is_time(parsed: RRule, local: datetime) -> bool:
    if parsed.byhour and local.hour not in parsed.byhour:
        return False
    return not parsed.byminute or local.minute in parsed.byminute
