"""Questions about reminders that are there: 今天有啥提醒, 你能提醒我吗, any reminders today?"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.times import resolve_time

Kind = Literal["list", "help"]

_NOUN: Final = r"(?:提醒|闹钟|日程|待办|安排)(?:安排|事项)?"
_WHICH: Final = r"(?:啥|什么|甚么|哪些|哪几个|几个|多少)(?:样的)?"
_END: Final = r"(?:吗|嘛|么|没有?|呢|啊|呀|不|了|来着|的)*"
_ASK: Final = (
    r"(?:请问|帮我|请)?(?:看看|看下|看一下|查一下|查查|查)?(?:我|你)?(?:的)?(?:还|都|现在)*"
)
_LIST: Final = regex(
    rf"{_ASK}(?:有没有|(?:有|设了|定了)(?:没有?)?)(?:{_WHICH}|别的|其他)?的?{_NOUN}{_END}"
    rf"|{_ASK}(?:{_WHICH})的?{_NOUN}{_END}"
    rf"|(?:看看|看一下|看下|看|查看|查一下|查|列出|显示|给我看)?我的?(?:所有|全部)?的?{_NOUN}(?:列表|清单)?{_END}"
    rf"|{_NOUN}(?:列表|清单){_END}"
    r"|(?:(?:show|list)(?: me)? )?(?:all )?(?:of )?my (?:reminders?|alarms?)"
    rf"|{_ASK}的?{_NOUN}(?:都?有{_WHICH}|有没有|有){_END}"
    rf"|(?:你)?(?:都|要|会|准备)*提醒(?:了|过)?我(?:些|干|做)?{_WHICH}(?:事情?|东西)?{_END}"
    r"|(?:你)?提醒我的(?:事情?|东西).{0,8}(?:吗|没有?|嘛|么)"
    r"|(?:(?:do|did) i have|have i got|have i|are there|is there|got) (?:any |an? |some )?"
    r"(?:reminders?|alarms?)(?: set| planned| coming up)?(?: for| on)?"
    r"|(?:any|what|which|how many|what are)(?: of)?(?: the| my)?(?: upcoming)?"
    r" (?:reminders?|alarms?)"
    r"(?: (?:do i have|are there|have i(?: got)?|are set|set|planned|coming up|for|on))*",
    re.IGNORECASE,
)
_HELP: Final = regex(
    r"(?:请问)?(?:你)?(?:能不能|可不可以|会不会|能|可以|会)(?:帮我)?(?:设|定)?(?:个)?提醒我?(?:吗|嘛|么|不)?"
    r"|(?:can|could|do|will|would) you (?:remind me|set reminders)(?: of things)?",
    re.IGNORECASE,
)
_AND_THEN: Final = regex(
    r"(?:那么?|还有)?(?:的)?(?:呢|咋样|怎么样|如何|有吗)"
    r"|(?:and|what about|how about)(?: on| for| in)?",
    re.IGNORECASE,
)
"""With a time in it: 后天呢, what about Friday."""

_EDGE: Final = " ,，.。;；:：、!！?？~\n\t"


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time as it was said.

    Attributes:
        start: Its first moment, aware.
        end: The moment after the last.
        said: The words for it.
    """

    start: datetime
    end: datetime
    said: str


@dataclass(frozen=True, slots=True)
class ReminderQuestion:
    """A question that asks for no new reminder.

    Attributes:
        kind: `list` asks what there is, `help` whether we can do it at all.
        window: With `list`, the stretch of time that is asked about, None for all.
    """

    kind: Kind
    window: Window | None = None


def parse_reminder_question(text: str, now: datetime, tz: ZoneInfo) -> ReminderQuestion | None:
    """The question about reminders that a whole message is; None when it is another wish."""
    spans = resolve_time(text, now=now, tz=tz, mode="range").spans
    words = text
    for first, last in reversed(spans):
        words = f"{words[:first]} {words[last:]}"
    pieces = (piece.strip(_EDGE) for piece in words.split())
    joined = " ".join(piece for piece in pieces if piece)
    rest = joined if joined.isascii() else joined.replace(" ", "")
    if _LIST.fullmatch(rest) or (spans and _AND_THEN.fullmatch(rest)):
        return ReminderQuestion("list", asked_window(text, now, tz))
    return ReminderQuestion("help") if not spans and _HELP.fullmatch(rest) else None


def asked_window(text: str, now: datetime, tz: ZoneInfo) -> Window | None:
    """The one stretch of time to come that a question names; None when it names none."""
    found = resolve_time(text, now=now, tz=tz, mode="range")
    first = found.times[0] if found.status == "ok" and len(found.times) == 1 else None
    if first is None or first.start is None or len(found.spans) != 1:
        return None
    begin, stop = found.spans[0]
    end = first.end or first.start + timedelta(hours=1)
    return Window(first.start, end, text[begin:stop].strip()) if end > now else None
