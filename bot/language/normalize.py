"""One spelling for many: half width, simplified, lower case, with the way back to the source."""

import json
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

LIMIT = 800
"""Characters that are read; a reminder or an entry is never longer, and time stays bounded."""

_DATA: Final = Path(__file__).parent / "data" / "traditional.json"


def _folding() -> dict[str, str]:
    data: dict[str, str] = json.loads(_DATA.read_text(encoding="utf-8"))
    return dict(zip(data["traditional"], data["simplified"], strict=True))


_FOLD = _folding()
_FOLD |= dict.fromkeys("–—―－‐‑‒ー−", "-") | dict.fromkeys("～〜∼", "~")
_FOLD |= {"〇": "零", "。": ".", "“": '"', "”": '"', "’": "'", "‘": "'", "⁄": "/", "週": "周"}

_NUMERAL = frozenset("零一二两三四五六七八九十百千万亿兆几半点0123456789.")


@dataclass(frozen=True, slots=True)
class Normal:
    """A text in one spelling, with the way back to the text as it was written.

    Attributes:
        text: What the grammar reads.
        source: What the person wrote.
        starts: For each character of `text`, where it began in `source`.
        ends: For each character of `text`, where it ended in `source`.
        cut: The source was longer than what is read.
    """

    text: str
    source: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    cut: bool = False

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open span in the source of a half-open span in the text."""
        if end <= start or not self.starts:
            return (0, 0)
        return (self.starts[start], self.ends[end - 1])


def is_han(char: str) -> bool:
    """Whether a character is a Chinese one."""
    return "\u4e00" <= char <= "\u9fff"


@lru_cache(maxsize=32)
def normalize(source: str) -> Normal:
    """The text in half width, simplified and lower case, without blanks between Chinese signs.

    Kept for the texts read last: every grammar that looks at a message begins here.
    """
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for index, raw in enumerate(source[:LIMIT]):
        for piece in _fold(raw):
            chars.append(piece)
            starts.append(index)
            ends.append(index + 1)
    keep = [not _joins(chars, i) for i in range(len(chars))]
    return Normal(
        text="".join(c for c, k in zip(chars, keep, strict=True) if k),
        source=source,
        starts=tuple(s for s, k in zip(starts, keep, strict=True) if k),
        ends=tuple(e for e, k in zip(ends, keep, strict=True) if k),
        cut=len(source) > LIMIT,
    )


def folded(text: str) -> str:
    """A text as names are compared: 午飯 and 午饭, Café and CAFÉ are the same then."""
    return normalize(text).text.casefold()


def as_written(part: str, normal: Normal) -> str:
    """The words of the source that a part of the text stands for; the part where it is no part."""
    at = normal.text.find(part) if part else -1
    if at < 0:
        return part
    start, end = normal.span(at, at + len(part))
    return normal.source[start:end]


def _fold(raw: str) -> str:
    if raw.isascii():
        return " " if raw.isspace() else raw.lower()
    if raw in _FOLD:
        return _FOLD[raw]
    folded = "".join(_FOLD.get(c, c) for c in unicodedata.normalize("NFKC", raw).lower())
    return " " if folded.isspace() else folded


def _joins(chars: list[str], index: int) -> bool:
    """Whether a blank stands between two Chinese characters that it does not separate."""
    if chars[index] != " " or index == 0 or index + 1 >= len(chars):
        return False
    before, after = chars[index - 1], chars[index + 1]
    both_numerals = before in _NUMERAL and after in _NUMERAL
    return is_han(before) and is_han(after) and not both_numerals
