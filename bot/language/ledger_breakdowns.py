"""Questions for sums of each day, week, month or year: 今年每个月花了多少, spending by month."""

from dataclasses import dataclass
from typing import Final, Literal

from bot.core.patterns import regex

Grain = Literal["day", "week", "month", "year"]

_EACH: Final = regex(
    r"(?:每一?个?|各个?|逐|按)(?P<zh>天|日|周|星期|礼拜|月份?|年)"
    r"(?![末一二三四五六日天\d级假历报卡票租供前费])"
    r"(?:(?:来|地|的|都|各|分别|统计|汇总|列出来?)(?![\u4e00-\u9fff]*提醒))*"
    r"|\b(?:by|per|each|every|a) (?P<en>day|week|month|year)\b"
    r"|\b(?P<ly>daily|weekly|monthly|yearly)\b(?! (?:pass|ticket|fee|report|card|rent))"
)
_GRAINS: Final[dict[str, Grain]] = {
    **dict.fromkeys(("天", "日", "day", "daily"), "day"),
    **dict.fromkeys(("周", "星期", "礼拜", "week", "weekly"), "week"),
    **dict.fromkeys(("月", "月份", "month", "monthly"), "month"),
    **dict.fromkeys(("年", "year", "yearly"), "year"),
}
_AVERAGE: Final = regex(r"平均|均|\baverage\b")
_TABLE: Final = regex(
    r"按(?:天|日|周|月|年)(?:统计|汇总|列)|\bby (?:day|week|month|year)\b"
    r"|(?:支出|消费|开销|花销|花费|收入|spending|expenses|income)[?.!]*$"
    r"|^(?:show )?(?:me |my )*(?:daily|weekly|monthly|yearly) (?:spending|expenses|income)"
    r"|^(?:spending|expenses|income) (?:per|each|every)\b"
)
"""A table is asked for without a word of asking."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What a sum is to be split by.

    Attributes:
        grain: How long each part is.
        rest: The message without the words that say so.
        is_table: It asks for the parts without asking how much.
    """

    grain: Grain
    rest: str
    is_table: bool


def parse_breakdown(text: str) -> Breakdown | None:
    """What a question wants its sum split by; None when it wants one sum or an average.

    Args:
        text: The message in one spelling.
    """
    match = _EACH.search(text)
    if match is None or _AVERAGE.search(text):
        return None
    grain = _GRAINS[match["zh"] or match["en"] or match["ly"]]
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    return Breakdown(grain, rest, _TABLE.search(text) is not None)
