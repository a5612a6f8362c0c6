"""Codes, merges and detachments in SQLite: each one synchronous function in one transaction."""

import sqlite3
from datetime import datetime

from bot.core.binding import (
    BindingCode,
    Holdings,
    Merge,
    TakenCode,
    Taking,
    Undoing,
)
from bot.core.errors import ConflictError, NotFoundError
from bot.core.events import Account
from bot.core.people import Person
from storage.documents import Document
from storage.instants import to_micros
from storage.sqlite import merges
from storage.sqlite.database import Database
from storage.sqlite.people import copy_person, load_person

_ACCOUNT = Document[Account](Account)


class SqliteBindings:
    """`bot.core.binding.Bindings` over the tables ``binding_codes`` and ``merges``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def offer(self, code: BindingCode) -> None:
        """Store the code in place of the account's earlier one."""
        values = (
            code.account.key,
            _ACCOUNT.dump(code.account),
            code.code_hash,
            to_micros(code.expires_at),
        )

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO binding_codes (account_key, account, code_hash, expires_at)"
                " VALUES (?, ?, ?, ?) ON CONFLICT (account_key) DO UPDATE SET"
                " account = excluded.account, code_hash = excluded.code_hash,"
                " expires_at = excluded.expires_at, taken_by = NULL",
                values,
            )

        await self._database.write(job)

    async def take(
        self, code_hash: str, *, account_key: str, event_id: str, now: datetime
    ) -> TakenCode:
        """Use the code up for this event."""

        def job(connection: sqlite3.Connection) -> TakenCode:
            row = connection.execute(
                "SELECT * FROM binding_codes WHERE code_hash = ?", (code_hash,)
            ).fetchone()
            if row is None:
                return TakenCode(status=Taking.UNKNOWN)
            if row["account_key"] == account_key:
                return TakenCode(status=Taking.OWN)
            if row["taken_by"] not in (None, event_id):
                return TakenCode(status=Taking.USED)
            if row["taken_by"] is None and to_micros(now) >= row["expires_at"]:
                return TakenCode(status=Taking.EXPIRED)
            connection.execute(
                "UPDATE binding_codes SET taken_by = ? WHERE code_hash = ?", (event_id, code_hash)
            )
            return TakenCode(status=Taking.TAKEN, account=_ACCOUNT.load(row["account"]))

        return await self._database.write(job)

    async def holdings(self, person_id: str) -> Holdings:
        """Return how much a person holds."""
        return await self._database.read(lambda connection: merges.holdings(connection, person_id))

    async def merge(
        self, survivor_id: str, other_id: str, *, merge_id: str, at: datetime
    ) -> Merge:
        """Make everything of ``other_id`` the survivor's.

        Raises:
            ConflictError: one of them is merged into somebody already, or they are the same.
            NotFoundError: one of them does not exist.
        """

        def job(connection: sqlite3.Connection) -> Merge:
            row = merges.load(connection, merge_id)
            if row is not None:
                return merges.read_merge(row)
            if survivor_id == other_id:
                raise ConflictError(f"{other_id} is one person already")
            for person_id in (survivor_id, other_id):
                if load_person(connection, person_id) is None:
                    raise NotFoundError(f"no person {person_id}")
                merges.refuse_merged(connection, person_id)
            merge = Merge(
                merge_id=merge_id,
                survivor_id=survivor_id,
                other_id=other_id,
                merged_at=at,
                moved=merges.holdings(connection, other_id),
            )
            merges.take_over(connection, merge)
            merges.add(connection, merge)
            return merge

        return await self._database.write(job)

    async def undo(self, merge_id: str, *, at: datetime) -> Undoing:
        """Give back what the merge moved."""

        def job(connection: sqlite3.Connection) -> Undoing:
            row = merges.load(connection, merge_id)
            if row is None:
                return Undoing.UNKNOWN
            merge = merges.read_merge(row)
            if row["undone_at"] is not None:
                return Undoing.UNDONE
            if merge.is_too_late(at):
                return Undoing.TOO_LATE
            if row["final"] or not _has_account(connection, merge):
                return Undoing.CHANGED
            merges.give_back(connection, merge)
            connection.execute(
                "UPDATE merges SET undone_at = ? WHERE merge_id = ?", (to_micros(at), merge_id)
            )
            return Undoing.UNDONE

        return await self._database.write(job)

    async def detach(
        self, account_key: str, *, from_id: str, fresh_id: str, at: datetime
    ) -> Person:
        """Take the account from the person and give it a new one with the same settings.

        Raises:
            ConflictError: it is not an account of theirs, or it is the only one.
        """

        def job(connection: sqlite3.Connection) -> Person:
            fresh = load_person(connection, fresh_id)
            if fresh is not None:
                return fresh
            person = load_person(connection, from_id)
            theirs = connection.execute(
                "SELECT account_key FROM accounts WHERE person_id = ?", (from_id,)
            )
            keys = {row["account_key"] for row in theirs}
            if person is None or account_key not in keys or len(keys) == 1:
                raise ConflictError(f"{account_key} is not one of several accounts of {from_id}")
            fresh = copy_person(connection, person, fresh_id, at)
            connection.execute(
                "UPDATE accounts SET person_id = ?, merge_id = NULL WHERE account_key = ?",
                (fresh_id, account_key),
            )
            return fresh

        return await self._database.write(job)


def _has_account(connection: sqlite3.Connection, merge: Merge) -> bool:
    found = connection.execute(
        "SELECT 1 FROM accounts WHERE person_id = ? AND merge_id = ?",
        (merge.survivor_id, merge.merge_id),
    )
    return found.fetchone() is not None
