"""Whether a message asks to remember something for good."""

import re

from bot.core.patterns import regex

_CLAUSE = regex(r"[^，,。.!！?？;；\n]+[?？]?")
_ASKS = regex(
    r"(?<!忘)(?<!登)[记記](?:住|下|着|得|一下|到|在)|别忘|不要忘|(?:加|存|放|写|记)(?:入|进|到).{0,6}记忆"
    r"|存(?:一下|下来)|(?:帮我|替我|给我|请)留意|(?<![我们])以后(?:都|要|请|别|不要)"
    r"|\bremember|keep (?:that|this|it|in) |\b(?:make|take) (?:a )?note\b|^(?:please )?note\b"
    r"|don't forget|do not forget|\bsave (?:this|that|it|my|the)\b|from now on"
    r"|^(?:please )?(?:always|never) ",
    re.IGNORECASE,
)
_POLITE = regex(
    r"(?:好吗|好么|好不好|行吗|行么|行不行|可以吗|可以么|ok吗|okay)[?？]?$|[,，]?\s*please[?？]$"
    r"|^(?:请|麻烦)?(?:你|您)?(?:能不能|可不可以|可以|能|能否|可否).{0,4}(?:记|存|别忘)"
    r"|^(?:can|could|would|will) you (?:please |kindly )?(?:remember|note|save|keep|make|take)\b",
    re.IGNORECASE,
)
_OF_WHAT = regex(
    r"记(?:住|下|着|得|在)?(?:了|过|着)?(?:我|关于我|的|些|点)*(?:什么|啥|哪|谁|多少|几)(?!都|也|时候)"
    r"|^(?:so |and |but )*(?:what|which|who|when|where|why|how)\b",
    re.IGNORECASE,
)
_QUESTION = regex(
    r"还记得|记不记得|记得不|记没记|有没有记|是否记|(?:吗|么|没有|了没|没)[?？]?$|[?？]$"
    r"|^(?!.{0,6}(?:记[住下着]|记一下|别忘|不要忘)).*"
    r"(?:什么|啥|哪(?!怕)|谁|怎么|怎样|如何|多少|几(?:个|条|次|点))(?!都|也)"
    r"|^(?:so |and |but )*(?:do|did|does|have|has|is|are|was|were|can|could|would|will|should)\b",
    re.IGNORECASE,
)
_OF_MYSELF = regex(
    r"(?<![帮替给为])我(?:们)?(?:还|也|都|总|只|就|才|能|会|自己|总是)*(?:不|没|没有)?(?:太|怎么|能)?记(?:得|住|着|下)"
    r"|\b(?:i|we) (?:still |don't |can't |do not |cannot |always |never |just |only )*remember\b",
    re.IGNORECASE,
)


_FORGETS = regex(
    r"(?<!别)(?<!不要)(?<!不会)(?<!不能)(?:忘掉|忘记|忘了)(?!带|拿|关|吃)|别再?记(?:着|得)"
    r"|(?<!don't )(?<!do not )(?<!never )\bforget\b",
    re.IGNORECASE,
)


def is_about_memory(query: str) -> bool:
    """Whether the message asks to keep something, to forget it, or what is kept."""
    said = query.replace("’", "'")
    is_question = any(
        _OF_WHAT.search(clause) and "记" in clause for clause in _CLAUSE.findall(said)
    )
    return asks_to_remember(query) or is_question or bool(_FORGETS.search(said))


def asks_to_remember(query: str) -> bool:
    """Whether a part of the message asks to keep something: a question about it never does."""
    return any(_asks(clause.strip()) for clause in _CLAUSE.findall(query.replace("’", "'")))


def _asks(clause: str) -> bool:
    if not _ASKS.search(clause) or _OF_WHAT.search(clause) or _OF_MYSELF.search(clause):
        return False
    return bool(_POLITE.search(clause)) or not _QUESTION.search(clause)
