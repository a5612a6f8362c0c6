"""People and accounts in SQLite."""

import sqlite3
from dataclasses import replace
from datetime import datetime

from bot.core.effects import Effect
from bot.core.errors import ConflictError, NotFoundError
from bot.core.events import Account
from bot.core.people import Person, ProfileChange
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database
from storage.sqlite.effects import once

_ACCOUNT = Document[Account](Account)
_PERSON = Document[Person](Person)


class SqlitePeople:
    """`bot.core.people.People` over the tables ``people`` and ``accounts``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, account: Account) -> Person | None:
        """Return the person behind the account."""
        return await self._database.read(lambda connection: _behind(connection, account.key))

    async def get_or_create(self, account: Account, *, defaults: Person) -> Person:
        """Return the person behind the account, made from ``defaults`` on first sight.

        Raises:
            ConflictError: the account is new but the id of ``defaults`` is another's.
        """

        def job(connection: sqlite3.Connection) -> Person:
            person = _behind(connection, account.key)
            if person is None:
                person = _insert(connection, defaults)
                connection.execute(
                    "INSERT INTO accounts (account_key, person_id, document) VALUES (?, ?, ?)",
                    (account.key, person.person_id, _ACCOUNT.dump(account)),
                )
            return person

        known = await self.find(account)
        return known if known is not None else await self._database.write(job)

    async def get(self, person_id: str) -> Person | None:
        """Return the person."""
        return await self._database.read(lambda connection: load_person(connection, person_id))

    async def change(self, person_id: str, change: ProfileChange, *, effect: Effect) -> Person:
        """Change profile fields.

        Raises:
            NotFoundError: no such person.
        """

        def job(connection: sqlite3.Connection) -> Person:
            return _store(connection, _existing(connection, person_id).changed(change))

        return await once(
            self._database,
            effect,
            name="people.change",
            person_id=person_id,
            result=_PERSON,
            write=job,
        )

    async def advance_stage(
        self,
        person_id: str,
        *,
        from_stage: int,
        to_stage: int,
        change: ProfileChange,
        effect: Effect,
    ) -> Person:
        """Move the onboarding stage by compare-and-set.

        Raises:
            ConflictError: the stored stage is not ``from_stage``.
            NotFoundError: no such person.
        """

        def job(connection: sqlite3.Connection) -> Person:
            person = _existing(connection, person_id)
            if person.setup_stage != from_stage:
                raise ConflictError(f"{person_id} is in stage {person.setup_stage}")
            return _store(connection, replace(person.changed(change), setup_stage=to_stage))

        return await once(
            self._database,
            effect,
            name="people.advance_stage",
            person_id=person_id,
            result=_PERSON,
            write=job,
        )

    async def with_id(self, platform: str, user_id: str) -> tuple[Person, ...]:
        """Return the people who have an account of this id, the first seen first."""

        def job(connection: sqlite3.Connection) -> tuple[Person, ...]:
            rows = connection.execute(
                "SELECT people.*, document FROM accounts JOIN people USING (person_id)"
                " WHERE account_key GLOB ? ORDER BY accounts.rowid",
                (f"{platform}/*",),
            )
            found = {
                row["person_id"]: _person(row)
                for row in rows
                if _ACCOUNT.load(row["document"]).user_id == user_id
            }
            return tuple(found.values())

        return await self._database.read(job)

    async def accounts(self, person_id: str) -> tuple[Account, ...]:
        """Return the person's accounts, the first seen first."""

        def job(connection: sqlite3.Connection) -> tuple[Account, ...]:
            rows = connection.execute(
                "SELECT document FROM accounts WHERE person_id = ? ORDER BY rowid", (person_id,)
            )
            return tuple(_ACCOUNT.load(row["document"]) for row in rows)

        return await self._database.read(job)


def _behind(connection: sqlite3.Connection, account_key: str) -> Person | None:
    row = connection.execute(
        "SELECT people.* FROM accounts JOIN people USING (person_id) WHERE account_key = ?",
        (account_key,),
    ).fetchone()
    return _person(row) if row else None


def load_person(connection: sqlite3.Connection, person_id: str) -> Person | None:
    """Return the person."""
    row = connection.execute("SELECT * FROM people WHERE person_id = ?", (person_id,)).fetchone()
    return _person(row) if row else None


def _existing(connection: sqlite3.Connection, person_id: str) -> Person:
    person = load_person(connection, person_id)
    if person is None:
        raise NotFoundError(f"no person {person_id}")
    return person


def _insert(connection: sqlite3.Connection, person: Person) -> Person:
    connection.execute(
        "INSERT INTO people"
        " (person_id, locale, zone, currency, name, home, setup_stage, revision, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            person.person_id,
            person.locale,
            person.zone,
            person.currency,
            person.name,
            person.home,
            person.setup_stage,
            person.revision,
            to_micros(person.created_at),
        ),
    )
    return person


def copy_person(
    connection: sqlite3.Connection, person: Person, person_id: str, at: datetime
) -> Person:
    """Make a person with the settings of another."""
    return _insert(connection, person.copied(person_id, at))


def _store(connection: sqlite3.Connection, person: Person) -> Person:
    connection.execute(
        "UPDATE people SET locale = ?, zone = ?, currency = ?, name = ?, home = ?,"
        " setup_stage = ?, revision = ? WHERE person_id = ?",
        (
            person.locale,
            person.zone,
            person.currency,
            person.name,
            person.home,
            person.setup_stage,
            person.revision,
            person.person_id,
        ),
    )
    return person


def _person(row: sqlite3.Row) -> Person:
    return Person(
        person_id=row["person_id"],
        locale=row["locale"],
        zone=row["zone"],
        currency=row["currency"],
        name=row["name"],
        home=row["home"],
        setup_stage=row["setup_stage"],
        revision=row["revision"],
        created_at=from_micros(row["created_at"]),
    )
