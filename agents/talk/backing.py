"""What earlier turns have done: a model may speak of it without being called a liar (T31)."""

from collections.abc import Sequence
from datetime import datetime

from agents.claims import BACKED_BY, Deed
from agents.talk.naming import new_name
from agents.talk.remembering import asks_to_remember
from bot.core.agents import zone_of
from bot.core.patterns import regex
from bot.core.schedules import Schedule
from bot.core.turns import TurnRecord
from bot.language.times import resolve_time

RECENT = 3
"""Turns in which something was done that "I'll remind you then" may still be about."""

_AMOUNT = regex(r"\d|[零一二两三四五六七八九十百千万]+(?:元|块|毛|刀)")


def backed_before(history: Sequence[TurnRecord], query: str, now: datetime) -> frozenset[Deed]:
    """Return the deeds of the last turns, except those that the message wants anew."""
    done = {str(call.get("name")) for turn in history[-RECENT:] for call in turn.calls}
    return frozenset(
        deed
        for deed, tools in BACKED_BY.items()
        if tools & done and not _wants_anew(deed, query, now)
    )


def backed_by_reminders(
    live: Sequence[Schedule], history: Sequence[TurnRecord], query: str, now: datetime
) -> frozenset[Deed]:
    """Return the reminder when one that is set is what the talk is about."""
    is_new = _wants_anew(Deed.REMINDER, query, now)
    said = query if is_new else query + "".join(turn.text for turn in history[-RECENT:])
    is_about = any(schedule.what and schedule.what in said for schedule in live)
    return frozenset({Deed.REMINDER}) if is_about else frozenset()


def _wants_anew(deed: Deed, query: str, now: datetime) -> bool:
    match deed:
        case Deed.REMINDER:
            found = resolve_time(query, now=now, tz=zone_of(now), mode="reminder")
            return bool(found.times or found.candidates)
        case Deed.MEMORY:
            return asks_to_remember(query)
        case Deed.LEDGER:
            return bool(_AMOUNT.search(query))
        case Deed.NAME:
            return bool(new_name(query))
        case Deed.SETTING | Deed.REMOVAL:
            return False
