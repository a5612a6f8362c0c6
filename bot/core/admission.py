"""Who is let in besides the listed accounts: one-time invitations, redeemed by an account."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

VALID_FOR = timedelta(days=7)
"""How long an invitation waits to be redeemed."""


def hash_of(code: str) -> str:
    """Return the hash under which a code is stored."""
    return hashlib.sha256(code.strip().encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """An invitation; its code is shown once and stored as a hash.

    Attributes:
        invitation_id: whoever makes it under the same id again replaces it.
        code_hash: SHA-256 of the code, hexadecimal.
        made_by: key of the account, or ``command line``.
    """

    invitation_id: str
    code_hash: str
    made_by: str
    created_at: datetime
    expires_at: datetime


class Invitations(Protocol):
    """Invitations and the accounts that came in by them (compared by `Account.key`)."""

    async def put(self, invitation: Invitation) -> None:
        """Store an invitation; what was redeemed under the same id already stays as it is."""
        ...

    async def redeem(self, code_hash: str, *, account_key: str, now: datetime) -> bool:
        """Let the account in; whether it is in by this code now.

        The first account takes the code; for the same account it stays true, so a re-run of the
        same event finds the same.
        """
        ...

    async def admitted(self, account_key: str) -> bool:
        """Whether the account came in by an invitation."""
        ...

    async def expel(self, account_key: str) -> int:
        """Forget the invitations that the account redeemed; return how many."""
        ...
