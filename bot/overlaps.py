"""Where labels overlap: rules that hold for whoever decided, in one table.

Each rule looks at a text and at the label it was given, and may name another one.
Sources: seed 000 (intents), seed 002 (2.2, 4.5), design section 4.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.core.routing import UNKNOWN, RoutingContext
from bot.language.memory_orders import parse_memory_order
from bot.rules import score

_SMALL_TALK = re.compile(
    r"(?:嗨|你好|您好|哈[喽啰罗]|早(?:上好|安|呀|啊)?|[中下]午好|晚上好|晚安|谢谢?|多谢|辛苦了|再见|拜拜|在吗|"
    r"在不在|好的|嗯+|哦+|哈+"
    r"|hi|hello|hey|thanks?(?: you)?|bye|good (?:morning|evening|night)|ok(?:ay)?)"
    r"(?:你|您|呀|啊|哦|啦|了|大家| there| everyone)?[\s!！.。~～?？]*",
    re.IGNORECASE,
)
_HELP = re.compile(
    r"(?:帮助|幫助|邦助|帮帮我|使用说明|说明书|help(?: me)?)[\s?？!！。.]*", re.IGNORECASE
)
_VERBS = (
    r"(?:cancel|book|remind|send|tell|order|set|move|push|log|file|note|call|turn|open|close|ask|add|"
    r"change|switch|put|schedule|email|write)"
)
_ORDERED = re.compile(
    r"(?:如果|要是|假如|假若|倘若|若是|万一|一旦)(?!你|我是|人类|世界|能).{1,40}(?:就|则|那就|的话).{1,40}"
    r"|先.{2,30}(?:再(?!说|讲|想|看)|然后).{2,30}"
    r"|等.{1,20}(?:批下来|以后|之后|修好|到账|回来|完|了).{0,4}(?:就|再).{2,30}"
    r"|没有?.{1,12}就(?:改|换|订|看|叫|去|约|算).{1,30}"
    r"|根据.{2,16}(?:安排|决定|定|再|生成).{2,30}"
    rf"|\bif\b(?! you were| i were).{{2,80}}\bthen\b|\bif\b.{{2,60}},\s*(?:please\s+)?{_VERBS}\b"
    rf"|\b(?:when|once)\b.{{3,60}},\s*(?:please\s+)?{_VERBS}\b"
    r"|\bfirst\b.{2,80}\bthen\b.{2,80}|,\s*(?:and )?then\b.{2,80}",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    r"(?:多少|几|幾)(?:个|個)?(?:人|次|度|吨|车|台|份|单|笔)|人数|人數|次数|次數|数量|数据|數據|平均|总(?:数|量|计|共)"
    r"|最(?:多|少|高|低|大)|比例|占比|率|排放|趋势|走势|统计|排名|对比|看板|报表|图表|指标"
    r"|\b(?:how (?:many|much)|number of|average|total|trend|rate|share|emissions?|usage|"
    r"consumption|compare|report|dashboard|statistics|figures|highest|lowest|most|least|"
    r"top \w+|per \w+)\b",
    re.IGNORECASE,
)
_FIXED = re.compile(
    r"能?坐(?:得下)?(?:几|多少)|容纳|(?:几|多少)层|有(?:几|多少)部|规定|标准|流程|怎么(?:收|申请|预约)|允许"
    r"|\b(?:fit|seats?|capacity|allowed|policy|rules?)\b",
    re.IGNORECASE,
)
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


def _is_about_notes(context: RoutingContext, label: str) -> bool:
    return label != "chat_manager" and parse_memory_order(context.text) is not None


OVERLAPS: tuple[Overlap, ...] = (
    Overlap("the bare word asks for help", _asks_for_help, ("help_center",)),
    Overlap("what is remembered is chat's", _is_about_notes, ("chat_manager",)),
    Overlap("small talk is no task", _is_small_talk, _TALK),
    Overlap("figures need evidence", _lacks_evidence, ("QA",)),
    Overlap("a condition or an order makes a task", _has_order, ("complex_task",)),
)


def settle(
    context: RoutingContext, label: str, *, enabled: Mapping[str, object] | frozenset[str]
) -> tuple[str, str]:
    """Return the label after the rules, and the name of the rule that changed it, or nothing."""
    for overlap in OVERLAPS:
        if overlap.applies(context, label):
            for other in overlap.instead:
                if other in enabled and other != label:
                    return other, overlap.name
    return label, ""
