"""Orders that name a thing and not its kind: 取消跑步, 跑步不去了, 打卡暂停一周, cancel yoga.

Whose they are is known only from what a person keeps: see `bot.briefing`.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.normalize import normalize
from bot.language.pauses import parse_pause
from bot.language.recurrence import resolve_recurrence
from bot.language.skips import parse_skip
from bot.language.times import resolve_time

Kind = Literal["cancel", "off", "skip", "pause", "resume", "move"]

LONGEST: Final = 40
_ASK: Final = r"(?:请|麻烦|帮我|把|给我)*"
_NAME: Final = r"(?P<name>[^,，。;；:：?？!！]{1,20}?)"
_COMMA: Final = regex(r"[,，;；。]|另外|顺便|还有|并且|以及|对了")
_CANCEL: Final = r"(?:取消|删了|删掉|删除|去掉|撤掉)"
_ORDERS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("cancel", regex(rf"{_ASK}{_CANCEL}(?:我的)?{_NAME}(?:吧|了)?")),
    ("cancel", regex(rf"{_ASK}{_NAME}(?:给我|就|先)?(?:{_CANCEL}|不要了)(?:吧|掉|了)?")),
    (
        "cancel",
        regex(r"(?:please )?(?:cancel|delete|remove|drop) (?:my |the )?(?P<name>.{2,30}?)"),
    ),
    ("off", regex(rf"(?:我)?{_NAME}(?:就|先)?不(?:去|做|开|上|练|吃|搞|参加)(?:了|啦)")),
    ("off", regex(r"(?:i'?m )?(?:done with|not doing) (?:my |the )?(?P<name>.{2,30}?)")),
)
_MOVES: Final = (
    regex(
        rf"{_ASK}{_NAME}(?:的时间)?(?:给我)?"
        r"(?:改到|改成|改为|挪到|调到|换到|推到|推迟到|延到|延后到|提前到)(?P<rest>.{1,16})"
    ),
    regex(
        r"(?:please )?(?:move|reschedule|postpone|push|shift|change) (?:my |the )?"
        r"(?P<name>.{2,30}?) to (?P<rest>.{1,20})"
    ),
)
_BARE_HOUR: Final = regex(r"(?:[01]?\d|2[0-3])(?::\d\d)?")
"""Only behind "to": 午饭改成12 is a price."""

_FILLERS: Final = regex(
    r"\s+(?:ones?|reminder|alarm)$|的|那个|那条|这个|\s+(?=[一-鿿])|(?<=[一-鿿])\s+"
)
"""What stands in a name that is said of a thing, and not in the thing: the bank one."""


@dataclass(frozen=True, slots=True)
class NamedOrder:
    """What to do with the thing of a name; without a name, with what was paused."""

    kind: Kind
    name: str


def parse_named_order(text: str, now: datetime, tz: ZoneInfo) -> NamedOrder | None:
    """The order about a thing of a name in a short message; None when it is none.

    A name holds no comma: what stands before or after one is another wish.
    """
    order = _order(text, now, tz) if len(text) <= LONGEST else None
    return None if order is None or _COMMA.search(order.name) else order


def _order(text: str, now: datetime, tz: ZoneInfo) -> NamedOrder | None:
    pause = parse_pause(text, now, tz)
    if pause is not None and (pause.target or pause.kind == "resume"):
        return NamedOrder(pause.kind, pause.target)
    skip = parse_skip(text, now, tz)
    if skip is not None and skip.target:
        return NamedOrder("skip", skip.target)
    words = normalize(text).text.strip().rstrip("。.!！").lower()
    for kind, pattern in _ORDERS:
        match = pattern.fullmatch(words)
        if match is not None:
            return NamedOrder(kind, match.group("name").strip())
    move = next((found for pattern in _MOVES if (found := pattern.fullmatch(words))), None)
    if move is None:
        return None
    hour = words.isascii() and _BARE_HOUR.fullmatch(move["rest"])
    if not hour and not _is_time(move["rest"], now, tz):
        return None
    return NamedOrder("move", move["name"].strip())


def _is_time(words: str, now: datetime, tz: ZoneInfo) -> bool:
    time = resolve_time(words, now=now, tz=tz, mode="reminder")
    return time.status != "none" or resolve_recurrence(words, now=now, tz=tz).status != "none"


def is_called(what: str, name: str) -> bool:
    """Whether a thing goes by a name: the whole of it, or a part of two signs and more."""
    own, said = _key(what), _key(name)
    return own == said or (len(said) > 1 and said in own)


def _key(words: str) -> str:
    return _FILLERS.sub("", normalize(words).text.lower().strip())
