"""How each store is opened in a folder; also used by the child that is killed.

A MongoDB server's address stands in a file of the folder, and each folder has its own database.
"""

import contextlib
import hashlib
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

Opener = Callable[[Path], AbstractAsyncContextManager[Stores]]
Check = Callable[[Stores], Awaitable[None]]
Runner = Callable[[Check], None]

ADDRESS = "mongodb.uri"


def database_name(folder: Path) -> str:
    """Return the name of the folder's own database."""
    return f"switchboard_{hashlib.sha256(bytes(folder)).hexdigest()[:16]}"


def database_uri(folder: Path) -> str:
    """Return the address of the folder's own database."""
    server, _, options = (folder / ADDRESS).read_text().partition("?")
    return f"{server.rstrip('/')}/{database_name(folder)}?{options}"


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
