"""What chat answers without a model: greetings, one's profile, the calendar, a name, a note."""

import re

from agents.about import about
from agents.chat.dates import calendar_words
from agents.chat.kindness import kind_words
from agents.talk.grounding import is_short_lived
from agents.talk.remembering import asks_to_remember
from bot.core.agents import Turn
from bot.core.memory import MemoryType
from bot.core.patterns import regex
from bot.core.words import Text, text
from bot.language.secret_words import is_secret

_WHO_AM_I = regex(
    r"我(?:叫|是)(?:什么|谁|啥)|我的(?:名字|昵称|资料|档案|时区|货币|语言)|"
    r"\bmy (?:name|profile|time ?zone|currency|language)\b|\bwho am i\b",
    re.IGNORECASE,
)
_REMEMBER = regex(
    r"^(?:[请請]|麻[烦煩])?(?:你)?(?:[帮幫]我)?[记記](?:住|[着著]|下)"
    r"[，,：: ]*(?P<zh>[^?？]{2,300}?)[。.!！]*$"
    r"|^(?:请|千万)?(?:你)?(?:别|不要)忘(?:记|了)?[，,：: ]*(?P<mine>我[^?？]{2,300}?)[。.!！]*$"
    r"|^(?:please )?remember (?:that )?(?P<en>[^?]{3,300}?)[.!]*$"
    r"|^(?:please )?(?:don't|do not) forget (?:that )?(?P<my>(?:i|my)\b[^?]{3,300}?)[.!]*$",
    re.IGNORECASE,
)
_TYPES = (
    (MemoryType.CONSTRAINT, r"不吃|不能|不要|过敏|忌|禁|\ballerg|\bnever\b|can't|cannot|\bno\b"),
    (MemoryType.GOAL, r"目标|打算|想要|计划|\bgoal|\bplan to\b|\bwant to\b"),
    (MemoryType.PROJECT, r"项目|工程|\bproject"),
    (MemoryType.PREFERENCE, r"喜欢|爱|偏好|讨厌|习惯|\bprefer|\blike|\blove|\bhate|favou?rite"),
)


LONGEST_QUESTION = 24
"""Characters; a longer message about one's name is more than the question for it."""


def plain_words(turn: Turn) -> Text | None:
    """Return what needs no model: profile, clock, facts about us, and no to keeping a secret."""
    words = turn.query.strip()
    if _WHO_AM_I.search(words) and len(words) <= LONGEST_QUESTION:
        return _profile(turn)
    if (known := calendar_words(turn)) is not None:
        return known
    if asks_to_remember(words) and is_secret(words):
        return text("chat.no_secrets")
    return about(words)


def small_talk(turn: Turn) -> Text | None:
    """Return what stands in for a model in small talk."""
    words = turn.query.strip()
    name = turn.person.name or text("onboarding.friend")
    if key := kind_words(words):
        return text(key, name=name)
    if _WHO_AM_I.search(words):
        return _profile(turn)
    return None


def _profile(turn: Turn) -> Text:
    return text(
        "chat.profile",
        name=turn.person.name or text("chat.no_name"),
        zone=turn.person.zone,
        currency=turn.person.currency,
    )


def new_note(query: str) -> str:
    """Return what "记住我不吃香菜" asks to remember, if it is lasting; else empty."""
    found = _REMEMBER.match(query.strip()) if asks_to_remember(query) else None
    note = (found[found.lastgroup or 0] or "").strip() if found else ""
    return "" if is_short_lived(note) or is_secret(note) else note


def type_of(note: str) -> MemoryType:
    """Return the type of a note by its words."""
    for kind, pattern in _TYPES:
        if re.search(pattern, note, re.IGNORECASE):
            return kind
    return MemoryType.FACT
