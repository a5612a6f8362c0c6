"""Who is let in: listed accounts, and those that redeemed an invitation."""

import secrets

from bot.core.admission import VALID_FOR, Invitation, Invitations, hash_of
from bot.core.events import Account, CommandReceived, InboundEvent
from bot.core.ports import Clock
from bot.core.words import Text, text

CODE_BYTES = 12
"""Of chance in a code: it cannot be guessed, and fits a Telegram ``/start`` link (64 characters).

https://core.telegram.org/bots/features#deep-linking
"""

PAIRING = "start"
"""The command that carries a code."""


class Access:
    """The first gate. Ids decide, as names can be taken over."""

    def __init__(self, invitations: Invitations, *, allowed_ids: frozenset[str]) -> None:
        """Take the ids (``platform:id``) that are let in; empty lets everyone in."""
        self._invitations = invitations
        self._allowed = allowed_ids

    async def may_enter(self, account: Account) -> bool:
        """Whether the account is let in."""
        return self._listed(account) or await self._invitations.admitted(account.key)

    async def refusal(self, event: InboundEvent) -> Text | None:
        """Return why the event is not let in; None when it is, by its invitation code perhaps."""
        account = event.account
        if await self.may_enter(account):
            return None
        if isinstance(event, CommandReceived) and event.name == PAIRING and event.argument:
            if await self._invitations.redeem(
                hash_of(event.argument), account_key=account.key, now=event.occurred_at
            ):
                return None
            return text("hub.invitation_void")
        return text("hub.not_allowed", id=f"{account.platform}:{account.user_id}")

    def _listed(self, account: Account) -> bool:
        return not self._allowed or f"{account.platform}:{account.user_id}" in self._allowed


async def invite(invitations: Invitations, *, made_by: str, clock: Clock) -> str:
    """Make an invitation and return its code; it is shown once and stored hashed."""
    code = secrets.token_urlsafe(CODE_BYTES)
    now = clock.now()
    await invitations.put(
        Invitation(
            invitation_id=secrets.token_hex(16),
            code_hash=hash_of(code),
            made_by=made_by,
            created_at=now,
            expires_at=now + VALID_FOR,
        )
    )
    return code
