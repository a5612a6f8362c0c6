"""Which category a thing belongs to; a person's own corrections win."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from bot.core.patterns import regex
from bot.language.normalize import normalize

OTHER: Final = "other"
_FILE: Final = Path(__file__).parent / "data" / "categories.json"
_LONGEST: Final = 8
_LATIN: Final = regex(r"[a-z'-]+")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words and the keys of their categories.

    Attributes:
        words: Word to category key, as packaged.
        overlay: A person's own items to category keys; they win.
        names: Category key to its names by locale.
    """

    words: Mapping[str, str]
    names: Mapping[str, Mapping[str, str]]
    overlay: Mapping[str, str] = field(default_factory=dict)

    def with_overlay(self, overlay: Mapping[str, str]) -> "Lexicon":
        """The same words with a person's corrections on top."""
        folded = {normalize(item).text.strip(): key for item, key in overlay.items()}
        return Lexicon(self.words, self.names, folded)

    def match(self, item: str) -> tuple[str, str]:
        """The known word in an item and its category key; ("", `other`) when there is none."""
        text = normalize(item).text.strip()
        for known in (self.overlay, self.words):
            if text in known:
                return text, known[text]
        word = _longest(text, self.overlay)
        if word:
            return word, self.overlay[word]
        word = _longest(text, self.words)
        return (word, self.words[word]) if word else ("", OTHER)

    def category(self, item: str) -> str:
        """The category key of an item; `other` when no word of it is known."""
        return self.match(item)[1]

    def knows(self, item: str) -> bool:
        """Whether a word of the item is in the lexicon."""
        return self.category(item) != OTHER


def _longest(text: str, words: Mapping[str, str]) -> str:
    """The longest known word in a text; the last one among equals."""
    found = ""
    for start in range(len(text)):
        for size in range(min(_LONGEST, len(text) - start), 0, -1):
            part = text[start : start + size]
            if part in words and not part.isascii():
                found = part if size >= len(found) else found
                break
    english = _LATIN.findall(text)
    for count in (2, 1):
        for index in range(len(english) - count + 1):
            word = "-".join(english[index : index + count])
            known = word if word in words else word.removesuffix("s")
            if known in words and len(known) > len(found):
                found = known
    return found


@lru_cache(maxsize=1)
def _packaged() -> Lexicon:
    data: dict[str, dict[str, str]] = json.loads(_FILE.read_text(encoding="utf-8"))
    words = {word.lower(): key for key, entry in data.items() for word in entry["words"].split()}
    names = {
        key: {locale: name for locale, name in entry.items() if locale != "words"}
        for key, entry in data.items()
    }
    return Lexicon(words, names)


DEFAULT: Final = _packaged()
"""The packaged words."""


def category_name(key: str, locale: str) -> str:
    """The name of a category in a locale; the key itself when it is unknown."""
    names = DEFAULT.names.get(key, {})
    return names.get(locale) or names.get("zh-CN") or key


def category_keys() -> tuple[str, ...]:
    """The keys of all categories, in the order in which they are shown."""
    return tuple(DEFAULT.names)


BROAD: Final = {
    "吃": "dining",
    "饭": "dining",
    "吃饭": "dining",
    "吃喝": "dining",
    "伙食": "dining",
    "food": "dining",
    "meals": "dining",
    "eating out": "dining",
    "出行": "transport",
    "购物": "shopping",
    "shopping": "shopping",
    "clothes": "clothing",
    "衣服": "clothing",
}
"""Words that mean a category, not entries that are called so."""
