"""Corrections of one of several entries by its number: 第二笔改成50."""

import re
from dataclasses import dataclass
from typing import Final

from bot.language.normalize import normalize

_ZH: Final = re.compile(
    r"(?:请|帮我|把|不是|不对|错了|[,，\s])*第(?P<n>[一二两三四五六七八九十]|\d{1,2})[笔个条](?:的)?"
    r"(?:金额|分类|名称)?(?:错了|不对)?[,，\s]*(?:应该是|应该|改成|改为|换成|改到|是|写成)(?P<rest>.{1,40})"
)
_EN: Final = re.compile(
    r"(?:please )?(?:no,? )?(?:change |make |set )?the (?P<n>first|second|third|fourth|fifth|"
    r"\d(?:st|nd|rd|th)) (?:one|entry|expense)(?: should be| is| was| to)? (?P<rest>.{1,40})"
)
_DIGITS: Final = "零一二三四五六七八九十"
_WORDS: Final = ("", "first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True)
class NthChange:
    """Which entry, counted from 1, and what it becomes."""

    n: int
    rest: str


def parse_nth_change(text: str) -> NthChange | None:
    """The correction of an entry by number; None when the message is none."""
    words = normalize(text).text.strip().rstrip("。.!！吧").lower()
    match = _ZH.fullmatch(words) or _EN.fullmatch(words)
    if match is None:
        return None
    said = match.group("n").replace("两", "二")
    if said in _WORDS:
        n = _WORDS.index(said)
    elif said[0].isdigit():
        n = int(re.sub(r"\D", "", said))
    else:
        n = _DIGITS.index(said)
    return NthChange(n, match.group("rest").strip())
