"""Orders about one of several rows by its number: 第二笔改成50, delete the second one."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from bot.core.patterns import regex
from bot.language.normalize import as_written, normalize
from bot.language.numerals import read_number
from bot.language.vocabulary import ORDINALS_EN

Kind = Literal["change", "delete"]
Noun = Literal["entry", "reminder", ""]

_ZH_PLACE: Final = (
    r"第(?P<n>[一二两三四五六七八九十]{1,3}|\d{1,2})(?P<noun>[笔条个项](?:账单?|记录|提醒|闹钟)?)"
)
_ZH_REMOVE: Final = r"(?:删了|删掉|删除|删|撤销|去掉|取消|不要)"
_ZH: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    (
        "change",
        regex(
            rf"(?:请|帮我|把|不是|不对|错了|[,，\s])*{_ZH_PLACE}(?:的)?(?:金额|分类|名称|时间)?"
            r"(?:错了|不对)?[,，\s]*(?:应该是|应该|改成|改为|换成|改到|挪到|是|写成)(?P<rest>(?!什么|啥|多少|哪|谁|几).{1,40})"
        ),
    ),
    ("delete", regex(rf"(?:请|帮我|把)*{_ZH_REMOVE}(?:掉)?{_ZH_PLACE}")),
    ("delete", regex(rf"(?:请|帮我|把)*{_ZH_PLACE}(?:给我|给|也)?{_ZH_REMOVE}(?:掉|了)*")),
)
_EN_NTH: Final = rf"(?:{'|'.join(ORDINALS_EN)}|\d{{1,2}}(?:st|nd|rd|th))"
_EN_NOUN: Final = r"one|entry|expense|record|item|reminder|alarm"
_EN_PLACE: Final = (
    rf"(?:(?:the |my )?(?P<n>{_EN_NTH}) ?(?P<noun>{_EN_NOUN})"
    rf"|(?P<noun2>(?:{_EN_NOUN}|number|no\.?) |#)(?P<n2>\d{{1,2}}))"
)
_EN_BARE: Final = rf"(?:the |my )(?P<n3>{_EN_NTH})"
_EN: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    (
        "change",
        regex(
            rf"(?:please )?(?:no,? )?(?:change |make |set |move )?{_EN_PLACE}"
            r"(?: should be| is| was| to)? (?P<rest>.{1,40})"
        ),
    ),
    (
        "delete",
        regex(
            rf"(?:please )?(?:delete|remove|cancel|undo|drop) (?:{_EN_PLACE}|{_EN_BARE})"
            r"(?: (?:one|please))?"
        ),
    ),
)
_NOT_THIS: Final = regex(r"[,，\s]*(?:而)?不是.{1,12}$|,? not .{1,20}$")
"""What it is not, told after what it is."""

_REMINDER: Final = regex(r"提醒|闹钟|reminder|alarm")
_ENTRY: Final = regex(r"笔|账|记录|entry|expense|record")


@dataclass(frozen=True, slots=True)
class NthOrder:
    """What is to become of which row.

    Attributes:
        n: The place, counted from 1.
        rest: With `change`: what it becomes, as written.
        noun: What kind of row was named, "" when the word fits both (个, one).
    """

    kind: Kind
    n: int
    noun: Noun
    rest: str = ""


def parse_nth_order(text: str) -> NthOrder | None:
    """The order about a row by number in a message; None when it is none."""
    normal = normalize(text)
    words = normal.text.strip().rstrip("。.!！吧").strip().lower()
    for kind, pattern in (*_ZH, *_EN):
        match = pattern.fullmatch(words)
        if match is None:
            continue
        groups = match.groupdict()
        said = groups.get("n") or groups.get("n2") or groups.get("n3") or ""
        noun = groups.get("noun") or groups.get("noun2") or ""
        n = _number(said)
        rest = _NOT_THIS.sub("", (groups.get("rest") or "").strip())
        return NthOrder(kind, n, _noun(noun), as_written(rest, normal)) if n else None
    return None


def _number(said: str) -> int:
    if said in ORDINALS_EN:
        return ORDINALS_EN.index(said) + 1
    number = read_number(re.sub(r"(?:st|nd|rd|th)$", "", said), 0)
    return int(number.value) if number is not None else 0


def _noun(said: str) -> Noun:
    if _REMINDER.search(said):
        return "reminder"
    return "entry" if _ENTRY.search(said) else ""
