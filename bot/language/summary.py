"""A rule in one line for people, in Chinese or English."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from bot.core.recurrence import RRule, Rule

_ZH_DAYS: Final = "一二三四五六日"
_EN_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_EN_MONTHS: Final = (
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
)
_ZH_UNITS: Final = {
    "MINUTELY": "分钟",
    "HOURLY": "小时",
    "DAILY": "天",
    "WEEKLY": "周",
    "MONTHLY": "个月",
    "YEARLY": "年",
}
_EN_UNITS: Final = {
    "MINUTELY": "minute",
    "HOURLY": "hour",
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
}
_WORKWEEK: Final = (0, 1, 2, 3, 4)
_WEEKEND: Final = (5, 6)
_ZH_LUNAR_MONTHS: Final = "正二三四五六七八九十冬腊"
_ZH_DIGITS: Final = "一二三四五六七八九"
_ZH_TENS: Final = "初十廿三"
_TEN: Final = 10
_THIRTY: Final = 30


def summarize(rule: Rule, locale: str = "zh-CN") -> str:
    """A rule in one line: 每周一、三、五 08:00 / every Mon, Wed, Fri at 08:00."""
    return _english(rule) if locale.startswith("en") else _chinese(rule)


def _times(rule: Rule) -> Sequence[str]:
    if rule.times or (rule.type == "rrule" and rule.parsed().freq in ("MINUTELY", "HOURLY")):
        return rule.times
    return (rule.dtstart_local.strftime("%H:%M"),)


def _chinese(rule: Rule) -> str:
    parts = [_zh_days(rule)]
    if times := _times(rule):
        parts.append(f" {'、'.join(times)}")
    if rule.skip_holidays:
        parts.append("，法定节假日除外")
    if rule.except_weekdays:
        parts.append(f"，周{'、'.join(_ZH_DAYS[d] for d in rule.except_weekdays)}除外")
    if rule.except_dates:
        parts.append(f"，除 {'、'.join(_zh_date(d) for d in rule.except_dates)}")
    if rule.until is not None:
        parts.append(f"，到 {_zh_date(rule.until.date())} 为止")
    if rule.count:
        parts.append(f"，共 {rule.count} 次")
    return "".join(parts)


def _zh_days(rule: Rule) -> str:
    match rule.type:
        case "once":
            return _zh_date(rule.dtstart_local.date())
        case "workday":
            return "每个休息日" if rule.free_days else "每个工作日"
        case "nth_workday":
            nth = rule.nth or 1
            place = f"第 {nth} 个" if nth > 0 else "最后一个" if nth == -1 else f"倒数第 {-nth} 个"
            return f"每月{place}工作日"
        case "lunar_yearly":
            return f"每年农历{_zh_lunar(rule.lunar_month or 1, rule.lunar_day or 1)}"
        case "rrule":
            return _zh_rrule(rule.parsed(), rule)


def _zh_date(day: date) -> str:
    return f"{day.isoformat()} 周{_ZH_DAYS[day.weekday()]}"


def _en_date(day: date) -> str:
    return f"{_EN_DAYS[day.weekday()]} {day.isoformat()}"


def _zh_lunar(month: int, day: int) -> str:
    name = f"{_ZH_LUNAR_MONTHS[month - 1]}月"
    if day < 0:
        return f"{name}最后一天"
    if day in (_TEN, 2 * _TEN, _THIRTY):
        return name + {_TEN: "初十", 2 * _TEN: "二十", _THIRTY: "三十"}[day]
    tens, ones = divmod(day, _TEN)
    return f"{name}{_ZH_TENS[tens]}{_ZH_DIGITS[ones - 1]}"


def _zh_rrule(rrule: RRule, rule: Rule) -> str:
    unit = _ZH_UNITS[rrule.freq]
    every = f"每 {rrule.interval} {unit}" if rrule.interval > 1 else f"每{unit.removeprefix('个')}"
    days = tuple(day for nth, day in rrule.byday if not nth)
    match rrule.freq:
        case "MINUTELY" | "HOURLY":
            return every
        case "DAILY":
            return f"{_zh_months(rrule)}{every}"
        case "WEEKLY":
            if not days:
                days = (rule.dtstart_local.weekday(),)
            if rrule.interval == 1:
                return _zh_months(rrule) + _zh_week(days)
            return f"{_zh_months(rrule)}{every}的周{'、'.join(_ZH_DAYS[d] for d in days)}"
        case "MONTHLY":
            return f"{_zh_months(rrule)}{every}{_zh_month_days(rrule, rule)}"
        case "YEARLY":
            months = rrule.bymonth or (rule.dtstart_local.month,)
            return f"{every} {'、'.join(str(m) for m in months)} 月{_zh_month_days(rrule, rule)}"


def _zh_months(rrule: RRule) -> str:
    return f"{'、'.join(str(m) for m in rrule.bymonth)} 月，" if rrule.bymonth else ""


def _zh_week(days: tuple[int, ...]) -> str:
    if days == _WORKWEEK:
        return "每周一至周五"
    if days == _WEEKEND:
        return "每周末（周六、周日）"
    return f"每周{'、'.join(_ZH_DAYS[d] for d in days)}"


def _zh_month_days(rrule: RRule, rule: Rule) -> str:
    if rrule.bymonthday:
        return "、".join(_zh_number(day) for day in rrule.bymonthday)
    if rrule.byday:
        return "、".join(_zh_nth(nth, day) for nth, day in rrule.byday)
    return f" {rule.dtstart_local.day} 日"


def _zh_number(day: int) -> str:
    if day > 0:
        return f" {day} 日"
    return "最后一天" if day == -1 else f"倒数第 {-day} 天"


def _zh_nth(nth: int, day: int) -> str:
    name = f"周{_ZH_DAYS[day]}"
    if not nth:
        return f"的每个{name}"
    if nth < 0:
        return f"最后一个{name}" if nth == -1 else f"倒数第 {-nth} 个{name}"
    return f"第 {nth} 个{name}"


def _english(rule: Rule) -> str:
    parts = [_en_days(rule)]
    if times := _times(rule):
        parts.append(f" at {_and(times)}")
    if rule.skip_holidays:
        parts.append(", not on public holidays")
    if rule.except_weekdays:
        parts.append(f", except on {_and([_EN_DAYS[d] for d in rule.except_weekdays])}")
    if rule.except_dates:
        parts.append(f", except {_and([_en_date(d) for d in rule.except_dates])}")
    if rule.until is not None:
        parts.append(f", until {_en_date(rule.until.date())}")
    if rule.count:
        parts.append(f", {rule.count} times" if rule.count > 1 else ", once")
    return "".join(parts)


def _and(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _ordinal(number: int) -> str:
    if number == -1:
        return "last"
    size = abs(number)
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(size % _TEN, "th")
    if size // _TEN == 1:
        suffix = "th"
    return f"{size}{suffix}" if number > 0 else f"{size}{suffix} to last"


def _en_days(rule: Rule) -> str:
    match rule.type:
        case "once":
            return f"on {_en_date(rule.dtstart_local.date())}"
        case "workday":
            return "every day off" if rule.free_days else "every working day (China)"
        case "nth_workday":
            return f"on the {_ordinal(rule.nth or 1)} working day of each month (China)"
        case "lunar_yearly":
            day = rule.lunar_day or 1
            place = "the last day" if day < 0 else f"day {day}"
            return f"every year on {place} of lunar month {rule.lunar_month}"
        case "rrule":
            return _en_rrule(rule.parsed(), rule)


def _en_rrule(rrule: RRule, rule: Rule) -> str:
    unit = _EN_UNITS[rrule.freq]
    every = f"every {rrule.interval} {unit}s" if rrule.interval > 1 else f"every {unit}"
    months = f" in {_and([_EN_MONTHS[m - 1] for m in rrule.bymonth])}" if rrule.bymonth else ""
    days = tuple(day for nth, day in rrule.byday if not nth)
    match rrule.freq:
        case "MINUTELY" | "HOURLY":
            return every
        case "DAILY":
            return every + months
        case "WEEKLY":
            if not days:
                days = (rule.dtstart_local.weekday(),)
            names = "Mon to Fri" if days == _WORKWEEK else ", ".join(_EN_DAYS[d] for d in days)
            return (f"every {names}" if rrule.interval == 1 else f"{every} on {names}") + months
        case "MONTHLY":
            return f"{every} on {_en_month_days(rrule, rule)}{months}"
        case "YEARLY":
            months = months or f" in {_EN_MONTHS[rule.dtstart_local.month - 1]}"
            return f"{every} on {_en_month_days(rrule, rule)}{months}"


def _en_month_days(rrule: RRule, rule: Rule) -> str:
    if rrule.bymonthday:
        return "the " + _and([_ordinal(d) + (" day" if d < 0 else "") for d in rrule.bymonthday])
    if rrule.byday:
        return _and(
            [
                f"the {_ordinal(n)} {_EN_DAYS[d]}" if n else f"every {_EN_DAYS[d]}"
                for n, d in rrule.byday
            ]
        )
    return f"the {_ordinal(rule.dtstart_local.day)}"
