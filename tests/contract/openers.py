"""How each store is opened in a folder; also used by the child that is killed.

A MongoDB server's address stands in a file of the folder, and each folder has its own database.
"""

import hashlib
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from bot.core.stores import Stores
from storage.mongo import stores as mongo
from storage.mongo.driver import Driver
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


OPENERS: dict[str, Opener] = {"sqlite": _sqlite, "mongodb": _mongo}
