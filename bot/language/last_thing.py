"""Words about the last thing that was done: undo it, or it is wrong."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from bot.core.patterns import regex
from bot.language.normalize import as_written, normalize
from bot.language.numerals import read_number
from bot.language.undo_words import undo_steps

Kind = Literal["undo", "wrong"]
Noun = Literal["entry", "reminder", ""]

_END: Final = r"[吧了啊呀哦啦呢的!~ 。.]*"
_LAST: Final = (
    r"(?:我)?(?:刚才|刚刚|刚|上|前|最后|最近|最新|那|这)(?:面|次|边)?(?:我)?(?:记|设|定|加|写)?(?:的|了)?"
    r"(?:那|这)?一?(?:步|次)?"
)
_NOUN: Final = r"(?:笔|条|个|项)?(?:账单?|记录|提醒|闹钟|操作|动作)?"
_OUT: Final = r"(?:撤销|撤消|撤回|回退|取消)"
_MISTAKE: Final = (
    r"(?:的?(?:金额|价格|分类|时间|内容))?(?:我)?(?:给)?"
    r"(?:(?:记|写|设|定|打|输|弄|搞|算|说|填)(?:得)?(?:错|不对)|错|不对|有误|有问题|不正确)"
)
_UNDO: Final = (
    regex(rf"(?:请|帮我)*(?:撤销|撤消|撤回|回退)(?:一下|一步|掉)?{_END}"),
    regex(rf"(?:请|帮我)*{_OUT}(?:掉)?(?P<noun>{_LAST}{_NOUN}){_END}"),
    regex(rf"(?:请|帮我)*(?:把)?(?P<noun>{_LAST}{_NOUN})(?:给)?{_OUT}掉?{_END}"),
    regex(
        r"(?:please )?(?:undo|revert|take (?:it|that) back)"
        r"(?: (?:it|that|this|(?:the |my )?last(?P<noun>"
        r" (?:one|thing|step|entry|expense|reminder|alarm))?))?(?: please)?[.!]*"
    ),
)
_SLIP: Final = regex(
    rf"(?:我)?(?:记|写|设|定|填|输)(?:错|得不对|的不对){_END}"
    r"(?:[,，;；\s]*(?:应该|而|其实)?(?:是|改成|改为)(?P<rest>.{1,30}))?"
)
_BELONGS: Final = regex(
    rf"(?P<noun>{_LAST}笔(?:账单?|记录)?)(?:应该|其实|要)?(?:算作|算到|算在|算|归到|归为|归|属于|是)"
    rf"(?P<rest>(?!什么|啥|多少|哪|谁|几)[^?？吗]{{1,12}}?)(?:里|类|的)*{_END}"
    rf"|(?P<noun3>{_LAST}[个条]?)(?:应该|其实)?是(?P<rest3>(?:今天|昨天|前天|大前天|昨晚|上?周[一二三四五六日天]"
    rf"|星期[一二三四五六日天]|\d{{1,2}}[号日]|\d{{1,2}}月\d{{1,2}}[号日]))(?:的|花的|买的|付的){_END}"
)
"""Where the last entry belongs: to a day or a category; no name for it."""

_BELONGS_EN: Final = regex(
    r"(?:that|it|(?:the |my )?last(?P<noun> (?:one|entry|expense)))(?: actually)? was "
    r"(?P<rest>yesterday|the day before yesterday|on \w+day|last \w+day)[.!]*"
    r"|(?:please )?(?:put|file|book|count) (?:it|that|this|the last (?:one|entry))"
    r" (?:under|as|in) (?P<rest2>[a-z ]{3,20})[.!]*"
)

_DOUBLE: Final = regex(
    rf"(?:我|好像|刚才|不小心)*(?:多记了|记重了?|重复记了?|重复了|记重复了?|记了(?:两|2)[次遍])(?:一?笔)?"
    rf"(?:[,，\s]*(?:帮我|请)?(?:删|去)(?:掉|了)?(?:其中)?(?:一|那)?笔?)?{_END}"
    r"|(?:that's|it's|it is|that is|i logged it) (?:a )?(?:duplicate|double|twice)[.!]*"
)
_WRONG: Final = (
    regex(
        rf"(?P<noun>{_LAST}{_NOUN}){_MISTAKE}{_END}(?:[,，;；\s]*(?:应该|而|其实)?(?:是|改成|改为)"
        r"(?P<rest>.{1,30}))?"
    ),
    _SLIP,
    _DOUBLE,
    _BELONGS,
    _BELONGS_EN,
    regex(
        r"(?:the |my )?last(?P<noun> (?:entry|expense|record)) (?:should be|should have been|was)"
        r" (?P<rest>.{1,30})"
    ),
    regex(
        r"(?:(?:the |my )?last(?P<noun> (?:one|entry|expense|record|reminder|alarm))?"
        r"|that|that one|it)"
        r"(?:'s| is| was) (?:wrong|not right|incorrect|a mistake)[.!]*"
        r"(?:[,;]? (?:it )?(?:should be|should have been|is|was) (?P<rest>.{1,30}))?"
    ),
)
_FEW: Final = (
    regex(
        r"(?:请|帮我)?(?:把)?(?:刚才|刚刚|最近|最后|最新|前|上|这|那)(?:面)?(?:的|那)?"
        r"(?P<n>[两二三四五六七八九十]|\d{1,2})[笔条](?:账单?|记录)?(?:都|全|全部|给我)*(?:删了|删掉|删除|撤销|不要了|去掉)"
        rf"{_END}"
    ),
    regex(
        r"(?:请|帮我)?(?:删了|删掉|删除|撤销|去掉)(?:刚才|刚刚|最近|最后|最新|前|上)(?:面)?(?:的|那)?"
        rf"(?P<n>[两二三四五六七八九十]|\d{{1,2}})笔(?:账单?|记录)?{_END}"
    ),
    regex(
        r"(?:please )?(?:delete|remove|undo) (?:the |my )?(?:last|latest) "
        r"(?P<n>two|three|four|five|[2-9]|1\d)(?: entries| expenses| records| ones)?[.!]*"
    ),
)
_NUMBERS_EN: Final = {"two": 2, "three": 3, "four": 4, "five": 5}
_NAMES_LAST: Final = regex(
    r"(?:刚才|刚刚|刚|上|前|最后|最近|最新)(?:面)?(?:我)?记?的?(?:那|这)?一?[笔条个]"
    r"|\b(?:last|latest|previous) (?:one|entry|expense|record)"
)
_REMINDER: Final = regex(r"提醒|闹钟|设|定|reminder|alarm")
_ENTRY: Final = regex(r"笔|账|记录|记|entry|expense|record")


_SAID: Final = (
    r"(?:我)?(?:刚才|刚刚|上一|前一|最后一?|最近一?)(?:我)?(?:记|设|定|加|写)?"
    r"(?:的|了)?(?:那|这)?一?"
)
_REMOVES: Final = regex(
    rf"(?:请|帮我)*(?:删了|删掉|删除|去掉){_SAID}[笔条个]?{_END}"
    rf"|(?:请|帮我)*(?:把)?{_SAID}[笔条个]?(?:给)?(?:删了|删掉|删除|去掉){_END}|"
    rf"(?:请|帮我)*(?:把)?(?:它|这个|那个|这条|那条|这笔|那笔)?(?:给)?(?:删了|删掉|删除|删|去掉)(?:它)?{_END}"
    r"|(?:please )?(?:delete|remove)(?: (?:it|that|this))?[.!]*"
)


@dataclass(frozen=True, slots=True)
class LastThing:
    """What is said of the last thing.

    Attributes:
        noun: The kind of thing, "" when the words fit any.
        rest: With `wrong`: what it should be, as written; "" when that is not said.
        belongs: The rest is a day or a category, and never a name.
        times: With `undo`: how many steps.
    """

    kind: Kind
    noun: Noun
    rest: str = ""
    belongs: bool = False
    times: int = 1


def parse_last_thing(text: str) -> LastThing | None:
    """What a message says about the last thing done; None when it is about something else."""
    normal = normalize(text)
    words = normal.text.strip().lower()
    if times := undo_steps(words):
        return LastThing("undo", "", times=times)
    for kind, patterns in _KINDS:
        for pattern in patterns:
            match = pattern.fullmatch(words)
            if match is None:
                continue
            groups = match.groupdict()
            groups["rest"] = groups.get("rest") or groups.get("rest2") or groups.get("rest3")
            said = words.removesuffix(groups["rest"] or "")
            if pattern is _DOUBLE:
                return LastThing(kind, "entry")
            noun = "" if pattern is _SLIP else _noun(said)
            rest = (groups.get("rest") or "").strip(" 。.!")
            rest = as_written(rest, normal)
            return LastThing(kind, noun, rest, belongs=pattern in (_BELONGS, _BELONGS_EN))
    return None


def names_last(text: str) -> bool:
    """Whether words say themselves that they are about the last thing: 上一笔, the last one."""
    return _NAMES_LAST.search(normalize(text).text.lower()) is not None


def removes_it(text: str) -> bool:
    """Whether a message only says that what was spoken of is to go."""
    return _REMOVES.fullmatch(normalize(text).text.strip().lower()) is not None


def parse_last_few(text: str) -> int:
    """How many of the last entries are to go; 0 when that is not said."""
    words = normalize(text).text.strip().lower()
    match = next((m for pattern in _FEW if (m := pattern.fullmatch(words))), None)
    if match is None:
        return 0
    number = read_number(match["n"], 0)
    return _NUMBERS_EN.get(match["n"], int(number.value) if number is not None else 0)


def _noun(said: str) -> Noun:
    if _REMINDER.search(said):
        return "reminder"
    return "entry" if _ENTRY.search(said) else ""


_KINDS: Final[tuple[tuple[Kind, tuple[re.Pattern[str], ...]], ...]] = (
    ("undo", _UNDO),
    ("wrong", _WRONG),
)
