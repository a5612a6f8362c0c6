"""Merges as rows: who is merged away, and the moving of everything a person owns."""

import sqlite3
from collections.abc import Sequence

from bot.core.binding import Holdings, Merge
from bot.core.errors import ConflictError
from bot.core.ids import derived_id
from storage.documents import Document
from storage.instants import from_micros, to_micros

_HOLDINGS = Document[Holdings](Holdings)

OWNED: Sequence[tuple[str, str]] = (
    ("accounts", "person_id"),
    ("sessions", "person_id"),
    ("turns", "person_id"),
    ("summaries", "person_id"),
    ("actions", "owner_id"),
    ("notes", "person_id"),
    ("schedules", "person_id"),
    ("deliveries", "person_id"),
    ("effects", "person_id"),
    ("external_effects", "person_id"),
    ("grants", "person_id"),
)
"""The tables with an owner and the column that names them; entries are owned by their book."""


def refuse_merged(connection: sqlite3.Connection, person_id: str) -> None:
    """Let nothing be written in the name of somebody who was merged away.

    Raises:
        ConflictError: they were.
    """
    found = connection.execute(
        "SELECT 1 FROM merges WHERE other_id = ? AND undone_at IS NULL", (person_id,)
    )
    if found.fetchone() is not None:
        raise ConflictError(f"{person_id} is merged into another person")


def holdings(connection: sqlite3.Connection, person_id: str) -> Holdings:
    """Return how much a person holds."""

    def count(query: str, owner: str) -> int:
        number: int = connection.execute(query, (owner,)).fetchone()[0]
        return number

    return Holdings(
        accounts=count("SELECT count(*) FROM accounts WHERE person_id = ?", person_id),
        entries=count(
            "SELECT count(*) FROM entries WHERE book_id = ? AND voided = 0", book_of(person_id)
        ),
        reminders=count(
            "SELECT count(*) FROM schedules"
            " WHERE person_id = ? AND next_fire_at IS NOT NULL AND cancelled = 0",
            person_id,
        ),
        notes=count("SELECT count(*) FROM notes WHERE person_id = ?", person_id),
    )


def take_over(connection: sqlite3.Connection, merge: Merge) -> None:
    """Make everything of the other person the survivor's, marked with the merge."""
    survivor, other = merge.survivor_id, merge.other_id
    book = book_of(survivor)
    connection.execute(
        "INSERT INTO books (book_id, owner_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (book, survivor),
    )
    connection.execute(
        "UPDATE entries SET book_id = ?, author_id = ?, merge_id = ? WHERE book_id = ?",
        (book, survivor, merge.merge_id, book_of(other)),
    )
    connection.execute(
        "INSERT INTO learned_categories (person_id, item, category)"
        " SELECT ?, item, category FROM learned_categories WHERE person_id = ?"
        " ON CONFLICT DO NOTHING",
        (survivor, other),
    )
    for table, owner in OWNED:
        connection.execute(
            f"UPDATE {table} SET {owner} = ?, merge_id = ? WHERE {owner} = ?",  # noqa: S608  # ours
            (survivor, merge.merge_id, other),
        )


def give_back(connection: sqlite3.Connection, merge: Merge) -> None:
    """Make what the merge moved the other person's again, as far as the survivor still has it."""
    survivor, other = merge.survivor_id, merge.other_id
    connection.execute(
        "UPDATE entries SET book_id = ?, author_id = ? WHERE book_id = ? AND merge_id = ?",
        (book_of(other), other, book_of(survivor), merge.merge_id),
    )
    for table, owner in OWNED:
        connection.execute(
            f"UPDATE {table} SET {owner} = ? WHERE {owner} = ? AND merge_id = ?",  # noqa: S608  # ours
            (other, survivor, merge.merge_id),
        )


def add(connection: sqlite3.Connection, merge: Merge) -> None:
    """Store a merge; those that made the other person what they were become final."""
    connection.execute("UPDATE merges SET final = 1 WHERE survivor_id = ?", (merge.other_id,))
    connection.execute(
        "INSERT INTO merges (merge_id, survivor_id, other_id, merged_at, moved, final)"
        " VALUES (?, ?, ?, ?, ?, 0)",
        (
            merge.merge_id,
            merge.survivor_id,
            merge.other_id,
            to_micros(merge.merged_at),
            _HOLDINGS.dump(merge.moved),
        ),
    )


def load(connection: sqlite3.Connection, merge_id: str) -> sqlite3.Row | None:
    """Return the row of a merge."""
    row: sqlite3.Row | None = connection.execute(
        "SELECT * FROM merges WHERE merge_id = ?", (merge_id,)
    ).fetchone()
    return row


def read_merge(row: sqlite3.Row) -> Merge:
    """Return the merge of a row."""
    return Merge(
        merge_id=row["merge_id"],
        survivor_id=row["survivor_id"],
        other_id=row["other_id"],
        merged_at=from_micros(row["merged_at"]),
        moved=_HOLDINGS.load(row["moved"]),
    )


def book_of(person_id: str) -> str:
    """Return the id of the personal book."""
    return derived_id("b", person_id)
