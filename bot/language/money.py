"""What a message says about money: entries with direction, item, category and day."""

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.ledger import MINOR_DIGITS
from bot.core.patterns import regex
from bot.language.bookings import AmountEntry, Booking
from bot.language.categories import DEFAULT, Lexicon
from bot.language.filed_under import filed_under
from bot.language.money_words import CONDITION, MOVED, QUESTION, SPENT, WISH
from bot.language.reading import read
from bot.language.results import Status
from bot.language.spent_sums import SpentSums
from bot.language.sums import Sum

__all__ = [
    "MAX_AMOUNT",
    "MAX_ENTRIES",
    "AmountEntry",
    "AmountsResult",
    "names_currency",
    "resolve_amounts",
]

MAX_AMOUNT: Final = Decimal(10) ** 16
MAX_ENTRIES: Final = 20
_CENTS: Final = 2
_ANY_UNIT: Final = regex(
    r"[\d.,零一二两三四五六七八九十百千万半]+ ?[块元](?:钱|[\d零一二两三四五六七八九毛角分]*)"
)
"""How people say the unit of whatever currency is meant."""

_INCOMES: Final = frozenset({"salary", "other_income"})
_RATE: Final = regex(r"兑|汇率|换算|折合|exchange|convert|\brate\b")
"""Words of rates, which have decimals that no one pays."""

_ASKED: Final = regex(
    r"([贵多高值少亏])不\1(?:啊|呢|得|算)*[?.!]*$|百分之几|几成|占(?:比|了)?多少"
    r"|(?:吗|么(?<!什么)|了没有?|是不是|对不对)[?.!]*$"
    r"|^(?:did|do|does|have|has|was) (?:i|we|my)\b.*\d"
)
"""A sum in a question, which may be asked about and is not told."""

_ONLY_OPEN: Final = frozenset({"negative_amount", "share_or_total"})
"""What is left to be asked about where all words are understood."""

_THOUSANDS: Final = regex(r"\d,\d{3}(?:,\d{3})*\.\d")
"""A comma before the point: then the point is certainly a decimal one, and rounding is safe."""

_COMMA_LOCALES: Final = ("de", "fr", "es", "it", "pt", "nl")


@dataclass(frozen=True, slots=True)
class AmountsResult:
    """What a message says about money.

    Attributes:
        status: `ok`, `ask`, `reject` or `none`.
        reason: A stable key that says why it asks or refuses.
        entries: The entries; when it asks, what could be read so far.
        complete: The grammar explains the message to the last word; with a question, only a
            sign or whose share it is is left to be asked about.
        unpriced: Things told beside the entries without a sum of their own.
    """

    status: Status
    reason: str = ""
    entries: tuple[AmountEntry, ...] = ()
    complete: bool = False
    unpriced: tuple[str, ...] = ()


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
    before, key = filed_under(read(text).normal)
    if key:
        filed = _resolved(before, now, tz, locale, default_currency, lexicon)
        if len(filed.entries) == 1 and _suits(key, filed.entries[0]):
            return replace(filed, entries=(replace(filed.entries[0], category=key),))
    return _resolved(text, now, tz, locale, default_currency, lexicon)


def _suits(category: str, entry: AmountEntry) -> bool:
    """Whether money of that way can be filed so."""
    return (category in _INCOMES) == (entry.direction == "income")


def _resolved(  # noqa: PLR0917  # those of `resolve_amounts`
    text: str, now: datetime, tz: ZoneInfo, locale: str, default_currency: str, lexicon: Lexicon
) -> AmountsResult:
    message = read(text)
    normal = message.normal
    if MOVED.match(normal.text):
        return AmountsResult("none")
    booking = Booking(message, now, tz)
    spent = SPENT.search(normal.text) is not None
    doubtful = bool(QUESTION.search(normal.text) or WISH.search(normal.text))
    if not booking.sums:
        missing = spent and not doubtful
        return AmountsResult("ask", "no_amount") if missing else AmountsResult("none")
    if len(booking.sums) > MAX_ENTRIES:
        return AmountsResult("reject", "too_many_entries")
    entries = booking.entries(default_currency, lexicon)
    if any(entry.amount >= MAX_AMOUNT for entry in entries):
        return AmountsResult("reject", "too_large", entries)
    reason = next((fault for item in booking.sums if (fault := _fault(item, locale))), "")
    reason = reason or booking.doubt
    wished = WISH.search(normal.text) is not None and not spent
    if not reason and (wished or CONDITION.search(normal.text)):
        reason = "not_spent"
    if not reason and _ASKED.search(normal.text.strip()):
        reason = "asked_or_told"
    if not _RATE.search(normal.text):
        rounded = tuple(_in_minor_units(entry) for entry in entries)
        if rounded != entries and not _THOUSANDS.search(normal.text):
            reason = reason or "sub_minor"
        entries = rounded
    complete = not doubtful and not normal.cut and booking.explained(entries, lexicon)
    if reason:
        known = reason in _ONLY_OPEN and complete
        return AmountsResult("ask", reason, entries, known)
    return AmountsResult("ok", "", entries, complete, booking.unpriced(lexicon))


def names_currency(text: str) -> bool:
    """Whether a sum of a text has a currency of its own, more than 块."""
    message = read(text)
    sums = SpentSums(message).sums
    return any(s.currency and not _ANY_UNIT.fullmatch(message.text, s.start, s.end) for s in sums)


def _in_minor_units(entry: AmountEntry) -> AmountEntry:
    """The entry with an amount in whole cents, where its currency has cents."""
    if MINOR_DIGITS.get(entry.currency, _CENTS) != _CENTS or entry.amount >= MAX_AMOUNT:
        return entry
    rounded = entry.amount.quantize(Decimal(1).scaleb(-_CENTS), ROUND_HALF_UP)
    return entry if rounded == entry.amount else replace(entry, amount=rounded)


def _fault(item: Sum, locale: str) -> str:
    if item.negative:
        return "negative_amount"
    if item.fault == "decimal_comma" and locale[:2] not in _COMMA_LOCALES:
        return item.fault
    if item.fault == "range":
        return "range"
    if item.approximate:
        return "approximate"
    return "zero_amount" if item.value == 0 else ""
