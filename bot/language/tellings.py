"""What a person only tells or asks, with a time in it: no order to remind of it.

Read only where no word for reminding was said: 今晚吃火锅 is a plan, 明天下雨吗 is talk.
"""

import re
from typing import Final, Literal

from bot.language.normalize import normalize

Telling = Literal["talk", "doubt", ""]

_END: Final = r"[\s。.!！~～…]*$"
_ASKS: Final = re.compile(rf"(?:吗|嘛|呢|么){_END}")
"""A question, where it does not ask for our consent: that is no part of the thing."""

_TALK: Final = re.compile(
    r"什么|甚么|怎么|为什么|谁|哪[里个儿天种]|哪$|几点(?!钟?\d)|几[号度岁]|(?:周|星期|礼拜)几|多少"
    r"|是不是|有没有|会不会"
    r"|^(?:what|when|where|who|why|how|which)(?:'s)?\b"
    r"|^(?:is|are|was|were|does|did|will|shall|should|can|could|would) "
    r"(?:i|we|they|he|she|it|there|the|this|that|my|your)\b"
    r"|^do (?:i|we|they|you)\b"
    # What has happened, or what time it is.
    r"|刚才|刚刚|已经|[点半刻钟]多?了(?!解)|(?<=[^\s为到除])了(?=[一两半几好]|\d)"
    r"|到了(?:[一两半几]|\d+)个?半?(?:小时|钟头|分钟|天)"
    # Goodbyes.
    r"|^(?:see|catch|talk to) (?:you|ya|u)\b|^(?:good ?night|goodbye|bye)\b"
)
_NEGATIVE: Final = re.compile(
    r"(?<![差对])不(?!见不|散|锈)|没|懒得|n't\b|\b(?:not|never|no longer)\b"
)
_DOUBT: Final = re.compile(
    rf"(?:了|啦|咯){_END}|[^要该得]了[,，;；]|[?？]\s*$|^(?:又|就|都)?是(?!时候)"
    r"|^i(?:'ll| will) be\b|^i (?:was|were|had|did|woke|slept|went|got|ate|ran|saw|made|felt)\b"
)
_DUE: Final = re.compile(rf"(?:要|该|得)[^,，;；]{{1,12}}了(?:{_END}|[,，;；])")
"""What is due soon is a plan: 周五要交房租了; 周报得交了，后天上午."""


def telling(text: str, what: str) -> Telling:
    """Whether words with a time only tell or ask: talk, or so in doubt; "" for a plan.

    Args:
        text: The message.
        what: What is left of it without the time.
    """
    whole = normalize(text).text.strip().lower()
    rest = normalize(what).text.strip().lower()
    if _TALK.search(whole) or _ASKS.search(rest):
        return "talk"
    if _NEGATIVE.search(rest):
        return "doubt"
    return "doubt" if _DOUBT.search(rest) and not _DUE.search(whole) else ""
