"""The entries of one message: what each sum was for, counts, shares and days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.categories import DEFAULT, OTHER, Lexicon
from bot.language.counted import counted
from bot.language.each_of import EACH, each_of
from bot.language.entry_days import day_for
from bot.language.money_words import (
    CLAUSE,
    DIRECTIONS,
    HALVES,
    LEAD,
    PEOPLE,
    SHARE,
    SPLIT,
    Direction,
    without_petrol,
)
from bot.language.normalize import is_han
from bot.language.others_paid import others_paid
from bot.language.paid_back import paid_back
from bot.language.reading import Reading
from bot.language.results import ResolvedTime
from bot.language.spent_sums import SpentSums
from bot.language.sum_clauses import Clause, SumClauses
from bot.language.sums import Sum
from bot.language.times import resolve_time
from bot.language.unpriced import LONGEST_ITEM, unpriced

_PAY_SLIP: Final = regex(r"(?:工资|薪水|奖金|税前).*(?:到手|税后|实发)")
"""Pay before and after what is taken off it: which of the sums came is for the person to say."""

_LOAN: Final = regex(r"(?:^|[,;。我天 ])借了(?!.{1,6}给)[一-鿿]{1,4} ?\d")
"""借 is both to lend and to borrow; who gave is not said."""

_EXCHANGE: Final = regex(r"换了|换汇|兑换|换成|\bexchanged\b")
"""Of one currency changed into another both sums are told."""

_RATHER: Final = regex(r"不对|错了|(?:说|记|写)错|口误|\bwait\b|\bsorry\b|i mean")
"""What stands before it is said once more, and otherwise."""

_AT_EACH: Final = regex(r"\b\d{1,2} [a-z]+s (?:at|@) ?[$£€]?\d+(?:\.\d+)?$")
"""A price for each, or a time of day."""

_COARSE: Final = frozenset({"week", "month", "quarter", "year"})
_CENT: Final = Decimal("0.01")
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


_DECIMAL: Final = regex(r"\d{1,2}\.\d{1,2}")


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
        spent = SpentSums(message)
        self.sums, self.masked, self.doubt = spent.sums, spent.masked, spent.doubt
        self.clauses = SumClauses(message.normal, spent)
        self.days = self._days(now, tz) if self.sums else []

    def _days(self, now: datetime, tz: ZoneInfo) -> list[tuple[int, date]]:
        """Places and days of the date words."""
        source = self._without_decimals(without_petrol(self.normal.source))
        result = resolve_time(source, now=now, tz=tz, mode="ledger")
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

    def _without_decimals(self, source: str) -> str:
        """The text with blanks for sums that look like dates: 12.5 is no day of December."""
        for item in self.sums:
            if _DECIMAL.fullmatch(self.text, item.start, item.end):
                first, last = self.normal.span(item.start, item.end)
                source = source[:first] + " " * (last - first) + source[last:]
        return source

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
        sums = [self.normal.span(item.start, item.end) for item in self.sums]
        for index, item in enumerate(self.sums):
            clause = self.clauses.clause(index)
            open_side = not (clause.closed or item.currency)
            if open_side and not self.clauses.bare(clause.start, item.start):
                self.doubt = self.doubt or "count_or_amount"
            value, computed = self._value(item, clause, self.clauses.previous(index))
            span = sums[index]
            previous = self.clauses.previous(index)
            name, explained = self._item(item, clause, previous)
            if name.lower() in ("and", "") and found and found[-1].item and not item.currency:
                self.doubt = self.doubt or "count_or_amount"
            direction = self._direction(index, clause)
            if direction == "expense" and name and paid_back(self.text[item.end :]) == "done":
                self.doubt = self.doubt or "paid_back"
            names = self._each_of(index, lexicon) or (name,)
            if self._is_rather(index, names, found):
                found = [entry for entry in found if entry.item != name]
            found.extend(
                AmountEntry(
                    amount=_in_cents(value),
                    currency=item.currency or self._joined_currency(index) or default_currency,
                    direction=direction,
                    item=each,
                    category=_category(each, direction, lexicon),
                    span=span,
                    occurred_on=day_for(span, sums, self.days, self.normal.source),
                    explained=explained or len(names) > 1,
                    computed=computed,
                )
                for each in names
            )
        self.doubt = self.doubt or self._doubt_of_all(found)
        return tuple(found)

    def _doubt_of_all(self, found: Sequence[AmountEntry]) -> str:
        """Why the entries are asked about though each of them is clear; "" where they are not."""
        if _AT_EACH.search(self.text):
            return "count_or_amount"
        spent = [entry for entry in found if entry.direction == "expense"]
        if not spent:
            return ""
        currencies = {entry.currency for entry in found}
        changed = len(currencies) > 1 and _EXCHANGE.search(self.text) is not None
        if len(found) > 1 and (changed or _PAY_SLIP.search(self.text)):
            return "part_of_total"
        if len(found) == 1 and _LOAN.search(self.text):
            return "lent_or_borrowed"
        return "others_paid" if others_paid(self.text) else ""

    def _each_of(self, index: int, lexicon: Lexicon) -> tuple[str, ...]:
        """The things that each cost that sum; none where it is the price of one."""
        several = each_of(self.clauses, index, lexicon)
        start, end = self.clauses.previous(index), self.sums[index].start
        if several is None:
            one = not (EACH.search(self.text, start, end) and self._on_several_days(start, end))
            self.doubt = self.doubt or ("" if one else "each_or_all")
            return ()
        self.masked[several.start : end] = [True] * (end - several.start)
        if not several.names or self._on_several_days(several.start, end):
            self.doubt = self.doubt or "each_or_all"
        return several.names

    def _is_rather(self, index: int, names: Sequence[str], found: Sequence[AmountEntry]) -> bool:
        """Whether an entry is said once more with its right sum: 咖啡18，不对，咖啡是20."""
        if len(names) > 1 or not any(entry.item == names[0] for entry in found):
            return False
        start, end = self.clauses.previous(index), self.sums[index].start
        return _RATHER.search(self.text, start, end) is not None

    def _on_several_days(self, start: int, end: int) -> bool:
        """Whether a stretch names several days: 昨天和今天午饭各30."""
        if start >= end:
            return False
        first, last = self.normal.span(start, end)
        return sum(first <= place < last for place, _ in self.days) > 1

    def unpriced(self, lexicon: Lexicon) -> tuple[str, ...]:
        """The things told after a sum without one of their own."""
        return unpriced(self.clauses, lexicon)

    def _joined_currency(self, index: int) -> str:
        """The currency of the sum that a bare one is joined to by its thing."""
        return self.sums[index - 1].currency if index and self.clauses.joint(index - 1) else ""

    def _value(self, item: Sum, clause: Clause, previous: int) -> tuple[Decimal, bool]:
        """The amount, and whether it was computed from a count."""
        alone = len(self.sums) == 1
        if alone and HALVES.search(self.text) and "我出" not in self.text:
            self.doubt = self.doubt or "share_or_total"
            return item.value, False
        if SHARE.search(self.text[previous : clause.end]):
            return item.value, False
        if alone and SPLIT.search(self.text) and PEOPLE.search(self.text):
            self.doubt = self.doubt or "share_or_total"
            return item.value, False
        return counted(self.text, item, clause, previous, alone=alone)

    def _item(self, item: Sum, clause: Clause, previous: int) -> tuple[str, bool]:
        """What it was for, and whether that accounts for all words of the clause."""
        before = self.clauses.bare(clause.start, item.start)
        after = self.clauses.bare(item.end, clause.end) if clause.closed or not before else ""
        earlier = "" if before or after else self.clauses.bare(previous, clause.start)
        name = before or after or earlier
        if before and after and DEFAULT.knows(after) and not DEFAULT.knows(before):
            name = f"{before}{after}" if is_han(after[0]) else f"{before} {after}"
        explained = 0 < len(name) <= LONGEST_ITEM and not (before and after)
        return name, explained

    def _direction(self, index: int, clause: Clause) -> Direction:
        item, start = self.sums[index], self.clauses.previous(index)
        if start and paid_back(self.text[start:]):  # said of the sum before
            start = clause.start
        is_named = bool(self.clauses.bare(start, item.start))
        ends = not clause.closed or (is_named and paid_back(self.text[item.end :]))
        text = self.text[start : item.end if ends else clause.end]
        return next((name for name, pattern in DIRECTIONS if pattern.search(text)), "expense")

    def explained(self, entries: tuple[AmountEntry, ...], lexicon: Lexicon) -> bool:
        """Whether every word is accounted for: known things with plain amounts, nothing else."""
        covered = [False] * len(self.text)
        for index in range(len(self.sums)):
            clause = self.clauses.clause(index)
            for at in range(clause.start, clause.end):
                covered[at] = True
        left = "".join(
            char for at, char in enumerate(self.text) if not (covered[at] or self.masked[at])
        )
        left = SPLIT.sub(" ", CLAUSE.sub(" ", left)).strip(_NOTHING)
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
    word, found = lexicon.match(name)
    if direction == "expense" and found == "other_income" and word not in lexicon.overlay:
        return OTHER
    if direction == "income" and found not in ("salary", "other_income"):
        return "other_income"
    return found
