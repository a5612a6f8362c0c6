"""Questions for the largest or smallest entries: 哪笔最贵, what was my biggest expense."""

from dataclasses import dataclass
from typing import Final

from bot.core.patterns import regex
from bot.language.numerals import read_number

_MOST: Final = regex(
    r"(?:金额|价格)?最(?P<zh>[贵大高多便小低少])宜?的?"
    r"(?: ?(?P<n>[一两二三四五六七八九十]|\d{1,2}) ?(?=[笔项样次单件个]))?"
    r"|\b(?:most expensive|priciest|biggest|largest|highest)\b"
    r"|\b(?P<en>cheapest|smallest|lowest|least expensive)\b"
    r"|\btop (?P<top>\d{1,2})\b"
)
_SMALL: Final = "便小低少"
_ROWS: Final = regex(
    r"[笔单](?!价)|支出|消费|开销|花[费销了得的]|账单|买的|\b(?:expenses?|purchases?|entry|entries|spen[dt]|spending"
    r"|transactions?|bought|buy)\b"
)
"""Words of entries, which leave no doubt that the ledger is asked."""

_ASKS: Final = regex(
    r"哪|什么|多少|啥|^.{0,14}最.{1,8}[笔单项样次件](?:支出|消费|账单?)?[是呢?]*$"
    r"|^.{0,14}最.{1,4}(?:支出|消费|开销)[是呢?]*$"
    r"|\b(?:what|which|show|top|my)\b|^(?:today|yesterday|this)"
)
_OTHER: Final = regex(
    r"(?:哪[一个]?|什么|每个?)(?:分?类|方面|天|日|周|月|年|季度|时候|家店?|人)|谁"
    r"|最.{0,6}(?:的一?[天日周月年]|[类人家])"
    r"|\b(?:day|week|month|year|category|categories)\b.{0,12}\b(?:most|biggest|highest)\b"
)
_WORDS: Final = regex(
    r"(?:这|那)?(?:[几两二三四五六七八九十]|\d{1,2})[样笔个项件种](?:里面?|中|当中|东西)?"
    r"|哪些?|什么|啥|是|一?[笔样项件个单次](?!人)|东西|花得|花的|花了|买的|里面?|其中|当中|中(?!午)|的|支出|消费|开销"
    r"|\b(?:what|which|was|is|were|are|the|my|of|these|those|them|one|ones|thing|things|item|items|did|i"
    r"|show|me|three|two|four|expenses?|purchases?|entry|entries|spen[dt]|spending|transactions?"
    r"|bought|buy)\b|'s\b"
)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Which end of the entries is asked for.

    Attributes:
        smallest: The smallest amounts, not the largest.
        limit: How many.
        rest: The words for the thing and the time.
        sure: Entries are spoken of, so that nothing else can be meant.
    """

    smallest: bool
    limit: int
    rest: str
    sure: bool


def parse_ranking(text: str) -> Ranking | None:
    """What a question wants of the largest or smallest entries; None when it is none.

    Args:
        text: The message in one spelling.
    """
    match = _MOST.search(text)
    if match is None or not _ASKS.search(text) or _OTHER.search(text):
        return None
    said = match["n"] or match["top"]
    number = read_number(said, 0) if said else None
    limit = int(number.value) if number is not None else 1
    smallest = bool(match["en"]) or (match["zh"] or "") in tuple(_SMALL)
    rest = _WORDS.sub(" ", f"{text[: match.start()]} {text[match.end() :]}")
    return Ranking(smallest, max(limit, 1), rest.strip(" ?？!。."), _ROWS.search(text) is not None)
