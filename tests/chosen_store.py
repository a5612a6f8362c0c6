"""The store that the application of a test keeps its data in, as ``--store`` chose it.

With MongoDB each data folder has a database of its own.
"""

import asyncio
import sqlite3
import tempfile
import zlib
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path

from pymongo import MongoClient

from bot.core.stores import Stores
from storage.folder import DATABASE
from storage.mongo.stores import open_stores as open_mongo
from storage.sqlite.stores import open_stores as open_sqlite
from storage.transfer.migration import FILES, Places, copy
from tests.mongo_server import address_file, database_uri


def mongodb_uri(data: Path) -> str:
    """Return the address of the data folder's database; empty when SQLite was chosen."""
    for folder in (data, *data.parents[:-1]):  # the root has no name of its own
        if address_file(folder).exists():
            return database_uri(folder).replace("?", f"_{zlib.crc32(bytes(data))}?")
    return ""


def environment(data: Path) -> dict[str, str]:
    """Return what a process has to be told besides its data folder."""
    uri = mongodb_uri(data)
    return {"MONGODB_URI": uri} if uri else {}


def open_chosen(data: Path) -> AbstractAsyncContextManager[Stores]:
    """Open the store of a data folder."""
    uri = mongodb_uri(data)
    return open_mongo(uri) if uri else open_sqlite(data / DATABASE, files_folder=data / FILES)


async def as_sqlite(data: Path) -> Path:
    """Return an SQLite file with all that is stored; of MongoDB it is a copy made now."""
    uri = mongodb_uri(data)
    if not uri:
        return data / DATABASE
    target = await asyncio.to_thread(_new_folder, data)
    places = Places(data_dir=target, mongodb_uri=uri)
    await copy(places, source="mongo", target="sqlite", say=lambda _: None)
    return target / DATABASE


def _new_folder(data: Path) -> Path:
    data.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(dir=data))


def is_at_rest(data: Path) -> bool:
    """Whether nothing is left to do, reminders to come included; blocking."""
    uri = mongodb_uri(data)
    if uri:
        with MongoClient[dict[str, object]](uri) as client:
            database = client.get_default_database()
            return not (
                database["inbox"].find_one({"done_at": None})
                or database["outbox"].find_one({"settled_at": None})
                or database["schedules"].find_one({"next_fire_at": {"$ne": None}})
            )
    query = (
        "SELECT (SELECT count(*) FROM inbox WHERE done_at IS NULL)"
        " + (SELECT count(*) FROM outbox WHERE settled_at IS NULL)"
        " + (SELECT count(*) FROM schedules WHERE next_fire_at IS NOT NULL)"
    )
    with closing(sqlite3.connect(f"file:{data / DATABASE}?mode=ro", uri=True)) as connection:
        return bool(connection.execute(query).fetchone()[0] == 0)


def most_attempts(data: Path) -> int:
    """Return how often work has begun on the accepted message it began on most; blocking."""
    uri = mongodb_uri(data)
    if uri:
        with MongoClient[dict[str, object]](uri) as client:
            rows = client.get_default_database()["inbox"].find({"done_at": None})
            return max((int(str(row["attempts"])) for row in rows), default=0)
    query = "SELECT coalesce(max(attempts), 0) FROM inbox WHERE done_at IS NULL"
    with closing(sqlite3.connect(f"file:{data / DATABASE}?mode=ro", uri=True)) as connection:
        return int(connection.execute(query).fetchone()[0])
