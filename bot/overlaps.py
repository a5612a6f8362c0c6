"""Where labels overlap: rules that hold for whoever decided, in one table.

Each rule looks at a text and at the label it was given, and may name another one.
Sources: seed 000 (intents), seed 002 (2.2, 4.5), design section 4.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.core.routing import UNKNOWN, RoutingContext
from bot.language.calendar_questions import parse_calendar_question
from bot.language.memory_orders import parse_memory_order
from bot.rules import score

_SMALL_TALK = regex(
    r"(?:嗨|你好|您好|哈[喽啰罗]|早(?:上好|安|呀|啊)?|[中下]午好|晚上好|晚安|谢谢?|多谢|辛苦了|再见|拜拜|在吗|"
    r"在不在|好的|嗯+|哦+|哈+"
    r"|hi|hello|hey|thanks?(?: you)?|bye|good (?:morning|evening|night)|ok(?:ay)?)"
    r"(?:你|您|呀|啊|哦|啦|了|大家| there| everyone)?[\s!！.。~～?？]*",
    re.IGNORECASE,
)
_HELP = regex(
    r"(?:帮助|幫助|邦助|帮帮我|使用说明|说明书|help(?: me)?)[\s?？!！。.]*", re.IGNORECASE
)
_VERBS = (
    r"(?:cancel|book|remind|send|tell|order|set|move|push|log|file|note|call|turn|open|close|ask|add|"
    r"change|switch|put|schedule|email|write)"
)
_ORDERED = regex(
    r"(?:如果|要是|假如|假若|倘若|若是|万一|一旦)(?!你|我是|人类|世界|能).{1,40}(?:就|则|那就|的话).{1,40}"
    r"|.{2,16}的话[,，]?(?:就|请|再|记得|帮我)*(?:提醒|叫我|通知我|告诉我).{1,40}"
    r"|先.{2,30}(?:再(?!说|讲|想|看)|然后).{2,30}"
    r"|等.{1,20}(?:批下来|以后|之后|修好|到账|回来|完|了).{0,4}(?:就|再).{2,30}"
    r"|没有?.{1,12}就(?:改|换|订|看|叫|去|约|算).{1,30}"
    r"|根据.{2,16}(?:安排|决定|定|再|生成).{2,30}"
    rf"|\bif\b(?! you were| i were).{{2,80}}\bthen\b|\bif\b.{{2,60}},\s*(?:please\s+)?{_VERBS}\b"
    rf"|\b(?:when|once)\b.{{3,60}},\s*(?:please\s+)?{_VERBS}\b"
    r"|\bfirst\b.{2,80}\bthen\b.{2,80}|,\s*(?:and )?then\b.{2,80}",
    re.IGNORECASE,
)
_FIGURES = regex(
    r"(?:多少|几|幾)(?:个|個)?(?:人|次|度|吨|车|台|份|单|笔)|人数|人數|次数|次數|数量|数据|數據|平均|总(?:数|量|计|共)"
    r"|(?:销售|营业|成交|交易|消费|投诉|能耗|用电|用水|客流|人流|访客|产|销|总|金|余)(?:额|量|数)"
    r"|(?:业绩|营收|收入|成本|利润|电费|水费|租金)(?:是|有|为|一共|总共)?(?:多少|怎么样|如何|多高)"
    r"|最(?:多|少|高|低|大)|比例|占比|率|排放|趋势|走势|统计|排名|对比|看板|报表|图表|指标"
    r"|\b(?:how (?:many|much)|number of|average|total|trend|rate|share|emissions?|usage|"
    r"consumption|sales|revenue|turnover|profits?|costs?|compare|report|dashboard|statistics|figures|highest|lowest|most|least|"
    r"top \w+|per \w+)\b",
    re.IGNORECASE,
)
_FIXED = regex(
    r"能?坐(?:得下)?(?:几|多少)|容纳|(?:几|多少)层|有(?:几|多少)部|规定|标准|流程|怎么(?:收|申请|预约)|允许"
    r"|\b(?:fit|seats?|capacity|allowed|policy|rules?)\b",
    re.IGNORECASE,
)
_ANY_DATE = regex(
    r"(?:(?:我|你|请|請|想|要|帮忙|幫忙|帮|幫|麻烦|麻煩|能不能|可以|给|給)+)?"
    r"(?:修改|改动|改動|变更|變更|更改|调整|調整|改)(?:一下|下|一改)?(?:我的?)?"
    r"(?:日程|行程|日程安排|行程安排)(?:吧|吗|嗎|呢)?[\s?？!！。.]*"
    r"|(?:please |can you |i (?:want|need) to )?(?:change|edit|adjust|modify|update) "
    r"(?:my |the )?(?:schedule|agenda|calendar)[\s?!.]*",
    re.IGNORECASE,
)
_DATES = ("MEETING", "schedule_manager")
_WHOLE_PLANS = frozenset({"complex_task", UNKNOWN})
_TALK = ("chat_manager", "QA")
_DIRECT = frozenset({"chat_manager", "help_center", "QA", "skill_manager"})


@dataclass(frozen=True, slots=True)
class Overlap:
    """One rule.

    Attributes:
        applies: whether the label is wrong for this text.
        instead: labels to take, the first that is switched on.
    """

    name: str
    applies: Callable[[RoutingContext, str], bool]
    instead: tuple[str, ...]


def _is_small_talk(context: RoutingContext, label: str) -> bool:
    return label in _WHOLE_PLANS and _SMALL_TALK.fullmatch(context.text.strip()) is not None


def _lacks_evidence(context: RoutingContext, label: str) -> bool:
    if label != "DATA" or context.last_agent == "DATA":
        return False
    if score(context.text).get("DATA", 0.0) > 0:
        return False
    return _FIGURES.search(context.text) is None or _FIXED.search(context.text) is not None


def _has_order(context: RoutingContext, label: str) -> bool:
    return label not in _DIRECT and _ORDERED.search(context.text) is not None


def _asks_for_help(context: RoutingContext, label: str) -> bool:
    return label != "help_center" and _HELP.fullmatch(context.text.strip()) is not None


def names_any_date(words: str) -> bool:
    """Whether a date is to be changed, and neither which one nor of which kind is said."""
    return _ANY_DATE.fullmatch(words.strip()) is not None


def _is_a_meeting(context: RoutingContext, label: str) -> bool:
    has_reminders = "schedule_manager" in context.keepers
    return label not in _WHOLE_PLANS and not has_reminders and names_any_date(context.text)


def _is_a_reminder(context: RoutingContext, _label: str) -> bool:
    return context.keepers == {"schedule_manager"} and names_any_date(context.text)


def _may_be_both(context: RoutingContext, _label: str) -> bool:
    return context.keepers.issuperset(_DATES) and names_any_date(context.text)


def _asks_the_calendar(context: RoutingContext, label: str) -> bool:
    zone = context.now.tzinfo
    if label in _TALK or not isinstance(zone, ZoneInfo):
        return False
    return parse_calendar_question(context.text, context.now, zone) is not None


def _is_about_notes(context: RoutingContext, label: str) -> bool:
    return label != "chat_manager" and parse_memory_order(context.text) is not None


OVERLAPS: tuple[Overlap, ...] = (
    Overlap("the bare word asks for help", _asks_for_help, ("help_center",)),
    Overlap("what is remembered is chat's", _is_about_notes, ("chat_manager",)),
    Overlap("small talk is no task", _is_small_talk, _TALK),
    Overlap("the calendar is no reminder and no figure", _asks_the_calendar, _TALK),
    Overlap("figures need evidence", _lacks_evidence, ("QA",)),
    Overlap("a condition or an order makes a task", _has_order, ("complex_task",)),
    Overlap("the only dates are reminders", _is_a_reminder, ("schedule_manager",)),
    Overlap("a meeting or a reminder", _may_be_both, (UNKNOWN,)),
    Overlap("a date of no kind is a meeting", _is_a_meeting, ("MEETING",)),
)


def settle(
    context: RoutingContext, label: str, *, enabled: Mapping[str, object] | frozenset[str]
) -> tuple[str, str]:
    """Return the label after the rules, and the name of the rule that changed it, or nothing."""
    for overlap in OVERLAPS:
        if overlap.applies(context, label):
            for other in overlap.instead:
                if other != label and (other in enabled or other == UNKNOWN):
                    return other, overlap.name
    return label, ""
