"""What a message says about money: entries with direction, item, category and day."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.language.categories import DEFAULT, Lexicon
from bot.language.normalize import Normal, is_han, normalize
from bot.language.numerals import read_number
from bot.language.phrases import read_phrases
from bot.language.results import Status
from bot.language.sums import Sum, find_sums
from bot.language.times import resolve_tokens
from bot.language.tokens import Token, tokenize

Direction = Literal["expense", "income", "refund", "transfer", "lend", "borrow"]

MAX_AMOUNT: Final = Decimal(10) ** 16
MAX_ENTRIES: Final = 20
_LATIN_LETTERS: Final = re.compile(r"[a-z]")

_DIRECTIONS: Final[tuple[tuple[Direction, re.Pattern[str]], ...]] = (
    ("refund", re.compile(r"退款|退了|退货|退回|退还|返还|refund|refunded|money back")),
    (
        "transfer",
        re.compile(
            r"还款|还信用卡|还花呗|信用卡还|花呗还|转到|转入|转存|存入|存了|提现|"
            r"充值到|余额宝|零钱通"
            r"|transfer(?:red)? to (?:my |savings)|credit card payment|paid off"
        ),
    ),
    (
        "borrow",
        re.compile(r"跟.{1,6}借|向.{1,6}借|找.{1,6}借|问.{1,6}借|借入|借了.{0,4}的钱|borrow"),
    ),
    ("lend", re.compile(r"借给|借出|借了.{1,6}给|lent|loaned|lend ")),
    (
        "income",
        re.compile(
            r"工资|薪水|奖金|年终奖|收入|到账|进账|收到|收了|赚了|赚|挣了|挣|报销了|"
            r"报销到|报销款|报销下来|分红|中奖|卖了"
            r"|稿费|兼职收|利息收|返现|给我转|转我|转给我|转来|发了.{0,3}红包给我|"
            r"还我|还了我|压岁钱收"
            r"|salary|income|paycheck|received|got paid|earned|sold|bonus|reimbursed|"
            r"dividend|cashback"
        ),
    ),
)
_QUESTION: Final = re.compile(r"多少|吗|\?|怎么|为什么|几块|什么|how much|what|which|why|\bhow\b")
_WISH: Final = re.compile(
    r"想买|想要|打算|准备|计划|要不要|应该|预算|推荐|提醒|取消|删|改成|改为|不是|如果|"
    r"帮我买|帮我订|别买|没买|没花"
    r"|涨到|跌到|涨了|跌了|remind|want to|going to|should|budget|plan to"
)
_SPENT: Final = re.compile(
    r"(?:买|花|付|交|充|吃|喝|掏|刷|订|租|缴)了|花掉|\bspent\b|\bpaid\b|\bbought\b"
)
_MEASURES: Final = (
    "个|杯|本|张|件|条|只|台|辆|瓶|盒|袋|包|份|斤|公斤|晚|天|次|双|套|把|支|碗|串|箱|盘|"
    "罐|块|顿|位|人|股|片|颗|束|桶|桌|间|盆|节|场|趟|米|升"
)
_COUNT: Final = re.compile(rf"([\d一二两三四五六七八九十百]+) ?({_MEASURES})")
_EACH: Final = re.compile(
    rf"(?:每|一)({_MEASURES})(?:的?价格?|才|是|要)? ?$|(?:各|单价|各自|@|x|×|\*|乘以?) "
    rf"?$|(?:at|for) $"
)
_EACH_AFTER: Final = re.compile(
    rf" ?(?:一|每|/)({_MEASURES})(?!\w)| ?(?:each|apiece|per (?!person))"
)
_SHARE: Final = re.compile(r"每人|人均|每个人|一人|per person|my share|我的那份|我出")
_PEOPLE_SPLIT: Final = re.compile(
    r"([\d一二两三四五六七八九十]+) ?个?人 ?(?:aa|平摊|平分|分摊|均摊)"
)
_TIMES: Final = re.compile(r"(\d+(?:\.\d+)?) ?[x×*] ?(\d+(?:\.\d+)?)(?![\d.])")
_NOT_MONEY: Final = re.compile(
    rf" ?(?:{_MEASURES}|%|号|楼|层|年|月|日|点|时|分钟|小时|秒|岁|倍|折|度|公里|千米|"
    rf"厘米|毫升|平|级|路|线|寸|ml|kg|km|cm|g\b|gb\b"
    r"|pm\b|am\b|th\b|st\b|nd\b|rd\b|percent|people|persons|days?\b|hours?\b|"
    r"minutes?\b|mins?\b|times\b|cups?\b|pcs\b|期|届|集|页|章|遍|回|代|寸|元店|后|街|"
    r"栋|室|班|步|场|条)"
)
_CLAUSE: Final = re.compile(r"[,;。、\n!!]|然后|还有|以及|另外|\band\b|\. ")
_STRIP: Final = re.compile(
    r"^(?:我|今天|刚刚|刚才|刚|又|在|去|记一下|记账|记一笔|帮我记|记上|记|买了|买|"
    r"花了|花|付了|付|交了|交|吃了|吃|用了|一共|总共|共|的|了"
    r"|是|为|和|还|扣了我|扣了|扣|(?:spent|paid|bought|for|on|the|a|an|i|was|in|at|to|"
    r"it|my|just|got)\b|:|-|—|\s)+"
)
_STRIP_END: Final = re.compile(
    r"(?:一共花了|一共|总共|花了|花掉|用了|付了|交了|买了|共|花|是|要|了|的|各|每.|才|"
    r"大概|大约|约|差不多|\bwas|\bfor|\bcost|\bat|\bis|=|:|-|\s)+$"
)


@dataclass(frozen=True, slots=True)
class AmountEntry:
    """One thing that money went to or came from.

    Attributes:
        amount: Positive and exact.
        currency: ISO code.
        direction: Where the money went.
        item: What for, in the person's words; "" when it was not said.
        category: The key of a category, see `categories.category_keys`.
        span: Where the amount stands in the text, half-open.
        occurred_on: The day that was said for it, None for today.
        explained: The grammar accounts for all of its words.
        computed: The amount is a product or a share and should be shown as such.
    """

    amount: Decimal
    currency: str
    direction: Direction
    item: str
    category: str
    span: tuple[int, int]
    occurred_on: date | None = None
    explained: bool = False
    computed: bool = False


@dataclass(frozen=True, slots=True)
class AmountsResult:
    """What a message says about money.

    Attributes:
        status: `ok`, `ask`, `reject` or `none`.
        reason: A stable key that says why it asks or refuses.
        entries: The entries; when it asks, what could be read so far.
        complete: The grammar explains the message to the last word.
    """

    status: Status
    reason: str = ""
    entries: tuple[AmountEntry, ...] = ()
    complete: bool = False


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int
    text: str


def resolve_amounts(
    text: str,
    *,
    now: datetime,
    tz: ZoneInfo,
    locale: str = "zh-CN",
    default_currency: str = "CNY",
    lexicon: Lexicon = DEFAULT,
) -> AmountsResult:
    """What a message says about money, seen from `now`.

    Args:
        text: The message as written.
        now: The aware moment it was written.
        tz: The person's zone.
        locale: Where 1.234,56 is the usual notation (`de`, `fr`, `es`...), it is read so.
        default_currency: The currency when none is said.
        lexicon: Words and categories, with the person's own on top.
    """
    normal = normalize(text)
    tokens = tokenize(normal.text)
    reading = _Reading(normal, tokens, now, tz, locale)
    sums = reading.sums()
    if not sums:
        if _SPENT.search(normal.text) and not _doubtful(normal.text):
            return AmountsResult("ask", "no_amount")
        return AmountsResult("none")
    fault = next((f for s in sums if (f := _fault(s, locale))), "")
    days, when_reason = reading.days()
    entries = reading.entries(sums[:MAX_ENTRIES], days, default_currency, lexicon)
    if len(sums) > MAX_ENTRIES:
        return AmountsResult("reject", "too_many_entries")
    if any(e.amount >= MAX_AMOUNT for e in entries):
        return AmountsResult("reject", "too_large", entries)
    if fault or when_reason or reading.doubt:
        return AmountsResult("ask", fault or when_reason or reading.doubt, entries)
    return AmountsResult("ok", "", entries, reading.complete(entries, sums, lexicon))


def _doubtful(text: str) -> bool:
    return bool(_QUESTION.search(text) or _WISH.search(text))


def _fault(item: Sum, locale: str) -> str:
    if item.negative:
        return "negative_amount"
    if item.fault == "decimal_comma" and locale[:2] not in ("de", "fr", "es", "it", "pt", "nl"):
        return item.fault
    if item.fault == "range":
        return "range"
    if item.approximate:
        return "approximate"
    return "zero_amount" if item.value == 0 else ""


class _Reading:
    """One message while its entries are read."""

    def __init__(
        self, normal: Normal, tokens: Sequence[Token], now: datetime, tz: ZoneInfo, locale: str
    ) -> None:
        self.normal = normal
        self.text = normal.text
        self.tokens = tokens
        self.now = now
        self.tz = tz
        self.locale = locale
        self.doubt = ""
        self.masked = [False] * len(self.text)
        self._mask_times()

    def _mask_times(self) -> None:
        if "角" in self.text or "毛" in self.text or _whole_cents(self.text):
            phrases = [p for p in read_phrases(self.tokens, self.text) if p.slots is not None]
        else:
            phrases = list(read_phrases(self.tokens, self.text))
        for phrase in phrases:
            first, last = self.tokens[phrase.first], self.tokens[phrase.last - 1]
            if first.kind == "date" and first.start == 0 and "." in self.text[: first.end]:
                continue
            for at in range(first.start, last.end):
                self.masked[at] = True

    def sums(self) -> list[Sum]:
        found = [s for s in find_sums(self.text, self.masked) if self._is_money(s)]
        if any(s.currency for s in found):
            found = [s for s in found if s.currency or not self._count_beside(s, found)]
        return self._merge_products(found)

    def _count_beside(self, item: Sum, found: list[Sum]) -> bool:
        """Whether a bare number counts something beside a sum with its currency."""
        if self.text[item.end - 1] in "万亿":
            return True
        later = next((s for s in found if s.start > item.start and s.currency), None)
        if later is None or self._has_fraction(item):
            return False
        between = self.text[item.end : later.start]
        return bool(between) and all(is_han(char) for char in between)

    def _is_money(self, item: Sum) -> bool:  # noqa: PLR0911
        if item.currency or item.fault or self._has_fraction(item):
            return True
        written = self.text[item.start : item.end]
        if _NOT_MONEY.match(self.text, item.end):
            return False
        if item.form == "en" and len(written) < len(self.text.strip()):
            return self._english_words(item)
        if item.form in ("zh", "digits") and len(written) == 1:
            return self._single_digit(item)
        if item.form == "digits":
            return False
        before = self.text[max(0, item.start - 1) : item.start]
        if before in ("第", "#", "号", "v"):
            return False
        if written.isdigit() and len(written) >= 9:  # noqa: PLR2004
            return False
        after = self.text[item.end : item.end + 1]
        return not (after.isascii() and after.isalpha())

    def _has_fraction(self, item: Sum) -> bool:
        return self.text[item.end - 1] in "角毛分毫钱" or self.text[
            item.start : item.end
        ].endswith("c")

    def _single_digit(self, item: Sum) -> bool:
        """A lone Chinese digit is money only at the end of a clause, after an item."""
        del item
        return False

    def _english_words(self, item: Sum) -> bool:
        """A number in English words is money only after paying or at the end."""
        return bool(_SPENT.search(self.text)) and item.value > 1

    def _merge_products(self, sums: list[Sum]) -> list[Sum]:
        """2x18 is one amount of 36."""
        match = _TIMES.search(self.text)
        if match is None or self.masked[match.start()]:
            return sums
        inside = [s for s in sums if match.start() <= s.start < match.end()]
        if not inside:
            return sums
        product = Decimal(match.group(1)) * Decimal(match.group(2))
        end = max(match.end(), inside[-1].end)
        whole = replace(inside[-1], value=product, start=match.start(), end=end)
        rest = [s for s in sums if s not in inside]
        return sorted([*rest, whole], key=lambda s: s.start)

    def days(self) -> tuple[list[tuple[int, date]], str]:
        """Places and days of the date words, and a reason when one of them has to be asked."""
        found: list[tuple[int, date]] = []
        result = resolve_tokens(self.normal, self.tokens, now=self.now, tz=self.tz, mode="ledger")
        if result.status in ("ask", "reject"):
            return [], "future_date" if result.reason == "future" else result.reason
        for item in result.times:
            if item.start is not None and item.kind != "duration":
                found.append((item.span[0], item.start.date()))  # noqa: PERF401
        return found, ""

    def entries(
        self,
        sums: list[Sum],
        days: list[tuple[int, date]],
        default_currency: str,
        lexicon: Lexicon,
    ) -> tuple[AmountEntry, ...]:
        found: list[AmountEntry] = []
        previous = 0
        for index, item in enumerate(sums):
            following = sums[index + 1].start if index + 1 < len(sums) else len(self.text)
            clause = self._clause(item, previous, following)
            value, computed = self._value(item, clause, previous)
            span = self.normal.span(item.start, item.end)
            name, explained = self._item(item, clause)
            direction = self._direction(clause)
            found.append(
                AmountEntry(
                    amount=value,
                    currency=item.currency or default_currency,
                    direction=direction,
                    item=name,
                    category=_category(name, direction, lexicon),
                    span=span,
                    occurred_on=_day_for(span[0], days),
                    explained=explained,
                    computed=computed,
                )
            )
            previous = item.end
        return tuple(found)

    def _clause(self, item: Sum, previous: int, following: int) -> _Clause:
        start = previous
        for match in _CLAUSE.finditer(self.text, previous, item.start):
            if self.text[match.end() : item.start].strip() and _has_name(
                self.text[match.end() : item.start]
            ):
                start = match.end()
        stop = _CLAUSE.search(self.text, item.end, following)
        end = stop.start() if stop else following
        return _Clause(start, end, self.text[start:end])

    def _value(self, item: Sum, clause: _Clause, previous: int) -> tuple[Decimal, bool]:
        before = self.text[clause.start : item.start]
        if _SHARE.search(self.text[previous : clause.end]):
            return item.value, False
        split = _PEOPLE_SPLIT.search(self.text)
        if split is not None and "每" not in self.text:
            self.doubt = self.doubt or "share_or_total"
            return item.value, False
        each, after = _EACH.search(before), _EACH_AFTER.match(self.text, item.end)
        if each is None and after is None:
            return item.value, False
        counts = list(_COUNT.finditer(self.text, previous, item.start))
        if each is not None and counts and counts[-1].group(1) == "一":
            counts = [
                c for c in counts if c.end() - len(c.group(2)) - 1 != clause.start + each.start()
            ]
        if not counts:
            return item.value, False
        number = read_number(counts[0].group(1), 0)
        if number is None or number.value < 1:
            return item.value, False
        return item.value * number.value, number.value != 1

    def _item(self, item: Sum, clause: _Clause) -> tuple[str, bool]:
        before = self._bare(clause.start, item.start)
        after = self._bare(item.end, clause.end)
        name = before or after
        explained = len(name) <= 12 and not (before and after) and bool(name)  # noqa: PLR2004
        return name, explained

    def _bare(self, start: int, end: int) -> str:
        """The words of a stretch without times, counts and verbs of spending."""
        kept = "".join(
            self.normal.source[self.normal.starts[i] : self.normal.ends[i]]
            if not self.masked[i]
            else " "
            for i in range(start, end)
        )
        text = _COUNT.sub(" ", kept)
        text = re.sub(rf"[,，;；。、.!！()（）\n]|(?:每|各|一)(?:{_MEASURES}) ?$", " ", text)
        text = re.sub(r" {2,}", " ", text).strip()
        lowered = text.lower()
        lead = _STRIP.match(lowered)
        text = text[lead.end() :] if lead and lead.end() < len(text) else text
        tail = _STRIP_END.search(text.lower())
        text = text[: tail.start()] if tail and tail.start() else text
        return "" if _STRIP.fullmatch(text.lower() + " ") else text.strip(" 的")

    def _direction(self, clause: _Clause) -> Direction:
        for direction, pattern in _DIRECTIONS:
            if pattern.search(clause.text):
                return direction
        return "expense"

    def complete(
        self, entries: tuple[AmountEntry, ...], sums: list[Sum], lexicon: Lexicon
    ) -> bool:
        """Whether every word is accounted for: known things with plain amounts, nothing else."""
        if self.normal.cut or _doubtful(self.text) or len(entries) != len(sums):
            return False
        return all(
            e.explained and (lexicon.knows(e.item) or "aa" in e.item.lower()) for e in entries
        )


def _whole_cents(text: str) -> bool:
    return re.fullmatch(r"\s*[\d一二两三四五六七八九十]+分钱?\s*", text) is not None


def _has_name(text: str) -> bool:
    return any(c.isalpha() for c in text)


def _category(name: str, direction: Direction, lexicon: Lexicon) -> str:
    found = lexicon.category(name)
    if direction == "income" and found not in ("salary", "other_income"):
        return "other_income"
    return found


def _day_for(at: int, days: list[tuple[int, date]]) -> date | None:
    """The day said last before an amount, or the first one after when none was."""
    if not days:
        return None
    before = [day for place, day in days if place <= at]
    return before[-1] if before else days[0][1]
