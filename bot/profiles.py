"""What a person may use: the defaults of where they come from, changed by grants."""

from collections.abc import Mapping
from datetime import datetime

from bot.core.errors import ConfigurationError
from bot.core.events import Account
from bot.core.grants import Grant, Grants, branches_after
from bot.core.people import Person
from bot.core.permissions import Profile
from bot.registry import Registry

TAKEN = "-"
"""Before a branch: it is taken away."""


class UnknownBranchError(ConfigurationError):
    """No agent has this branch."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(
            f"no branch {name}; there are {', '.join(known)}. More come with other PACKS"
        )
        self.name = name
        self.known = known


class Profiles:
    """Makes profiles; a branch implies the permissions of its tools."""

    def __init__(
        self, grants: Grants, registry: Registry, *, defaults: Mapping[str, frozenset[str]]
    ) -> None:
        """Take default branches by ``platform`` or ``platform/tenant``; elsewhere it is all.

        Raises:
            UnknownBranchError: a default names a branch that no agent has.
        """
        self._grants = grants
        self._registry = registry
        self._defaults = {
            place: frozenset(self.branch(name) for name in names)
            for place, names in defaults.items()
        }

    async def of(self, person: Person, account: Account) -> Profile:
        """Return what the person may use when they come by this account."""
        changes = await self._grants.of_person(person.person_id)
        return self._registry.profile(branches_after(self._default(account), changes))

    async def change(
        self, person: Person, changes: tuple[str, ...], *, change_id: str, by: str, at: datetime
    ) -> None:
        """Store changes (``MEETING`` grants, ``-MEETING`` takes away) under an id of their own.

        Raises:
            UnknownBranchError: no agent has this branch; nothing is stored.
        """
        await self._grants.add(
            [
                Grant(
                    grant_id=f"{change_id}#{number}",
                    person_id=person.person_id,
                    branch_id=self.branch(change.removeprefix(TAKEN)),
                    allowed=not change.startswith(TAKEN),
                    by=by,
                    at=at,
                )
                for number, change in enumerate(changes)
            ]
        )

    async def history(self, person: Person) -> tuple[Grant, ...]:
        """Return the person's changes, the oldest first."""
        return await self._grants.of_person(person.person_id)

    def branch(self, name: str) -> str:
        """Return the branch id that is called so, by itself or by its agent's label.

        Raises:
            UnknownBranchError: there is none.
        """
        wanted = name.casefold()
        for manifest in self._registry.manifests:
            if wanted in (manifest.branch_id.casefold(), manifest.intent.casefold()):
                return manifest.branch_id
        known = tuple(m.branch_id for m in self._registry.manifests if m.routable)
        raise UnknownBranchError(name, known)

    def _default(self, account: Account) -> frozenset[str]:
        for place in (f"{account.platform}/{account.tenant}", account.platform):
            if place in self._defaults:
                return self._defaults[place]
        return frozenset(m.branch_id for m in self._registry.manifests)
