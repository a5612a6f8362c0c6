"""Answers in words to a question whose candidates were kept: which day, every day or once."""

import re
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final

from agents.schedule.timing import WHICH_TOMORROW, clocks_of
from bot.core.recurrence import Rule
from bot.language.answers import named_scope

Rules = tuple[Rule, ...]
NO_CLOCK: Final = ("no_time_of_day", "which_times")
"""Questions that an answer with mere times of day completes; the days were said."""

KEPT: Final = {
    WHICH_TOMORROW: "days",
    "once_or_daily": "daily",
    **dict.fromkeys(NO_CLOCK, "bases"),
}
"""Under which name of a question's state its candidates are kept, by the reason of asking."""

_DAYS: Final = (
    re.compile(
        r"\s*(?:是|就是|指)?(?:天亮(?:后|以后|之后)?的?)?(?:今天|today)[。.!！]?\s*", re.IGNORECASE
    ),
    re.compile(
        r"\s*(?:是|就是|指)?(?:再过一天|明天|第二天|(?:the )?day after|tomorrow)的?[。.!！]?\s*",
        re.IGNORECASE,
    ),
)
"""Today, tomorrow."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Candidates that a question kept.

    Attributes:
        days: today and tomorrow.
        daily: every day, and only once.
        bases: a rule that lacks its times of day.
    """

    days: Rules = ()
    daily: Rules = ()
    bases: Rules = ()


def chosen(words: str, state: Choices, now: datetime) -> Rule | None:
    """Return the candidate that an answer names; None when it names none."""
    if len(state.days) == len(_DAYS):
        pairs = zip(state.days, _DAYS, strict=True)
        if found := next((rule for rule, said in pairs if said.fullmatch(words)), None):
            return found
    if state.daily and (scope := named_scope(words)):
        return state.daily[0 if scope == "always" else -1]
    if state.bases and (clocks := clocks_of(words, now)):
        return _at(state.bases[0], clocks)
    return None


def _at(base: Rule, clocks: tuple[str, ...]) -> Rule:
    """Return a rule that lacks its time of day with it."""
    if base.type != "once":
        return base.model_copy(update={"times": clocks})
    at = datetime.combine(base.dtstart_local.date(), time.fromisoformat(clocks[0]))
    return base.model_copy(update={"dtstart_local": at})
