"""Orders about rows that are named by their day: 上周三的火锅删了, delete yesterday's taxi."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.categories import DEFAULT
from bot.language.money import resolve_amounts
from bot.language.normalize import as_written, normalize
from bot.language.recurrence import resolve_recurrence
from bot.language.times import resolve_time

Kind = Literal["change", "delete", "later", "sooner"]
Noun = Literal["entry", "reminder", ""]

_ASK: Final = r"(?:请|麻烦|帮我|给我)*(?:把|将)?"
_REMOVE: Final = r"(?:删了|删掉|删除|删|撤销|撤掉|去掉|取消|清空|清掉|不要|不用)"
_VALUE: Final = r"(?:金额|价格|价钱|分类|名称|名字|时间|日期)?"
_BECOME: Final = r"(?:改成|改为|改到|换成|换到|挪到|移到|推迟到|延后到|提前到|更正为|变成)"
_LENGTH: Final = (
    r"(?P<rest>(?:\d{1,3}|[一二两三四五六七八九十半]{1,3})?个?半?"
    r"(?:分钟?|小时|钟头|刻钟|天|周|星期)半?)"
)
_ZH: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    (
        "later",
        regex(
            rf"{_ASK}(?P<target>.{{2,30}}?)(?P<all>(?:全部|全都|全|都)?)(?:往后)?"
            rf"(?P<verb>推迟|延后|延迟|推后|往后推){_LENGTH}[吧了]?"
        ),
    ),
    (
        "sooner",
        regex(
            rf"{_ASK}(?P<target>.{{2,30}}?)(?P<all>(?:全部|全都|全|都)?)"
            rf"(?P<verb>提前|提早|往前提){_LENGTH}[吧了]?"
        ),
    ),
    (
        "delete",
        regex(
            rf"{_ASK}(?P<target>.{{2,30}}?)(?P<all>(?:全部|全都|全|都)?)(?:给我|帮我|也|给)*"
            rf"(?P<verb>{_REMOVE})(?:掉|了|吧)*"
        ),
    ),
    ("delete", regex(rf"{_ASK}(?P<verb>{_REMOVE})掉?(?P<target>.{{2,30}}?)吧?")),
    (
        "change",
        regex(
            rf"{_ASK}(?P<target>.{{2,30}}?)的?{_VALUE}(?:全部|都|给我)?"
            rf"(?P<verb>{_BECOME})(?P<rest>.{{1,40}})"
        ),
    ),
    (
        "change",
        regex(
            r"(?P<target>.{2,20}?)(?:记错了?|写错了?|不对|错了)?[,，\s]*"
            r"(?P<verb>应该是|应该|应是|其实是)(?P<rest>.{1,40})"
        ),
    ),
    (
        "change",
        regex(
            r"(?P<target>.{2,20}?)(?:应该)?(?P<verb>是)(?P<rest>[^不]{1,12}?)[,，\s]*不是.{1,12}"
        ),
    ),
    (
        "change",
        regex(
            r"(?P<target>.{2,20}?)不是.{1,12}?[,，\s]*(?P<verb>而是|应该是|是)(?P<rest>.{1,12})"
        ),
    ),
)
_EN: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    (
        "delete",
        regex(
            r"(?:please )?(?:can you |could you )?"
            r"(?P<verb>delete|remove|undo|drop|erase|scrap|clear|cancel) (?P<target>.{3,50}?)"
            r"(?: please)?"
        ),
    ),
    (
        "change",
        regex(
            r"(?:please )?(?:can you |could you )?"
            r"(?P<verb>change|set|make|correct|update|fix|edit|move|reschedule|postpone|shift|push)"
            r" "
            r"(?P<target>.{3,50}?) to (?P<rest>.{1,40})"
        ),
    ),
    (
        "change",
        regex(
            r"(?P<target>.{3,50}?) (?P<verb>should be|should have been|was actually|was really)"
            r" (?P<rest>.{1,40})"
        ),
    ),
)
_ONLY_TOLD: Final = frozenset(
    {"应该是", "应该", "应是", "其实是", "是", "而是", "should be", "should have been"}
    | {"was actually", "was really"}
)
"""Verbs of sentences that are orders only when they name a thing and a sum."""

_OF_PLANS: Final = frozenset(
    {"取消", "不要", "不用", "改到", "挪到", "推迟到", "延后到", "提前到", "推迟", "延后", "提前"}
) | {
    "cancel",
    "move",
    "reschedule",
    "postpone",
    "shift",
    "push",
}
"""Verbs that are said of plans rather than of what was paid."""

_EVERY: Final = regex(
    r"所有|全部|一切|全(?=[的账记])|(?:^|\b)(?:all(?: of)?(?: the| my)?|every(?:thing)?)\b"
)
_REMINDER: Final = regex(r"(?:提醒我|叫我|提醒|闹钟)|\b(?:reminders?|alarms?)\b")
_ENTRY: Final = regex(
    r"那?一?笔(?:账单?|记录)?|账单|账(?![号户本])|记录|记账|流水|支出|消费|开销"
    r"|\b(?:entr(?:y|ies)|expenses?|records?|transactions?|spending)\b"
)
_TELLS: Final = regex(r"(?:提醒|叫|喊|通知)(?:一下|下)?(?:我|我们)|\bremind me\b")
"""What begins a new reminder: 明天提醒我取消订单 is no order about tomorrow's reminders."""

_BREAK: Final = regex(r"[,，;；。!！?？\n]")
_NO_ROW: Final = regex(r"预算|\bbudget\b")
"""What has an amount for a time and is no row of that time."""

_FILLER: Final = regex(r"那一?[个条次]|\bones?\b")
_EDGE: Final = regex(
    r"^(?:我|的|那|\s|'s|’s|(?:the|my|from|on|of|for|in|to|about)\b)+"
    r"|(?:的|那|\s|'s|’s|\b(?:the|my|from|on|of|for|in))+$"
)
_BESIDE: Final = regex("|".join(p.pattern for p in (_EVERY, _REMINDER, _ENTRY, _FILLER)))
_OWN: Final = regex(r"的|'s|’s|\b(?:from|on|of|in|for)\b")


@dataclass(frozen=True, slots=True)
class Days:
    """The stretch of time that names a row: half-open; one moment when both ends are equal."""

    start: datetime
    end: datetime

    @property
    def since(self) -> date:
        """The first local day."""
        return self.start.date()

    @property
    def until(self) -> date:
        """The day after the last one."""
        last = max(self.start, self.end - timedelta(microseconds=1))
        return last.date() + timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DatedOrder:
    """What is to become of the rows of a day.

    Attributes:
        noun: The kind of row that was named, "" when none was.
        what: The words of the thing, "" when only the day names it.
        every: All rows of that day are meant.
        past: The days as what was paid has them; None when they are still to come.
        coming: The days as reminders have them; None when they are over.
        rest: With `change`: what it becomes, as written.
        of_plans: The verb is said of plans rather than of entries.
    """

    kind: Kind
    noun: Noun
    what: str
    every: bool
    past: Days | None
    coming: Days | None
    rest: str
    of_plans: bool


def parse_dated_order(text: str, now: datetime, tz: ZoneInfo) -> DatedOrder | None:
    """The order about rows of a day in a message; None when it is none."""
    normal = normalize(text)
    words = normal.text.strip().rstrip("。.!！").strip().lower()
    for kind, pattern in (*_ZH, *_EN):
        match = pattern.fullmatch(words)
        if match is None:
            continue
        groups = match.groupdict()
        tells = match.start("verb") > match.start("target") and _TELLS.search(match["target"])
        if tells or _BREAK.search(match["target"]):
            continue
        order = _read(kind, groups, now, tz)
        if order is not None:
            what, rest = as_written(order.what, normal), as_written(order.rest, normal)
            return replace(order, what=what, rest=rest)
    return None


def is_about_entries(order: DatedOrder) -> bool:
    """Whether the order can be followed for entries: they are not put off or brought forward."""
    return order.noun != "reminder" and order.kind in ("change", "delete")


def owner_of(order: DatedOrder, now: datetime, tz: ZoneInfo) -> Noun:
    """Whose rows the order is certainly about; "" when words alone do not tell."""
    if order.noun == "entry" and order.past is not None and is_about_entries(order):
        return "entry"
    if order.noun == "reminder" and order.coming is not None:
        return "reminder"
    is_plan = order.of_plans and not (order.kind == "change" and order.coming is None)
    if order.noun or order.past is None or is_plan:
        return ""
    paid = order.kind == "change" and _sum_only(order.rest, now, tz)
    return "entry" if order.coming is None or paid or DEFAULT.knows(order.what) else ""


def _read(
    kind: Kind, groups: dict[str, str | None], now: datetime, tz: ZoneInfo
) -> DatedOrder | None:
    target, verb = groups["target"] or "", groups["verb"] or ""
    rest = (groups.get("rest") or "").strip()
    found = _days(target, now, tz, "ledger"), _days(target, now, tz, "range")
    span = next((item[1] for item in found if item is not None), None)
    repeated = resolve_recurrence(target, now=now, tz=tz, mode="range").status != "none"
    if span is None or repeated or _NO_ROW.search(target):
        return None
    before, after = target[: span[0]], target[span[1] :]
    every = bool(groups.get("all")) or verb in ("清空", "clear")
    every = every or _EVERY.search(before + " " + after) is not None
    noun: Noun = ""
    if _REMINDER.search(before + after):
        noun = "reminder"
    elif _ENTRY.search(before + after):
        noun = "entry"
    what = _thing(before, after)
    owned = _OWN.search(before + after) is not None
    if not (what or noun or (every and owned) or (owned and kind == "delete")):
        return None
    if verb in _ONLY_TOLD and not ((what or noun) and _sum_only(rest, now, tz)):
        return None
    past, coming = (item[0] if item is not None else None for item in found)
    if coming is not None and coming.end <= now and coming.start <= now:
        coming = None
    if past is None and coming is None:
        return None
    return DatedOrder(kind, noun, what, every, past, coming, rest, verb in _OF_PLANS)


def _days(
    target: str, now: datetime, tz: ZoneInfo, mode: Literal["ledger", "range"]
) -> tuple[Days, tuple[int, int]] | None:
    result = resolve_time(target, now=now, tz=tz, mode=mode)
    if result.status != "ok" or len(result.times) != 1:
        return None
    first = result.times[0]
    if first.start is None or len(result.spans) != 1:
        return None
    whole_day = first.grain == "day" and first.end is None
    start = first.start.replace(hour=0, minute=0) if whole_day else first.start
    end = start + timedelta(days=1) if whole_day else first.end or start
    return Days(start, end), result.spans[0]


def _thing(before: str, after: str) -> str:
    """The words of the thing without those of the day, the kind of row and the number."""
    parts = []
    for part in (before, after):
        bare = _BESIDE.sub(" ", part).strip()
        parts.append(_EDGE.sub("", _EDGE.sub("", bare)).strip())
    return " ".join(part for part in parts if part)


def _sum_only(rest: str, now: datetime, tz: ZoneInfo) -> bool:
    amounts = resolve_amounts(rest, now=now, tz=tz)
    return amounts.status == "ok" and len(amounts.entries) == 1
