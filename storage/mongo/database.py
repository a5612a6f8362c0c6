"""The database: its collections, and numbers that rise in the order in which they are taken."""

import contextlib
from collections.abc import AsyncIterator

from pymongo.asynchronous.database import AsyncDatabase

from bot.core.errors import StorageError
from storage.mongo.driver import Driver, Row, open_driver
from storage.mongo.rows import Rows
from storage.mongo.schema import COUNTER, FILLING, prepare


class Database:
    """Collections by name, and the one counter that orders rows of all of them."""

    def __init__(self, database: AsyncDatabase[Row]) -> None:
        self._database = database

    def rows(self, name: str) -> Rows:
        """Return the collection of this name."""
        return Rows(self._database[name])

    async def reserve(self, count: int) -> int:
        """Take ``count`` numbers that nobody had before; return the first."""
        if count == 0:
            return 0
        row = await self.rows("counters").changed({"_id": COUNTER}, {"$inc": {"value": count}})
        if row is None:
            raise StorageError("the counter is gone")
        last: int = row["value"]
        return last - count + 1

    async def reserve_above(self, last: int) -> None:
        """Let no number up to ``last`` be taken any more."""
        await self.rows("counters").change({"_id": COUNTER}, {"$max": {"value": last}})

    async def filled(self) -> None:
        """Let everybody open it: the migration that filled it has come to its end."""
        await self.rows("schema").remove_all({"_id": FILLING})


@contextlib.asynccontextmanager
async def open_database(
    uri: str, *, driver: Driver = "pymongo", filling: bool = False
) -> AsyncIterator[Database]:
    """Open the database, made and brought up to date if need be.

    While it is being filled by a migration, only that migration opens it.

    Raises:
        ConfigurationError: it is out of reach, newer than this program, or half filled.
    """
    async with open_driver(uri, driver) as database:
        await prepare(database, filling=filling)
        yield Database(database)
