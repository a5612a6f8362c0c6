"""Instants for a reader: date, weekday, time, and zone where it matters."""

from datetime import date, datetime

from bot.locales.catalogue import catalogue

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def weekday(day: date, locale: str) -> str:
    """Return the short name of the day's weekday."""
    return catalogue(locale)[f"time.day_{_DAYS[day.weekday()]}"]


def day_words(day: date, locale: str) -> str:
    """Return a date with its weekday, e.g. ``2026-12-01 周二`` or ``Tue 2026-12-01``."""
    name = weekday(day, locale)
    return f"{day.isoformat()} {name}" if locale == "zh-CN" else f"{name} {day.isoformat()}"


def moment(local: datetime, locale: str) -> str:
    """Return a local instant with weekday, e.g. ``2026-12-01 周二 08:00``."""
    return f"{day_words(local.date(), locale)} {local:%H:%M}"


def moment_with_zone(local: datetime, locale: str) -> str:
    """Return a local instant with weekday and zone, as every confirmation shows it."""
    zone = getattr(local.tzinfo, "key", None) or f"UTC{local:%z}"
    return f"{moment(local, locale)} ({zone})"
