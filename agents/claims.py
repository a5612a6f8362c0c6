"""Promises and claims in a model's prose that nothing stored backs ("好的，到时提醒你").

Deterministic wording in both languages. An offer, a question, a condition or a denial is no
claim, and neither is what stands in a text that the person asked to have written.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.core.patterns import regex


class Deed(StrEnum):
    """What a model may claim to have done, or promise to do."""

    REMINDER = "reminder"
    MEMORY = "memory"
    LEDGER = "ledger"
    NAME = "name"
    SETTING = "setting"
    REMOVAL = "removal"


BACKED_BY: Mapping[Deed, frozenset[str]] = {
    Deed.REMINDER: frozenset({"schedule_insert", "schedule_update"}),
    Deed.MEMORY: frozenset({"memory_save", "memory_append"}),
    Deed.LEDGER: frozenset({"ledger_insert", "ledger_update"}),
    Deed.NAME: frozenset({"profile_update"}),
    Deed.SETTING: frozenset({"profile_update"}),
    Deed.REMOVAL: frozenset({"schedule_delete", "ledger_delete", "memory_delete"}),
}
"""The tools whose success makes such words true."""

_WILL = r"\bI(?:'ll| will| shall|'m going to| am going to)(?: be sure to| make sure to| also)?"
_HAVE = r"\bI(?:'ve| have)?(?: now| just| also)?"
_SAYS: Mapping[Deed, re.Pattern[str]] = {
    Deed.REMINDER: regex(
        r"(?:到时|届时|准时|按时|会|将|再|来|一定)[^，。,.!！;；\n]{0,12}?"
        r"(?:(?:提醒|叫醒|通知)(?:你|您)|(?:叫|喊)(?:你|您)起)"
        r"|(?:你|您)(?:就)?(?:会|将)[^，。,.!！;；\n]{0,8}?(?:收到|得到|接到)[^，。,.!！;；\n]{0,8}?(?:提醒|闹钟)"
        r"|(?:已|帮你|帮您|为你|为您|给你|给您)[^，。,.!！;；\n]{0,10}?(?:设|定|建|安排|添加)"
        r"[^，。,.!！;；\n]{0,8}?(?:提醒|闹钟|日程)"
        r"|(?:提醒|闹钟)(?:已经?|都)?(?:设|定|建|安排)(?:置)?(?:好|定|完)"
        rf"|(?:{_WILL}|\band will) (?:remind|wake|notify|alert|ping) you"
        r"|\byou(?:'ll| will) (?:get|receive|have) (?:a |an |the |your |my )?(?:reminder|alarm)"
        r"|\byou(?:'ll| will) be reminded"
        r"|\b(?:reminder|alarm) (?:is|has been|was|is now) (?:set|created|scheduled)"
        rf"|{_HAVE} (?:set|scheduled|created|added) (?:a |the |your |you a )?(?:\w+ ){{0,3}}"
        r"(?:reminder|alarm)",
        re.IGNORECASE,
    ),
    Deed.MEMORY: regex(
        r"(?:记住|记下|记好|记牢|记在心里|记在心上)(?:了|啦|咯)|我(?:都|会|已)?(?:记住|记下)(?:你|您|这)"
        r"|(?:我会|我都会|以后都会|会帮你|会为你)(?:一直|永远)?(?:记住|记得|记着)"
        r"|\b(?:saved|added|stored|committed) (?:that |this |it )?(?:to|in) (?:my )?memory\b"
        rf"|{_WILL} (?:remember|keep (?:that|this|it) in mind|not forget)"
        rf"|{_HAVE} (?:saved|stored|remembered|noted|made a note of) (?:that|this|it|your|to)",
        re.IGNORECASE,
    ),
    Deed.LEDGER: regex(
        r"(?:已|帮你|给你|为你|我)[^，。,.!！;；\n]{0,8}?(?:记账|记了一笔|记上|入账|记到账)"
        r"|(?:账单|支出|收入)(?:已经?)?(?:记录|保存|添加)(?:好|成功|了)"
        rf"|{_HAVE} (?:booked|recorded|logged|added) (?:the |your |this |that |an )?"
        r"(?:\w+ ){0,2}(?:expense|entry|spending|income|purchase)",
        re.IGNORECASE,
    ),
    Deed.NAME: regex(
        r"(?:以后|今后|从现在起|之后)[^，。,.!！;；\n]{0,6}?(?:叫你|叫您|称呼你|称呼您)"
        rf"|{_WILL} call you",
        re.IGNORECASE,
    ),
    Deed.SETTING: regex(
        r"(?:已|帮你|帮您|为你|为您)[^，。,.!！;；\n]{0,6}?(?:你|您)?的?(?:时区|货币|语言)"
        r"[^，。,.!！;；\n]{0,4}?(?:改|换|设|切换|调)"
        rf"|{_HAVE} (?:changed|set|switched|updated) your (?:time ?zone|currency|language)",
        re.IGNORECASE,
    ),
    Deed.REMOVAL: regex(
        r"(?:已经?|帮你|帮您|为你|为您|给你)[^，。,.!！;；\n]{0,8}?(?:删除|删掉|删了|取消|清空)"
        r"[^，。,.!！;；\n]{0,8}?(?:提醒|闹钟|日程|账|记录|记忆)"
        r"|(?:提醒|闹钟|日程|账|记录|记忆)[^，。,.!！;；\n]{0,4}?(?:已经?|都)[^，。,.!！;；\n]{0,4}?"
        r"(?:删|取消|清空)"
        rf"|{_HAVE} (?:deleted|removed|cancell?ed|cleared) "
        r"(?:the |your |all |of |that |this ){0,3}"
        r"(?:\w+ ){0,2}(?:reminder|alarm|entry|entries|expense|note)",
        re.IGNORECASE,
    ),
}

_NO_CLAIM = regex(
    r"[?？]|吗|要不要|需要我|需不需要|可以|能(?:够|帮|为|给)|无法|不能|没法|不会"
    r"|没有"
    r"|没能|还没|尚未|并未|未能|抱歉|can't|cannot|\bcan\b|could|would you|shall I|do you want"
    r"|unable|not able|n't\b|\bnot\b|\bno\b",
    re.IGNORECASE,
)
_CONDITION = regex(r"如果|要是|的话|\bif\b|\bonce you\b", re.IGNORECASE)
_WRITES_FOR = regex(
    r"写|译|翻成|翻译|润色|改写|拟|编|续|故事|诗|歌词|文案|台词|剧本|邮件|短信|回复(?:他|她|客户)"
    r"|\bwrite|\bdraft|translat|compose|poem|story|letter|e-?mail|rephrase|proofread",
    re.IGNORECASE,
)
_SENTENCES = regex(r"[^。！!？?\n.]*(?:[。！!？?\n]+|\.(?=\s|$)|\.|$)")
_CLAUSES = regex(r"[，,；;。！!\n]|\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of a text, and which deeds it claimed without backing."""

    text: str
    unbacked: frozenset[Deed]


def check_claims(text: str, *, query: str, backed: frozenset[Deed]) -> Checked:
    """Return the text without the sentences that claim what is not ``backed``."""
    if _WRITES_FOR.search(query):
        return Checked(text, frozenset())
    kept: list[str] = []
    found: set[Deed] = set()
    for sentence in _SENTENCES.findall(text):
        claimed = deeds_in(sentence) - backed
        found |= claimed
        if not claimed:
            kept.append(sentence)
    return Checked("".join(kept).strip() if found else text, frozenset(found))


def deeds_in(sentence: str) -> set[Deed]:
    """Return what a sentence claims or promises."""
    if sentence.rstrip().endswith(("?", "？")) or _CONDITION.search(sentence):
        return set()
    return {
        deed
        for clause in _CLAUSES.split(sentence)
        for deed, pattern in _SAYS.items()
        if pattern.search(clause) and not _NO_CLAIM.search(clause)
    }
