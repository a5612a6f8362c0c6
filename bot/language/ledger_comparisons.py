"""Two stretches of days, or two things, held against each other: 这个月比上个月多花了多少."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.categories import Lexicon
from bot.language.ledger_topics import Topic, compared_topic, split_sides
from bot.language.results import ResolvedTime
from bot.language.times import resolve_time

_COMPARED: Final = regex(
    r"对比|相比|比较|比起来|比(?!如|例|赛|特币|亚迪|萨)"
    r"|哪(?:个|样|项|边|种)?(?:月|周|天|年|季度)?(?:更|比较)?(?:花|多|少|贵|便宜)"
    r"|compare|versus|\bvs\b|\b(?:more|less|higher|lower)\b(?=.{0,30}\b(?:than|or)\b)"
)
_JOINT: Final = regex(
    r"对比|相比|比较|比起来|比|和|与|跟|同|还是(?=[^,，]{2})"
    r"|compared (?:to|with)|compare|versus|\bvs\b|\b(?:to|with|than|and|or)\b"
)
_MONEY: Final = regex(
    r"花|支出|消费|开销|开支|账|收入|挣|赚|钱|spen[dt]|expens|income|earn|cost|money"
)
_USUAL: Final = regex(r"平时|平常|以前|之前|往常|预算|别人|其他|大家|usual|before|budget|others?")
"""What is no thing that was paid for."""

_WEEK, _MONTH_MOST, _YEAR_MOST = 7, 31, 366
_TWO: Final = 2

Days = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison.

    Attributes:
        days: First day and the day after the last; None for all of time.
        topic: What of it is looked at.
    """

    days: Days | None
    topic: Topic


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared.

    Attributes:
        first: The later stretch of days, or the thing named first.
        second: What it is held against; the same as `first` when both were said alike.
        about_money: Words for spending or earning are there.
        parts_of_day: Only hours of one day tell the sides apart, which the ledger does not keep.
        rest: The words without those of time and comparing.
    """

    first: Side
    second: Side
    about_money: bool
    parts_of_day: bool
    rest: str


@dataclass(frozen=True, slots=True)
class _Part:
    """The words between two words of comparing, and the times in them."""

    times: tuple[ResolvedTime, ...]
    topic: Topic
    words: str


def parse_comparison(
    text: str, now: datetime, tz: ZoneInfo, lexicon: Lexicon
) -> Comparison | None:
    """The comparison that a message asks for; None when it asks for none.

    One stretch alone is held against the present one of its length: 比上个月多吗.
    """
    if not _COMPARED.search(text):
        return None
    parts = [_part(words, now, tz, lexicon) for words in split_sides(_JOINT, text, lexicon)]
    rest = " ".join(part.words for part in parts)
    about_money = _MONEY.search(rest) is not None
    times = [time for part in parts for time in part.times]
    stretches = list(dict.fromkeys(days for t in times if (days := _days(t, tz)) is not None))
    topics = list(dict.fromkeys(part.topic for part in parts if part.topic != Topic()))
    sides: tuple[Side, Side] | None = None
    if len(stretches) == _TWO:
        sides = _by_days(parts, topics, rest, tz, lexicon)
    elif (
        len(stretches) < _TWO
        and len(topics) == _TWO
        and _are_things(topics, about_money=about_money)
    ):
        days = stretches[0] if stretches else None
        sides = (Side(days, topics[0]), Side(days, topics[1])) if about_money or days else None
    elif len(stretches) == 1 and len(times) == 1:
        sides = _with_present(stretches[0], compared_topic(rest, lexicon), now.astimezone(tz))
    elif len(stretches) <= 1 and _is_twice(parts, len(times)):
        side = Side(stretches[0] if stretches else None, compared_topic(rest, lexicon))
        side = side if len(topics) != 1 else Side(side.days, topics[0])
        sides = (side, side) if about_money else None
    if sides is None:
        return None
    alike = sides[0] == sides[1]
    hours = alike and len({(t.start, t.end) for t in times}) > 1
    return Comparison(*sides, about_money, hours, rest)


def _part(words: str, now: datetime, tz: ZoneInfo, lexicon: Lexicon) -> _Part:
    found = resolve_time(words, now=now, tz=tz, mode="range")
    said = words
    for first, last in reversed(found.spans):
        said = f"{said[:first]} {said[last:]}"
    times = tuple(time for time in found.times if time.start is not None)
    return _Part(times, compared_topic(said, lexicon), said)


def _by_days(
    parts: list[_Part], topics: list[Topic], rest: str, tz: ZoneInfo, lexicon: Lexicon
) -> tuple[Side, Side]:
    """Both sides by their days, the later first; each with its own thing where it has one."""
    shared = topics[0] if len(topics) == 1 else compared_topic(rest, lexicon)
    found: dict[Days, Topic] = {}
    for part in parts:
        own = part.topic if len(topics) == _TWO and part.topic != Topic() else shared
        for time in part.times:
            if (days := _days(time, tz)) is not None:
                found.setdefault(days, own)
    (earlier, its), (later, own) = sorted(found.items(), key=lambda item: item[0])
    return Side(later, own), Side(earlier, its)


def _are_things(topics: list[Topic], *, about_money: bool) -> bool:
    """Whether two things can be held against each other; of money spent one may be unknown."""
    if any(_USUAL.fullmatch(topic.item) for topic in topics):
        return False
    known = [topic for topic in topics if topic.known]
    return len(known) == _TWO or (about_money and len(known) == 1)


def _with_present(days: Days, topic: Topic, now: datetime) -> tuple[Side, Side] | None:
    present = _present_like(days, now.date())
    if present is None or present == days:
        return None
    earlier, later = sorted((days, present))
    return Side(later, topic), Side(earlier, topic)


def _is_twice(parts: list[_Part], times: int) -> bool:
    """Whether one stretch or one thing was said on both sides."""
    topics = [part.topic for part in parts if part.topic != Topic()]
    return times == _TWO or (times == 0 and len(topics) == _TWO and topics[0] == topics[1])


def _days(time: ResolvedTime, tz: ZoneInfo) -> Days | None:
    if time.start is None or time.end is None:
        return None
    last = time.end.astimezone(tz) - timedelta(microseconds=1)
    return time.start.astimezone(tz).date(), last.date() + timedelta(days=1)


def _present_like(days: Days, today: date) -> Days | None:
    """The day, week, month or year of today, as long as the other one."""
    length = (days[1] - days[0]).days
    if length == 1:
        return today, today + timedelta(days=1)
    if length == _WEEK:
        monday = today - timedelta(days=today.weekday())
        return monday, monday + timedelta(days=_WEEK)
    if days[0].day != 1:
        return None
    if length <= _MONTH_MOST:
        first = today.replace(day=1)
        return first, (first + timedelta(days=_MONTH_MOST + 1)).replace(day=1)
    if length <= _YEAR_MOST and (days[0].month, days[1].month) == (1, 1):
        return today.replace(month=1, day=1), today.replace(year=today.year + 1, month=1, day=1)
    return None
