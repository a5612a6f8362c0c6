"""Answers to questions for the time, a date, a working day: from the calendar, not a model."""

from datetime import date
from zoneinfo import ZoneInfo

from agents.onboarding.zones import find_zone
from agents.reasons import reason_words
from bot.core.agents import Turn
from bot.core.words import Text, text
from bot.language.calendar_questions import CalendarQuestion, parse_calendar_question
from bot.language.lunar import lunar_words
from bot.language.workdays import WorkdayCalendar, load_calendar
from bot.locales.moments import day_words, moment_with_zone


def calendar_words(turn: Turn) -> Text | None:
    """Return the answer where the calendar has one."""
    zone = turn.now.tzinfo
    asked = (
        parse_calendar_question(turn.query, turn.now, zone) if isinstance(zone, ZoneInfo) else None
    )
    if asked is None:
        return None
    day, today = day_words(asked.day, turn.locale), turn.now.date()
    match asked.kind:
        case "now":
            return _clock(turn, asked)
        case "no_day":
            return reason_words("no_such_date")
        case "lunar":
            lunar = lunar_words(asked.day)
            return text("chat.lunar_day", day=day, lunar=lunar) if lunar else None
        case "work":
            return _work(asked.day, turn.locale)
        case "until" | "day":
            return _distance((asked.day - today).days, day)


def _clock(turn: Turn, asked: CalendarQuestion) -> Text | None:
    if not asked.place:
        return text("chat.clock", now=moment_with_zone(turn.now, turn.locale))
    zone = find_zone(asked.place)
    if zone is None:
        return None
    there = moment_with_zone(turn.now.astimezone(ZoneInfo(zone)), turn.locale)
    return text("chat.clock_there", place=asked.place, now=there)


def _distance(days: int, day: str) -> Text:
    if days == 0:
        return text("chat.day_today", day=day)
    return text("chat.day_ahead" if days > 0 else "chat.day_behind", day=day, n=abs(days))


def _work(day: date, locale: str) -> Text:
    calendar = load_calendar()
    said = day_words(day, locale)
    if not calendar.is_official(day.year) and not calendar.is_holiday(day):
        key = "chat.work_unofficial" if calendar.is_workday(day) else "chat.off_unofficial"
        return text(key, day=said, year=day.year)
    if calendar.is_holiday(day):
        return _holiday(calendar, day, locale)
    if calendar.is_workday(day):
        return text("chat.makeup_day" if day in calendar.workdays else "chat.workday", day=said)
    return text("chat.weekend", day=said)


def _holiday(calendar: WorkdayCalendar, day: date, locale: str) -> Text:
    first, last = calendar.holiday_of(day)
    return text(
        "chat.holiday" if calendar.is_official(day.year) else "chat.holiday_expected",
        day=day_words(day, locale),
        name=calendar.names.get(day, ""),
        first=day_words(first, locale),
        last=day_words(last, locale),
        n=(last - first).days + 1,
    )
