"""A message read once: spelling, tokens and time phrases, for all resolvers."""

from dataclasses import dataclass
from functools import lru_cache

from bot.language.normalize import Normal, normalize
from bot.language.phrases import Phrase, Phrases
from bot.language.tokens import Token, tokenize


@dataclass(frozen=True, slots=True)
class Reading:
    """A message in the forms the resolvers work on.

    Attributes:
        normal: The text in one spelling.
        tokens: Its tokens.
        phrases: Its time phrases, neighbours merged.
        index: The time phrase at each token.
    """

    normal: Normal
    tokens: tuple[Token, ...]
    phrases: tuple[Phrase, ...]
    index: Phrases

    @property
    def text(self) -> str:
        """The text in one spelling."""
        return self.normal.text

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where tokens stand in the text as written; `last` is exclusive."""
        return self.normal.span(self.tokens[first].start, self.tokens[last - 1].end)


@lru_cache(maxsize=16)
def read(text: str) -> Reading:
    """The reading of a text; the last few are kept: one message is asked about many times."""
    normal = normalize(text)
    tokens = tuple(tokenize(normal.text))
    index = Phrases(tokens, normal.text)
    return Reading(normal, tokens, tuple(index.merged()), index)
