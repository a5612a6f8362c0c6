"""Reminder sentences: the verb, what to remind of, and when."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.normalize import Normal, normalize
from bot.language.recurrence import RecurrenceResult, resolve_recurrence
from bot.language.reminder_questions import parse_reminder_question
from bot.language.results import TimeResult
from bot.language.times import resolve_time

VERB: Final = regex(
    r"(?:请|麻烦)?(?:到点|到时候|到时|记得|别忘了?|帮我)?(?:定时)?(?:提醒一下我|"
    r"提醒下我|提醒我们|提醒我|叫醒我|叫我|喊我|通知我|提醒一下|提醒"
    r"|设个闹钟|定个闹钟|设闹钟|定闹钟|闹钟|别忘了|别忘记|记得|⏰|🔔)"
    r"|(?:please )?(?:remind me\b(?: (?:to|about|that|of)\b)? ?|wake me up|wake me|ping "
    r"me(?: to)?|nudge me to "
    r"|set (?:a |an )?(?:reminder|alarm)(?: to| for)?|don'?t let me forget(?: to)?|"
    r"alert me(?: to)?|notify me(?: to)?)"
)
_EDGE: Final = " ,，.。;；:：、!！-—~\n\t"
_LEAD: Final = regex(
    r"^(?:要|去(?=$)|一下|各?一次|我要|我|的时候|时候|的|在|于|到|to |at |on |for |about )+"
)
_OWN_IN: Final = "".join(f"(?<!{verb})" for verb in ("clock", "check", "log", "sign", "hand"))
"""Verbs that an "in" belongs to."""

_TRAIL: Final = regex(rf"(?:的时候|的时间|一次|一下|在|于|的|,| at| on| by| for|{_OWN_IN} in)+$")
_OTHER_WISH: Final = regex(
    r"\?|不用|不要提醒|(?<!分)别提醒|不必|无需|don'?t remind|do not remind"
    r"|吗|怎么|多少|如果|要是|然后|顺便|取消|删除|删掉|改成|改到|改为|推迟|提前|"
    r"延后|关掉|关了|查一下|哪些|什么提醒|有没有|之前的|所有|就提醒|才提醒|提前|头天|前一"
    r"|暂停[^,，;；]{0,8}[,，;；]|[,，;；][^,，;；]{0,12}(?:暂停|恢复)"
    r"|\bif\b|\bthen\b|cancel|delete|move|reschedule|snooze|\bwhat\b|\bwhich\b|list"
)
_ASIDE: Final = regex(
    r"[,，;；\s]+(?:千万|一定)?(?:别忘了?|别忘记|不要忘了?|谢谢你?|拜托了?|多谢"
    r"|thanks?(?: you)?|please)[。.!！~]*$",
    re.IGNORECASE,
)
"""Said to us at the end, and no part of what to remind of."""

_BY_THE_WAY: Final = regex(
    r"^(?:(?:等等|等一下|慢着|[啊哎诶]+呀?|对了|话说)(?=[,，\s])"
    r"|(?:oh|wait|hold on|hang on|by the way|btw)(?=[,，]))[,，\s]+",
    re.IGNORECASE,
)
"""Said at the start to be heard, and no part of what to remind of either."""

_BEFORE_TIME: Final = regex(
    r"(?:^|\s)(?:(?:on|at|by|from|every|each|starting) (?:the )?|the )$"
    rf"|(?:^|{_OWN_IN}\s)in (?:the )?$",
    re.IGNORECASE,
)
"""Small words that belong to the time that follows them."""

_JOINT: Final = regex(r"或者?|还是|和|及|与|跟|还有|以及|or|and", re.IGNORECASE)
"""Words between two times that are no part of the thing."""

_AGREES: Final = (
    r"(?:(?:你|您)?(?:说|觉得|看|认为)?"
    r"(?:(?:可以|行|好|成|没问题|来得及|合适|方便|怎么样|如何)(?:吗|嘛|么|不|呢)|怎么样|如何"
    r"|好不好|行不行|可不可以|能不能|成不成)"
    r"|(?:is (?:that|this|it)|would (?:that|it) be) (?:ok(?:ay)?|all ?right|fine)"
    r"|(?:ok(?:ay)?|all ?right|right|what do you think)(?=\?))"
)
_AGREED: Final = regex(rf"[,，。;；]\s*{_AGREES}\s*[?？。,，!！]", re.IGNORECASE)
"""A question for our consent between the words of an order: 明天去趟上海，你说行吗？记得提醒我."""

_ASKED: Final = regex(
    rf"(?:[,，。;；\s]*{_AGREES}"
    r"|哦|噢|喔|呗|哟|[,，?？。!！~\s])+$"
)
"""Words at the end that ask whether we agree, and particles; they are not what to remind of."""

_SOON: Final = regex(
    r"^(?:(?:早|晚)(?:点儿?|些|一点儿?)(?!铺|摊)|(?:等|过|待|隔)?(?:一)?会儿?(?=$|再|就)|等下|待会儿?|稍后|晚些时候"
    r"|(?:a (?:bit|little) )?(?:later|earlier)|soon|in a (?:bit|while)"
    r"|(?:early|late)(?= (?:to|for)\b))(?:再|就)?[,，\s]*",
    re.IGNORECASE,
)
"""A time that is none; it is not what to remind of either."""

_A_LITTLE: Final = regex(r"(?<![今明昨后当])(?:早|晚)一点儿?(?![零过半整到\d])")
"""Not one o'clock, as 明早一点 is."""

_VAGUE_HOUR: Final = regex(
    r"(?<![吃买做卖])(?:早|晚)(?:点儿?|些)(?!铺|摊)|早[起睡]|晚[睡起]|熬夜|\b(?:early|late)\b"
    r"|(?:[上下]班|[放上]学|睡觉?|[吃早中午晚]饭|起床|出门|下课|散会)(?:之?[前后]|以[前后]|的?时候?)|下班提醒"
    r"|\b(?:before|after) (?:work|school|bed|breakfast|lunch|dinner)\b",
    re.IGNORECASE,
)
"""Asks for another hour than the usual one, and says none; so do the habits of a day."""

_SEAM: Final = regex(r"[一-鿿]{2}")
"""Chinese on both sides of a time that was taken out closes up again: 和老王(九点)见面."""

_NO_THING: Final = regex(
    r"[有没啥甚什么哪些几个多少吗嘛呢吧啊呀哦噢喔哈啦了的好行成不您你能会可以,，?？\s]+"
    r"|(?:anything|something|what|which|any|ok|okay|please)[?!.\s]*",
    re.IGNORECASE,
)
_SET_ONE: Final = regex(r"再|(?:再|另外?|也|请|帮我|给我)*(?:定|设|订|来|加)(?:上)?(?:一)?个?")
"""What is left of 定个明早8点的闹钟."""

_A_MEETING: Final = regex(r"(?:[有开]|[有的开][个场])会$")
_STOPPED: Final = regex(r"\w\s*[,，。;；?？!！.]\s*(?:and |then |so )?$")
_AND_THEN: Final = regex(
    r"\S[,，\s]*(?:并且?|然后|顺便|还有|以及|同时|另外|and(?: then| also)?|then)"
    r"(?:再|请|帮我|也)*\s*$",
    re.IGNORECASE,
)
_ASKS_WHAT: Final = regex(r"什么|甚么|啥|哪|\bwh(?:at|ich)\b", re.IGNORECASE)
_BOOK: Final = regex(r"^(?:请|麻烦)?(?:帮我|给我)?(?:记一下|记下来?|记个|记着)[,，:：\s]*")
_MAX_WHAT: Final = 40


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder sentence.

    Attributes:
        verb: The reminding words as written, "" when there are none.
        what: What to remind of, verbatim, without the words of time; "" when it was not said:
            particles and words of question alone say nothing.
        time: What the sentence says about time, in reminder mode.
        recurrence: What it says about repetition.
        complete: The grammar explains the message to the last word.
        apart: The plan was told first, in a sentence of its own: its day is not said to be that
            of the reminder.
    """

    verb: str
    what: str
    time: TimeResult
    recurrence: RecurrenceResult
    complete: bool
    apart: bool = False


def parse_reminder(text: str, now: datetime, tz: ZoneInfo) -> Reminder | None:
    """The reminder a message asks for; None when it has neither a verb nor a time."""
    normal = normalize(text)
    recurrence = resolve_recurrence(text, now=now, tz=tz)
    if recurrence.status == "none":
        time = resolve_time(text, now=now, tz=tz, mode="reminder")
        spans = time.spans
    else:
        time = (
            TimeResult("none")
            if recurrence.status == "ok"
            else TimeResult("ask", recurrence.reason)
        )
        spans = recurrence.spans
    verb = VERB.search(normal.text)
    if verb is None and not spans:
        return None
    if time.status == "ok" and (hours := _vague_hours(normal.text, time)) is not None:
        time = replace(time, status="ask", reason="no_time_of_day", times=(), candidates=hours)
    question = parse_reminder_question(text, now, tz)
    what = "" if question is not None else _what(normal, spans, verb)
    settled = time.status == "ok" or recurrence.status == "ok"
    complete = (
        settled
        and question is None
        and verb is not None
        and not _follows_another(normal, spans, verb)
        and 0 < len(what) <= _MAX_WHAT
        and not normal.cut
        and not _OTHER_WISH.search(_AGREED.sub(",", f"{normal.text},"))
        and not (_defaulted(time) and any(char.isdigit() for char in what))
        and VERB.search(normal.text, verb.end()) is None
    )
    written = "" if verb is None else _source(normal, verb.start(), verb.end()).strip()
    return Reminder(written, what, time, recurrence, complete, _apart(normal, spans, verb))


def _vague_hours(text: str, time: TimeResult) -> tuple[datetime, ...] | None:
    """What to offer where only an earlier or a later hour is asked for; None for any other."""
    if _A_LITTLE.search(text):
        return ()
    if not _defaulted(time) or not _VAGUE_HOUR.search(text):
        return None
    return tuple(item.start for item in time.times if item.start is not None)


def _apart(normal: Normal, spans: tuple[tuple[int, int], ...], verb: re.Match[str] | None) -> bool:
    """Whether thing and time stand in a sentence before the one with the verb."""
    if verb is None or not _STOPPED.search(normal.text[: verb.start()]):
        return False
    begin, end = normal.span(verb.start(), verb.end())
    after = normal.source[end:]
    return all(last <= begin for _, last in spans) and not _tidy(after)


def _follows_another(
    normal: Normal, spans: tuple[tuple[int, int], ...], verb: re.Match[str]
) -> bool:
    """Whether a wish of its own is joined to the reminder after it: 订会议室并提醒我开会."""
    end = normal.span(verb.start(), verb.end())[0]
    before = normal.source[:end]
    joint = _AND_THEN.search(_without(normal.source, 0, end, spans)) or _AND_THEN.search(before)
    return joint is not None


def _defaulted(time: TimeResult) -> bool:
    """Whether the hour is the product's default: a number in the words may have been one."""
    return any(item.default_time for item in time.times)


def _source(normal: Normal, start: int, end: int) -> str:
    first, last = normal.span(start, end)
    return normal.source[first:last]


def _what(normal: Normal, spans: tuple[tuple[int, int], ...], verb: re.Match[str] | None) -> str:
    """The words that are neither time nor verb: those after the verb, else those before."""
    source = normal.source
    if verb is None:
        return _tidy(_without(source, 0, len(source), spans))
    begin, end = normal.span(verb.start(), verb.end())
    written = _without(source, end, len(source), spans)
    after = _tidy(written)
    if not after and _ASKS_WHAT.search(written):
        return ""
    return after or _tidy(_without(source, 0, begin, spans))


def _without(source: str, start: int, end: int, spans: tuple[tuple[int, int], ...]) -> str:
    kept: list[str] = []
    at = start
    for first, last in sorted(spans):
        if last <= start or first >= end:
            continue
        kept.append(_BEFORE_TIME.sub(" ", source[at : max(at, first)]))
        at = max(at, min(last, end))
    kept.append(source[at:end])
    text = ""
    for piece in kept:
        bare = piece.strip(_EDGE)
        if bare and not _JOINT.fullmatch(bare):
            seamless = _SEAM.fullmatch(f"{text[-1:]}{bare[0]}") and piece[0] == bare[0]
            text += bare if seamless or not text else f" {bare}"
    return text


def _tidy(text: str) -> str:
    text = _BOOK.sub("", _BY_THE_WAY.sub("", text.strip(_EDGE)))
    if not text.startswith("问"):
        text = _ASKED.sub("", text)
    text = _SOON.sub("", text)
    if _NO_THING.fullmatch(text) and not _A_MEETING.search(text):
        return ""
    lead = _LEAD.match(text)
    if lead is not None:
        text = text[lead.end() :]
    text = _ASIDE.sub("", text)
    tail = _TRAIL.search(text)
    if tail is not None:
        text = text[: tail.start()]
    text = text.strip(_EDGE)
    return "" if _SET_ONE.fullmatch(text) else text
