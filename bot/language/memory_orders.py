"""Orders about what is remembered: 你记住了什么, 忘掉第2条, what do you remember about me."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from bot.core.patterns import regex
from bot.language.normalize import normalize
from bot.language.numerals import read_number
from bot.language.vocabulary import ORDINALS_EN

Kind = Literal["list", "forget"]

_SHOW: Final = (
    r"(?:请问|请|麻烦)?(?:帮我|给我)?"
    r"(?:告诉我|说说|讲讲|看看|看一下|查看|列出|列一下|显示)?(?:一下|下)?"
)
_KEPT: Final = r"(?:长期)?记忆(?:列表|清单|库)?"
_LIST: Final = regex(
    rf"{_SHOW}(?:你|您)?(?:现在|目前|到底|一共|总共|都|还|帮我|替我)*"
    r"(?:记住|记得|记下|记)(?:了|过|着)*(?:关于)?(?:我)?(?:的)?(?:些|点|有关)?(?:什么|啥|哪些)"
    r"(?:事情?|东西|内容|信息)?(?:吗|呢|啊|呀|了|的)*"
    rf"|{_SHOW}(?:你|您|我)?(?:对我|关于我)?(?:的)?(?:所有|全部)?(?:的)?{_KEPT}"
    r"(?:里|中)?(?:都|还)*(?:有(?:些)?(?:什么|啥|哪些))?(?:东西|内容)?(?:吗|呢|啊|呀)*"
    rf"|(?:你|您)?(?:都|还|现在)*有(?:些)?(?:什么|啥|哪些)(?:关于我的|我的|对我的)?{_KEPT}"
    r"|(?:so |and |please )*(?:what|which things)(?: exactly| all)? (?:do|have|did|can) you"
    r" (?:still |actually )?(?:remember(?:ed)?|sav(?:e|ed)|stor(?:e|ed)|kept|keep|noted)"
    r"(?: in (?:your )?memory)?(?: (?:about|of|for) me)?"
    r"|(?:please )?(?:show|list|tell|give)(?: me)?(?: all)?(?: of)?(?: the| your| my)?"
    r" (?:long-term )?(?:memories|memory)(?: (?:about|of) me)?"
    r"|what(?:'s| is) in (?:your|my) (?:long-term )?memory",
    re.IGNORECASE,
)
_PLACE: Final = r"第(?P<zh>[一二两三四五六七八九十]{1,3}|\d{1,3})(?:条|个|项|件)?"
_DROP: Final = r"(?:删了|删掉|删除|删|去掉|清除|忘掉|忘记|忘了)"
_FORGET: Final = (
    regex(rf"(?:请|帮我|把)*(?:忘掉|忘记|忘了){_PLACE}(?:记忆)?"),
    regex(rf"(?:请|帮我|把)*{_PLACE}(?:记忆)?(?:给我|给|也)?(?:忘掉|忘记|忘了)"),
    regex(rf"(?:请|帮我|把)*{_DROP}{_PLACE}(?:的)?记忆"),
    regex(rf"(?:请|帮我|把)*{_PLACE}(?:的)?记忆(?:给我|给|也)?{_DROP}"),
    regex(
        r"(?:please )?(?:forget|(?P<drop>delete|remove|drop)) (?:the )?"
        r"(?P<noun>memory|note|number|no\.?|item|#)? ?(?:number |no\.? ?|#)?(?P<en>\d{1,3})",
        re.IGNORECASE,
    ),
    regex(
        rf"(?:please )?(?:forget|(?P<drop>delete|remove|drop)) (?:the |your |my )?"
        rf"(?P<en>{'|'.join(ORDINALS_EN)}|\d{{1,3}}(?:st|nd|rd|th))"
        r" (?P<noun>memory|note|one|thing)",
        re.IGNORECASE,
    ),
)
_MEMORY: Final = frozenset({"memory", "note"})
"""Without "forget" one of these has to be named: "delete number 2" may be about anything."""

LONGEST: Final = 80
_EDGE: Final = " ,，.。;；:：、!！?？~吧\n\t"


@dataclass(frozen=True, slots=True)
class MemoryOrder:
    """What is wanted.

    Attributes:
        n: with `forget`: which note of the list, counted from 1.
    """

    kind: Kind
    n: int = 0


def parse_memory_order(text: str) -> MemoryOrder | None:
    """The order about remembered notes that a message is as a whole; None when it is none."""
    if len(text) > LONGEST:
        return None
    words = normalize(text).text.strip(_EDGE).replace("’", "'")
    if _LIST.fullmatch(words):
        return MemoryOrder("list")
    for pattern in _FORGET:
        found = pattern.fullmatch(words)
        if found is None:
            continue
        groups = found.groupdict()
        if groups.get("drop") and (groups.get("noun") or "").lower() not in _MEMORY:
            continue
        n = _number((groups.get("zh") or groups.get("en") or "").lower())
        return MemoryOrder("forget", n) if n else None
    return None


def _number(said: str) -> int:
    if said in ORDINALS_EN:
        return ORDINALS_EN.index(said) + 1
    number = read_number(re.sub(r"(?:st|nd|rd|th)$", "", said), 0)
    return int(number.value) if number is not None else 0
