"""People and accounts in MongoDB."""

import re
from dataclasses import replace

from bot.core.effects import Effect
from bot.core.errors import ConflictError, NotFoundError
from bot.core.events import Account
from bot.core.people import Person, ProfileChange
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database
from storage.mongo.decisions import Decisions, Write, insert
from storage.mongo.driver import Row
from storage.mongo.turnstiles import Turnstiles, rewrite

_ACCOUNT = Document[Account](Account)
_PERSON = Document[Person](Person)


class MongoPeople:
    """`bot.core.people.People` over the collections ``people`` and ``accounts``."""

    def __init__(self, database: Database, decisions: Decisions, turnstiles: Turnstiles) -> None:
        self._database = database
        self._people = database.rows("people")
        self._accounts = database.rows("accounts")
        self._decisions = decisions
        self._turnstiles = turnstiles

    async def find(self, account: Account) -> Person | None:
        """Return the person behind the account."""
        row = await self._accounts.one({"_id": account.key})
        await self._decisions.settle("accounts", row)
        return await self.get(row["person_id"]) if row else None

    async def get_or_create(self, account: Account, *, defaults: Person) -> Person:
        """Return the person behind the account, made from ``defaults`` on first sight.

        Raises:
            ConflictError: the account is new but the id of ``defaults`` is another's.
        """
        known = await self.find(account)
        if known is not None:
            return known
        if await self.get(defaults.person_id) is None:
            row = {
                "_id": account.key,
                "person_id": defaults.person_id,
                "document": _ACCOUNT.dump(account),
                "sequence": await self._database.reserve(1),
                "founded": defaults.person_id,
            }
            if await self._decisions.found(
                "accounts", row, [insert("people", person_row(defaults))]
            ):
                return defaults
        made = await self.find(account)
        if made is None:
            raise ConflictError(f"{defaults.person_id} has other accounts")
        return made

    async def get(self, person_id: str) -> Person | None:
        """Return the person."""
        row = await self._people.one({"_id": person_id})
        return _person(row) if row else None

    async def change(self, person_id: str, change: ProfileChange, *, effect: Effect) -> Person:
        """Change profile fields.

        Raises:
            NotFoundError: no such person.
        """

        async def plan(version: int) -> tuple[Person, list[Write]]:
            changed = (await self._existing(person_id)).changed(change)
            return changed, [_rewritten(changed, version)]

        return await self._turnstiles.once(
            effect, name="people.change", person_id=person_id, result=_PERSON, plan=plan
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

        async def plan(version: int) -> tuple[Person, list[Write]]:
            person = await self._existing(person_id)
            if person.setup_stage != from_stage:
                raise ConflictError(f"{person_id} is in stage {person.setup_stage}")
            changed = replace(person.changed(change), setup_stage=to_stage)
            return changed, [_rewritten(changed, version)]

        return await self._turnstiles.once(
            effect, name="people.advance_stage", person_id=person_id, result=_PERSON, plan=plan
        )

    async def with_id(self, platform: str, user_id: str) -> tuple[Person, ...]:
        """Return the people who have an account of this id, the first seen first."""
        wanted = {"_id": {"$regex": f"^{re.escape(platform)}/.*/{re.escape(user_id)}$"}}
        rows = await self._accounts.many(wanted, sort=[("sequence", 1)])
        people = [
            await self.get(person_id)
            for person_id in dict.fromkeys(
                row["person_id"]
                for row in rows
                if _ACCOUNT.load(row["document"]).user_id == user_id
            )
        ]
        return tuple(person for person in people if person is not None)

    async def accounts(self, person_id: str) -> tuple[Account, ...]:
        """Return the person's accounts, the first seen first."""
        rows = await self._accounts.many({"person_id": person_id}, sort=[("sequence", 1)])
        return tuple(_ACCOUNT.load(row["document"]) for row in rows)

    async def _existing(self, person_id: str) -> Person:
        person = await self.get(person_id)
        if person is None:
            raise NotFoundError(f"no person {person_id}")
        return person


def _fields(person: Person) -> Row:
    return {
        "locale": person.locale,
        "zone": person.zone,
        "currency": person.currency,
        "name": person.name,
        "home": person.home,
        "setup_stage": person.setup_stage,
        "revision": person.revision,
    }


def person_row(person: Person) -> Row:
    """Return the row of a new person."""
    return {
        "_id": person.person_id,
        **_fields(person),
        "created_at": to_micros(person.created_at),
        "head": 0,
    }


def _rewritten(person: Person, version: int) -> Write:
    return rewrite("people", person.person_id, version, _fields(person))


def _person(row: Row) -> Person:
    return Person(
        person_id=row["_id"],
        locale=row["locale"],
        zone=row["zone"],
        currency=row["currency"],
        name=row["name"],
        home=row["home"],
        setup_stage=row["setup_stage"],
        revision=row["revision"],
        created_at=from_micros(row["created_at"]),
    )
