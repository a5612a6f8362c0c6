"""Orders to move several reminders by one length: 都推迟一小时, push everything back an hour."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.core.patterns import regex
from bot.language.ahead import length_of
from bot.language.normalize import normalize

_NOUN: Final = r"(?:提醒|闹钟|日程)"
_UNIT: Final = r"(?:分钟?|小时|钟头|刻钟|天|周|星期)"
_LENGTH: Final = rf"(?P<length>(?:\d{{1,3}}|[一二两三四五六七八九十半]{{1,3}})个?半?{_UNIT}半?)"
_ALL: Final = "(?:全都|全部|都|全|统统|一起)"
_PUT: Final = r"(?P<put>推迟|延后|延迟|推后|往后推|提前)"
_LEAD: Final = rf"(?:请|帮我)?(?:把)?(?P<target>[^,，。]{{0,12}}?)(?:的)?{_NOUN}?"
_ORDERS: Final = (
    regex(rf"{_LEAD}{_ALL}(?:往后|往前)?{_PUT}{_LENGTH}(?:吧)?"),
    regex(rf"(?:请|帮我)?(?:把)?(?:所有|全部)的?{_NOUN}{_ALL}?{_PUT}{_LENGTH}(?:吧)?"),
    regex(
        r"(?:please )?(?P<put>postpone|delay|push back|push|bring forward|move up)"
        r" (?:all|everything|them all|all of them|all (?:of )?(?:my |the )?reminders)"
        r"(?: (?P<target>today|tomorrow))?(?: back)?(?: by)? (?P<length>.{3,16})"
    ),
)
_EARLIER: Final = frozenset({"提前", "bring forward", "move up"})


@dataclass(frozen=True, slots=True)
class Shift:
    """Which reminders to move how far; a negative distance is earlier.

    Attributes:
        target: Their words or when they ring; empty for all of them.
    """

    target: str
    distance: timedelta


def parse_shift(text: str) -> Shift | None:
    """The order to move several reminders together; None when it is none."""
    words = normalize(text).text.strip().rstrip("。.!！").lower()
    for pattern in _ORDERS:
        match = pattern.fullmatch(words)
        if match is None:
            continue
        distance = length_of(match.group("length"))
        if distance is None:
            return None
        target = match.groupdict().get("target") or ""
        is_earlier = match.group("put") in _EARLIER
        return Shift(target.strip(), -distance if is_earlier else distance)
    return None
