"""Orders to leave out an occurrence of a reminder."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.normalize import normalize
from bot.language.times import resolve_time

_ONE_DAY: Final = timedelta(days=1)
_NOUN: Final = r"(?:提醒|闹钟|日程|reminders?|alarms?)"
_ASK: Final = r"(?:请|麻烦|帮我|把|给我)*"
_ORDERS: Final = (
    regex(rf"{_ASK}(?:跳过|略过)(?:一下|掉)?(?P<rest>.{{1,40}})"),
    regex(rf"{_ASK}(?P<rest>.{{1,40}}?)(?:给我|先|就)?(?:跳过|略过)(?:吧|了|一次|一下)?"),
    regex(r"(?:please )?(?:skip|leave out) (?P<rest>.{1,40})"),
)
_CALLED_OFF: Final = regex(
    r"(?:我|我们)?(?P<rest>.{1,12}?)(?:就|先|又)?(?:(?:没法|没空|没时间|不能|不想)(?P<more3>.{1,16}?)"
    r"|不(?P<more>(?:去|上|做|开|参加|练|见|吃|跑|游|学|还|交|打|来).{0,16}?))(?:了|啦)"
    r"|i(?:'m| am) not (?:going to |doing )?(?P<rest2>.{1,30}?)"
    r" (?P<more2>(?:today|tomorrow|tonight|(?:on|next|this) \w+day))"
)
"""What is called off for a day; the day is needed, and a reminder of that name."""

_BARE_VERB: Final = regex(r"[去上做开练学来]|参加")
"""Says nothing of its own where the thing stands before it: 明天瑜伽不上了."""

_STOPS_FOR_ONCE: Final = regex(
    rf"{_ASK}(?P<rest>.{{1,12}}?)(?:就|先)?(?:暂?停|休息|休)(?:一|1)?(?:天|次|回)(?P<more>)(?:吧)?"
)
"""What stops for one day that is named: 跑步明天停一天."""

_GOING: Final = regex(r"^(?:去|来|做|go to |going to )")

_NOT_THAT_DAY: Final = (
    regex(
        rf"{_ASK}(?P<rest>.{{1,12}}?)(?:就|先)?(?:不用|不要|不必|(?<![分个特区])别)(?:再)?(?:提醒|叫|喊|通知)"
        r"(?:我)?(?P<more>.{0,30}?)(?:了|啦)?"
    ),
    _CALLED_OFF,
    _STOPS_FOR_ONCE,
    regex(
        r"(?:please )?(?:don'?t|do not|no need to) (?:remind|ping|wake|alert) me"
        r"(?: (?:to|about)\b)?(?P<more>) ?(?P<rest>.{1,40})"
    ),
)
"""Not to be reminded; with a day in it one occurrence is left out."""

_COMMA: Final = regex(r"[,，;；。]")
_NEXT: Final = regex(r"(?:the )?next(?: one| time)?(?: of)?|下一?[次回个]|这一?[次回]|this")
_EDGE: Final = regex(
    rf"^(?:的|那个|这个|'s|s'|the |my |for |on |\s)+|(?:的|那个|\s|'s|(?:的)?{_NOUN}|\bfor|\bon)+$"
)


_REFUSAL: Final = regex(
    r"(?:不用|不要|不必|无需|(?<![分个特区])别)(?:再|给我|帮我)*(?:提醒|叫我|喊我|通知)"
    r"|\b(?:don'?t|do not|no need to|stop) remind"
)


@dataclass(frozen=True, slots=True)
class Skip:
    """What to leave out.

    Attributes:
        target: The words of the reminder, "" for none.
        day: The local day that was said, None for the next occurrence.
        complete: A day, the next time or a word for reminders was said.
    """

    target: str
    day: date | None
    complete: bool


def parse_skip(text: str, now: datetime, tz: ZoneInfo) -> Skip | None:
    """The order to leave out an occurrence in a message; None when it is none."""
    words = normalize(text).text.strip().rstrip("。.!！").lower()
    for pattern in _ORDERS:
        match = pattern.fullmatch(words)
        if match is not None:
            return _read(match.group("rest"), now, tz)
    for pattern in _NOT_THAT_DAY:
        match = pattern.fullmatch(words)
        if match is not None:
            groups = match.groupdict()
            rest, more = (groups[n] or groups.get(f"{n}2") or "" for n in ("rest", "more"))
            more = more or groups.get("more3") or ""
            if pattern is _CALLED_OFF and _BARE_VERB.fullmatch(more):
                named = _read(rest, now, tz)
                more = "" if named is not None and named.target else more
            found = _read(f"{rest} {more}".strip(), now, tz)
            if found is None or found.day is None:
                return None
            if pattern not in (_CALLED_OFF, _STOPS_FOR_ONCE):
                return found
            return replace(found, target=_GOING.sub("", found.target), complete=False)
    return None


def refuses_reminder(text: str) -> bool:
    """Whether a message says that something is not to be reminded of."""
    return _REFUSAL.search(normalize(text).text.lower()) is not None


def _read(rest: str, now: datetime, tz: ZoneInfo) -> Skip | None:
    time = resolve_time(rest, now=now, tz=tz, mode="range")
    day = None
    said_next = _NEXT.search(rest) is not None
    named = re.search(_NOUN, rest) is not None
    if len(time.times) == 1 and time.times[0].start is not None:
        if time.times[0].end is not None and time.times[0].end - time.times[0].start > _ONE_DAY:
            return None  # a pause
        first, last = time.times[0].span
        day = time.times[0].start.date()
        rest = f"{rest[:first]} {rest[last:]}"
    elif time.status != "none":
        return None
    else:
        rest = _NEXT.sub(" ", rest)
    target = _EDGE.sub("", _EDGE.sub("", rest)).strip()
    if _COMMA.search(target):
        return None  # something else was said as well
    return Skip(target, day, complete=day is not None or said_next or named)
