"""Questions for the share of one thing in another: 午饭占餐饮多少, what share is lunch."""

from typing import Final

from bot.core.patterns import regex

_SHARE: Final = regex(
    r"(?P<part>.{1,20}?)占(?:比|了|到|据)?(?P<whole>.{0,16}?)的?"
    r"(?:多少|几成|几分之几|百分之(?:几|多少)|(?:比例|比重|百分比)(?:是|有)?(?:多少|多大)?)[呢啊吗?]*"
    r"|(?P<part2>.{1,16}?)的?(?:占比|比重|百分比)(?:是|有)?(?:多少|多大)[呢啊吗?]*"
    r"|(?:what|how much)(?:'s)?(?: is)?(?: the)?"
    r"(?: share| percent(?:age)?| part| fraction| proportion)?"
    r" of (?:my |the |all )*(?P<whole3>.{1,24}?) (?:is|was|were|are|went (?:to|on)|goes (?:to|on))"
    r" (?:for |on |spent on )?(?P<part3>.{1,24}?)[?.!]*"
)
_ALL: Final = regex(r"总的?|全部|所有|整个|一共|\b(?:total|overall|all|everything|money)\b")


def parse_share(text: str) -> tuple[str, str] | None:
    """The words for a part and for the whole, "" for everything; None when it is no such question.

    Args:
        text: The message in one spelling.
    """
    if "占" not in text and "比重" not in text and "百分比" not in text and " of " not in text:
        return None
    match = _SHARE.fullmatch(text.strip())
    if match is None:
        return None
    part = match["part"] or match["part2"] or match["part3"]
    whole = match["whole"] or match["whole3"] or ""
    return part, _ALL.sub(" ", whole).strip()
