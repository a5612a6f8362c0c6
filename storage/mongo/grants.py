"""Changes of what people may use, in MongoDB."""

from collections.abc import Iterable

from bot.core.grants import Grant
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database


class MongoGrants:
    """`bot.core.grants.Grants` over the collection ``grants``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._grants = database.rows("grants")

    async def add(self, grants: Iterable[Grant]) -> None:
        """Store changes; those whose id is there already are left alone."""
        changes = tuple(grants)
        first = await self._database.reserve(len(changes))
        await self._grants.add_all(
            [
                {
                    "_id": grant.grant_id,
                    "sequence": sequence,
                    "person_id": grant.person_id,
                    "branch_id": grant.branch_id,
                    "allowed": grant.allowed,
                    "by": grant.by,
                    "at": to_micros(grant.at),
                }
                for sequence, grant in enumerate(changes, first)
            ]
        )

    async def of_person(self, person_id: str) -> tuple[Grant, ...]:
        """Return the person's changes, the oldest first."""
        rows = await self._grants.many({"person_id": person_id}, sort=[("sequence", 1)])
        return tuple(
            Grant(
                grant_id=row["_id"],
                person_id=row["person_id"],
                branch_id=row["branch_id"],
                allowed=row["allowed"],
                by=row["by"],
                at=from_micros(row["at"]),
            )
            for row in rows
        )
