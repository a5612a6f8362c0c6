"""The ledger in SQLite: everything happens in the personal book of the named person."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.core.effects import Effect
from bot.core.errors import ConflictError
from bot.core.ids import derived_id
from bot.core.ledger import (
    Direction,
    Entry,
    EntryChange,
    EntryDraft,
    EntryFilter,
    Total,
)
from storage.documents import Document
from storage.sqlite import entries
from storage.sqlite.database import Database
from storage.sqlite.effects import once

_ENTRY = Document[Entry](Entry)
_ENTRIES = Document[tuple[Entry, ...]](tuple[Entry, ...])
_CATEGORY = Document[str](str)


class SqliteLedger:
    """`bot.core.ledger.Ledger` over ``books``, ``entries`` and ``learned_categories``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(
        self, person_id: str, drafts: Sequence[EntryDraft], *, effect: Effect
    ) -> tuple[Entry, ...]:
        """Write all drafts or none; return the entries in the same order."""
        book_id = _book_of(person_id)

        def job(connection: sqlite3.Connection) -> tuple[Entry, ...]:
            connection.execute(
                "INSERT INTO books (book_id, owner_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (book_id, person_id),
            )
            made = tuple(
                draft.made(book_id, person_id, effect, ordinal)
                for ordinal, draft in enumerate(drafts)
            )
            for entry in made:
                entries.insert(connection, entry)
            return made

        return await once(
            self._database,
            effect,
            name="ledger.append",
            person_id=person_id,
            result=_ENTRIES,
            write=job,
        )

    async def update(
        self, person_id: str, entry_id: str, *, revision: int, change: EntryChange, effect: Effect
    ) -> Entry:
        """Change an entry.

        Raises:
            ConflictError: the entry is not in this revision any more.
            NotFoundError: no such entry of this person, or it is voided.
        """

        def job(connection: sqlite3.Connection) -> Entry:
            entry = entries.existing(connection, _book_of(person_id), entry_id, voided=False)
            if entry.revision != revision:
                raise ConflictError(f"entry {entry_id} is in revision {entry.revision}")
            changed = entry.changed(change)
            entries.store(connection, changed)
            return changed

        return await once(
            self._database,
            effect,
            name="ledger.update",
            person_id=person_id,
            result=_ENTRY,
            write=job,
        )

    async def void(
        self, person_id: str, entry_ids: Sequence[str], *, effect: Effect
    ) -> tuple[Entry, ...]:
        """Take entries out of every list and total; return those that were still in.

        Raises:
            NotFoundError: an id is not an entry of this person.
        """
        return await self._set_voided(person_id, entry_ids, effect, name="ledger.void", to=True)

    async def restore(
        self, person_id: str, entry_ids: Sequence[str], *, effect: Effect
    ) -> tuple[Entry, ...]:
        """Undo `void`; return those that had been out.

        Raises:
            NotFoundError: an id is not an entry of this person.
        """
        return await self._set_voided(
            person_id, entry_ids, effect, name="ledger.restore", to=False
        )

    async def get(self, person_id: str, entry_id: str) -> Entry | None:
        """Return the entry, voided or not."""
        return await self._database.read(
            lambda connection: entries.load(connection, _book_of(person_id), entry_id)
        )

    async def find(self, person_id: str, wanted: EntryFilter, *, limit: int) -> tuple[Entry, ...]:
        """Return entries that are not voided, the latest day first."""
        return await self._select(entries.NEWEST_FIRST, person_id, wanted, limit)

    async def latest(
        self, person_id: str, wanted: EntryFilter, *, limit: int
    ) -> tuple[Entry, ...]:
        """Return entries that are not voided, the last written first."""
        return await self._select(entries.LAST_WRITTEN_FIRST, person_id, wanted, limit)

    async def by_amount(
        self, person_id: str, wanted: EntryFilter, *, limit: int, smallest: bool = False
    ) -> tuple[Entry, ...]:
        """Return entries that are not voided, the largest amount first, or the smallest."""
        sign = 1 if smallest else -1
        return await self._select(entries.BY_AMOUNT, person_id, wanted, limit, sign=sign)

    async def _select(
        self, query: str, person_id: str, wanted: EntryFilter, limit: int, **more: int
    ) -> tuple[Entry, ...]:
        values = entries.conditions(_book_of(person_id), wanted) | {"limit": limit, **more}
        statement = entries.for_parts(query, wanted)

        def job(connection: sqlite3.Connection) -> tuple[Entry, ...]:
            return tuple(map(entries.read_entry, connection.execute(statement, values)))

        return await self._database.read(job)

    async def totals(
        self, person_id: str, wanted: EntryFilter, *, by_category: bool = False
    ) -> tuple[Total, ...]:
        """Return exact sums by currency and direction (and category), largest first."""
        values = entries.conditions(_book_of(person_id), wanted) | {"by_category": by_category}
        statement = entries.for_parts(entries.TOTALS, wanted)

        def job(connection: sqlite3.Connection) -> tuple[Total, ...]:
            return tuple(
                Total(
                    currency=row["currency"],
                    direction=Direction(row["direction"]),
                    category=row["grouped"],
                    minor=row["minor"],
                    count=row["entries"],
                )
                for row in connection.execute(statement, values)
            )

        return await self._database.read(job)

    async def learned_categories(self, person_id: str) -> Mapping[str, str]:
        """Return item -> category from the person's own corrections."""

        def job(connection: sqlite3.Connection) -> dict[str, str]:
            rows = connection.execute(
                "SELECT item, category FROM learned_categories WHERE person_id = ?", (person_id,)
            )
            return {row["item"]: row["category"] for row in rows}

        return await self._database.read(job)

    async def learn_category(
        self, person_id: str, item: str, category: str, *, effect: Effect
    ) -> None:
        """Remember that the person files ``item`` under ``category``; the latest word counts."""

        def job(connection: sqlite3.Connection) -> str:
            connection.execute(
                "INSERT INTO learned_categories (person_id, item, category) VALUES (?, ?, ?)"
                " ON CONFLICT (person_id, item) DO UPDATE SET category = excluded.category",
                (person_id, item, category),
            )
            return category

        await once(
            self._database,
            effect,
            name="ledger.learn_category",
            person_id=person_id,
            result=_CATEGORY,
            write=job,
        )

    async def _set_voided(
        self, person_id: str, entry_ids: Sequence[str], effect: Effect, *, name: str, to: bool
    ) -> tuple[Entry, ...]:
        def job(connection: sqlite3.Connection) -> tuple[Entry, ...]:
            found = [
                entries.existing(connection, _book_of(person_id), entry_id)
                for entry_id in dict.fromkeys(entry_ids)
            ]
            changed = tuple(
                replace(entry, voided=to, revision=entry.revision + 1)
                for entry in found
                if entry.voided is not to
            )
            for entry in changed:
                entries.store(connection, entry)
            return changed

        return await once(
            self._database, effect, name=name, person_id=person_id, result=_ENTRIES, write=job
        )


def _book_of(person_id: str) -> str:
    return derived_id("b", person_id)
