"""Invitations in MongoDB."""

from datetime import datetime

from bot.core.admission import Invitation
from storage.instants import to_micros
from storage.mongo.database import Database


class MongoInvitations:
    """`bot.core.admission.Invitations` over the collection ``invitations``."""

    def __init__(self, database: Database) -> None:
        self._invitations = database.rows("invitations")

    async def put(self, invitation: Invitation) -> None:
        """Store an invitation, in place of an unredeemed one of the same id."""
        fresh = {
            "code_hash": invitation.code_hash,
            "created_at": to_micros(invitation.created_at),
            "expires_at": to_micros(invitation.expires_at),
        }
        row = {
            "_id": invitation.invitation_id,
            "made_by": invitation.made_by,
            "account_key": None,
            "redeemed_at": None,
            **fresh,
        }
        if not await self._invitations.add(row):
            unused = {"_id": invitation.invitation_id, "account_key": None}
            await self._invitations.change(unused, {"$set": fresh})

    async def redeem(self, code_hash: str, *, account_key: str, now: datetime) -> bool:
        """Let the account in by the code; whether it is in by it now."""
        at = to_micros(now)
        free = {"code_hash": code_hash, "account_key": None, "expires_at": {"$gt": at}}
        await self._invitations.change(
            free, {"$set": {"account_key": account_key, "redeemed_at": at}}
        )
        mine = await self._invitations.one({"code_hash": code_hash, "account_key": account_key})
        return mine is not None

    async def admitted(self, account_key: str) -> bool:
        """Whether the account came in by an invitation."""
        return await self._invitations.one({"account_key": account_key}) is not None

    async def expel(self, account_key: str) -> int:
        """Forget the invitations that the account redeemed; return how many."""
        return await self._invitations.remove_all({"account_key": account_key})
