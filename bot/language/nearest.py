"""The one of several dates that is meant: the next, or in the ledger the last."""

from datetime import date
from typing import Final

from bot.language.results import Context, Trouble
from bot.language.slots import Slots

_NEAR: Final = 60
"""Days: a date so near ahead, with the last one much longer ago, may be a slip of the pen."""


def nearest(dates: list[date], context: Context, slots: Slots) -> date:
    """The next of these dates, in the ledger the last.

    Raises:
        Trouble: There is none on the side that is asked for.
    """
    today = context.now.date()
    ahead = min((d for d in dates if d >= today), default=None)
    behind = max((d for d in dates if d <= today), default=None)
    if slots.side < 0 and dates:
        return max((d for d in dates if d < today), default=dates[0])
    if context.mode == "ledger":
        if behind is None:
            raise Trouble("future")
        dated = ahead is not None and ahead != today and slots.month is not None
        if dated and ahead is not None and (ahead - today).days < _NEAR < (today - behind).days:
            raise Trouble("future")
        return behind
    if ahead is None:
        raise Trouble("past")
    return ahead
