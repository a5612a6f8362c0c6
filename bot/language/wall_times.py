"""Times as a clock on the wall shows them, made moments."""

from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.language.results import ResolvedTime, Trouble

SAFE_YEARS: Final = range(2, 9990)
"""Beyond them no zone can be counted with."""


def localize(naive: datetime, tz: ZoneInfo) -> datetime:
    """The aware moment of a wall time; a time in a gap is moved forward by the gap.

    Raises:
        Trouble: It is out of all reach.
    """
    if naive.tzinfo is not None:
        return naive
    if naive.year not in SAFE_YEARS:
        raise Trouble("too_far", status="reject")
    return naive.replace(tzinfo=tz).astimezone(UTC).astimezone(tz)


def stretch(start: datetime, end: datetime, grain: str, tz: ZoneInfo) -> ResolvedTime:
    """The range between two wall times."""
    return ResolvedTime("range", localize(start, tz), localize(end, tz), None, grain, (0, 0))
