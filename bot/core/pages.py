"""Pages of the web: fetched for a person, read as text, never trusted."""

from dataclasses import dataclass
from typing import Protocol

from bot.core.errors import BotError
from bot.core.words import Text


class PageError(BotError):
    """A page was not read.

    Attributes:
        words: what happened and what can be done, for a person; they name no inner address.
    """

    def __init__(self, words: Text) -> None:
        super().__init__(words.key)
        self.words = words


class PageRefusedError(PageError):
    """This address is not asked, now or later."""


class PageUnreadableError(PageError):
    """There is an answer, but no text that can be read: too big, no text, no such page."""


class PageUnavailableError(PageError):
    """No answer in time; the same address may work later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a page says.

    Attributes:
        address: where it was found in the end, after redirects.
        mime: type the server named, lower case, without parameters.
        text: its main text, at most as long as the reader allows.
        is_cut: whether there was more.
    """

    address: str
    title: str
    text: str
    mime: str
    is_cut: bool = False


class Pages(Protocol):
    """Reads pages."""

    async def read(self, address: str) -> Page:
        """Return the page at an http or https address.

        Raises:
            PageError: by reaction.
        """
        ...
