"""Web sign-ins in MongoDB."""

from bot.core.errors import ConflictError
from bot.core.transcripts import WebAccess
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database


class MongoWebTokens:
    """`bot.core.transcripts.WebTokens` over the collection ``web_tokens``."""

    def __init__(self, database: Database) -> None:
        self._tokens = database.rows("web_tokens")

    async def add(self, access: WebAccess) -> None:
        """Store a sign-in.

        Raises:
            ConflictError: the hash is there already.
        """
        row = {
            "_id": access.token_hash,
            "user_id": access.user_id,
            "created_at": to_micros(access.created_at),
        }
        if not await self._tokens.add(row):
            raise ConflictError("this sign-in is there already")

    async def find(self, token_hash: str) -> WebAccess | None:
        """Return the sign-in of this hash."""
        row = await self._tokens.one({"_id": token_hash})
        if row is None:
            return None
        return WebAccess(
            token_hash=row["_id"],
            user_id=row["user_id"],
            created_at=from_micros(row["created_at"]),
        )

    async def revoke(self, user_id: str) -> int:
        """Delete all sign-ins of this user; return how many."""
        return await self._tokens.remove_all({"user_id": user_id})
