"""Orders to hold a reminder for a while, and to let it ring again."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.ahead import length_of
from bot.language.normalize import normalize
from bot.language.times import resolve_time

Kind = Literal["pause", "resume"]

_NOUN: Final = r"(?:提醒|闹钟|日程|reminders?|alarms?)"
_ASK: Final = r"(?:请|麻烦|帮我|把|给我)*"
_STOP: Final = r"(?:先|就|都|暂时|临时)*(?:暂停|停用|停掉|停(?!车|电|水|机|诊|课|产|业))"
_MORE: Final = r"(?:一下|掉|了|吧|啦)*"
_NOT_THEN: Final = regex(
    rf"{_ASK}(?P<rest>.{{1,16}}?)(?:就|先)?(?:不用|不要|不必|(?<![分个特区])别)(?:再)?"
    rf"(?:提醒|叫|喊|通知)(?:我)?(?P<more>.{{0,20}}?){_MORE}"
)
"""Not to be reminded for some days; of one day an occurrence is left out."""

_LIFT: Final = (
    r"(?:(?:不|别)(?:用|要|必)?(?:再)?暂停|(?:取消|结束|解除)(?:这个)?暂停|暂停(?:取消|结束|解除))"
)
_GO_ON: Final = r"(?:恢复|重新启用|启用|重新开始|继续|接着)"
_LIFT_ALONE: Final = regex(
    r"(?:请|麻烦|帮我|把|给我|那|就|还是|都|先)*"
    rf"{_LIFT}{_MORE}"
    r"|(?:please )?(?:un-?pause|resume)(?: (?:it|that|this|them|again|the reminders?))*"
    r"|(?:please )?(?:don'?t|do not|stop) paus(?:e|ing)(?: (?:it|that|them|any ?more|any longer))*"
    r"|(?:please )?(?:cancel|end|lift) the pause"
)
"""What was paused last may ring again, without its name: 不暂停了, unpause it."""

_ORDERS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("resume", regex(rf"{_ASK}(?P<rest>[^,，]{{1,20}}?)的?(?:就|先|也)?{_LIFT}{_MORE}")),
    ("resume", regex(rf"{_ASK}(?:不|别)(?:用|要|必)?(?:再)?暂停(?P<rest>.{{1,20}}?){_MORE}")),
    ("resume", regex(rf"{_ASK}(?:取消|结束|解除)(?P<rest>.{{1,20}}?)的?暂停{_MORE}")),
    (
        "resume",
        regex(
            r"(?:please )?(?:(?:don'?t|do not|stop) paus(?:e|ing)|(?:cancel|end|lift) the pause "
            r"(?:of|on|for)) (?P<rest>.{1,40}?)(?: any ?more| any longer)?"
        ),
    ),
    ("pause", regex(rf"{_ASK}(?:先)?(?:暂停|停用|停掉|先停){_MORE}(?P<rest>.{{1,40}})")),
    ("pause", regex(rf"{_ASK}(?P<rest>.{{1,40}}?){_STOP}{_MORE}(?P<more>.{{0,14}}?){_MORE}")),
    ("pause", _NOT_THEN),
    ("pause", regex(r"(?:please )?(?:pause|suspend|mute) (?P<rest>.{1,50})")),
    ("resume", regex(rf"{_ASK}{_GO_ON}(?P<rest>.{{1,40}})")),
    ("resume", regex(rf"{_ASK}(?P<rest>.{{1,40}}?)(?:可以|再)?{_GO_ON}{_MORE}")),
    (
        "resume",
        regex(
            rf"{_ASK}(?:从|等到?)?(?P<when>.{{1,12}}?)(?:起|开始|再|就)*{_GO_ON}(?P<rest>.{{1,40}})"
        ),
    ),
    (
        "resume",
        regex(r"(?:please )?(?:resume|unpause|reactivate|restart) (?P<rest>.{1,40})"),
    ),
)
_LENGTH: Final = regex(
    r"(?:for |(?:先)?停|暂停)?(?:the next |接下来|未来)?"
    r"(?P<length>(?:\d{1,3}|an?|one|two|three|four|[半一二两三四五六七八九十]{1,3})\s?个?半?"
    r"(?:小时|天|周|星期|礼拜|月|hours?|days?|weeks?|months?))"
)
_HAS_STOOD: Final = regex(
    rf"停(?:用|掉|下)?了(?:已经|有|快|大概|差不多|整整|都)*{_LENGTH.pattern}"
    rf"|{_LENGTH.pattern.replace('?P<length>', '?:')}多?了$"
)
"""How long something has stood still already, which asks for nothing: 打卡停了三天了."""

_UNTIL: Final = regex(r"(?:直?到|until|till) ?(?P<until>.{1,20})$")
_SAYS_SO: Final = regex(
    r"停|恢复|启用|继续|接着|重新开始|提醒|叫|喊|通知|paus|suspend|mute|resume|activate|restart"
)
"""No order is without one of these."""

_COMMA: Final = regex(r"[,;。]")
"""Parts two wishes: no name holds one."""

_NO_NAME: Final = frozenset({"到", "一下", "说", "吧", "到底"})
_EDGE: Final = regex(
    rf"^(?:的|那个|这个|'s|s'|the |my |for |on |\s)+|^(?:提醒|叫|喊)我?(?=.)"
    rf"|(?:的|那个|\s|'s|(?:的)?{_NOUN}|\bfor|\bon|\bfrom|先|就)+$"
)


@dataclass(frozen=True, slots=True)
class Pause:
    """What to hold, or to let ring again.

    Attributes:
        target: The words of the reminder, "" for none.
        start: When the pause begins, or what was paused rings again, aware; None for now.
        until: When it is over, aware; None when it was not said.
        named: A word for reminders was said: it is certainly about one.
    """

    kind: Kind
    target: str
    start: datetime | None
    until: datetime | None
    named: bool


def parse_pause(text: str, now: datetime, tz: ZoneInfo) -> Pause | None:
    """The order to hold a reminder or to go on with it; None when it is none."""
    words = normalize(text).text.strip().rstrip("。.!！").lower()
    if not _SAYS_SO.search(words):
        return None
    if _LIFT_ALONE.fullmatch(words):
        return Pause("resume", "", None, None, named=True)
    for kind, pattern in _ORDERS:
        match = pattern.fullmatch(words)
        if match is None or _HAS_STOOD.search(words):
            continue
        rest, more = match.group("rest"), match.groupdict().get("more") or ""
        said = f"{rest} {more}".strip()
        if kind == "resume":
            found = _resume(said, match.groupdict().get("when") or "", now, tz)
        else:
            found = _read(said, now, tz, named=pattern is _NOT_THEN)
        if found is not None and (pattern is not _NOT_THEN or _is_stretch(found)):
            return None if _COMMA.search(found.target) else found
    return None


def _is_stretch(pause: Pause) -> bool:
    """Whether days to come are named, more than one."""
    return (
        pause.start is not None
        and pause.until is not None
        and pause.until - pause.start > timedelta(days=1)
    )


def _resume(words: str, when: str, now: datetime, tz: ZoneInfo) -> Pause | None:
    """Return what is to ring again, and from when: said before it, or at the end of its name."""
    named, start = re.search(_NOUN, words) is not None, None
    time = resolve_time(when or words, now=now, tz=tz, mode="range")
    first, last = time.spans[0] if len(time.spans) == 1 else (0, 0)
    is_one = len(time.times) == 1 and time.status == "ok"
    if when:
        if not is_one or (first, last) != (0, len(when)):
            return None
        start = time.times[0].start
    elif is_one and first > 0 and last == len(words) and "每" not in words:
        start, words = time.times[0].start, words[:first]
    target = _name(words)
    if target in _NO_NAME or not (target or named):
        return None
    return Pause("resume", target, start if start and start > now else None, None, named)


def _name(words: str) -> str:
    return _EDGE.sub("", _EDGE.sub("", words.strip(" ,"))).strip(" ,")


def _read(words: str, now: datetime, tz: ZoneInfo, *, named: bool) -> Pause | None:
    named = named or re.search(_NOUN, words) is not None
    start = until = None
    limit, length = _UNTIL.search(words), _LENGTH.search(words)
    stretch = resolve_time(words, now=now, tz=tz, mode="range")
    days = stretch.times[0] if len(stretch.times) == 1 else None
    from_to = days is not None and limit is not None and days.span[0] < limit.start()
    if limit is not None and not from_to:
        end = resolve_time(limit.group("until"), now=now, tz=tz, mode="range")
        until = end.times[0].start if len(end.times) == 1 else None
        if until is None:
            return None
        words = words[: limit.start()]
    elif length is not None and not from_to:
        distance = length_of(length.group("length"))
        if distance is None:
            return None
        until = now + distance
        words = f"{words[: length.start()]} {words[length.end() :]}"
    elif days is not None and days.end is not None:
        start, until = days.start, days.end
        first, last = days.span
        words = f"{words[:first]} {words[last:]}"
    target = _name(words)
    if target in _NO_NAME:
        return None
    return Pause("pause", target, start, until, named) if target or named else None
