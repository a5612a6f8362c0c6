"""Whether a message is about rows that are there, in any of the ways to name them."""

from datetime import datetime
from zoneinfo import ZoneInfo

from bot.language.corrections import parse_correction
from bot.language.dated_orders import parse_dated_order
from bot.language.last_thing import parse_last_few, parse_last_thing, removes_it
from bot.language.nth_entries import parse_nth_order
from bot.language.shifts import parse_shift


def names_stored_rows(text: str, now: datetime, tz: ZoneInfo) -> bool:
    """Whether the grammar reads an order about rows named by number, day, thing or "last"."""
    return bool(
        parse_nth_order(text)
        or parse_last_thing(text)
        or parse_last_few(text)
        or removes_it(text)
        or parse_dated_order(text, now, tz)
        or parse_correction(text, now, tz)
        or parse_shift(text)
    )
