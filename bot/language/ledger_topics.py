"""What a question to the ledger is about: a thing, a category, or several beside each other."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.core.patterns import regex
from bot.language.categories import BROAD, OTHER, Lexicon

COUNTED: Final = regex(
    r"(?:最近|近|上|最后|最新|last|recent|latest) ?(?:的)? ?(\w{1,6}?) ?(?:笔|条|个|expenses|"
    r"entries|transactions|records)"
)
"""How many rows are asked for."""

_FILLER: Final = regex(
    r"请问|有没有(?=记)|记了|帮我|我们|我|看看|看一下|看下|看|查一下|查下|查询|查|列一下|列出|列|"
    r"统计一下|统计|算一下|算算|算|一共|总共|共|在|上面|上|方面|都|的|了|呢|啊|吗|钱|"
    r"块|元"
    r"|(?:记了?)?几笔|多少|几多|花费|花销|花掉|花|用掉|用|消费|支出|开销|开支|收入|赚|挣|进账|交|付|"
    r"账单|明细|流水|记录|账目|账|各个?分类|各类|按分类|按类|分类|每类|是|有|给|最近|"
    r"近"
    r"|上一?[次回]|没有?$|缴|充|到现在|至今|以来|(?:买|吃)了|什么时候|哪天|几号|多久|(?:喝|吃|打|买|去|加|坐|看|剪)[了过](?:几|多少)次|次"
    r"|借出去?|借给|借入|借了|还?欠|退款|退回|退了|转账|转出|还款|还了|[存取]了|垫付?了|谁"
    r"|美元|美金|欧元|日元|港币|英镑|人民币"
    r"|笔|条|到|至|从|什么|哪些|啥|记的?|[?？!。,，、.]"
    r"|\b(?:how much|how many|money|did|have|do|what|was|were|is|my|i|me|"
    r"show|list|spending|spend|spent|earned|earn|income|expenses|expense|entries|"
    r"transactions|records|total|refunded|lent|borrowed|owes?|still|when|time|who|since|now"
    r"|on|in|for|the|this|by category"
    r"|a|an|of|please|during|all|last|recent|latest)\b"
)
_COMPARING: Final = regex(
    r"怎么样|如何|哪[个一]?(?:月|周|天|年)|哪个|哪样|哪项|哪边|哪种|谁|多(?:了|少|不)?|少(?:了|花)?|高|低|大|小|涨了?|降了?|差(?:了|别)?"
    r"|变化|情况|还是|更|最|各|贵|便宜|我|得|呢|吗|做|个|一下"
    r"|\b(?:more|less|higher|lower|did|do|than|it|which|cost)\b|'s\b"
)
_EACH: Final = regex(
    r"各自|分别|各(?![类个])|加起来|加在一起|合计|总和|\b(?:each|together|altogether)\b"
)
_BESIDE: Final = regex(r"和|与|跟|加上?|以及|还有|[、,/]|\b(?:and|or|plus)\b")
_LINKS_BEFORE: Final = regex(
    r"^(?:\s|想知道|想问|问问|说说|讲讲|告诉|那|还|呀|掉|所|给|为了?|替|帮|跟|和|与|陪|带|去|来|在|到|从|用|里|所有|买|吃|喝|坐|全部|一切|每次|大概|到底"
    r"|(?:at|from|with|to|by|our|your|his|her|their|all|buying|and|&)\b)+"
)
_LINKS_AFTER: Final = regex(
    r"(?:\s|的|们|买|吃|喝|打|坐|看|做|去|在|'s\b|\b(?:at|and|from|in|for)\b)+$"
)
"""What ties a word to the thing beside it and is no part of its name."""

_NAME: Final = regex(r"[^\W\d]")
_KIN: Final = frozenset("爸妈哥姐弟妹娃猫狗")
_KNOWN_LONGEST: Final = 8
_LEAST_TOGETHER: Final = 3


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing that is asked about.

    Attributes:
        category: A category key, "" for none.
        item: The words for the thing, as written, "" for a whole category or for everything.
        known: The lexicon knows the words, or there are none.
        also: Words beside the thing that narrow it: 孩子 of 孩子的学费.
    """

    category: str = ""
    item: str = ""
    known: bool = True
    also: tuple[str, ...] = ()


def topic_of(words: str, lexicon: Lexicon) -> Topic:
    """What the words are about, as one thing."""
    rest = about(words, lexicon)
    named = _category_named(words, lexicon) or BROAD.get(rest.casefold(), "")
    word, category = lexicon.match(rest) if rest else ("", "")
    category = named or ("" if category == OTHER else category)
    item = "" if named else word or rest
    also = _beside(rest, item) if word and item == word else ()
    return Topic(category, item, bool(category) or not rest, also)


def _beside(rest: str, word: str) -> tuple[str, ...]:
    """The words on both sides of a thing that say whose it is or where it was."""
    before, found, after = rest.partition(word)
    parts = (_LINKS_BEFORE.sub("", part) for part in (before, after)) if found else ()
    named = (_LINKS_AFTER.sub("", part).strip() for part in parts)
    return tuple(part for part in named if (_NAME.search(part) and len(part) > 1) or part in _KIN)


def topics_of(words: str, lexicon: Lexicon) -> tuple[Topic, ...]:
    """The things named beside each other: 午饭和打车; one when they are no list of things."""
    words = _without(_EACH, words, lexicon)
    parts = [part for part in _split(_BESIDE, words, lexicon) if about(part, lexicon)]
    found = tuple(dict.fromkeys(topic_of(part, lexicon) for part in parts))
    if len(parts) == 1:
        found = _run_together(about(parts[0], lexicon), lexicon)
    several = len(found) > 1 and any(topic.known for topic in found)
    return found if several else (topic_of(words, lexicon),)


def _run_together(words: str, lexicon: Lexicon) -> tuple[Topic, ...]:
    """Three or more things without anything between them: 午饭打车咖啡; two may be one thing."""
    found: list[Topic] = []
    start = 0
    while start < len(words):
        longest = range(min(_KNOWN_LONGEST, len(words) - start), 1, -1)
        part = next(
            (
                words[start : start + n]
                for n in longest
                if _is_known(words[start : start + n], lexicon)
            ),
            "",
        )
        if not part:
            return ()
        found.append(topic_of(part, lexicon))
        start += len(part)
    return tuple(dict.fromkeys(found)) if len(found) >= _LEAST_TOGETHER else ()


def _is_known(part: str, lexicon: Lexicon) -> bool:
    return not part.isascii() and (part in lexicon.words or part in lexicon.overlay)


def compared_topic(words: str, lexicon: Lexicon) -> Topic:
    """What one side of a comparison is about."""
    return topic_of(_without(_COMPARING, words, lexicon), lexicon)


def about(words: str, lexicon: Lexicon) -> str:
    """The words without those of asking and of money."""
    words = COUNTED.sub(" ", words)
    return re.sub(r"\s+", " ", _without(_FILLER, words, lexicon)).strip()


def split_sides(pattern: re.Pattern[str], words: str, lexicon: Lexicon) -> list[str]:
    """The words between the matches of a pattern; no known word is torn."""
    return list(_split(pattern, words, lexicon))


def _category_named(words: str, lexicon: Lexicon) -> str:
    """The category that is named in full and is all that the words are about, else ""."""
    said = words.casefold()
    for key, names in lexicon.names.items():
        for name in names.values():
            before, found, after = said.partition(name.casefold())
            if found and not about(f"{before} | {after}", lexicon).replace("|", "").strip():
                return key
    return ""


def _without(pattern: re.Pattern[str], words: str, lexicon: Lexicon) -> str:
    return " ".join(_split(pattern, words, lexicon))


def _split(pattern: re.Pattern[str], words: str, lexicon: Lexicon) -> Iterator[str]:
    """The words between the matches that lie outside of known words: 交通 keeps its 交."""
    known = _known(words, lexicon)
    start = 0
    for match in pattern.finditer(words):
        if not any(known[match.start() : match.end()]):
            yield words[start : match.start()]
            start = match.end()
    yield words[start:]


def _known(words: str, lexicon: Lexicon) -> list[bool]:
    """Which characters belong to Chinese words of two or more characters that are known."""
    names = {name for named in lexicon.names.values() for name in named.values()}
    known = [False] * len(words)
    start = 0
    while start < len(words):
        size = 1
        for length in range(min(_KNOWN_LONGEST, len(words) - start), 1, -1):
            part = words[start : start + length]
            if _is_known(part, lexicon) or part in names:
                known[start : start + length] = [True] * length
                size = length
                break
        start += size
    return known
