"""Which numbers of a message are sums of money that was spent or came in."""

import re
from dataclasses import replace
from decimal import Decimal
from itertools import zip_longest
from typing import Final

from bot.core.patterns import regex
from bot.language.categories import DEFAULT
from bot.language.final_prices import comes_to, reckoned
from bot.language.money_words import (
    COUNT_EN,
    DISCOUNT,
    EACH_AFTER,
    MODEL_BEFORE,
    NOT_MONEY_AFTER,
    NOT_MONEY_BEFORE,
    PART,
    PETROL,
    SHARE,
    SHARED_BY,
    SPENT,
    SPLIT,
    SPLIT_WAYS,
    TAKEN_OFF,
    TIMES,
    TOTAL,
)
from bot.language.normalize import is_han
from bot.language.reading import Reading
from bot.language.sums import Sum, find_sums
from bot.language.tokens import ADDRESS

_CODE_DIGITS: Final = 9
_MOST_PEOPLE: Final = 30
_LEAST_PRICE: Final = 100
_LEAST_SURE: Final = 5
_FIRST_YEAR: Final = 2000
_LAST_YEAR: Final = 2035
_LOOK_BACK: Final = 12
_PARTS: Final = 3
_PLUS: Final = regex(r" ?(?:\+|加|plus) ?")
_CLAUSE_ENDS: Final = regex(r" ?(?:[,;。!、]|$)")
_WHOLE_CENTS: Final = regex(r"\s*[\d一二两三四五六七八九十]+分钱?\s*")
_RATHER: Final = regex(
    r"[ ,;。.!~哦啊呃]*(?:(?:不对|错了|(?:说|记|写|打)错了?|口误)"
    r"[ ,;。.!~哦啊]*(?:应该|其实)?(?:而?是)?"
    r"|不是[ ,;。.]*(?:应该|而)?是|(?:no,? wait|wait,? no|sorry|i mean|make that|correction),?"
    r"(?: (?:it'?s|it was|i meant?))?) *",
    re.IGNORECASE,
)
_INSTEAD: Final = regex(r"(?:[a-z\d] not|instead of|rather than|而不是|而非) ?[$¥€£]?$")
"""What stands behind it is the sum that it was not."""

_REALLY_PAID: Final = regex(
    r"[ ,块元钱]*(?:(?:满减|立减|减了?|优惠了?|便宜了?|抵扣?了?|券|打|用券)"
    r"[\d.一二三四五六七八九十]*[折块元]*[ ,]*(?:后|以后|之后)?)*"
    r"(?:实付|实际(?:付|花|支付)了?|到手价?|折后价?|券后价?|优惠后|最后(?:付|花)了?|只[付花]了)+"
    r"[是:了]* *"
)
"""The price before a discount stands before it: 外卖25减5实付20 is one sum of 20."""

_CENT: Final = Decimal("0.01")
_SHARED: Final = regex(
    r"(?:[ ,;:.、的了钱块元]|aa制?|平摊|平分|分摊|均摊|后|每人|人均|每个人|一人|我的那份"
    r"|我出了?|我付了?|各付|各|是|花了?|(?:\d+|[两二三四五六七八九十]+)(?:个人|人|位)"
    r"|split|between|(?:two|three|four|five|six|\d) (?:ways|of us|people)|each|per person"
    r"|my share|was|is)*"
)
"""All that may stand between a whole and the share of it."""

_OWN: Final = regex(r"我出|我付|我的那份|my share")
_BETWEEN: Final = regex(r"\bbetween .{1,12}? and ")


class SpentSums:
    """The sums of one message.

    Attributes:
        sums: The sums, in the order of the message.
        masked: Which characters are time, a discount or an address.
        doubt: A reason to ask, "" for none.
    """

    def __init__(self, message: Reading) -> None:
        """Find the sums of a message."""
        self.text = message.text
        self.tokens = message.tokens
        self.phrases = message.phrases
        self.doubt = ""
        self.masked = [False] * len(self.text)
        self._mask()
        self.sums = [
            self._reckoned(item)
            for item in self._shares(self._without_total(self._without_slips(self._find())))
        ]

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
        for pattern in (DISCOUNT, ADDRESS, PETROL, SPLIT_WAYS):
            for match in pattern.finditer(self.text):
                self.masked[match.start() : match.end()] = [True] * (match.end() - match.start())

    def _find(self) -> list[Sum]:
        if _BETWEEN.search(self.text):
            self.doubt = "range"
        found = [item for item in find_sums(self.text, self.masked) if self._is_money(item)]
        if any(item.currency for item in found):
            found = [s for s in found if s.currency or not self._count_beside(s, found)]
        return self._products(self._added(self._without_counts(found)))

    def _without_counts(self, found: list[Sum]) -> list[Sum]:
        """Without the number of things whose price for each is told; it is no part of a name."""
        kept: list[Sum] = []
        for item, later in zip_longest(found, found[1:]):
            each = later is not None and EACH_AFTER.match(self.text, later.end)
            if each and not item.currency and COUNT_EN.match(self.text, item.start):
                self.masked[item.start : item.end] = [True] * (item.end - item.start)
            else:
                kept.append(item)
        return kept

    def _is_money(self, item: Sum) -> bool:
        before = self.text[max(0, item.start - _LOOK_BACK) : item.start]
        if TAKEN_OFF.search(before) or _INSTEAD.search(before):
            return False
        if item.currency or item.fault or self._has_fraction(item):
            return True
        written = self.text[item.start : item.end]
        counts = NOT_MONEY_AFTER.match(self.text, item.end) and not self._thing_at(item.end)
        if counts or NOT_MONEY_BEFORE.search(before):
            return False
        if MODEL_BEFORE.search(before) and not self._is_price(item):
            return False
        if item.form == "en" and len(written) < len(self.text.strip()):
            return SPENT.search(self.text) is not None and item.value > 1
        lone = item.form in ("zh", "digits") and len(written) == 1
        code = written.isdigit() and len(written) >= _CODE_DIGITS
        after = self.text[item.end : item.end + 1]
        if TIMES.match(self.text, item.start):
            return True
        if item.value <= _MOST_PEOPLE and SHARED_BY.search(before) and SPLIT.search(self.text):
            return False
        return not (lone or code or item.form == "digits" or (after.isascii() and after.isalpha()))

    @staticmethod
    def _is_price(item: Sum) -> bool:
        """Whether a number after a product is too large for a model and is no year of it."""
        return item.value >= _LEAST_PRICE and not _FIRST_YEAR <= item.value <= _LAST_YEAR

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
        if not between or not all(is_han(char) for char in between):
            return False
        if not self._thing_before(item.start):
            return True
        if not DEFAULT.knows(between) or item.value < _LEAST_SURE:
            self.doubt = self.doubt or "count_or_amount"
        return False

    def _thing_before(self, at: int) -> bool:
        """Whether the name of a thing ends here, whose price the number is: 午饭25打车20块."""
        end = at - (self.text[at - 1 : at] == " ")
        return any(self.text[max(0, end - n) : end] in DEFAULT.words for n in (2, 3, 4))

    def _added(self, sums: list[Sum]) -> list[Sum]:
        """5+10 at the end of a clause is one amount of 15; alone it is a piece of arithmetic."""
        kept: list[Sum] = []
        for item in sums:
            if kept and self._is_added(kept[-1], item):
                value, currency = kept[-1].value + item.value, kept[-1].currency or item.currency
                kept[-1] = replace(item, value=value, start=kept[-1].start, currency=currency)
            else:
                kept.append(item)
        whole = len(kept) == 1 and self.text[kept[0].start : kept[0].end] == self.text.strip()
        ends = all(k in sums or _CLAUSE_ENDS.match(self.text, k.end) for k in kept)
        return kept if ends and not whole else sums

    def _is_added(self, before: Sum, item: Sum) -> bool:
        between = self.text[before.end : item.start]
        plus = _PLUS.fullmatch(between) or (not between.strip() and self.text[item.start] == "+")
        alike = not (before.currency and item.currency) or before.currency == item.currency
        return bool(plus) and alike and not (before.fault or item.fault or item.negative)

    def _products(self, sums: list[Sum]) -> list[Sum]:
        """2x18 is one amount of 36."""
        for match in TIMES.finditer(self.text):
            inside = [s for s in sums if match.start() <= s.start < match.end()]
            if not inside or self.masked[match.start()]:
                continue
            product = Decimal(match.group(1)) * Decimal(match.group(2))
            end = max(match.end(), inside[-1].end)
            whole = replace(inside[-1], value=product, start=match.start(), end=end)
            sums = sorted([*(s for s in sums if s not in inside), whole], key=lambda s: s.start)
        return sums

    def _without_slips(self, sums: list[Sum]) -> list[Sum]:
        """A sum taken back, or a price before a discount, gives its place to the next sum."""
        kept: list[Sum] = []
        for item in sums:
            between = (kept[-1].end, item.start) if kept else (0, 0)
            if kept and (
                _RATHER.fullmatch(self.text, *between)
                or _REALLY_PAID.fullmatch(self.text, *between)
                or comes_to(kept[-1], item, self.text)
            ):
                currency = item.currency or kept[-1].currency
                kept[-1] = replace(item, start=kept[-1].start, currency=currency)
            else:
                kept.append(item)
        return kept

    def _reckoned(self, item: Sum) -> Sum:
        """A sum with what is taken off or put on it, which is asked about: 外卖25减5."""
        right = reckoned(item, self.text)
        if right is None:
            return item
        self.doubt = self.doubt or "final_price"
        end = right.end
        self.masked[item.end : end] = [True] * (end - item.end)
        return replace(right, end=item.end)

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
            whole = totals[0]
            self.masked[whole.start : whole.end] = [True] * (whole.end - whole.start)
            return parts
        self.doubt = "parts_and_total_differ"
        return sums

    def _shares(self, sums: list[Sum]) -> list[Sum]:
        """A whole and one's own share of it are one entry of the share: 午饭35，AA每人17.5."""
        kept: list[Sum] = []
        for item in sums:
            whole = kept[-1] if kept else None
            if whole is None or not self._is_share(whole, item):
                kept.append(item)
                continue
            if not (_goes_into(item, whole) or _OWN.search(self.text, whole.end, item.start)):
                self.doubt = self.doubt or "share_or_total"
            currency = item.currency or whole.currency
            kept[-1] = replace(item, start=whole.start, currency=currency)
        return kept

    def _is_share(self, whole: Sum, item: Sum) -> bool:
        """Whether a sum is what one of several paid of the one before it, with no other name."""
        if item.value >= whole.value or (item.currency or whole.currency) != (
            whole.currency or item.currency
        ):
            return False
        between = self.text[whole.end : item.start]
        said = _SHARED.fullmatch(between)
        return said is not None and bool(SHARE.search(between) or SHARE.match(self.text, item.end))


def _goes_into(share: Sum, whole: Sum) -> bool:
    """Whether a number of people paid the whole by that share, give or take a cent each."""
    people = round(whole.value / share.value) if share.value else 0
    return people > 1 and abs(share.value * people - whole.value) <= _CENT * people
