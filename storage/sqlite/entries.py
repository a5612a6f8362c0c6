"""Ledger entries as rows: every statement names the book."""

import sqlite3
from datetime import date

from bot.core.errors import NotFoundError
from bot.core.ledger import Direction, Entry, EntryFilter
from bot.language.normalize import folded
from storage.instants import from_micros, to_micros
from storage.names import parts_of_name

_BEFORE_ALL_DATES = "0000"
_AFTER_ALL_DATES = "9999-99"

_PART = "      AND instr(item_folded, :part_0)\n"
"""Stands in each statement for as many of it as there are parts; see `for_parts`."""

NEWEST_FIRST = """
    SELECT * FROM entries
    WHERE book_id = :book_id AND voided = 0
      AND occurred_on >= :since AND occurred_on < :until
      AND (:direction IS NULL OR direction = :direction)
      AND (:category IS NULL OR category = :category)
      AND (:currency IS NULL OR currency = :currency)
      AND instr(item_folded, :part_0)
    ORDER BY occurred_on DESC, created_at DESC, rowid DESC
    LIMIT :limit
"""

BY_AMOUNT = """
    SELECT * FROM entries
    WHERE book_id = :book_id AND voided = 0
      AND occurred_on >= :since AND occurred_on < :until
      AND (:direction IS NULL OR direction = :direction)
      AND (:category IS NULL OR category = :category)
      AND (:currency IS NULL OR currency = :currency)
      AND instr(item_folded, :part_0)
    ORDER BY minor * :sign, occurred_on DESC, created_at DESC, rowid DESC
    LIMIT :limit
"""

LAST_WRITTEN_FIRST = """
    SELECT * FROM entries
    WHERE book_id = :book_id AND voided = 0
      AND +occurred_on >= :since AND +occurred_on < :until
      AND (:direction IS NULL OR direction = :direction)
      AND (:category IS NULL OR category = :category)
      AND (:currency IS NULL OR currency = :currency)
      AND instr(item_folded, :part_0)
    ORDER BY created_at DESC, rowid DESC
    LIMIT :limit
"""
"""The plus signs keep the dates from choosing the index: the order of writing has its own."""

TOTALS = """
    SELECT currency, direction, iif(:by_category, category, '') AS grouped,
      sum(minor) AS minor, count(*) AS entries
    FROM entries
    WHERE book_id = :book_id AND voided = 0
      AND occurred_on >= :since AND occurred_on < :until
      AND (:direction IS NULL OR direction = :direction)
      AND (:category IS NULL OR category = :category)
      AND (:currency IS NULL OR currency = :currency)
      AND instr(item_folded, :part_0)
    GROUP BY currency, direction, grouped
    ORDER BY 4 DESC, currency, direction, grouped
"""


def for_parts(query: str, wanted: EntryFilter) -> str:
    """Return a statement with a condition for each part of the name that is wanted."""
    count = len(parts_of_name(wanted))
    return query.replace(_PART, "".join(_PART.replace("0", str(n)) for n in range(count)))


def conditions(book_id: str, wanted: EntryFilter) -> dict[str, str | int | None]:
    """Return the values of the statements' placeholders; an item is found in any spelling."""
    parts = parts_of_name(wanted)
    return {
        **{f"part_{n}": part for n, part in enumerate(parts)},
        "book_id": book_id,
        "since": _BEFORE_ALL_DATES if wanted.since is None else wanted.since.isoformat(),
        "until": _AFTER_ALL_DATES if wanted.until is None else wanted.until.isoformat(),
        "direction": wanted.direction,
        "category": wanted.category,
        "currency": wanted.currency,
    }


def insert(connection: sqlite3.Connection, entry: Entry) -> None:
    """Write a new entry."""
    connection.execute(
        "INSERT INTO entries (entry_id, book_id, author_id, minor, currency, direction, item,"
        " item_folded, category, occurred_on, note, source, created_at, revision, voided)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.entry_id,
            entry.book_id,
            entry.author_id,
            entry.minor,
            entry.currency,
            entry.direction,
            entry.item,
            folded(entry.item),
            entry.category,
            entry.occurred_on.isoformat(),
            entry.note,
            entry.source,
            to_micros(entry.created_at),
            entry.revision,
            entry.voided,
        ),
    )


def store(connection: sqlite3.Connection, entry: Entry) -> None:
    """Write what may change of an entry."""
    connection.execute(
        "UPDATE entries SET minor = ?, currency = ?, direction = ?, item = ?, item_folded = ?,"
        " category = ?, occurred_on = ?, note = ?, revision = ?, voided = ?"
        " WHERE book_id = ? AND entry_id = ?",
        (
            entry.minor,
            entry.currency,
            entry.direction,
            entry.item,
            folded(entry.item),
            entry.category,
            entry.occurred_on.isoformat(),
            entry.note,
            entry.revision,
            entry.voided,
            entry.book_id,
            entry.entry_id,
        ),
    )


def load(connection: sqlite3.Connection, book_id: str, entry_id: str) -> Entry | None:
    """Return the entry if it is in this book."""
    row = connection.execute(
        "SELECT * FROM entries WHERE book_id = ? AND entry_id = ?", (book_id, entry_id)
    ).fetchone()
    return read_entry(row) if row else None


def existing(
    connection: sqlite3.Connection, book_id: str, entry_id: str, *, voided: bool | None = None
) -> Entry:
    """Return the entry.

    Raises:
        NotFoundError: it is not in this book, or not in the ``voided`` state that is asked for.
    """
    entry = load(connection, book_id, entry_id)
    if entry is None or voided not in (None, entry.voided):
        raise NotFoundError(f"no entry {entry_id}")
    return entry


def read_entry(row: sqlite3.Row) -> Entry:
    """Return the entry of a row."""
    return Entry(
        entry_id=row["entry_id"],
        book_id=row["book_id"],
        author_id=row["author_id"],
        minor=row["minor"],
        currency=row["currency"],
        direction=Direction(row["direction"]),
        item=row["item"],
        category=row["category"],
        occurred_on=date.fromisoformat(row["occurred_on"]),
        note=row["note"],
        source=row["source"],
        created_at=from_micros(row["created_at"]),
        revision=row["revision"],
        voided=bool(row["voided"]),
    )
