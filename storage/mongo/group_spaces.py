"""Spaces of groups, in MongoDB."""

from storage.mongo.database import Database


class MongoGroupSpaces:
    """`bot.core.spaces.GroupSpaces` over the collection ``group_spaces``."""

    def __init__(self, database: Database) -> None:
        self._groups = database.rows("group_spaces")

    async def put(self, place: str, space: str) -> None:
        """Record the space of a group; an empty one takes it back."""
        if not space:
            await self._groups.remove_all({"_id": place})
        elif not await self._groups.add({"_id": place, "space": space}):
            await self._groups.change({"_id": place}, {"$set": {"space": space}})

    async def get(self, place: str) -> str:
        """Return the space of a group; empty when none was said."""
        row = await self._groups.one({"_id": place})
        space: str = row["space"] if row else ""
        return space
