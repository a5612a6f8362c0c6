"""Why the language layer asks or refuses, in words."""

from bot.core.words import Text
from bot.locales.catalogue import DEFAULT_LOCALE, catalogue


def reason_words(reason: str) -> Text:
    """Return the words for a reason key of `bot.language`."""
    key = f"reasons.{reason}"
    return Text(key if key in catalogue(DEFAULT_LOCALE) else "reasons.unclear")
