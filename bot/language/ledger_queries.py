"""Questions to the ledger: how much, on what, in which stretch of days."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.language.categories import BROAD, DEFAULT, OTHER, Lexicon
from bot.language.ledger_comparisons import Comparison, parse_comparison
from bot.language.numerals import read_number
from bot.language.reading import Reading, read
from bot.language.results import TimeResult
from bot.language.times import resolve_time

What = Literal["total", "list", "by_category", "balance", "compare"]

_TOTAL: Final = re.compile(
    r"(?:一共|总共|共)?(?:花|用|赚|挣|收入|支出|消费|开销|付|交|进账|收)(?:了|"
    r"掉)?(?:多少|几多|几块)(?:钱|块)?|多少钱|花销|总支出|总收入|合计|总额"
    r"|how much (?:money )?(?:did|have|do) i (?:spend|spent|earn|make|pay|blow|get)|"
    r"total (?:spend|spending|spent|expenses|income)"
    r"|what did i spend|how much (?:was|were|is) my"
    r"|\bhow much (?:(?:on|for) \w+ )?(?:on|last|this|today|yesterday)\b"
)
_LIST: Final = re.compile(
    r"账单|明细|流水|记录|账目|消费记录|(?:列|看|查)(?:一下|下|看)?.{0,6}账|"
    r"最近.{0,3}(?:笔|条)|"
    r"(?:上|最后|最新|刚才那?)(?:的)?一?(?:笔|条)"
    r"|(?:list|show)(?: me)?.*(?:expenses|entries|transactions|spending|records)"
    r"|(?:last|recent) (?:\w+ )?(?:expenses|entries|transactions|records)|what did i buy"
)
_BY_CATEGORY: Final = re.compile(
    r"各类|各个?分类|按类|按分类|分类统计|每类|每个分类|分别花|花在哪|花到哪|"
    r"钱都?花哪|都花哪|by category|per category|breakdown|where did my money go"
)
_BALANCE: Final = re.compile(
    r"(?:还|现在)?(?:剩|余)(?:下|了)?(?:多少|几多)(?:钱|块)?|(?:还|现在)有多少钱"
    r"|结余|余额|收支|盈余"
    r"|净(?:收入|支出|赚|亏)"
    r"|(?:是)?(?:赚|亏)了?还是(?:赚|亏)|入不敷出"
    r"|\bbalance\b|\bleft over\b|\bnet (?:income|spending)\b"
    r"|how much (?:money )?(?:do i have left|is left|have i got(?: left)?|do i have)"
)
_INCOME: Final = re.compile(r"收入|赚|挣|进账|工资|收了|earn|income|make|salary")
_PRICE: Final = re.compile(r"(?<![花用付])(?<!花了)(?<!用了)(?<!付了)多少钱")
_USED: Final = re.compile(r"用(?:了|掉)?多少(?:电|水|气|流量|度|次|时间)")
_COUNT: Final = re.compile(
    r"(?:最近|近|上|最后|最新|last|recent|latest) ?(?:的)? ?(\w{1,6}?) ?(?:笔|条|个|expenses|"
    r"entries|transactions|records)"
)
_FILLER: Final = re.compile(
    r"请问|帮我|我们|我|看看|看一下|看下|看|查一下|查下|查询|查|列一下|列出|列|"
    r"统计一下|统计|算一下|算算|算|一共|总共|共|在|上面|上|方面|都|的|了|呢|啊|吗|钱|"
    r"块|元"
    r"|多少|几多|花费|花销|花掉|花|用掉|用|消费|支出|开销|开支|收入|赚|挣|进账|交|付|"
    r"账单|明细|流水|记录|账目|账|各个?分类|各类|按分类|按类|分类|每类|是|有|给|最近|"
    r"近"
    r"|笔|条|到|至|从|什么|哪些|啥|记的?|[?？!。,，、.]"
    r"|\b(?:how much|money|did|have|do|what|was|were|is|my|i|me|"
    r"show|list|spending|spend|spent|earned|earn|expenses|expense|entries|"
    r"transactions|records|total|on|in|for|the|this|by category"
    r"|a|an|of|please|during|all|last|recent|latest)\b"
)
_COMPARING: Final = re.compile(
    r"怎么样|如何|多(?:了|少|不)?|少(?:了|花)?|高|低|大|小|涨了?|降了?|差(?:了|别)?|变化|情况|还是|我"
    r"|得|呢|吗|做|个|一下|\b(?:more|less|higher|lower|did|do|than|it)\b|'s\b"
)
_JOINTS: Final = re.compile(r"和|与|跟|加上?|以及|还有|\band\b|\bplus\b")
_SEVERAL: Final = 2
_OTHER_WISH: Final = re.compile(
    r"预算|超支|顺便|关了|打开|为什么|怎么|如果|比|趋势|图|导出|export|budget|chart|compare|why|提醒|"
    r"删|改|撤销|写|解释"
)


@dataclass(frozen=True, slots=True)
class LedgerQuery:
    """A question to the ledger.

    Attributes:
        what: The total, the rows, or the totals by category.
        direction: `expense`, `income`, or "" for both.
        category: A category key, "" for all.
        item: The words for the thing, as written, "" for all.
        start: First local day; None when no time was said.
        end: The day after the last.
        grain: What kind of stretch it is: day, week, month, year, range; "" for none.
        limit: How many rows, for a list.
        against: What a comparison holds it against: first day and the day after the last.
        time: What the resolver said about time: `ask` or `reject` have to be asked.
        complete: The grammar explains the message to the last word.
    """

    what: What
    direction: str
    category: str
    item: str
    start: date | None
    end: date | None
    grain: str
    limit: int | None
    time: TimeResult
    complete: bool
    against: tuple[date, date] | None = None


def parse_ledger_query(
    text: str, now: datetime, tz: ZoneInfo, *, lexicon: Lexicon = DEFAULT
) -> LedgerQuery | None:
    """The question to the ledger in a message; None when it is none."""
    message = read(text)
    normal = message.normal
    if (compared := parse_comparison(normal.text, now, tz)) is not None:
        return _compared(compared, lexicon)
    what = _what(normal.text)
    if what is None:
        return None
    time = resolve_time(text, now=now, tz=tz, mode="ledger")
    several = _together(time)
    if several is not None and several.status == "ok":
        start, end, grain = _days(several, now.astimezone(tz).date())
    else:
        start, end, grain = _days(time, now.astimezone(tz).date())
    time = several or time
    limit = _limit(normal.text)
    rest = _rest(message)
    if several is not None:
        rest = _JOINTS.sub(" ", rest).strip()
    word, category = lexicon.match(rest) if rest else ("", "")
    named = _named(message, lexicon) or BROAD.get(rest.casefold(), "")
    category = named or ("" if category == OTHER else category)
    direction = "income" if _INCOME.search(normal.text) else "expense" if what != "list" else ""
    if what == "balance":
        said = _BALANCE.sub(" ", _outside_times(message))
        rest, word, category, direction = _about(_COMPARING.sub(" ", said)), "", "", ""
    settled = time.status in ("ok", "none") and len(time.times) <= 1
    priced = what != "balance" and _PRICE.search(normal.text) is not None and start is None
    settled = settled and not priced and not _USED.search(normal.text)
    complete = settled and not _OTHER_WISH.search(normal.text) and (not rest or bool(category))
    return LedgerQuery(
        what=what,
        direction=direction,
        category=category,
        item="" if named else word or rest,
        start=start,
        end=end,
        grain=grain,
        limit=limit,
        time=time,
        complete=complete and not normal.cut,
    )


def _compared(compared: Comparison, lexicon: Lexicon) -> LedgerQuery:
    """The question for two totals; whole only where money is spoken of."""
    rest = _about(_COMPARING.sub(" ", compared.rest))
    word, category = lexicon.match(rest) if rest else ("", "")
    names = {n.casefold(): key for key, named in lexicon.names.items() for n in named.values()}
    named = names.get(rest.casefold(), "") or BROAD.get(rest.casefold(), "")
    category = named or ("" if category == OTHER else category)
    return LedgerQuery(
        what="compare",
        direction="income" if _INCOME.search(compared.rest) else "expense",
        category=category,
        item="" if named else word or rest,
        start=compared.later[0],
        end=compared.later[1],
        grain="range",
        limit=None,
        time=TimeResult(status="ok"),
        complete=compared.about_money and (not rest or bool(category)),
        against=compared.earlier,
    )


def _together(time: TimeResult) -> TimeResult | None:
    """Several days that touch as one stretch, several that do not as a question."""
    days = sorted({(t.start, t.end) for t in time.times if t.start and t.end})
    if time.status != "ok" or len(time.times) < _SEVERAL or len(days) != len(time.times):
        return None
    if any(before[1] != after[0] for before, after in pairwise(days)):
        return replace(time, status="ask", reason="which_time")
    whole = replace(time.times[0], kind="range", start=days[0][0], end=days[-1][1], grain="range")
    return replace(time, times=(whole,))


def _what(text: str) -> What | None:
    if _BY_CATEGORY.search(text):
        return "by_category"
    if _BALANCE.search(text):
        return "balance"
    if _TOTAL.search(text):
        return "total"
    return "list" if _LIST.search(text) else None


def _days(time: TimeResult, today: date) -> tuple[date | None, date | None, str]:
    first = next((t for t in time.times if t.start is not None), None)
    if first is None or first.start is None:
        return None, None, ""
    if first.end is None:
        start = first.start.date()
        end = today + timedelta(days=1) if first.bound == "after" else start + timedelta(days=1)
        return start, end, "range" if first.bound == "after" else "day"
    last = first.end - timedelta(microseconds=1)
    grain = first.grain if first.kind == "point" else "range"
    return first.start.date(), last.date() + timedelta(days=1), grain


def _limit(text: str) -> int | None:
    match = _COUNT.search(text)
    if match is None or not match.group(1):
        return None
    number = read_number(match.group(1), 0)
    if number is None or number.end != len(match.group(1)) or not number.value:
        return None
    return int(number.value)


def _named(message: Reading, lexicon: Lexicon) -> str:
    """The category that is named in full and is all that the question is about, else ""."""
    said = _outside_times(message).casefold()
    for key, names in lexicon.names.items():
        for name in names.values():
            before, found, after = said.partition(name.casefold())
            if found and not _about(f"{before} | {after}").replace("|", "").strip():
                return key
    return ""


def _rest(message: Reading) -> str:
    """The words that say what it is about."""
    return _about(_outside_times(message))


def _outside_times(message: Reading) -> str:
    masked = [False] * len(message.text)
    for phrase in message.phrases:
        first, last = message.tokens[phrase.first], message.tokens[phrase.last - 1]
        masked[first.start : last.end] = [True] * (last.end - first.start)
    return "".join(" " if masked[i] else c for i, c in enumerate(message.text))


def _about(text: str) -> str:
    text = _COUNT.sub(" ", text)
    return re.sub(r"\s+", " ", _FILLER.sub(" ", text)).strip()
