"""Codes, merges and detachments in MongoDB.

A merge is decided by the turnstile of the person who is merged away, its undoing by that of the
survivor; the moving of rows is what such a decision carries. Moved rows get the version that
moved them, and a mark.
"""

from collections.abc import Sequence
from datetime import datetime

from bot.core.binding import BindingCode, Holdings, Merge, TakenCode, Taking, Undoing
from bot.core.errors import ConflictError, NotFoundError
from bot.core.events import Account
from bot.core.ids import derived_id
from bot.core.people import Person
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database
from storage.mongo.decisions import Write, insert, update
from storage.mongo.driver import Row
from storage.mongo.ledger import category_row
from storage.mongo.people import MongoPeople, person_row
from storage.mongo.turnstiles import Turnstiles

_ACCOUNT = Document[Account](Account)
_HOLDINGS = Document[Holdings](Holdings)

_BY_VERSION = ("notes", "schedules")
"""Written through turnstiles: only what an earlier version wrote is moved."""

_BY_NUMBER = ("turns", "deliveries", "grants")
"""Written otherwise and numbered: only what has a smaller number is moved."""

_BY_MARK = ("sessions", "summaries", "effects", "external_effects", "accounts")
"""The others; the accounts last, so that nobody is the survivor before the rows are theirs."""


class MongoBindings:
    """`bot.core.binding.Bindings` over the collections ``binding_codes`` and ``merges``."""

    def __init__(self, database: Database, turnstiles: Turnstiles, people: MongoPeople) -> None:
        self._database = database
        self._codes = database.rows("binding_codes")
        self._merges = database.rows("merges")
        self._turnstiles = turnstiles
        self._people = people

    async def offer(self, code: BindingCode) -> None:
        """Store the code in place of the account's earlier one."""
        fields: Row = {
            "account": _ACCOUNT.dump(code.account),
            "code_hash": code.code_hash,
            "expires_at": to_micros(code.expires_at),
            "taken_by": None,
        }
        if not await self._codes.add({"_id": code.account.key, **fields}):
            await self._codes.change({"_id": code.account.key}, {"$set": fields})

    async def take(
        self, code_hash: str, *, account_key: str, event_id: str, now: datetime
    ) -> TakenCode:
        """Use the code up for this event."""
        free = {
            "code_hash": code_hash,
            "taken_by": None,
            "_id": {"$ne": account_key},
            "expires_at": {"$gt": to_micros(now)},
        }
        await self._codes.change(free, {"$set": {"taken_by": event_id}})
        row = await self._codes.one({"code_hash": code_hash})
        if row is None:
            return TakenCode(status=Taking.UNKNOWN)
        if row["_id"] == account_key:
            return TakenCode(status=Taking.OWN)
        if row["taken_by"] == event_id:
            return TakenCode(status=Taking.TAKEN, account=_ACCOUNT.load(row["account"]))
        return TakenCode(status=Taking.USED if row["taken_by"] else Taking.EXPIRED)

    async def holdings(self, person_id: str) -> Holdings:
        """Return how much a person holds."""
        theirs: Row = {"person_id": person_id}
        rows = self._database.rows
        return Holdings(
            accounts=await rows("accounts").count(theirs),
            entries=await rows("entries").count({"book_id": _book_of(person_id), "voided": False}),
            reminders=await rows("schedules").count({**theirs, "live": True}),
            notes=await rows("notes").count({**theirs, "forgotten": False}),
        )

    async def merge(
        self, survivor_id: str, other_id: str, *, merge_id: str, at: datetime
    ) -> Merge:
        """Make everything of ``other_id`` the survivor's.

        Raises:
            ConflictError: one of them is merged into somebody already, or they are the same.
            NotFoundError: one of them does not exist.
        """
        if survivor_id == other_id:
            raise ConflictError(f"{other_id} is one person already")

        async def plan(version: int) -> tuple[Merge, Sequence[Write]]:
            row = await self._merges.one({"_id": merge_id})
            if row is not None:
                return _read_merge(row), ()
            away = {"other_id": {"$in": [survivor_id, other_id]}, "undone_at": None}
            if await self._merges.one(away) is not None:
                raise ConflictError(f"{survivor_id} or {other_id} is merged into another person")
            for person_id in (survivor_id, other_id):
                if await self._people.get(person_id) is None:
                    raise NotFoundError(f"no person {person_id}")
            merge = Merge(
                merge_id=merge_id,
                survivor_id=survivor_id,
                other_id=other_id,
                merged_at=at,
                moved=await self.holdings(other_id),
            )
            return merge, await self._taking_over(merge, version)

        return await self._turnstiles.hand_over(
            other_id, survivor_id, plan, fields={"merged": merge_id}
        )

    async def undo(self, merge_id: str, *, at: datetime) -> Undoing:
        """Give back what the merge moved."""
        known = await self._merges.one({"_id": merge_id})
        if known is None:
            return Undoing.UNKNOWN
        merge = _read_merge(known)

        async def plan(version: int) -> tuple[Undoing, Sequence[Write]]:
            row = await self._merges.one({"_id": merge_id})
            if row is None or row["undone_at"] is not None:
                return Undoing.UNDONE, ()
            if merge.is_too_late(at):
                return Undoing.TOO_LATE, ()
            mine = {"person_id": merge.survivor_id, "merge_id": merge_id}
            if row["final"] or await self._database.rows("accounts").count(mine) == 0:
                return Undoing.CHANGED, ()
            return Undoing.UNDONE, _giving_back(merge, version, at)

        return await self._turnstiles.hand_over(
            merge.survivor_id, merge.other_id, plan, ending=merge_id
        )

    async def detach(
        self, account_key: str, *, from_id: str, fresh_id: str, at: datetime
    ) -> Person:
        """Take the account from the person and give it a new one with the same settings.

        Raises:
            ConflictError: it is not an account of theirs, or it is the only one.
        """
        account = await self._database.rows("accounts").one({"_id": account_key})
        made = await self._people.get(fresh_id)
        if made is not None and account is not None and account["person_id"] == fresh_id:
            return made

        async def plan(_version: int) -> tuple[Person, Sequence[Write]]:
            made = await self._people.get(fresh_id)  # by what was decided and is settled now
            if made is not None:
                return made, ()
            person = await self._people.get(from_id)
            rows = await self._database.rows("accounts").many({"person_id": from_id})
            keys = {row["_id"] for row in rows}
            if person is None or account_key not in keys or len(keys) == 1:
                raise ConflictError(f"{account_key} is not one of several accounts of {from_id}")
            fresh = person.copied(fresh_id, at)
            mine = {"_id": account_key, "person_id": from_id}
            return fresh, [
                insert("people", person_row(fresh)),
                update("accounts", mine, {"person_id": fresh_id, "merge_id": None}),
            ]

        return await self._turnstiles.through(from_id, plan)

    async def _taking_over(self, merge: Merge, version: int) -> list[Write]:
        survivor, other, mark = merge.survivor_id, merge.other_id, merge.merge_id
        learned = await self._database.rows("learned_categories").many({"person_id": other})
        number = await self._database.reserve(1)
        theirs: Row = {"person_id": other, "merge_id": {"$ne": mark}}
        mine: Row = {"person_id": survivor, "merge_id": mark}
        book = _book_of(survivor)
        return [
            insert("books", {"_id": book, "owner_id": survivor}),
            update(
                "entries",
                {"book_id": _book_of(other), "head": {"$lt": version}},
                {"book_id": book, "author_id": survivor, "merge_id": mark, "head": version},
            ),
            insert(
                "learned_categories",
                *(
                    category_row(survivor, row["item"], row["category"], version)
                    for row in learned
                ),
            ),
            *(
                update(name, {**theirs, "head": {"$lt": version}}, {**mine, "head": version})
                for name in _BY_VERSION
            ),
            *(update(name, {**theirs, "sequence": {"$lt": number}}, mine) for name in _BY_NUMBER),
            update(
                "actions",
                {"owner_id": other, "merge_id": {"$ne": mark}},
                {"owner_id": survivor, "merge_id": mark},
            ),
            *(update(name, theirs, mine) for name in _BY_MARK),
            update("merges", {"survivor_id": other}, {"final": True}),
            insert(
                "merges",
                {
                    "_id": mark,
                    "survivor_id": survivor,
                    "other_id": other,
                    "merged_at": to_micros(merge.merged_at),
                    "moved": _HOLDINGS.dump(merge.moved),
                    "final": False,
                    "undone_at": None,
                },
            ),
        ]


def _giving_back(merge: Merge, version: int, at: datetime) -> list[Write]:
    survivor, other, mark = merge.survivor_id, merge.other_id, merge.merge_id
    moved: Row = {"person_id": survivor, "merge_id": mark}
    theirs: Row = {"person_id": other}
    return [
        update(
            "entries",
            {"book_id": _book_of(survivor), "merge_id": mark, "head": {"$lt": version}},
            {"book_id": _book_of(other), "author_id": other, "head": version},
        ),
        *(
            update(name, {**moved, "head": {"$lt": version}}, {**theirs, "head": version})
            for name in _BY_VERSION
        ),
        update("actions", {"owner_id": survivor, "merge_id": mark}, {"owner_id": other}),
        update("turnstiles", {"_id": other, "merged": mark}, {"merged": None}),
        *(update(name, moved, theirs) for name in (*_BY_NUMBER, *_BY_MARK)),
        update("merges", {"_id": mark, "undone_at": None}, {"undone_at": to_micros(at)}),
    ]


def _read_merge(row: Row) -> Merge:
    return Merge(
        merge_id=row["_id"],
        survivor_id=row["survivor_id"],
        other_id=row["other_id"],
        merged_at=from_micros(row["merged_at"]),
        moved=_HOLDINGS.load(row["moved"]),
    )


def _book_of(person_id: str) -> str:
    return derived_id("b", person_id)
