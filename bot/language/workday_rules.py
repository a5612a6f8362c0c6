"""The grammar of working days: so many from now, the next, the nth of a month or year."""

from typing import Final

from bot.language.rules import TOO_LARGE, Build, Match, Rule, whole_number
from bot.language.slots import Slots


def _counted(sign: int) -> Build:
    """三个工作日后."""

    def build(m: Match, text: str) -> Slots | None:
        del text
        count = whole_number(m[0])
        return Slots(period=f"workdays:{sign * count}") if 1 <= count <= TOO_LARGE else None

    return build


def _next(m: Match, text: str) -> Slots | None:
    direction = m[0]
    del text
    if direction is None or abs(direction.n) != 1:
        return None
    return Slots(period=f"workdays:{direction.n}")


def _nth(m: Match, text: str) -> Slots | None:
    """第三个工作日, the first working day: only together with a month or year."""
    del text
    first = m[0]
    if first is None:
        return None
    if first.kind in ("nth_last", "dir"):
        return Slots(period="last_workday:1")
    count = whole_number(m[1] if first.kind == "di" else first)
    return Slots(period=f"nth_workday:{count}") if 1 <= count <= TOO_LARGE else None


def _of_month(m: Match, text: str) -> Slots | None:
    """The last working day of next month, of march, of the month."""
    which, before, month = _nth(m[:1], text), m[-2], m[-1]
    if which is None or month is None:
        return None
    if month.kind == "month":
        return Slots(period=which.period, month=month.n, english=True)
    shift = before.n if before is not None and before.kind == "dir" else 0
    return Slots(period=which.period, month_shift=shift, english=True)


WORKDAY_RULES: Final[tuple[Rule, ...]] = (
    ("num unit.workday after", _counted(1)),
    ("num unit.workday before", _counted(-1)),
    ("dir unit.workday", _next),
    ("nth_last unit.workday", _nth),
    ("di num unit.workday", _nth),
    ("ordinal unit.workday", _nth),
    ("dir.-1|ordinal unit.workday of|in month", _of_month),
    ("dir.-1|ordinal unit.workday of|in dir|at unit.month", _of_month),
)
"""The rules of this part of the grammar."""
