"""Short answers to a pending question: yes, no, no but this, forget it."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from bot.core.patterns import regex
from bot.language.normalize import Normal, normalize

Kind = Literal["confirm", "deny", "correct", "cancel", "none"]

_LONGEST: Final = 60
_TAIL: Final = r"[啊呀呢吧哈哦噢啦嘛的了~!.,;。、 👍🙏😊]*"
_THANKS: Final = (
    r"(?:谢谢|谢啦|多谢|辛苦了?|thanks?|thank you|thx|please|记上?|记吧|记录|保存|就这样|"
    r"没问题|可以|没错|确认)"
)
_YES: Final = (
    r"(?:对对对|对对|对的|对|是的|是|好的|好啊|好吧|好呀|好嘞|好|行吧|行|可以的?|没错|"
    r"确认|确定|嗯嗯|嗯|正确|没问题"
    r"|就这样|ok|okay|okey|yes please|yes|yep|yeah|yup|sure|correct|that's right|"
    r"right|confirmed|confirm|y|looks good|👍|✅)"
)
_NO: Final = (
    r"(?:不对不对|不是不是|不{2,4}|不是的?|不对|不行|不要|不|错了|错|否"
    r"|no|nope|nah|wrong|not right|incorrect|n|❌)"
)
_WAIT: Final = (
    r"(?:[哦噢喔啊诶哎欸]?[,， ]*(?:等等|等一下|等下|等会儿?|慢着)|[哦噢喔啊哎]不"
    r"|(?:oh,? )?(?:no,? )?(?:wait|hang on|hold on)|oh no)"
)
"""Said before what was just said is put right."""

_STOP: Final = (
    r"(?:(?:还是|那就?)?算了(?:吧)?|"
    r"算了算了|算了吧|算了|取消吧?|取消掉|不要了|"
    r"不用了?|不记了|别记了?|作废|不弄了|"
    r"放弃|先不了|当我没说"
    r"|never ?mind|cancel(?: it| that)?|forget (?:it|that)|scrap (?:it|that)|drop it|abort|stop)"
)
_CHANGE: Final = (
    r"(?:改成|改为|改到|改|换成|换到|应该是|应该|应是|而是|是|要|变成|那就|就"
    r"|(?:it's|its|it is|it was|make it|make that|change (?:it |that )?to|should be|"
    r"actually|i meant|rather|but))"
)
_CONFIRM: Final = regex(rf"{_YES}{_TAIL}(?:{_THANKS}{_TAIL})*")
_DENY: Final = regex(rf"{_NO}{_TAIL}")
_CANCEL: Final = regex(rf"(?:{_NO}{_TAIL})?{_STOP}{_TAIL}(?:(?:{_THANKS}|{_STOP}){_TAIL})*")
_YES_BUT: Final = regex(
    rf"{_YES}[ ,.。、!啊的]*(?:但是|但|不过|可是|只是|but|except|only)[ "
    rf",]*(?:{_CHANGE} ?)*(?P<rest>.+)"
)
_YES_CHANGE: Final = regex(
    r"(?:对|好的?|是的|行|ok|yes)[ ,.。、!]+(?:改成|改为|改到|换成|make it|change "
    r"(?:it |that )?to) ?(?P<rest>.+)"
)
_NO_THIS: Final = regex(rf"{_NO}(?:[ ,.。、!啊的]+|(?=是|应该|改))(?:{_CHANGE} ?)*(?P<rest>.+)")
_NO_NAME: Final = regex(
    rf"{_NO}[ ,.。、!]+(?:it was|it's|应该是|是)(?![这那什谁怎我你他就因])\s?"
    r"(?P<rest>[\u4e00-\u9fff]{1,4}|[a-z]+(?: [a-z]+)?)[.。!！]?"
)
"""不对，是晚饭 names a thing, which needs no number to be a correction."""

_ONLY: Final = (
    r"(?:[\d一二两三四五六七八九十点半刻分:月号日上下中午早晚今明后大天周星期礼拜末块元钱¥￥$.]"
    r"|(?:at|on|tomorrow|tonight|noon|[a-z]{3,6}day|am|pm| )\b ?){1,16}"
)
"""A time or a sum and nothing beside it."""

_WAIT_THIS: Final = regex(
    rf"(?:{_WAIT}|[啊诶哎呀噢哦]+(?=[ ,，.。、!~]+[^,，]{{0,8}}是))[ ,，.。、!~]+"
    rf"(?:(?:{_CHANGE} ?)*(?P<rest>{_ONLY})吧?|(?P<named>[^\d\s,，]{{1,8}}?是{_ONLY})吧?)"
)
_AFTER_ALL: Final = regex(rf"(?:{_STOP}[ ,，.。、!]*|那)?还是(?:改成|改到)?(?P<rest>{_ONLY})吧?")
"""算了，还是明天 puts a time right; 还是一个人好 does not."""

_NOT_BUT: Final = regex(r"(?:不是|not) ?.{1,16}?[ ,.。、]*(?:而是|是|but) ?(?P<rest>.+)")
_CHANGE_TO: Final = regex(
    r"(?:请|帮我|把它|那|还是)?(?:改成|改为|改到|换成|换到|应该是|应是|是(?=[¥￥$]?\d)"
    r"|actually,? (?:it's |make it |it was |that was )?|make (?:it|that) |change (?:it |that )?to "
    r"|it should be |should be |i meant )"
    r"(?P<rest>.+)"
)
_FACT: Final = regex(
    r"[\d一二两三四五六七八九十百千万半]|早|晚|上午|下午|中午|明天|后天|今天|昨天|周|"
    r"星期|点|noon|morning|evening|am|pm"
    r"|支出|收入|餐|交通|购物|美元|人民币"
)
_REQUEST: Final = regex(r"我不想|帮我|吗|\?|怎么|为什么|什么|能不能|可不可以|because")


_ALWAYS: Final = regex(
    r"(?:是|对|好|嗯|要)?[的,， ]*(?:每天|天天|每日|每次|以后都?|一直|都|daily|every ?day|always|"
    r"all of them|from now on)(?:都)?(?:要|改|提醒)?(?:的|吧)?"
)
_ONCE: Final = regex(
    r"(?:就|只|仅|只要)?(?:是)?(?:改|要)?(?:这|一|今|下)(?:一)?(?:次|回|天)(?:吧|就行|就好|的)?"
    r"|(?:only |just )?(?:this |the next )?(?:once|one time|today|time|one)(?: only)?"
)


def named_scope(text: str) -> Literal["always", "once", ""]:
    """Whether a short answer says every time or only once; "" when it says neither."""
    words = normalize(text).text.strip().strip("。.!！,， ").lower()
    if _ALWAYS.fullmatch(words):
        return "always"
    return "once" if _ONCE.fullmatch(words) else ""


_DONE: Final = regex(
    r"(?:我)?(?:已经|都|刚)?(?:完成|做完|办完|搞定|弄好|做好|办好|[吃喝做写交打买跑洗看背]完?(?:好|过)?)(?:了|啦)+[。.!！~]*"
    r"|(?:已)?完成[。.!！]*|(?:all )?(?:done|finished)(?: it| that| with it)?[.!]*"
    r"|(?:i )?(?:did it|have done it|took (?:it|them))[.!]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a short answer means.

    Attributes:
        kind: `none` when the message is no answer.
        rest: For `correct`: what it should be, as written.
        span: Where the answer (for `correct`, the rest) stands in the text.
    """

    kind: Kind
    rest: str = ""
    span: tuple[int, int] = (0, 0)


def classify_answer(text: str) -> Answer:
    """What a message means as an answer to a pending question."""
    normal = normalize(text)
    trimmed = normal.text.strip()
    if not trimmed or len(trimmed) > _LONGEST:
        return Answer("none")
    whole = (0, len(text))
    for kind, pattern in _WHOLE:
        if pattern.fullmatch(trimmed):
            return Answer(kind, "", whole)
    offset = normal.text.index(trimmed)
    for pattern in (_YES_BUT, _YES_CHANGE, _NOT_BUT, _NO_NAME, _NO_THIS, _CHANGE_TO):
        match = pattern.fullmatch(trimmed)
        if match is not None and not _REQUEST.search(trimmed):
            found = _rest(normal, offset + match.start("rest"), offset + match.end("rest"))
            if _FACT.search(found.rest) or pattern in (_CHANGE_TO, _YES_CHANGE, _NO_NAME):
                return found
    for pattern in (_WAIT_THIS, _AFTER_ALL):
        match = pattern.fullmatch(trimmed)
        if match is not None:
            said = "named" if match.groupdict().get("named") else "rest"
            return _rest(normal, offset + match.start(said), offset + match.end(said))
    return Answer("none")


_WHOLE: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("cancel", _CANCEL),
    ("confirm", _CONFIRM),
    ("deny", _DENY),
)


def _rest(normal: Normal, start: int, end: int) -> Answer:
    span = normal.span(start, end)
    rest = normal.source[span[0] : span[1]].strip(" ,，.。!！")
    begin = normal.source.index(rest, span[0]) if rest else span[0]
    return Answer("correct", rest, (begin, begin + len(rest)))


def says_done(text: str) -> bool:
    """Whether a message only says that something is done: 做完了, took it."""
    return _DONE.fullmatch(normalize(text).text.strip()) is not None
