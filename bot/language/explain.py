"""All that the language layer sees in a text, as one JSON object."""

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from bot.language.bookings import AmountEntry
from bot.language.categories import category_name
from bot.language.money import resolve_amounts
from bot.language.normalize import normalize
from bot.language.number_spans import find_numbers
from bot.language.recurrence import RecurrenceResult, resolve_recurrence, upcoming
from bot.language.results import Mode, ResolvedTime, Status, TimeResult
from bot.language.summary import summarize
from bot.language.times import resolve_time


def explain(
    text: str, *, now: datetime, tz: ZoneInfo, mode: Mode, locale: str
) -> dict[str, object]:
    """What the language layer sees in a text, as plain JSON values."""
    time = resolve_time(text, now=now, tz=tz, mode=mode)
    amounts = resolve_amounts(text, now=now, tz=tz, locale=locale)
    recurrence = resolve_recurrence(text, now=now, tz=tz, mode=mode)
    if recurrence.status == "ask":
        status: Status = "reject" if recurrence.reason == "too_frequent" else "ask"
        time = TimeResult(status, recurrence.reason)
    elif recurrence.status == "ok":
        time = _beside(time, recurrence, mode)
    return {
        "text": text,
        "now": now.isoformat(),
        "tz": tz.key,
        "time": {
            "status": time.status,
            "reason": time.reason,
            "times": [_time(t) for t in time.times],
            "candidates": [c.isoformat() for c in time.candidates],
        },
        "recurrence": _recurrence(recurrence, now, tz, locale),
        "amounts": [_entry(e, locale) for e in amounts.entries] if amounts.status == "ok" else [],
        "amounts_status": amounts.status,
        "numbers": [
            {"value": f"{number.value:f}", "span": list(number.span)}
            for number in find_numbers(normalize(text))
        ],
    }


def _beside(time: TimeResult, recurrence: RecurrenceResult, mode: Mode) -> TimeResult:
    """The times of a message that are not part of its recurrence; none for a reminder."""
    if mode == "reminder" or time.status != "ok":
        return TimeResult("none")
    others = tuple(
        item
        for item in time.times
        if not any(a < item.span[1] and item.span[0] < b for a, b in recurrence.spans)
    )
    return TimeResult("ok" if others else "none", "", others)


def _entry(entry: AmountEntry, locale: str) -> dict[str, object]:
    whole = entry.amount.quantize(Decimal("0.01"))
    return {
        "amount": f"{whole if whole == entry.amount else entry.amount:f}",
        "currency": entry.currency,
        "direction": entry.direction,
        "item": entry.item,
        "category": category_name(entry.category, locale),
        "span": list(entry.span),
    }


def _recurrence(
    result: RecurrenceResult, now: datetime, tz: ZoneInfo, locale: str
) -> dict[str, object]:
    if result.rule is None:
        return {"status": result.status, "rule": None, "next": [], "summary": ""}
    fires = upcoming(result.rule, now, 5)
    return {
        "status": result.status,
        "rule": result.rule.to_json(),
        "next": [fire.astimezone(tz).isoformat() for fire in fires],
        "summary": summarize(result.rule, locale),
    }


def _time(item: ResolvedTime) -> dict[str, object]:
    return {
        "kind": item.kind,
        "start": item.start.isoformat() if item.start else None,
        "end": item.end.isoformat() if item.end else None,
        "seconds": item.seconds,
        "grain": item.grain,
        "span": list(item.span),
    }
