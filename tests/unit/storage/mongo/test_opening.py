"""A database that cannot be used stops the start with words that say what to do."""

import gc
import sys
from typing import Any

import pytest
from mongomock_motor import AsyncMongoMockClient
from pymongo.asynchronous.database import AsyncDatabase

from bot.core.errors import ConfigurationError
from storage.mongo import driver as module
from storage.mongo.database import open_database
from storage.mongo.driver import Driver, Row
from storage.mongo.rows import Rows
from storage.mongo.schema import STEPS, prepare


@pytest.fixture
def in_memory() -> AsyncDatabase[Row]:
    client: Any = AsyncMongoMockClient(tz_aware=True)
    database: AsyncDatabase[Row] = client["switchboard"]
    return database


@pytest.mark.parametrize("uri", ["", "http://localhost", "mongodb://", "mongodb://h:port"])
async def test_an_address_that_cannot_be_read_is_named(uri: str) -> None:
    with pytest.raises(ConfigurationError, match="MONGODB_URI"):
        async with open_database(uri):
            pass


LEAVES_SOCKETS = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""Both drivers leave a socket that they could not connect to the collector."""


@LEAVES_SOCKETS
@pytest.mark.parametrize("driver", ["pymongo", "motor"])
async def test_a_server_that_is_not_there_is_told_of_soon(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(module._OPTIONS, "serverSelectionTimeoutMS", 200)
    monkeypatch.setitem(module._OPTIONS, "timeoutMS", 200)
    with pytest.raises(ConfigurationError, match="see that the server runs"):
        async with open_database("mongodb://127.0.0.1:9/x", driver=driver):
            pass
    gc.collect()


async def test_motor_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "motor.motor_asyncio", None)
    with pytest.raises(ConfigurationError, match=r"constraints\.txt -e '\.\[motor\]'"):
        async with open_database("mongodb://127.0.0.1:9", driver="motor"):
            pass


async def test_steps_run_once_and_in_order(in_memory: AsyncDatabase[Row]) -> None:
    run = []

    async def second(_database: AsyncDatabase[Row]) -> None:
        run.append("second")

    async def third(_database: AsyncDatabase[Row]) -> None:
        run.append("third")

    await prepare(in_memory)
    await prepare(in_memory, (*STEPS, second, third))
    await prepare(in_memory, (*STEPS, second, third))

    assert run == ["second", "third"]


async def test_a_newer_database_is_left_alone(in_memory: AsyncDatabase[Row]) -> None:
    await prepare(in_memory)
    await Rows(in_memory["schema"]).change({"_id": "schema"}, {"$set": {"version": 99}})

    with pytest.raises(ConfigurationError, match="install the newer program"):
        await prepare(in_memory)
