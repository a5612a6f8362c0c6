"""How each store is opened in a folder; also used by the child that is killed."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from mongomock_motor import AsyncMongoMockClient
from pymongo.asynchronous.database import AsyncDatabase

from bot.core.stores import Stores
from storage.mongo import stores as mongo
from storage.mongo.database import Database
from storage.mongo.decisions import Decisions
from storage.mongo.driver import Driver, Row
from storage.mongo.schema import prepare
from storage.sqlite.stores import open_stores
from tests.mongo_server import database_name, database_uri

Opener = Callable[[Path], AbstractAsyncContextManager[Stores]]
Check = Callable[[Stores], Awaitable[None]]
Runner = Callable[[Check], None]


def _sqlite(folder: Path) -> AbstractAsyncContextManager[Stores]:
    return open_stores(folder / "switchboard.db", files_folder=folder / "files")


def _mongo(folder: Path, driver: Driver = "pymongo") -> AbstractAsyncContextManager[Stores]:
    return mongo.open_stores(database_uri(folder), driver=driver)


def _motor(folder: Path) -> AbstractAsyncContextManager[Stores]:
    return _mongo(folder, "motor")


@contextlib.asynccontextmanager
async def _mongomock(folder: Path) -> AsyncIterator[Stores]:
    client: Any = AsyncMongoMockClient(tz_aware=True)
    in_memory: AsyncDatabase[Row] = client[database_name(folder)]
    await prepare(in_memory)
    database = Database(in_memory)
    yield mongo.stores_over(database, Decisions(database))


OPENERS: dict[str, Opener] = {
    "sqlite": _sqlite,
    "secantus": _mongo,
    "motor": _motor,
    "mongomock": _mongomock,
    "mongod": _mongo,
}
"""By the store's name; ``secantus``, ``motor`` and ``mongod`` are the same code at a server."""
