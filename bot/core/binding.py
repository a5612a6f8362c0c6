"""One person, several accounts: codes that prove an account, merges, and their undoing."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from bot.core.events import Account
from bot.core.people import Person

CODE_FOR = timedelta(minutes=10)
"""How long a code waits to be typed on the other platform."""

UNDO_FOR = timedelta(hours=24)
"""How long a merge can be undone."""


def code_hash_of(code: str) -> str:
    """Return the hash under which a code is stored; case, spaces and hyphens do not count."""
    letters = "".join(code.split()).replace("-", "").upper()
    return hashlib.sha256(letters.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class BindingCode:
    """A code; it is shown once to the account and stored as a hash.

    Attributes:
        account: who was shown it; a new code of the same account replaces the old one.
        code_hash: SHA-256, hexadecimal.
    """

    account: Account
    code_hash: str
    expires_at: datetime


class Taking(StrEnum):
    """How the taking of a code ended; only `TAKEN` proves anything."""

    TAKEN = "taken"
    UNKNOWN = "unknown"
    USED = "used"
    EXPIRED = "expired"
    OWN = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenCode:
    """The answer to one taking.

    Attributes:
        account: the account that the code proves; None unless it was taken.
    """

    status: Taking
    account: Account | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """How much a person holds.

    Attributes:
        entries: of the personal book, without those taken out.
        reminders: with something to come.
        notes: remembered ones, of all scopes.
    """

    accounts: int = 0
    entries: int = 0
    reminders: int = 0
    notes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """A merge: everything of `other_id` became `survivor_id`'s.

    Attributes:
        moved: what `other_id` held then.
    """

    merge_id: str
    survivor_id: str
    other_id: str
    merged_at: datetime
    moved: Holdings

    def is_too_late(self, at: datetime) -> bool:
        """Whether the time to undo it is over."""
        return at - self.merged_at >= UNDO_FOR


class Undoing(StrEnum):
    """How the undoing of a merge ended.

    CHANGED: the accounts are bound otherwise by now (the survivor was merged into somebody, or
    none of the accounts is with the survivor any more), so there is nothing to go back to.
    """

    UNDONE = "undone"
    TOO_LATE = "too_late"
    CHANGED = "changed"
    UNKNOWN = "unknown"


class Bindings(Protocol):
    """Codes, merges and detachments.

    A person who was merged away owns nothing: writes in their name raise `ConflictError`, so a
    turn that began before the merge is run again for the survivor.
    """

    async def offer(self, code: BindingCode) -> None:
        """Store the code in place of the account's earlier one."""
        ...

    async def take(
        self, code_hash: str, *, account_key: str, event_id: str, now: datetime
    ) -> TakenCode:
        """Use the code up for this event, in one atomic write.

        The same event takes it again, so a re-run finds the same. The account's own code is OWN
        and stays unused.
        """
        ...

    async def holdings(self, person_id: str) -> Holdings:
        """Return how much a person holds."""
        ...

    async def merge(
        self, survivor_id: str, other_id: str, *, merge_id: str, at: datetime
    ) -> Merge:
        """Make everything of ``other_id`` the survivor's; under the same id only once.

        Re-owned are accounts, sessions, turns, summaries, buttons, entries, notes, reminders,
        deliveries, effects and grants. What both learned of categories the survivor keeps as it
        was; the rest is copied. Files belong to accounts and stay with them.

        Raises:
            ConflictError: one of them is merged into somebody already, or they are the same.
            NotFoundError: one of them does not exist.
        """
        ...

    async def undo(self, merge_id: str, *, at: datetime) -> Undoing:
        """Give back what the merge moved; UNDONE also when it was undone before.

        What was written since stays with the survivor. A merge of the survivor into somebody
        else makes this one final.
        """
        ...

    async def detach(
        self, account_key: str, *, from_id: str, fresh_id: str, at: datetime
    ) -> Person:
        """Take the account from the person and give it a new one with the same settings.

        Nothing else moves. Under the same ``fresh_id`` only once.

        Raises:
            ConflictError: it is not an account of theirs, or it is the only one.
        """
        ...
