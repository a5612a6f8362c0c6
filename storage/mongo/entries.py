"""Ledger entries as rows: every request names the book."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from bot.core.ledger import Direction, Entry, EntryFilter
from bot.language.normalize import folded
from storage.instants import from_micros, to_micros
from storage.mongo.driver import Row
from storage.names import parts_of_name

NEWEST_FIRST = [("occurred_on", -1), ("created_at", -1), ("sequence", -1)]
LAST_WRITTEN_FIRST = [("created_at", -1), ("sequence", -1)]


def matching(book_id: str, wanted: EntryFilter) -> Mapping[str, Any]:
    """Return the filter for entries that are not voided; an item is found in any spelling."""
    filters: dict[str, Any] = {"book_id": book_id, "voided": False}
    days = {
        operator: day.isoformat()
        for operator, day in (("$gte", wanted.since), ("$lt", wanted.until))
        if day is not None
    }
    if days:
        filters["occurred_on"] = days
    if wanted.direction is not None:
        filters["direction"] = wanted.direction.value
    if wanted.category is not None:
        filters["category"] = wanted.category
    if wanted.currency is not None:
        filters["currency"] = wanted.currency
    if parts := parts_of_name(wanted):
        places = ({"$indexOfCP": ["$item_folded", {"$literal": part}]} for part in parts)
        filters["$expr"] = {"$and": [{"$gte": [place, 0]} for place in places]}
    return filters


def grouping(*, by_category: bool) -> Mapping[str, Any]:
    """Return the stage that sums entries up."""
    key = {
        "currency": "$currency",
        "direction": "$direction",
        "category": "$category" if by_category else {"$literal": ""},
    }
    return {"$group": {"_id": key, "minor": {"$sum": "$minor"}, "count": {"$sum": 1}}}


def changeable(entry: Entry) -> Row:
    """Return the fields of an entry that may change."""
    return {
        "minor": entry.minor,
        "currency": entry.currency,
        "direction": entry.direction.value,
        "item": entry.item,
        "item_folded": folded(entry.item),
        "category": entry.category,
        "occurred_on": entry.occurred_on.isoformat(),
        "note": entry.note,
        "revision": entry.revision,
        "voided": entry.voided,
    }


def new_row(entry: Entry, sequence: int, version: int) -> Row:
    """Return the row of a new entry."""
    return {
        "_id": entry.entry_id,
        "sequence": sequence,
        "book_id": entry.book_id,
        "author_id": entry.author_id,
        **changeable(entry),
        "source": entry.source,
        "created_at": to_micros(entry.created_at),
        "head": version,
    }


def read_entry(row: Row) -> Entry:
    """Return the entry of a row."""
    return Entry(
        entry_id=row["_id"],
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
        voided=row["voided"],
    )
