"""Questions to the ledger: how much, on what, in which stretch of days."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.categories import DEFAULT, Lexicon
from bot.language.ledger_asking import (
    BALANCE,
    BY_CATEGORY,
    INCOME,
    OTHER_WISH,
    What,
    asks_latest,
    direction_asked,
    what_is_asked,
)
from bot.language.ledger_breakdowns import Breakdown, Grain, parse_breakdown
from bot.language.ledger_comparisons import Comparison, parse_comparison
from bot.language.ledger_periods import first_of_year, lasts_until_now
from bot.language.ledger_rankings import Ranking, parse_ranking
from bot.language.ledger_shares import parse_share
from bot.language.ledger_topics import COUNTED, Topic, compared_topic, topics_of
from bot.language.money_words import without_petrol
from bot.language.normalize import Normal, as_written
from bot.language.numerals import read_number
from bot.language.reading import Reading, read
from bot.language.results import TimeResult
from bot.language.times import resolve_time

_PRICE: Final = regex(r"(?<![花用付])(?<!花了)(?<!用了)(?<!付了)多少钱")
_USED: Final = regex(r"用(?:了|掉)?多少(?:电|水|气|流量|度|次|时间)")
_JOINTS: Final = regex(r"和|与|跟|加上?|以及|还有|\band\b|\bplus\b")
_SEVERAL: Final = 2
_ANY_PERIOD: Final = regex(
    r"第?(?:\d+|[零〇一二三四五六七八九十百]+)(?:年(?![级糕货])|月(?![饼嫂子])|季度|号(?!汽|柴|线|楼|院|店))"
    r"|\bmonth \d+\b|\bq\d\b|\b\d+(?:st|nd|rd|th)\b"
)
"""A period that is none, as those that are some were taken out before."""

UNCLEAR_PERIODS: Final = frozenset({"no_such_period", "which_period"})


@dataclass(frozen=True, slots=True)
class LedgerQuery:
    """A question to the ledger.

    Attributes:
        what: The total, the rows, or the totals by category.
        direction: Which way of the money, a word of `bot.core.ledger.Direction`; "" for all.
        category: A category key, "" for all.
        item: The words for the thing, as written, "" for all.
        also: Words beside it that narrow it, as written: 孩子 of 孩子的学费.
        each: With `by_period`: how long each part is.
        smallest: With `ranking`: the smallest amounts, not the largest.
        start: First local day; None when no time was said.
        end: The day after the last.
        grain: What kind of stretch it is: day, week, month, year, range; "" for none.
        limit: How many rows, for a list.
        against: What a comparison holds it against: first day and the day after the last.
        beside: The other things that are asked about; with a comparison the one held against.
        time: What the resolver said about time: `ask` or `reject` have to be asked.
        complete: The grammar explains the message to the last word.
    """

    what: What
    direction: str
    category: str
    item: str
    start: date | None
    end: date | None
    grain: str
    limit: int | None
    time: TimeResult
    complete: bool
    against: tuple[date, date] | None = None
    beside: tuple[Topic, ...] = ()
    also: tuple[str, ...] = ()
    each: Grain | None = None
    smallest: bool = False


def parse_ledger_query(
    text: str, now: datetime, tz: ZoneInfo, *, lexicon: Lexicon = DEFAULT
) -> LedgerQuery | None:
    """The question to the ledger in a message; None when it is none."""
    normal = read(text).normal
    if (share := parse_share(normal.text)) is not None:
        return _share(*share, now, tz, lexicon)
    if (ranking := parse_ranking(normal.text)) is not None:
        return _ranked(ranking, now, tz, lexicon)
    if (compared := parse_comparison(normal.text, now, tz, lexicon)) is not None:
        return _compared(compared, normal)
    split = parse_breakdown(normal.text)
    if split is not None:
        return _split(split, now, tz, lexicon)
    return _asked(text, now, tz, lexicon)


def _share(
    part: str, whole: str, now: datetime, tz: ZoneInfo, lexicon: Lexicon
) -> LedgerQuery | None:
    """The question for what one thing is of another, in the days that either names."""
    one, all_of_it = (_asked(f"{words} 花了多少", now, tz, lexicon) for words in (part, whole))
    if one is None or all_of_it is None or not (one.category or one.item):
        return None
    days = one if one.start is not None else all_of_it
    topic = Topic(all_of_it.category, all_of_it.item, also=all_of_it.also)
    return replace(
        one,
        what="share",
        beside=(topic,),
        start=days.start,
        end=days.end,
        grain=days.grain,
        complete=one.complete and all_of_it.complete,
    )


def _ranked(ranking: Ranking, now: datetime, tz: ZoneInfo, lexicon: Lexicon) -> LedgerQuery | None:
    """The question for the largest or smallest entries."""
    query = _asked(f"{ranking.rest} 花了多少", now, tz, lexicon)
    if query is None:
        return None
    return replace(
        query,
        what="ranking",
        limit=ranking.limit,
        smallest=ranking.smallest,
        complete=query.complete and ranking.sure,
    )


def _split(split: Breakdown, now: datetime, tz: ZoneInfo, lexicon: Lexicon) -> LedgerQuery | None:
    """The question for a sum split into days, weeks, months or years."""
    rest = split.rest if what_is_asked(split.rest) else f"{split.rest} 花了多少"
    query = _asked(rest, now, tz, lexicon)
    if query is None or (rest != split.rest and not split.is_table):
        return None
    is_sum = query.what in ("total", "list", "by_category")
    return replace(query, what="by_period", each=split.grain) if is_sum else query


def _asked(text: str, now: datetime, tz: ZoneInfo, lexicon: Lexicon) -> LedgerQuery | None:
    """The question for one stretch of days; None when it is none."""
    message = read(text)
    normal = message.normal
    what = what_is_asked(normal.text)
    if what is None:
        return None
    time = resolve_time(without_petrol(text), now=now, tz=tz, mode="ledger")
    outside = _outside_times(message)
    several = _together(time)
    if several is not None:
        outside, time = _JOINTS.sub(" ", outside), several
    time = _of_a_period(time, outside)
    today = now.astimezone(tz).date()
    start, end, grain = _days(time, today)
    if (days := first_of_year(normal.text, today)) is not None:
        start, end, grain = *days, "range"
    elif start is not None and start <= today and lasts_until_now(normal.text):
        end, grain = today + timedelta(days=1), "range"
    topic, *others = topics_of(outside, lexicon)
    if what in ("balance", "by_category"):
        asked = BALANCE if what == "balance" else BY_CATEGORY
        topic, others = compared_topic(asked.sub(" ", outside), lexicon), []
    if what == "balance":
        topic = replace(topic, category="", known=not topic.item)
    unclear = time.reason in UNCLEAR_PERIODS
    settled = unclear or (time.status in ("ok", "none") and len(time.times) <= 1)
    priced = what != "balance" and _PRICE.search(normal.text) is not None and start is None
    settled = settled and not priced and not _USED.search(normal.text)
    known = unclear or all(each.known for each in (topic, *others))
    return LedgerQuery(
        what=what,
        direction=direction_asked(normal.text, what),
        category=topic.category,
        item=as_written(topic.item, normal),
        start=start,
        end=end,
        grain=grain,
        limit=1 if asks_latest(normal.text) else _limit(normal.text),
        time=time,
        complete=settled and not OTHER_WISH.search(normal.text) and known and not normal.cut,
        beside=tuple(_written(other, normal) for other in others),
        also=_written(topic, normal).also,
    )


def _compared(compared: Comparison, normal: Normal) -> LedgerQuery:
    """The question for two totals; whole only where money is spoken of."""
    first, second = compared.first, compared.second
    start, end = first.days or (None, None)
    reason = "hours_not_kept" if compared.parts_of_day else ""
    return LedgerQuery(
        what="compare",
        direction="income" if INCOME.search(compared.rest) else "expense",
        category=first.topic.category,
        item=as_written(first.topic.item, normal),
        start=start,
        end=end,
        grain="range" if first.days else "",
        limit=None,
        time=TimeResult("ask", reason) if reason else TimeResult("ok"),
        complete=compared.about_money and first.topic.known and second.topic.known,
        beside=() if first.topic == second.topic else (_written(second.topic, normal),),
        against=second.days,
        also=_written(first.topic, normal).also,
    )


def _written(topic: Topic, normal: Normal) -> Topic:
    also = tuple(as_written(part, normal) for part in topic.also)
    return replace(topic, item=as_written(topic.item, normal), also=also)


def _of_a_period(time: TimeResult, outside: str) -> TimeResult:
    """The time, or a question where words of a period name none: 三年, 13月, 0年."""
    lengths = [item.seconds for item in time.times if item.start is None]
    said = _ANY_PERIOD.search(outside) if time.status in ("ok", "none") else None
    ordinal = bool(lengths) and "第" in outside
    if said is not None or ordinal or any(length == 0 for length in lengths):
        return replace(time, status="ask", reason="no_such_period")
    if time.status == "ok" and lengths and len(lengths) == len(time.times):
        return replace(time, status="ask", reason="which_period")
    return time


def _together(time: TimeResult) -> TimeResult | None:
    """Several days that touch as one stretch, several that do not as a question."""
    days = sorted({(t.start, t.end) for t in time.times if t.start and t.end})
    if time.status != "ok" or len(time.times) < _SEVERAL or len(days) != len(time.times):
        return None
    if any(before[1] != after[0] for before, after in pairwise(days)):
        return replace(time, status="ask", reason="which_time")
    whole = replace(time.times[0], kind="range", start=days[0][0], end=days[-1][1], grain="range")
    return replace(time, times=(whole,))


def _days(time: TimeResult, today: date) -> tuple[date | None, date | None, str]:
    first = next((t for t in time.times if t.start is not None), None)
    if first is None or first.start is None:
        return None, None, ""
    if first.end is None:
        start = first.start.date()
        end = today + timedelta(days=1) if first.bound == "after" else start + timedelta(days=1)
        return start, end, "range" if first.bound == "after" else "day"
    last = first.end - timedelta(microseconds=1)
    grain = first.grain if first.kind == "point" else "range"
    return first.start.date(), last.date() + timedelta(days=1), grain


def _limit(text: str) -> int | None:
    match = COUNTED.search(text)
    if match is None or not match.group(1):
        return None
    number = read_number(match.group(1), 0)
    if number is None or number.end != len(match.group(1)) or not number.value:
        return None
    return int(number.value)


def _outside_times(message: Reading) -> str:
    masked = [False] * len(message.text)
    for phrase in message.phrases:
        first, last = message.tokens[phrase.first], message.tokens[phrase.last - 1]
        masked[first.start : last.end] = [True] * (last.end - first.start)
    return "".join(" " if masked[i] else c for i, c in enumerate(message.text))
