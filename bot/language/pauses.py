"""Orders to hold a reminder for a while, and to let it ring again."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.language.ahead import length_of
from bot.language.normalize import normalize
from bot.language.times import resolve_time

Kind = Literal["pause", "resume"]

_NOUN: Final = r"(?:提醒|闹钟|日程|reminders?|alarms?)"
_ASK: Final = r"(?:请|麻烦|帮我|把|给我)*"
_STOP: Final = r"(?:先|就|都|暂时|临时)*(?:暂停|停用|停掉|停(?!车|电|水|机|诊|课|产|业))"
_MORE: Final = r"(?:一下|掉|了|吧|啦)*"
_NOT_THEN: Final = re.compile(
    rf"{_ASK}(?P<rest>.{{1,16}}?)(?:就|先)?(?:不用|不要|不必|(?<![分个特区])别)(?:再)?"
    rf"(?:提醒|叫|喊|通知)(?:我)?(?P<more>.{{0,20}}?){_MORE}"
)
"""Not to be reminded for some days; of one day an occurrence is left out."""

_ORDERS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("pause", re.compile(rf"{_ASK}(?:先)?(?:暂停|停用|停掉|先停){_MORE}(?P<rest>.{{1,40}})")),
    ("pause", re.compile(rf"{_ASK}(?P<rest>.{{1,40}}?){_STOP}{_MORE}(?P<more>.{{0,14}}?){_MORE}")),
    ("pause", _NOT_THEN),
    ("pause", re.compile(r"(?:please )?(?:pause|suspend|mute) (?P<rest>.{1,50})")),
    ("resume", re.compile(rf"{_ASK}(?:恢复|重新启用|启用|继续)(?P<rest>.{{1,40}})")),
    (
        "resume",
        re.compile(rf"{_ASK}(?P<rest>.{{1,40}}?)(?:可以)?(?:恢复|重新启用|重新开始|继续){_MORE}"),
    ),
    (
        "resume",
        re.compile(r"(?:please )?(?:resume|unpause|reactivate|restart) (?P<rest>.{1,40})"),
    ),
)
_LENGTH: Final = re.compile(
    r"(?:for |(?:先)?停|暂停)?(?:the next |接下来|未来)?"
    r"(?P<length>(?:\d{1,3}|an?|one|two|three|four|[半一二两三四五六七八九十]{1,3})\s?个?半?"
    r"(?:小时|天|周|星期|礼拜|月|hours?|days?|weeks?|months?))"
)
_HAS_STOOD: Final = re.compile(
    rf"停(?:用|掉|下)?了(?:已经|有|快|大概|差不多|整整|都)*{_LENGTH.pattern}"
    rf"|{_LENGTH.pattern.replace('?P<length>', '?:')}多?了$"
)
"""How long something has stood still already, which asks for nothing: 打卡停了三天了."""

_UNTIL: Final = re.compile(r"(?:直?到|until|till) ?(?P<until>.{1,20})$")
_NO_NAME: Final = frozenset({"到", "一下", "说", "吧", "到底"})
_EDGE: Final = re.compile(
    rf"^(?:的|那个|这个|'s|s'|the |my |for |on |\s)+"
    rf"|(?:的|那个|\s|'s|(?:的)?{_NOUN}|\bfor|\bon|先|就)+$"
)


@dataclass(frozen=True, slots=True)
class Pause:
    """What to hold, or to let ring again.

    Attributes:
        target: The words of the reminder, "" for none.
        start: When the pause begins, aware; None for now.
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
    for kind, pattern in _ORDERS:
        match = pattern.fullmatch(words)
        if match is None or _HAS_STOOD.search(words):
            continue
        rest, more = match.group("rest"), match.groupdict().get("more") or ""
        said = f"{rest} {more}".strip()
        found = _read(kind, said, now, tz, named=pattern is _NOT_THEN)
        if found is not None and (pattern is not _NOT_THEN or _is_stretch(found)):
            return found
    return None


def _is_stretch(pause: Pause) -> bool:
    """Whether days to come are named, more than one."""
    return (
        pause.start is not None
        and pause.until is not None
        and pause.until - pause.start > timedelta(days=1)
    )


def _read(kind: Kind, words: str, now: datetime, tz: ZoneInfo, *, named: bool) -> Pause | None:
    named = named or re.search(_NOUN, words) is not None
    start = until = None
    if kind == "pause":
        limit, length = _UNTIL.search(words), _LENGTH.search(words)
        if limit is not None:
            end = resolve_time(limit.group("until"), now=now, tz=tz, mode="range")
            until = end.times[0].start if len(end.times) == 1 else None
            if until is None:
                return None
            words = words[: limit.start()]
        elif length is not None:
            distance = length_of(length.group("length"))
            if distance is None:
                return None
            until = now + distance
            words = f"{words[: length.start()]} {words[length.end() :]}"
        else:
            time = resolve_time(words, now=now, tz=tz, mode="range")
            if len(time.times) == 1 and time.times[0].end is not None:
                start, until = time.times[0].start, time.times[0].end
                first, last = time.times[0].span
                words = f"{words[:first]} {words[last:]}"
    target = _EDGE.sub("", _EDGE.sub("", words.strip())).strip()
    if target in _NO_NAME:
        return None
    return Pause(kind, target, start, until, named) if target or named else None
