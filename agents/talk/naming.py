"""What a person wants to be called ("以后叫我老王")."""

import re

from bot.core.patterns import regex

_CALL_ME = regex(
    r"^(?:请|你)?(?:以后|今后|从现在起|从今天起)?(?:请|就|都|可以)*(?:叫我|喊我|称呼我(?:为)?"
    r"|我(?:的名字)?叫(?!了|你|他|她|它|个|外卖|车|滴滴|什么|啥|不|人)"
    r"|我的名字(?:是|叫))"
    r"[“\"「]?(?P<zh>[^\s，,。.!！?？“”\"「」]{1,20}?)[”\"」]?(?:吧|就行|就好|好了)?[。.!！~]*$"
    r"|^(?:please )?(?:call me|my name is) (?P<en>[\w'-]{1,20}(?: [\w'-]{1,20})?)"
    r"(?: from now on)?[.!]*$",
    re.IGNORECASE,
)
_NO_NAME = regex(r"起床|什么|一声|一下|过去|过来|回去|回来|的时候|\b(?:back|later|when|at|if)\b")


def new_name(query: str) -> str:
    """Return the name in "以后叫我老王"; empty when it is about something else."""
    found = _CALL_ME.match(query.strip())
    if not found:
        return ""
    name = (found["zh"] or found["en"] or "").strip()
    return "" if _NO_NAME.search(name) else name
