"""People and their accounts. Owned data belongs to the person, never to an account."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from bot.core.changes import given
from bot.core.effects import Effect
from bot.core.events import Account

SETUP_DONE = 3
"""`setup_stage` at which onboarding is over (seed 000)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person.

    Attributes:
        locale: ``zh-CN`` or ``en``; decides over platform hints.
        zone: IANA name, e.g. ``Asia/Shanghai``.
        currency: ISO code that bare amounts are in.
        home: key of the account in whose private chat private reminders arrive, wherever they
            were set; empty: each in the chat it was set in.
        setup_stage: 0 to 3; below 3 everything goes to onboarding.
        revision: rises with every change.
    """

    person_id: str
    locale: str
    zone: str
    currency: str
    name: str = ""
    home: str = ""
    setup_stage: int = 0
    revision: int = 0
    created_at: datetime

    def changed(self, change: "ProfileChange") -> "Person":
        """Return the next revision with what the change names."""
        return replace(self, **given(change), revision=self.revision + 1)

    def copied(self, person_id: str, at: datetime) -> "Person":
        """Return a new person with the same settings."""
        return replace(self, person_id=person_id, home="", revision=0, created_at=at)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileChange:
    """What to change of a person; None leaves a field."""

    locale: str | None = None
    zone: str | None = None
    currency: str | None = None
    name: str | None = None
    home: str | None = None


class People(Protocol):
    """People by account and id."""

    async def find(self, account: Account) -> Person | None:
        """Return the person behind the account (compared by `Account.key`)."""
        ...

    async def get_or_create(self, account: Account, *, defaults: Person) -> Person:
        """Return the person behind the account; make them from ``defaults`` on first sight.

        One person per account, whoever races.
        """
        ...

    async def get(self, person_id: str) -> Person | None:
        """Return the person."""
        ...

    async def change(self, person_id: str, change: ProfileChange, *, effect: Effect) -> Person:
        """Change profile fields."""
        ...

    async def advance_stage(
        self,
        person_id: str,
        *,
        from_stage: int,
        to_stage: int,
        change: ProfileChange,
        effect: Effect,
    ) -> Person:
        """Move the onboarding stage by compare-and-set, together with ``change``.

        Raises:
            ConflictError: the stored stage is not ``from_stage``.
        """
        ...

    async def with_id(self, platform: str, user_id: str) -> tuple[Person, ...]:
        """Return the people who have an account of this id, with whichever bot of ours."""
        ...

    async def accounts(self, person_id: str) -> tuple[Account, ...]:
        """Return the person's accounts."""
        ...
