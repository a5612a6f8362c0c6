"""The ledger in MongoDB: everything happens in the personal book of the named person."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.core.effects import Effect
from bot.core.errors import ConflictError, NotFoundError, StorageError
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
from storage.mongo import entries
from storage.mongo.database import Database
from storage.mongo.decisions import Write, insert
from storage.mongo.driver import Row
from storage.mongo.rows import Sort
from storage.mongo.turnstiles import Turnstiles, rewrite

_ENTRY = Document[Entry](Entry)
_ENTRIES = Document[tuple[Entry, ...]](tuple[Entry, ...])
_CATEGORY = Document[str](str)


class MongoLedger:
    """`bot.core.ledger.Ledger` over ``books``, ``entries`` and ``learned_categories``."""

    def __init__(self, database: Database, turnstiles: Turnstiles) -> None:
        self._database = database
        self._entries = database.rows("entries")
        self._categories = database.rows("learned_categories")
        self._turnstiles = turnstiles

    async def append(
        self, person_id: str, drafts: Sequence[EntryDraft], *, effect: Effect
    ) -> tuple[Entry, ...]:
        """Write all drafts or none; return the entries in the same order."""
        book_id = _book_of(person_id)
        made = tuple(
            draft.made(book_id, person_id, effect, ordinal) for ordinal, draft in enumerate(drafts)
        )

        async def plan(version: int) -> tuple[tuple[Entry, ...], list[Write]]:
            _check(made)
            first = await self._database.reserve(len(made))
            rows = (entries.new_row(e, n, version) for n, e in enumerate(made, first))
            book = {"_id": book_id, "owner_id": person_id}
            return made, [insert("books", book), insert("entries", *rows)]

        return await self._turnstiles.once(
            effect, name="ledger.append", person_id=person_id, result=_ENTRIES, plan=plan
        )

    async def update(
        self, person_id: str, entry_id: str, *, revision: int, change: EntryChange, effect: Effect
    ) -> Entry:
        """Change an entry.

        Raises:
            ConflictError: the entry is not in this revision any more.
            NotFoundError: no such entry of this person, or it is voided.
        """

        async def plan(version: int) -> tuple[Entry, list[Write]]:
            entry = await self._existing(person_id, entry_id)
            if entry.voided:
                raise NotFoundError(f"entry {entry_id} is voided")
            if entry.revision != revision:
                raise ConflictError(f"entry {entry_id} is in revision {entry.revision}")
            changed = entry.changed(change)
            _check([changed])
            return changed, [_rewritten(changed, version)]

        return await self._turnstiles.once(
            effect, name="ledger.update", person_id=person_id, result=_ENTRY, plan=plan
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
        row = await self._entries.one({"_id": entry_id, "book_id": _book_of(person_id)})
        return entries.read_entry(row) if row else None

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
        order = [("minor", 1 if smallest else -1), *entries.NEWEST_FIRST]
        return await self._select(order, person_id, wanted, limit)

    async def totals(
        self, person_id: str, wanted: EntryFilter, *, by_category: bool = False
    ) -> tuple[Total, ...]:
        """Return exact sums by currency and direction (and category), largest first."""
        groups = await self._entries.grouped(
            {"$match": entries.matching(_book_of(person_id), wanted)},
            entries.grouping(by_category=by_category),
        )
        totals = (
            Total(
                currency=group["_id"]["currency"],
                direction=Direction(group["_id"]["direction"]),
                category=group["_id"]["category"],
                minor=group["minor"],
                count=group["count"],
            )
            for group in groups
        )
        return tuple(sorted(totals, key=lambda t: (-t.minor, t.currency, t.direction, t.category)))

    async def learned_categories(self, person_id: str) -> Mapping[str, str]:
        """Return item -> category from the person's own corrections."""
        rows = await self._categories.many({"person_id": person_id})
        return {row["item"]: row["category"] for row in rows}

    async def learn_category(
        self, person_id: str, item: str, category: str, *, effect: Effect
    ) -> None:
        """Remember that the person files ``item`` under ``category``; the latest word counts."""
        key = category_key(person_id, item)

        async def plan(version: int) -> tuple[str, list[Write]]:
            return category, [
                insert("learned_categories", category_row(person_id, item, category, version)),
                rewrite("learned_categories", key, version, {"category": category}),
            ]

        await self._turnstiles.once(
            effect,
            name="ledger.learn_category",
            person_id=person_id,
            result=_CATEGORY,
            plan=plan,
        )

    async def _select(
        self, order: Sort, person_id: str, wanted: EntryFilter, limit: int
    ) -> tuple[Entry, ...]:
        rows = await self._entries.many(
            entries.matching(_book_of(person_id), wanted), sort=order, limit=limit
        )
        return tuple(map(entries.read_entry, rows))

    async def _set_voided(
        self, person_id: str, entry_ids: Sequence[str], effect: Effect, *, name: str, to: bool
    ) -> tuple[Entry, ...]:
        async def plan(version: int) -> tuple[tuple[Entry, ...], list[Write]]:
            found = [
                await self._existing(person_id, entry_id) for entry_id in dict.fromkeys(entry_ids)
            ]
            changed = tuple(
                replace(entry, voided=to, revision=entry.revision + 1)
                for entry in found
                if entry.voided is not to
            )
            return changed, [_rewritten(entry, version) for entry in changed]

        return await self._turnstiles.once(
            effect, name=name, person_id=person_id, result=_ENTRIES, plan=plan
        )

    async def _existing(self, person_id: str, entry_id: str) -> Entry:
        entry = await self.get(person_id, entry_id)
        if entry is None:
            raise NotFoundError(f"no entry {entry_id}")
        return entry


def category_key(person_id: str, item: str) -> str:
    """Return the key of a learned category."""
    return derived_id("c", person_id, item)


def category_row(person_id: str, item: str, category: str, version: int) -> Row:
    """Return the row of a learned category."""
    return {
        "_id": category_key(person_id, item),
        "person_id": person_id,
        "item": item,
        "category": category,
        "head": version,
    }


def _book_of(person_id: str) -> str:
    return derived_id("b", person_id)


def _check(made: Sequence[Entry]) -> None:
    if any(entry.minor <= 0 for entry in made):
        raise StorageError("an amount is more than nothing")


def _rewritten(entry: Entry, version: int) -> Write:
    return rewrite("entries", entry.entry_id, version, entries.changeable(entry))
