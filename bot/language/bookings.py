"""The entries of one message: its clauses, what each sum was for, counts, shares and totals."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from bot.language.categories import DEFAULT, Lexicon
from bot.language.money_words import (
    CLAUSE,
    COUNT,
    DIRECTIONS,
    DISCOUNT,
    EACH_AFTER,
    EACH_BEFORE,
    LEAD,
    MEASURES,
    NOT_MONEY_AFTER,
    NOT_MONEY_BEFORE,
    PART,
    PEOPLE,
    SHARE,
    SPENT,
    SPLIT,
    TAIL,
    TIMES,
    TOTAL,
    Direction,
)
from bot.language.normalize import is_han
from bot.language.numerals import read_number
from bot.language.reading import Reading
from bot.language.results import ResolvedTime
from bot.language.sums import Sum, find_sums
from bot.language.times import resolve_time
from bot.language.tokens import ADDRESS

_COARSE: Final = frozenset({"week", "month", "quarter", "year"})
_CENT: Final = Decimal("0.01")
_LONGEST_ITEM: Final = 12
_CODE_DIGITS: Final = 9
_LOOK_BACK: Final = 12
_PARTS: Final = 3
_NOISE: Final = re.compile(rf"[,，;；。、.!！()（）\n]|(?:每|各|一)(?:{MEASURES}) ?$")
_WHOLE_CENTS: Final = re.compile(r"\s*[\d一二两三四五六七八九十]+分钱?\s*")
_RATHER: Final = re.compile(
    r"[ ,;。.!~哦啊呃]*(?:(?:不对|错了|(?:说|记|写|打)错了?|口误)"
    r"[ ,;。.!~哦啊]*(?:应该|其实)?(?:而?是)?"
    r"|不是[ ,;。.]*(?:应该|而)?是|(?:no,? wait|wait,? no|sorry|i mean|make that|correction),?"
    r"(?: (?:it'?s|it was|i meant?))?) *",
    re.IGNORECASE,
)
_THING_AFTER: Final = re.compile(r" ?(?:的(?!士)|for |on )", re.IGNORECASE)
_JOINT: Final = re.compile(r"(?:和|跟|与|以及|加上?|\band(?: another)?) ?$", re.IGNORECASE)
_ONE_OF: Final = re.compile(
    r"^(?:件|个(?![税人])|杯|台(?![灯球布])|辆|张|条|只|份|双|部)(?![子装])(?=[\u4e00-\u9fff]{2})"
)
"""The measure word of one thing without its number: 买了件衣服."""

_BESIDE: Final = re.compile(r"\s*(?:和|跟|以及|外加|加上?|还有|\band\b)")
"""What joins a thing to the sum before it."""

_HOLE: Final = "\x00"
"""Stands for words of time and number that are taken out of a name."""

_MENDED: Final = re.compile(rf"(?<=[\u4e00-\u9fff]) ?{_HOLE}+ ?(?=[\u4e00-\u9fff])")
_BETWEEN: Final = re.compile(r"\bbetween .{1,12}? and ")
_NOTHING: Final = " ,;。、.!~()的了元块钱"


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
class _Clause:
    """The stretch of text that belongs to a sum.

    Attributes:
        start: Where it begins.
        end: Where it ends, exclusive.
        closed: Something ends it, so that what follows the sum belongs to it.
    """

    start: int
    end: int
    closed: bool


class Booking:
    """One message while its entries are read.

    Attributes:
        sums: The sums of money in it.
        doubt: A reason to ask, "" for none.
    """

    def __init__(self, message: Reading, now: datetime, tz: ZoneInfo) -> None:
        """Find the sums and the days of a message."""
        self.normal = message.normal
        self.text = message.text
        self.tokens = message.tokens
        self.phrases = message.phrases
        self.doubt = ""
        self.masked = [False] * len(self.text)
        self._mask()
        self.sums = self._without_total(self._without_slips(self._find()))
        self.days = self._days(now, tz) if self.sums else []

    def _mask(self) -> None:
        """Hide what is time, a discount or an address, so that it is not read as money."""
        cents = "角" in self.text or "毛" in self.text or _WHOLE_CENTS.fullmatch(self.text)
        for phrase in self.phrases:
            first, last = self.tokens[phrase.first], self.tokens[phrase.last - 1]
            each = phrase.first and self.tokens[phrase.first - 1].kind == "every"
            decimal = first.kind == "date" and "." in self.text[first.start : first.end]
            price = first.kind == "at" and EACH_AFTER.match(self.text, last.end) is not None
            if (cents and phrase.slots is None) or each or price:
                continue
            if decimal and first.start == 0:
                continue
            self.masked[first.start : last.end] = [True] * (last.end - first.start)
        for pattern in (DISCOUNT, ADDRESS):
            for match in pattern.finditer(self.text):
                self.masked[match.start() : match.end()] = [True] * (match.end() - match.start())

    def _find(self) -> list[Sum]:
        if _BETWEEN.search(self.text):
            self.doubt = "range"
        found = [item for item in find_sums(self.text, self.masked) if self._is_money(item)]
        if any(item.currency for item in found):
            found = [s for s in found if s.currency or not self._count_beside(s, found)]
        return self._products(found)

    def _is_money(self, item: Sum) -> bool:
        if item.currency or item.fault or self._has_fraction(item):
            return True
        written = self.text[item.start : item.end]
        before = self.text[max(0, item.start - _LOOK_BACK) : item.start]
        counts = NOT_MONEY_AFTER.match(self.text, item.end) and not self._thing_at(item.end)
        if counts or NOT_MONEY_BEFORE.search(before):
            return False
        if item.form == "en" and len(written) < len(self.text.strip()):
            return SPENT.search(self.text) is not None and item.value > 1
        lone = item.form in ("zh", "digits") and len(written) == 1
        code = written.isdigit() and len(written) >= _CODE_DIGITS
        after = self.text[item.end : item.end + 1]
        return not (lone or code or item.form == "digits" or (after.isascii() and after.isalpha()))

    def _thing_at(self, at: int) -> bool:
        """Whether the name of a thing begins here: 25 晚餐 is no count of nights."""
        begin = at + (self.text[at : at + 1] == " ")
        return any(self.text[begin : begin + size] in DEFAULT.words for size in (2, 3, 4))

    def _has_fraction(self, item: Sum) -> bool:
        written = self.text[item.start : item.end]
        return written[-1] in "角毛分毫钱" or written.endswith("c")

    def _count_beside(self, item: Sum, found: list[Sum]) -> bool:
        """Whether a bare number counts something beside a sum with its currency."""
        if self.text[item.end - 1] in "万亿":
            return True
        later = next((s for s in found if s.start > item.start and s.currency), None)
        if later is None or item.fault or self._has_fraction(item):
            return False
        between = self.text[item.end : later.start]
        return bool(between) and all(is_han(char) for char in between)

    def _products(self, sums: list[Sum]) -> list[Sum]:
        """2x18 is one amount of 36."""
        match = TIMES.search(self.text)
        if match is None or self.masked[match.start()]:
            return sums
        inside = [s for s in sums if match.start() <= s.start < match.end()]
        if not inside:
            return sums
        product = Decimal(match.group(1)) * Decimal(match.group(2))
        end = max(match.end(), inside[-1].end)
        whole = replace(inside[-1], value=product, start=match.start(), end=end)
        return sorted([*(s for s in sums if s not in inside), whole], key=lambda s: s.start)

    def _without_slips(self, sums: list[Sum]) -> list[Sum]:
        """A sum that is taken back gives its place to the next: 打车30，不对，是35."""
        kept: list[Sum] = []
        for item in sums:
            if kept and _RATHER.fullmatch(self.text, kept[-1].end, item.start):
                currency = item.currency or kept[-1].currency
                kept[-1] = replace(item, start=kept[-1].start, currency=currency)
            else:
                kept.append(item)
        return kept

    def _without_total(self, sums: list[Sum]) -> list[Sum]:
        """A stated total is no entry beside its parts; parts that do not add up are asked."""
        if PART.search(self.text) and len(sums) > 1:
            self.doubt = "part_of_total"
            return sums
        totals = [s for s in sums if TOTAL.search(self.text[: s.start])]
        if len(totals) != 1 or len(sums) < _PARTS:
            return sums
        parts = [s for s in sums if s is not totals[0]]
        if sum((s.value for s in parts), Decimal(0)) == totals[0].value:
            return parts
        self.doubt = "parts_and_total_differ"
        return sums

    def _days(self, now: datetime, tz: ZoneInfo) -> list[tuple[int, date]]:
        """Places and days of the date words."""
        result = resolve_time(self.normal.source, now=now, tz=tz, mode="ledger")
        if result.status in ("ask", "reject"):
            reason = "future_date" if result.reason == "future" else result.reason
            self.doubt = self.doubt or reason
        bare = self._bare_parts()
        found: list[tuple[int, date]] = []
        for item in result.times:
            if item.start is None:
                continue
            if found and item.span[0] in bare:
                found.append((item.span[0], found[-1][1]))
            elif not _is_coarse(item):
                found.append((item.span[0], item.start.date()))
            elif item.end is None or not item.start <= now < item.end:
                self.doubt = self.doubt or "which_day"
        return found

    def _bare_parts(self) -> set[int]:
        """Places of times without a day: 晚上 after 昨天打车23 is the evening of that day."""
        return {
            self.normal.span(self.tokens[p.first].start, self.tokens[p.last - 1].end)[0]
            for p in self.phrases
            if p.slots is not None
            and (p.slots.part or p.slots.has_clock())
            and not p.slots.has_date()
        }

    def entries(self, default_currency: str, lexicon: Lexicon) -> tuple[AmountEntry, ...]:
        """The entries, in the order of the message."""
        found: list[AmountEntry] = []
        for index, item in enumerate(self.sums):
            clause = self._clause(index)
            open_side = not (clause.closed or item.currency)
            if open_side and not self._bare(clause.start, item.start):
                self.doubt = self.doubt or "count_or_amount"
            value, computed = self._value(item, clause, self._previous(index))
            span = self.normal.span(item.start, item.end)
            previous = self._previous(index)
            name, explained = self._item(item, clause, previous)
            if name.lower() in ("and", "") and found and found[-1].item and not item.currency:
                self.doubt = self.doubt or "count_or_amount"
            direction = self._direction(previous, clause.end if clause.closed else item.end)
            found.append(
                AmountEntry(
                    amount=_in_cents(value),
                    currency=item.currency or self._joined_currency(index) or default_currency,
                    direction=direction,
                    item=name,
                    category=_category(name, direction, lexicon),
                    span=span,
                    occurred_on=_day_for(span[0], self.days),
                    explained=explained,
                    computed=computed,
                )
            )
        return tuple(found)

    def _previous(self, index: int) -> int:
        return self.sums[index - 1].end if index else 0

    def _clause(self, index: int) -> _Clause:
        item, previous = self.sums[index], self._previous(index)
        following = self.sums[index + 1].start if index + 1 < len(self.sums) else len(self.text)
        before = self._joint(index - 1) if index else None
        start = before.end() if before else previous
        previous = start
        for match in CLAUSE.finditer(self.text, previous, item.start):
            if any(char.isalpha() for char in self.text[match.end() : item.start]):
                start = match.end()
        joint = self._joint(index)
        stop = CLAUSE.search(self.text, item.end, following) or joint or self._beside(index)
        closed = stop is not None or following == len(self.text)
        return _Clause(start, stop.start() if stop else following, closed)

    def _joint(self, index: int) -> re.Match[str] | None:
        """The "and" between a sum with its thing after it and the next: 30块的菜和20块的水果."""
        if index + 1 >= len(self.sums) or not _THING_AFTER.match(self.text, self.sums[index].end):
            return None
        return _JOINT.search(self.text, self.sums[index].end, self.sums[index + 1].start)

    def _beside(self, index: int) -> re.Match[str] | None:
        """The "and" between the last sum and a thing without one: 午饭35和奶茶."""
        end = self.sums[index].end
        match = _BESIDE.match(self.text, end) if index + 1 == len(self.sums) else None
        if match is None or not DEFAULT.knows(self._bare(match.end(), len(self.text))):
            return None
        return match

    def unpriced(self, lexicon: Lexicon) -> tuple[str, ...]:
        """The things told after a sum without one of their own; nothing when one is unknown."""
        found: list[str] = []
        for index in range(len(self.sums)):
            start = self._clause(index).end
            is_last = index + 1 == len(self.sums)
            stop = len(self.text) if is_last else self._clause(index + 1).start
            at = start
            for match in (*CLAUSE.finditer(self.text, start, stop), None):
                end = match.start() if match else stop
                joint = _BESIDE.match(self.text, at, end)
                name = self._bare(joint.end() if joint else at, end)
                if SPLIT.search(name.lower()):
                    return ()
                if name and not (len(name) <= _LONGEST_ITEM and lexicon.knows(name)):
                    return ()
                found.extend([name] if name else [])
                at = match.end() if match else stop
        return tuple(found)

    def _joined_currency(self, index: int) -> str:
        """The currency of the sum that a bare one is joined to by its thing."""
        return self.sums[index - 1].currency if index and self._joint(index - 1) else ""

    def _value(self, item: Sum, clause: _Clause, previous: int) -> tuple[Decimal, bool]:
        """The amount, and whether it was computed from a count."""
        if SHARE.search(self.text[previous : clause.end]):
            return item.value, False
        if SPLIT.search(self.text) and len(self.sums) == 1 and PEOPLE.search(self.text):
            self.doubt = self.doubt or "share_or_total"
            return item.value, False
        each = EACH_BEFORE.search(self.text[clause.start : item.start])
        after = EACH_AFTER.match(self.text, item.end)
        if each is None and after is None:
            return item.value, False
        limit = item.start if each is None else clause.start + each.start()
        counts = list(COUNT.finditer(self.text, previous, limit))
        if not counts:
            counts = list(
                COUNT.finditer(self.text, after.end() if after else item.end, clause.end)
            )
        number = read_number(counts[0].group(1), 0) if counts else None
        if number is None or number.value < 1:
            return item.value, False
        return item.value * number.value, number.value != 1

    def _item(self, item: Sum, clause: _Clause, previous: int) -> tuple[str, bool]:
        """What it was for, and whether that accounts for all words of the clause."""
        before = self._bare(clause.start, item.start)
        after = self._bare(item.end, clause.end) if clause.closed or not before else ""
        earlier = "" if before or after else self._bare(previous, clause.start)
        name = before or after or earlier
        explained = 0 < len(name) <= _LONGEST_ITEM and not (before and after)
        return name, explained

    def _bare(self, start: int, end: int) -> str:
        """The words of a stretch without times, counts and verbs of spending."""
        starts, ends, source = self.normal.starts, self.normal.ends, self.normal.source
        kept = (
            source[starts[i] : ends[i]] if not self.masked[i] else _HOLE for i in range(start, end)
        )
        text = _MENDED.sub("", COUNT.sub(_HOLE, "".join(kept))).replace(_HOLE, " ")
        text = re.sub(r" {2,}", " ", _NOISE.sub(" ", text)).strip()
        lead = LEAD.match(text.lower())
        text = text[lead.end() :] if lead else text
        if lead and text not in DEFAULT.words:
            text = _ONE_OF.sub("", text)
        if text.startswith("加") and not DEFAULT.match(text)[0].startswith("加"):
            text = text[1:] if DEFAULT.knows(text[1:]) else text
        tail = TAIL.search(text.lower())
        return (text[: tail.start()] if tail else text).strip(" 的：:")

    def _direction(self, start: int, end: int) -> Direction:
        text = self.text[start:end]
        return next((name for name, pattern in DIRECTIONS if pattern.search(text)), "expense")

    def explained(self, entries: tuple[AmountEntry, ...], lexicon: Lexicon) -> bool:
        """Whether every word is accounted for: known things with plain amounts, nothing else."""
        covered = [False] * len(self.text)
        for index in range(len(self.sums)):
            clause = self._clause(index)
            for at in range(clause.start, clause.end):
                covered[at] = True
        left = "".join(
            char for at, char in enumerate(self.text) if not (covered[at] or self.masked[at])
        )
        left = CLAUSE.sub(" ", left).strip(_NOTHING)
        if left and LEAD.fullmatch(left) is None and not self.unpriced(lexicon):
            return False
        return all(
            entry.explained and (lexicon.knows(entry.item) or entry.item.lower() == "aa")
            for entry in entries
        )


def _is_coarse(item: ResolvedTime) -> bool:
    """Whether a time is longer than a day, so that it does not say which."""
    if item.start is None:
        return False
    several = item.end is not None and item.end - item.start > timedelta(hours=25)
    return item.grain in _COARSE or several


def _in_cents(value: Decimal) -> Decimal:
    cents = value.quantize(_CENT) if value < Decimal(10) ** 20 else value
    return cents if cents == value else value


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
