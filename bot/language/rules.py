"""What the rules of the grammar share: matches, builders, limits of numbers."""

from collections.abc import Callable, Sequence
from typing import Final

from bot.language.slots import Slots
from bot.language.tokens import Token

Match = Sequence[Token | None]
"""The tokens of a pattern in its order; None for one that is optional and missing."""
Build = Callable[[Match, str], Slots | None]
"""What a match states, given the normalised text; None when it states nothing."""
Rule = tuple[str, Build]
"""A pattern of token kinds and what a match of it states."""

MONTHS: Final = 12
DAYS: Final = 31
TEN: Final = 10
TOO_LARGE: Final = 100
FOUR_DIGITS: Final = 4
QUARTERS: Final = 4


def whole_number(token: Token | None) -> int:
    """The whole number of a token, 0 for none."""
    if token is None:
        return 0
    return token.n if token.kind in ("ordinal", "a") else int(token.number)


def is_whole(token: Token | None) -> bool:
    """Whether a token has a number without a fraction."""
    return token is not None and token.number == int(token.number)


def written(token: Token, text: str) -> str:
    """The text of a token."""
    return text[token.start : token.end]


def constant(**values: object) -> Build:
    """A builder that always states the same."""

    def build(m: Match, text: str) -> Slots | None:
        del m, text
        return Slots(**values)  # type: ignore[arg-type]

    return build


def token_slot(slot: str, attribute: str = "n") -> Build:
    """A builder that puts an attribute of the first token into a slot."""

    def build(m: Match, text: str) -> Slots | None:
        token = m[0]
        if token is None:
            return None
        english = written(token, text).isascii()
        return Slots(**{slot: getattr(token, attribute)}, english=english)

    return build
