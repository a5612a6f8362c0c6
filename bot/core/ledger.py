"""The ledger: books, entries, totals. Money is an integer count of minor units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from bot.core.changes import given
from bot.core.effects import Effect
from bot.core.ids import derived_id

MINOR_DIGITS: Mapping[str, int] = {"JPY": 0, "KRW": 0, "VND": 0, "KWD": 3, "BHD": 3}
"""Decimal places of currencies that do not have two (ISO 4217)."""

MAX_MINOR = 10**13
"""Largest amount of one entry, in minor units."""


class Direction(StrEnum):
    """Which way the money went, as seen by the person."""

    EXPENSE = "expense"
    INCOME = "income"
    REFUND = "refund"
    TRANSFER = "transfer"
    LEND = "lend"
    BORROW = "borrow"


def to_minor(amount: Decimal, currency: str) -> int:
    """Return ``amount`` in minor units of ``currency``.

    Raises:
        ValueError: more decimals than the currency has, not positive, or too large.
    """
    scaled = amount.scaleb(MINOR_DIGITS.get(currency, 2))
    if scaled != scaled.to_integral_value():
        raise ValueError("too many decimals")
    minor = int(scaled)
    if not 0 < minor <= MAX_MINOR:
        raise ValueError("out of range")
    return minor


def from_minor(minor: int, currency: str) -> Decimal:
    """Return minor units as an amount with the currency's decimals."""
    return Decimal(minor).scaleb(-MINOR_DIGITS.get(currency, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDraft:
    """An entry to be written.

    Attributes:
        minor: amount in minor units, positive; `direction` carries the sign.
        category: stable key of the category list in `bot.language`.
        occurred_on: the person's local date.
        source: ``typed``, ``receipt``, ``recurring``.
    """

    minor: int
    currency: str
    direction: Direction
    item: str
    category: str
    occurred_on: date
    note: str = ""
    source: str = "typed"

    def made(self, book_id: str, author_id: str, effect: Effect, ordinal: int) -> "Entry":
        """Return the entry that this effect makes of the draft, the same at every run."""
        return Entry(
            entry_id=derived_id("e", effect.effect_id, ordinal),
            book_id=book_id,
            author_id=author_id,
            minor=self.minor,
            currency=self.currency,
            direction=self.direction,
            item=self.item,
            category=self.category,
            occurred_on=self.occurred_on,
            note=self.note,
            source=self.source,
            created_at=effect.at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A stored entry; `revision` rises with every change, `voided` is a deletion with Undo."""

    entry_id: str
    book_id: str
    author_id: str
    minor: int
    currency: str
    direction: Direction
    item: str
    category: str
    occurred_on: date
    note: str
    source: str
    created_at: datetime
    revision: int = 1
    voided: bool = False

    @property
    def amount(self) -> Decimal:
        """The amount with the currency's decimals."""
        return from_minor(self.minor, self.currency)

    def changed(self, change: "EntryChange") -> "Entry":
        """Return the next revision with what the change names."""
        return replace(self, **given(change), revision=self.revision + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChange:
    """What to change of an entry; None leaves a field."""

    minor: int | None = None
    currency: str | None = None
    direction: Direction | None = None
    item: str | None = None
    category: str | None = None
    occurred_on: date | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFilter:
    """Which entries; `since` inclusive and `until` exclusive are local dates.

    Attributes:
        item: a part of the name, in any spelling.
        also: other parts that the name has as well.
        currency: ISO code.
    """

    since: date | None = None
    until: date | None = None
    direction: Direction | None = None
    category: str | None = None
    item: str | None = None
    also: tuple[str, ...] = ()
    currency: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """A sum; `category` is empty unless totals were asked for by category."""

    currency: str
    direction: Direction
    category: str
    minor: int
    count: int


class Ledger(Protocol):
    """Books and entries. Every method acts on the personal book of the named person."""

    async def append(
        self, person_id: str, drafts: Sequence[EntryDraft], *, effect: Effect
    ) -> tuple[Entry, ...]:
        """Write all drafts or none; return the entries in the same order."""
        ...

    async def update(
        self, person_id: str, entry_id: str, *, revision: int, change: EntryChange, effect: Effect
    ) -> Entry:
        """Change an entry.

        Raises:
            ConflictError: the entry is not in this revision any more.
            NotFoundError: no such entry of this person, or it is voided.
        """
        ...

    async def void(
        self, person_id: str, entry_ids: Sequence[str], *, effect: Effect
    ) -> tuple[Entry, ...]:
        """Take entries out of every list and total; return those that were still in.

        Raises:
            NotFoundError: an id is not an entry of this person.
        """
        ...

    async def restore(
        self, person_id: str, entry_ids: Sequence[str], *, effect: Effect
    ) -> tuple[Entry, ...]:
        """Undo `void`; return those that had been out.

        Raises:
            NotFoundError: an id is not an entry of this person.
        """
        ...

    async def get(self, person_id: str, entry_id: str) -> Entry | None:
        """Return the entry, voided or not."""
        ...

    async def find(self, person_id: str, wanted: EntryFilter, *, limit: int) -> tuple[Entry, ...]:
        """Return entries that are not voided, the latest day first."""
        ...

    async def latest(
        self, person_id: str, wanted: EntryFilter, *, limit: int
    ) -> tuple[Entry, ...]:
        """Return entries that are not voided, the last written first."""
        ...

    async def by_amount(
        self, person_id: str, wanted: EntryFilter, *, limit: int, smallest: bool = False
    ) -> tuple[Entry, ...]:
        """Return entries that are not voided, the largest amount first, or the smallest."""
        ...

    async def totals(
        self, person_id: str, wanted: EntryFilter, *, by_category: bool = False
    ) -> tuple[Total, ...]:
        """Return exact sums by currency and direction (and category), largest first."""
        ...

    async def learned_categories(self, person_id: str) -> Mapping[str, str]:
        """Return item -> category from the person's own corrections."""
        ...

    async def learn_category(
        self, person_id: str, item: str, category: str, *, effect: Effect
    ) -> None:
        """Remember that the person files ``item`` under ``category``."""
        ...
