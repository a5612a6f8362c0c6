"""A day and an hour of one time with other words between them: 后天和老王九点见面."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.patterns import regex
from bot.language.phrases import Phrase
from bot.language.slots import Slots, merge
from bot.language.tokens import Token

_STOPS: Final = regex(r"[,，、。.;；:：!！?？\n]")
_JOINING: Final = frozenset({"to", "or", "and", "plus"})
_LIMITS: Final = frozenset({"after", "before", "start", "until", "orafter", "orbefore", "within"})
_ATTRIBUTES: Final = frozenset({"the", "a", "an", "my", "our", "his", "her", "their"})


@dataclass(frozen=True, slots=True)
class Together:
    """A day and an hour that were said in two places.

    Attributes:
        slots: Both as one time.
        certain: One clause says both; else a stop stands between or the day is that of a thing.
    """

    slots: Slots
    certain: bool


def day_and_hour(phrases: Sequence[Phrase], tokens: Sequence[Token], text: str) -> Together | None:
    """The one time of a message that says its day and its hour in two places.

    None where they are two times, or where one belongs to a thing: 看8点的比赛, the 3pm call.
    """
    if len(phrases) != 2:  # noqa: PLR2004  # the day and the hour
        return None
    first, second = phrases
    if first.slots is None or second.slots is None:
        return None
    if not _are_day_and_hour(first.slots, second.slots):
        return None
    between = tokens[first.last : second.first]
    if not between or all(token.kind in _JOINING for token in between):
        return None
    if any(_belongs(phrase, tokens, text) for phrase in phrases):
        return None
    of_a_thing = between[0].kind == "de"  # 明天的会8点提醒我
    names_a_thing = second.last < len(tokens) and tokens[second.last].kind == "de"
    if names_a_thing or (of_a_thing and first.slots.has_clock()):
        return None
    both = merge(first.slots, second.slots)
    stopped = _STOPS.search(text, tokens[first.last - 1].end, tokens[second.first].start)
    return None if both is None else Together(both, certain=not (stopped or of_a_thing))


def _are_day_and_hour(first: Slots, second: Slots) -> bool:
    day, hour = (first, second) if second.has_clock() else (second, first)
    return (
        day.day_given()
        and not day.has_clock()
        and hour.hour is not None
        and not hour.has_date()
        and not day.fault
        and not hour.fault
    )


def _belongs(phrase: Phrase, tokens: Sequence[Token], text: str) -> bool:
    """Whether it is vague, a limit, or says which thing is meant rather than when."""
    around = [*tokens[max(0, phrase.first - 1) : phrase.first], *tokens[phrase.last :][:1]]
    if any(token.kind in _LIMITS for token in around):
        return True
    if any(token.name == "vague" for token in tokens[phrase.first : phrase.last + 1]):
        return True
    if phrase.slots is None or not phrase.slots.has_clock():
        return False
    words = text[: tokens[phrase.first].end].split()[-2:]
    return not _ATTRIBUTES.isdisjoint(words)
