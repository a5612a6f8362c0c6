"""Which of the days that a message names is that of an amount."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from bot.core.patterns import regex

_STOP: Final = regex(r"[,，、;；。\n]")

Span = tuple[int, int]


def day_for(
    own: Span, sums: Sequence[Span], days: Sequence[tuple[int, date]], source: str
) -> date | None:
    """The day said last before an amount, or behind it; what is behind another is only its.

    昨天打车30，午饭20 are both of yesterday, "uber 15 yesterday, milk 8" only the first.

    Args:
        own: Where the amount stands.
        sums: Where all amounts stand, in order.
        days: Places and days, in order.
        source: The message as written.
    """
    behind = {place: _behind(place, sums, source) for place, _ in days}
    before = [day for place, day in days if place <= own[0] and behind[place] in (None, own)]
    if before:
        return before[-1]
    return next((day for place, day in days if behind[place] in (None, own)), None)


def _behind(place: int, sums: Sequence[Span], source: str) -> Span | None:
    """The amount that a day stands behind in one clause, with others in clauses to come."""
    before = next((span for span in reversed(sums) if span[1] <= place), None)
    after = next((span for span in sums if span[0] > place), None)
    if before is None or after is None or _STOP.search(source, before[1], place):
        return None
    return before if _STOP.search(source, place, after[0]) else None
