"""Corrections that name the entry by its thing: 午饭改成30, 咖啡是20不是18, lunch should be 30."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.categories import DEFAULT
from bot.language.last_thing import names_last
from bot.language.money import resolve_amounts
from bot.language.money_words import MOVED
from bot.language.normalize import as_written, normalize

_SUM: Final = r"[¥$€£]?\d[\d.]*(?:块钱?|元|刀|美元|rmb|dollars?|bucks|euros)?"
_HAN_SUM: Final = r"[一二两三四五六七八九十百千零]{1,6}(?:块钱?|元)?"
_ANY: Final = rf"(?:{_SUM}|{_HAN_SUM})"
_PATTERNS: Final = (
    regex(
        rf"(?:请|帮我)?(?:把)?(?:(?:刚才|刚刚|上面|前面)记?的)?(?P<target>[^\d,，。]{{1,12}}?)(?:那一?笔)?的?(?:金额|价格|价钱)?"
        rf"(?:记错了?|写错了?|错了|不对)?[,，\s]*"
        rf"(?:改成|改为|换成|记成|写成|应该是|应该|应是|其实是|更正为)(?P<rest>{_ANY})(?:[,，]?(?:而)?不是(?P<was>{_ANY}))?"
    ),
    regex(
        rf"(?P<target>[^\d,，。]{{1,12}}?)(?:那一?笔)?不是(?P<was>{_ANY})[,，\s]*(?:而是|应该是|是)(?P<rest>{_ANY})"
    ),
    regex(
        rf"(?P<target>[^\d,，。]{{1,12}}?)(?:那一?笔)?(?:应该)?是(?P<rest>{_ANY})[,，\s]*(?:而)?不是(?P<was>{_ANY})"
    ),
    regex(
        rf"(?:no,? |please )?(?:(?:change|set|make|update|correct) )?(?:the |my )?"
        rf"(?P<target>[a-z][a-z ]{{1,24}}?)"
        rf" (?:should be|should have been|was actually|was really|to)"
        rf" (?P<rest>{_SUM})(?:,? not (?P<was>{_SUM}))?"
    ),
    regex(
        rf"(?:no,? |please )?(?:change|set|make) (?:the |my )(?P<target>[a-z][a-z ]{{1,24}}?)"
        rf" (?P<rest>{_SUM})(?:,? not (?P<was>{_SUM}))?"
    ),
    regex(
        rf"(?:the |my )?(?P<target>[a-z][a-z ]{{1,24}}?) (?:was|is|cost) (?P<rest>{_SUM})"
        rf",? not (?P<was>{_SUM})"
    ),
    regex(
        rf"(?:the |my )?(?P<target>[a-z][a-z ]{{1,24}}?) (?:was|is|cost)"
        rf"(?: not|n't) (?P<was>{_SUM}),?(?: but| it was)? (?P<rest>{_SUM})"
    ),
)


_LEAD: Final = regex(
    r"(?:不对|不是|不不|(?:我)?(?:刚才)?(?:记|写|说|搞|弄)?错了?|no+|nope|wrong|sorry)[啊哦呀的]?(?:[,，.。!！\s]+)"
)
_LED: Final = (
    regex(
        rf"(?P<target>(?![a-z])[^\d,，。]{{1,12}}?)(?:那一?笔)?(?:应该|其实)?(?:是|花了|为)?(?P<rest>{_ANY})(?P<was>$)"
    ),
    regex(
        rf"(?:the |my )?(?P<target>[a-z][a-z ]{{1,24}}?)(?: (?:was|is|cost|costs|should be))?"
        rf" (?P<rest>{_SUM})(?P<was>$)"
    ),
)
"""What a thing cost, after words that something was wrong: 不对，咖啡是20."""

_PRICES: Final = (
    regex(rf"(?P<target>(?![a-z])[^\d,，。]{{1,12}}?)(?:应该|其实)?是(?P<rest>{_ANY})"),
    regex(
        rf"(?:the |my )?(?P<target>[a-z][a-z ]{{1,24}}?) (?:was|is|cost) (?P<rest>{_SUM})"
        r"(?: actually| really)?"
    ),
)
"""What a thing costs; of what was just booked it says what it cost instead."""

_DAY: Final = (
    r"今天|昨天|前天|大前天|昨晚|前晚|(?:上|这|本)?(?:周|星期|礼拜)[一二三四五六日天]"
    r"|(?:\d{1,2}月)?\d{1,2}[号日]"
)
_OF_DAY: Final = (
    regex(
        rf"(?:上面|前面|刚才|刚刚|之前|那个|那一?笔|这一?笔)?(?:记)?的?(?P<target>[^\d,，。]{{1,12}}?)(?:那一?笔)?"
        rf"(?:应该|其实)?是(?P<rest>{_DAY})(?:花|买|吃|付|打|坐|喝|交)?的"
    ),
    regex(
        rf"(?:请|帮我)?(?:把)?(?P<target>[^\d,，。]{{1,12}}?)(?:那一?笔)?的?(?:日期|时间)?"
        rf"(?:改到|改成|改为|挪到|算到|记到|换到)(?P<rest>{_DAY})(?:去|上)?"
    ),
    regex(
        r"(?:the |my )?(?P<target>[a-z][a-z ]{1,24}?) was (?:actually |really )?"
        r"(?P<rest>yesterday|the day before yesterday|(?:on|last) \w+day)"
    ),
)
"""The day of an entry: 上面的打车是昨天的."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Which entry has which amount or day instead.

    Attributes:
        target: Words of the entry.
        rest: The right amount or day, as written.
        was: The amount that it is said to have, None when that is not said.
        led: Words that something was wrong stand before it.
    """

    target: str
    rest: str
    was: Decimal | None = None
    led: bool = False


def parse_price(text: str) -> Correction | None:
    """What a message says that a thing costs, when it says nothing else; None otherwise."""
    normal = normalize(text)
    words = normal.text.strip().rstrip("。.!！吧了的").strip().lower()
    match = next((m for pattern in _PRICES if (m := pattern.fullmatch(words))), None)
    if match is None:
        return None
    return Correction(as_written(match["target"].strip(" 的"), normal), match["rest"].strip())


def parse_correction(text: str, now: datetime, tz: ZoneInfo) -> Correction | None:
    """The correction of an entry named by a known thing; None when it is none."""
    normal = normalize(text)
    words = normal.text.strip().rstrip("。.!！吧了").strip().lower()
    if MOVED.match(words):
        return None
    lead = _LEAD.match(words)
    words = words[lead.end() :] if lead is not None else words
    for pattern in (*_PATTERNS, *(_LED if lead is not None else ())):
        match = pattern.fullmatch(words)
        if match is None:
            continue
        target, rest = match["target"].strip(" 的"), match["rest"].strip()
        if names_last(target):
            continue
        amounts = resolve_amounts(f"{target} {rest}", now=now, tz=tz)
        if DEFAULT.knows(target) and len(amounts.entries) == 1:
            was = match["was"] and resolve_amounts(f"{target} {match['was']}", now=now, tz=tz)
            held = was.entries[0].amount if was and len(was.entries) == 1 else None
            return Correction(as_written(target, normal), rest, held, led=lead is not None)
    for pattern in _OF_DAY:
        match = pattern.fullmatch(words)
        if match is not None and DEFAULT.knows(match["target"]):
            return Correction(as_written(match["target"], normal), match["rest"])
    return None
