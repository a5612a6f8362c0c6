"""Orders to call a reminder something else: 改名叫周会, rename it to review."""

import re
from dataclasses import dataclass
from typing import Final

from bot.core.patterns import regex

_NOUN: Final = r"(?:提醒|闹钟|日程)"
_THAT: Final = r"(?:刚才|刚刚|上|最后)?(?:的)?(?:那|这)?(?:一)?[条个]?|它"
_NAME: Final = r"(?:名字|名称|名|内容|标题)"
_TO: Final = r"(?:改成|改为|换成|改叫|改|叫做|叫|为)"
_ORDERS: Final = (
    regex(rf"(?:请|帮我)?(?:把)?(?:{_THAT}){_NOUN}?(?:的)?{_NAME}{_TO}+(?P<name>.{{1,60}})"),
    regex(r"(?:请|帮我)?(?:改名|改叫)(?:叫做?|为|成)?(?P<name>.{1,60})"),
    regex(
        rf"(?:请|帮我)?(?:把)?(?P<target>.{{1,30}}?)(?:的|那个)*{_NOUN}?(?:的)?"
        rf"(?:{_NAME}{_TO}+|改名(?:叫做?|为|成)?)(?P<name>.{{1,60}})"
    ),
    regex(
        r"(?:please )?(?:rename|retitle) (?:it|that|the (?:last )?(?:reminder|alarm))"
        r" (?:to |as )(?P<name>.{1,60})",
        re.IGNORECASE,
    ),
    regex(
        r"(?:please )?(?:rename|retitle) (?:the |my )?(?P<target>.{1,30}?)(?: reminder| alarm)?"
        r" (?:to|as) (?P<name>.{1,60})",
        re.IGNORECASE,
    ),
)


@dataclass(frozen=True, slots=True)
class Rename:
    """What to call which reminder; an empty target is the one spoken of last."""

    target: str
    name: str


def parse_rename(text: str) -> Rename | None:
    """The order to call a reminder something else; None when it is none."""
    words = text.strip().rstrip("。.!！")
    for pattern in _ORDERS:
        match = pattern.fullmatch(words)
        if match is not None:
            target = (match.groupdict().get("target") or "").strip()
            return Rename(target, match.group("name").strip(" “”\"'「」"))
    return None
