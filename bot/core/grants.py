"""Branches that are granted to a person or taken from them; every change is kept as a record."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """One change of what a person may use.

    Attributes:
        grant_id: unique; the same change stored twice is stored once.
        branch_id: of a manifest.
        allowed: granted, or taken away.
        by: key of the account that did it, or ``command line``.
    """

    grant_id: str
    person_id: str
    branch_id: str
    allowed: bool
    by: str
    at: datetime


class Grants(Protocol):
    """Changes of profiles, in the order they were made; nothing is ever overwritten."""

    async def add(self, grants: Iterable[Grant]) -> None:
        """Store changes; those whose id is there already are left alone."""
        ...

    async def of_person(self, person_id: str) -> tuple[Grant, ...]:
        """Return the person's changes, the oldest first."""
        ...


def branches_after(defaults: frozenset[str], grants: Iterable[Grant]) -> frozenset[str]:
    """Return the branches that are left of the defaults after the changes, in their order."""
    branches = set(defaults)
    for grant in grants:
        if grant.allowed:
            branches.add(grant.branch_id)
        else:
            branches.discard(grant.branch_id)
    return frozenset(branches)
