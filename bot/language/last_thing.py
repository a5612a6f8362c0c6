"""Words about the last thing that was done: undo it, or it is wrong."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from bot.language.normalize import normalize

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
    re.compile(rf"(?:请|帮我)*(?:撤销|撤消|撤回|回退)(?:一下|一步|掉)?{_END}"),
    re.compile(rf"(?:请|帮我)*{_OUT}(?:掉)?(?P<noun>{_LAST}{_NOUN}){_END}"),
    re.compile(rf"(?:请|帮我)*(?:把)?(?P<noun>{_LAST}{_NOUN})(?:给)?{_OUT}掉?{_END}"),
    re.compile(
        r"(?:please )?(?:undo|revert|take (?:it|that) back)"
        r"(?: (?:it|that|this|(?:the |my )?last(?P<noun>"
        r" (?:one|thing|step|entry|expense|reminder|alarm))?))?(?: please)?[.!]*"
    ),
)
_SLIP: Final = re.compile(
    rf"(?:我)?(?:记|写|设|定|填|输)(?:错|得不对|的不对){_END}"
    r"(?:[,，;；\s]*(?:应该|而|其实)?(?:是|改成|改为)(?P<rest>.{1,30}))?"
)
_WRONG: Final = (
    re.compile(
        rf"(?P<noun>{_LAST}{_NOUN}){_MISTAKE}{_END}(?:[,，;；\s]*(?:应该|而|其实)?(?:是|改成|改为)"
        r"(?P<rest>.{1,30}))?"
    ),
    _SLIP,
    re.compile(
        r"(?:(?:the |my )?last(?P<noun> (?:one|entry|expense|record|reminder|alarm))?"
        r"|that|that one|it)"
        r"(?:'s| is| was) (?:wrong|not right|incorrect|a mistake)[.!]*"
        r"(?:[,;]? (?:it )?(?:should be|should have been|is|was) (?P<rest>.{1,30}))?"
    ),
)
_REMINDER: Final = re.compile(r"提醒|闹钟|设|定|reminder|alarm")
_ENTRY: Final = re.compile(r"笔|账|记录|记|entry|expense|record")


_REMOVES: Final = re.compile(
    rf"(?:请|帮我)*(?:把)?(?:它|这个|那个|这条|那条|这笔|那笔)?(?:给)?(?:删了|删掉|删除|删|去掉)(?:它)?{_END}"
    r"|(?:please )?(?:delete|remove)(?: (?:it|that|this))?[.!]*"
)


@dataclass(frozen=True, slots=True)
class LastThing:
    """What is said of the last thing.

    Attributes:
        noun: The kind of thing, "" when the words fit any.
        rest: With `wrong`: what it should be, as written; "" when that is not said.
    """

    kind: Kind
    noun: Noun
    rest: str = ""


def parse_last_thing(text: str) -> LastThing | None:
    """What a message says about the last thing done; None when it is about something else."""
    words = normalize(text).text.strip().lower()
    for kind, patterns in _KINDS:
        for pattern in patterns:
            match = pattern.fullmatch(words)
            if match is None:
                continue
            groups = match.groupdict()
            said = words[: match.start("rest")] if groups.get("rest") else words
            noun = "" if pattern is _SLIP else _noun(said)
            return LastThing(kind, noun, (groups.get("rest") or "").strip(" 。.!"))
    return None


def removes_it(text: str) -> bool:
    """Whether a message only says that what was spoken of is to go."""
    return _REMOVES.fullmatch(normalize(text).text.strip().lower()) is not None


def _noun(said: str) -> Noun:
    if _REMINDER.search(said):
        return "reminder"
    return "entry" if _ENTRY.search(said) else ""


_KINDS: Final[tuple[tuple[Kind, tuple[re.Pattern[str], ...]], ...]] = (
    ("undo", _UNDO),
    ("wrong", _WRONG),
)
