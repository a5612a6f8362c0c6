"""Times in a list share what only the first one says: 下个月1号和15号."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.language.phrases import Phrase
from bot.language.slots import Slots, day_part, merge, said
from bot.language.tokens import Token

_CLOCK: Final = frozenset(
    {"part", "hour", "minute", "second", "meridiem", "digital", "colon", "midnight", "english"}
)
_LINKS: Final = frozenset({"and", "comma", "plus", "or"})


def in_its_list(
    slots: Slots, phrases: Sequence[Phrase], index: int, tokens: Sequence[Token]
) -> Slots:
    """The hour with the day before it, the day with its month, the weekday with its week.

    Args:
        slots: What the phrase at `index` says.
        phrases: The time phrases of a text.
        index: Which of them it is.
        tokens: The tokens of the text.
    """
    if slots.day_given() and not slots.has_clock():
        return _with_clock(slots, phrases, index, tokens)
    before = _before(phrases, index, tokens)
    if before is None:
        return slots
    if not slots.has_date() and slots.has_clock():
        return _with_day(slots, before)
    return _with_period(slots, phrases, index, tokens)


def _with_period(
    slots: Slots, phrases: Sequence[Phrase], index: int, tokens: Sequence[Token]
) -> Slots:
    """The day with the month of the one before it, the weekday with its week."""
    before = _before(phrases, index, tokens)
    if before is None:
        return slots
    before = _with_period(before, phrases, index - 1, tokens)
    names = said(day_part(slots)).keys()
    if names == {"day"}:
        return replace(
            slots,
            month=before.month,
            month_shift=before.month_shift,
            year=before.year,
            year_shift=before.year_shift,
        )
    return replace(slots, week_shift=before.week_shift) if names == {"weekday"} else slots


def _with_day(slots: Slots, before: Slots) -> Slots:
    """明天上午9点和下午3点."""
    if not before.has_clock():
        return slots
    part = slots.part or (before.part if slots.hour is not None else "")
    return merge(replace(slots, part=part), day_part(before)) or slots


def _with_clock(
    slots: Slots, phrases: Sequence[Phrase], index: int, tokens: Sequence[Token]
) -> Slots:
    """明天和后天早上8点: the time of day that the last of the days says is that of each."""
    slots = _with_period(slots, phrases, index, tokens)
    for at in range(index + 1, len(phrases)):
        after = phrases[at].slots
        if after is None or _before(phrases, at, tokens) is None or not after.day_given():
            return slots
        if after.has_clock():
            clock = {name: value for name, value in said(after).items() if name in _CLOCK}
            return merge(slots, Slots(**clock)) or slots  # type: ignore[arg-type]  # slots by their names
    return slots


def _before(phrases: Sequence[Phrase], index: int, tokens: Sequence[Token]) -> Slots | None:
    if not index:
        return None
    before = phrases[index - 1]
    between = tokens[before.last : phrases[index].first]
    if not between or any(t.kind not in _LINKS for t in between):
        return None
    return before.slots
