"""Answers in words to a question whose candidates were kept: which day, every day or once."""

import re
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final

from agents.schedule.timing import WHICH_TOMORROW, clocks_of
from bot.core.patterns import regex
from bot.core.recurrence import Rule
from bot.language.answers import named_scope

Rules = tuple[Rule, ...]
_NOON = 12
NO_CLOCK: Final = ("no_time_of_day", "which_times")
"""Questions that an answer with mere times of day completes; the days were said."""

BARE_HOUR: Final = "bare_hour"
"""The question which half of the day an hour is of; its candidates are the earlier and later."""

KEPT: Final = {
    WHICH_TOMORROW: "days",
    "once_or_daily": "daily",
    "once_or_repeated": "daily",
    BARE_HOUR: "halves",
    **dict.fromkeys(NO_CLOCK, "bases"),
}
"""Under which name of a question's state its candidates are kept, by the reason of asking."""

_DAYS: Final = (
    regex(
        r"\s*(?:是|就是|指)?(?:天亮(?:后|以后|之后)?的?)?(?:今天|today)[。.!！]?\s*", re.IGNORECASE
    ),
    regex(
        r"\s*(?:是|就是|指)?(?:再过一天|明天|第二天|(?:the )?day after|tomorrow)的?[。.!！]?\s*",
        re.IGNORECASE,
    ),
)
"""Today, tomorrow."""

_HALVES: Final = (
    regex(
        r"\s*(?:是|就|在|那就)*(?:上午|早上|早晨|清晨|清早|凌晨|早|(?:in the )?morning|a\.?m\.?)"
        r"(?:的|吧)*[。.!！]?\s*",
        re.IGNORECASE,
    ),
    regex(
        r"\s*(?:是|就|在|那就)*(?:下午|晚上|傍晚|夜里|晚|(?:in the )?(?:afternoon|evening)"
        r"|p\.?m\.?)(?:的|吧)*[。.!！]?\s*",
        re.IGNORECASE,
    ),
)
"""The earlier half of the day, the later one."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Candidates that a question kept.

    Attributes:
        days: today and tomorrow.
        daily: every day or every time of a repetition, and only once.
        bases: a rule that lacks its times of day.
        halves: a rule in the earlier and in the later half of the day.
    """

    days: Rules = ()
    daily: Rules = ()
    bases: Rules = ()
    halves: Rules = ()


def chosen(words: str, state: Choices, now: datetime) -> Rule | None:
    """Return the candidate that an answer names; None when it names none."""
    pairs = zip(state.days, _DAYS, strict=False) if len(state.days) == len(_DAYS) else ()
    if found := next((rule for rule, said in pairs if said.fullmatch(words)), None):
        return found
    for half, said in enumerate(_HALVES):
        if state.halves and said.fullmatch(words):
            return next((rule for rule in state.halves if _half_of(rule) == half), None)
    if state.daily and (scope := named_scope(words)):
        return state.daily[0 if scope == "always" else -1]
    if state.bases and (clocks := clocks_of(words, now)):
        return _at(state.bases[0], clocks)
    return None


def _half_of(rule: Rule) -> int:
    """Return 0 for the earlier half of the day, 1 for the later one."""
    first = time.fromisoformat(rule.times[0]) if rule.times else rule.dtstart_local.time()
    return int(first.hour >= _NOON)


def _at(base: Rule, clocks: tuple[str, ...]) -> Rule:
    """Return a rule that lacks its time of day with it."""
    if base.type != "once":
        return base.model_copy(update={"times": clocks})
    at = datetime.combine(base.dtstart_local.date(), time.fromisoformat(clocks[0]))
    return base.model_copy(update={"dtstart_local": at})
