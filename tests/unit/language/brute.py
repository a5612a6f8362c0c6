"""A slow, plain expansion of day rules: every day of the span is asked on its own."""

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.core.recurrence import RRule, Rule
from bot.language.workdays import WorkdayCalendar

_LAST = timedelta(days=1)


def fires(rule: Rule, begin: datetime, end: datetime, calendar: WorkdayCalendar) -> list[datetime]:
    """All moments (UTC) of a day rule between two others, by looking at every single day."""
    zone = ZoneInfo(rule.tz)
    moments: set[datetime] = set()
    seen = 0
    day = rule.dtstart_local.date()
    last = end.astimezone(zone).date() + _LAST
    times = [time.fromisoformat(t) for t in rule.times] or [rule.dtstart_local.time()]
    while day <= last:
        if is_day(rule, day, calendar):
            for at in times:
                naive = datetime.combine(day, at)
                if naive < rule.dtstart_local:
                    continue
                if rule.until is not None and naive > rule.until:
                    continue
                seen += 1
                if rule.count and seen > rule.count:
                    continue
                moments.add(naive.replace(tzinfo=zone).astimezone(UTC))
        day += timedelta(days=1)
    return sorted(m for m in moments if begin < m <= end)


def is_day(rule: Rule, day: date, calendar: WorkdayCalendar) -> bool:
    """Whether a rule falls on a day."""
    if day in rule.except_dates or (rule.skip_holidays and calendar.is_holiday(day)):
        return False
    if rule.type == "workday":
        return calendar.is_workday(day) != rule.free_days
    if rule.type == "nth_workday":
        size = monthrange(day.year, day.month)[1]
        month = [day.replace(day=n) for n in range(1, size + 1)]
        worked = [d for d in month if calendar.is_workday(d)]
        nth = rule.nth or 1
        index = nth - 1 if nth > 0 else nth
        return -len(worked) <= index < len(worked) and worked[index] == day
    return _by_rrule(rule.parsed(), day, rule.dtstart_local.date(), clamp=rule.clamp)


def _by_rrule(rrule: RRule, day: date, start: date, *, clamp: bool) -> bool:
    if rrule.bymonth and day.month not in rrule.bymonth:
        return False
    if rrule.freq == "DAILY":
        weekdays = {d for _, d in rrule.byday}
        return (day - start).days % rrule.interval == 0 and (
            not weekdays or day.weekday() in weekdays
        )
    if rrule.freq == "WEEKLY":
        monday = start - timedelta(days=start.weekday())
        weeks = (day - monday).days // 7
        wanted = {d for _, d in rrule.byday} or {start.weekday()}
        return weeks % rrule.interval == 0 and day.weekday() in wanted
    if rrule.freq == "MONTHLY":
        months = (day.year - start.year) * 12 + day.month - start.month
        return months % rrule.interval == 0 and _in_month(rrule, day, start, clamp=clamp)
    if not rrule.bymonth and day.month != start.month:
        return False
    years = day.year - start.year
    return years % rrule.interval == 0 and _in_month(rrule, day, start, clamp=clamp)


def _in_month(rrule: RRule, day: date, start: date, *, clamp: bool) -> bool:
    size = monthrange(day.year, day.month)[1]
    if rrule.byday:
        later = (size - day.day) // 7 + 1
        earlier = (day.day - 1) // 7 + 1
        return any(
            day.weekday() == weekday and nth in (0, earlier, -later)
            for nth, weekday in rrule.byday
        )
    for wanted in rrule.bymonthday or (start.day,):
        number = size + 1 + wanted if wanted < 0 else min(wanted, size) if clamp else wanted
        if number == day.day:
            return True
    return False
