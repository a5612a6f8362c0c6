"""Questions that the calendar answers: 今天星期几, 明天上班吗, 离春节还有几天, when is Easter?"""

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.normalize import normalize
from bot.language.times import resolve_time

Kind = Literal["now", "day", "lunar", "work", "until", "no_day"]

LONGEST: Final = 40
"""Characters; a longer message wants more than a date."""

_START: Final = (
    r"(?:请问|问一下|想问|我想知道|你知道|知道|看看|查查|查一下|那么?|诶|嗯|喂|哎|[,， ])*"
)
_END: Final = r"(?:来着|的|了|呢|啊|呀|吧|哦|哈|嘛|[\s?？!！。.~])*"
_DATE: Final = (
    r"(?:几号|几月几号|几月几日|几日|多少号|星期几|周几|礼拜几|拜几|哪天|哪一天|哪日|什么日子|几月|啥日子"
    r"|什么时候|何时|啥时候|什么日期|日期)"
)
_OFF: Final = r"(?:工作日|节假日|法定节假日|假期|假日|休息日)"
_WORK: Final = rf"(?:放假|休息|上班|上课|上学|加班|{_OFF})"
_QUESTIONS: Final[dict[Kind, tuple[str, ...]]] = {
    "now": (
        (
            r"(?:(?P<place>[一-鿿]{2,6}?)(?:的|那边|当地)*)?(?:时间)?(?:是)?"
            r"(?:几点|什么时间|啥时间|几时)钟?"
        ),
        r"what(?:'s| is) the (?:current )?time(?: right)?(?: in (?P<city>[a-z ]{3,20}))?",
        r"what time is it(?: right)?(?: in (?P<town>[a-z ]{3,20}))?",
    ),
    "lunar": (r"(?:是)?(?:农历|阴历)(?:的|是)?(?:几号|几月几号|多少|几月初几|初几|哪天|几月几)",),
    "day": (
        rf"(?:是|会是|在|又是|到底)*{_DATE}(?:和?{_DATE})?",
        (
            r"(?:what|which) (?:day|date|weekday|day of the week)"
            r"(?: (?:is|was|will))?(?: it| that)?(?: be)?(?: on)?"
        ),
        r"what(?:'s| is) the (?:date|day)(?: of| on)?",
        r"what(?:'s| is)(?: the)? date",
        r"when(?:'s| is| was)(?: the)?",
    ),
    "work": (
        (
            r"(?:我们|我|大家)?(?:是|要|还|用|需要|会|算|得|该)*(?:不是|不要|不用)?"
            rf"{_WORK}(?:吗|么|不|没有?|与否|还是(?:放假|休息|上班|工作日))"
        ),
        rf"(?:是不是|要不要|用不用|需不需要|算不算){_WORK}(?:吗)?",
        r"放不放假|上不上班|休不休息",
        r"放(?:几|多少)天假?|(?:放|休)假?(?:几|多少)天|怎么放假?|放假安排|怎么休",
        r"is (?:a |an )?(?:public |national )?(?:holiday|work ?day|working day|day off)",
        r"(?:do|does|will|are) (?:i|we|people) (?:have to )?(?:work|off)(?: on)?",
    ),
    "until": (
        r"(?:距离|离|距|到)?(?:还|一共|总共)?(?:有|剩|差|要|隔|得)?(?:几|多少)天(?:到|就到)?",
        r"(?:距离|离|距|到)?(?:还|一共)?有多久",
        r"how (?:many days|long)(?: is it| are there| left)?(?: until| till| to| before)?",
    ),
}
_PATTERNS: Final = tuple(
    (kind, regex(f"{_START}(?:{'|'.join(forms)}){_END}", re.IGNORECASE))
    for kind, forms in _QUESTIONS.items()
)
_LUNAR_OF: Final = regex(r"(?:农历|阴历)(?!.{0,3}[月正腊冬])")
"""What is asked for, not what was said: 今天农历几号, and not 农历八月十五是哪天."""

_TO: Final = regex(r"离|距|到|还有|还剩|还要|until|till|\bto\b|before|left", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CalendarQuestion:
    """A question that needs nothing but the calendar and the clock.

    Attributes:
        kind: What is asked: the time, a date or its weekday, its lunar date, whether it is worked,
            or how many days are left until then; `no_day` when there is no such day.
        day: The day that is asked about; today for the time.
        place: Where the time is asked for, in the words of the person; empty for here.
    """

    kind: Kind
    day: date
    place: str = ""


def parse_calendar_question(text: str, now: datetime, tz: ZoneInfo) -> CalendarQuestion | None:
    """The question that a whole message is; None when it is another wish."""
    words = normalize(text.strip()).text
    if not words or len(words) > LONGEST:
        return None
    found = resolve_time(words, now=now, tz=tz, mode="range")
    rest = words
    for first, last in reversed(found.spans):
        rest = f"{rest[:first]} {rest[last:]}"
    pieces = " ".join(rest.split())
    rest = pieces if pieces.isascii() else pieces.replace(" ", "")
    for kind, pattern in _PATTERNS:
        match = pattern.fullmatch(rest)
        if match is None:
            continue
        if kind == "now":
            groups = match.groupdict()
            place = (groups["place"] or groups["city"] or groups["town"] or "").strip()
            says_now = "现在" in words or not (found.times or groups["place"])
            return CalendarQuestion("now", now.astimezone(tz).date(), place) if says_now else None
        if found.reason == "no_such_date":
            return CalendarQuestion("no_day", now.astimezone(tz).date())
        begins = found.times[0].start if len(found.times) == 1 else None
        if begins is None or found.status != "ok":
            return None
        if kind == "until" and not _TO.search(words):
            return None
        wants_lunar = kind == "day" and _LUNAR_OF.search(words)
        return CalendarQuestion("lunar" if wants_lunar else kind, begins.astimezone(tz).date())
    return None
