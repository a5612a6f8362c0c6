"""Wishes in one message that do not depend on each other, e.g. "关灯，顺便订个会议室"."""

import re
from typing import Final

from bot.core.patterns import regex

_JOINT: Final = regex(
    r"[,，;；。.\s]{0,6}(?:顺便|順便|顺带|顺手|另外|此外|对了|对啦|(?<![里上面中内])还有|并且|同时|也)(?:再|还|也|帮我|请)*"
    r"(?=[^,，;；。]{2})|[;；。]\s{0,6}(?=\S{2})"
    r"|[,，;；]\s*(?:然后|接着|再|另)(?:再|请)?(?=提醒|叫|记|帮|订|关|开|查|看|算|告诉|统计)"
    r"|(?:并|并且|同时)(?=提醒|叫我|记|帮我|订|关|开|查)"
    r"|[,，]\s*(?:and\s+)?(?:also|by the way|btw|oh and)[, ]+"
    r"|\s{1,6}and also\s{1,6}"
    r"|[,;]?\s{1,6}and (?=(?:show|tell me|how much|remind me|what did|cancel|pause|resume)\b)"
    r"|[.!?]\s+(?=(?:also|and|please|can you)\b)",
    re.IGNORECASE,
)
_DEPENDS: Final = regex(
    r"如果|如国|要是|假如|假若|一旦|万一|倘若|只要|先.{1,40}(?:再|然后|接着)|根据|等.{1,20}(?:之后|以后|完)"
    r"|否则|不然|\bif\b|\bunless\b|\bthen\b|\bonce\b|\bafter that\b|\bdepending\b",
    re.IGNORECASE,
)
_TO_BE_HEARD: Final = regex(
    r"(?:等等|等一下|等下|慢着|[啊哦噢诶哎欸嗯唉]+呀?|对了|话说"
    r"|oh(?: no)?|wait|hold on|hang on|well)"
    r"[\s!！~～…]*",
    re.IGNORECASE,
)
"""What only leads to the next words, and wishes for nothing."""

_COMMA: Final = regex(r"[,，;；。]\s*(?=\S)")
SHORTEST: Final = 2
MOST: Final = 5
"""Wishes that are told apart; a longer list is for somebody who plans."""


def split_wishes(text: str) -> tuple[str, ...]:
    """Return the wishes in their order; one, the whole text, when they cannot be told apart.

    Words of condition or order bind the parts together, so such a text stays whole.
    """
    whole = (text.strip(),)
    if _DEPENDS.search(text):
        return whole
    parts = tuple(part.strip(" ,，。;；") for part in _JOINT.split(text))
    wishes = tuple(part for part in parts if len(part) >= SHORTEST)
    return wishes if 1 < len(wishes) <= MOST and len(wishes) == len(parts) else whole


def between_commas(text: str) -> tuple[str, ...]:
    """Return the parts of a message between its commas and stops."""
    return tuple(_COMMA.split(text))


def is_to_be_heard(part: str) -> bool:
    """Whether a part of a message only leads to the next one: 等等, 哎呀, hold on."""
    return _TO_BE_HEARD.fullmatch(part.strip()) is not None
