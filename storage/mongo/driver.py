"""Which driver speaks to MongoDB, and all in which the two differ.

PyMongo's own asynchronous client is the default. Motor reached the end of its life on
2026-05-14 and only stays selectable; its calls have the same names and arguments.
"""

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Literal, TypeVar, cast

from pymongo import AsyncMongoClient
from pymongo.asynchronous.database import AsyncDatabase
from pymongo.errors import ConfigurationError as DriverConfigurationError
from pymongo.errors import InvalidURI

from bot.core.errors import ConfigurationError
from bot.core.extras import install

T = TypeVar("T")
Row = dict[str, Any]
Driver = Literal["pymongo", "motor"]

SELECTION_TIMEOUT_MS = 3_000
"""How long a request waits for a server that can be written to."""

REQUEST_TIMEOUT_MS = 6_000
"""How long a request may take, repeats after a lost connection included."""

DEFAULT_NAME = "switchboard"

_OPTIONS: dict[str, Any] = {
    "w": "majority",
    "journal": True,
    "tz_aware": True,
    "serverSelectionTimeoutMS": SELECTION_TIMEOUT_MS,
    "connectTimeoutMS": SELECTION_TIMEOUT_MS,
    "timeoutMS": REQUEST_TIMEOUT_MS,
    "appname": "switchboard",
}


async def awaited(answer: Awaitable[T]) -> T:
    """Return the answer of a call that Motor answers at once, and PyMongo when awaited."""
    given: object = answer
    return await answer if inspect.isawaitable(given) else cast("T", given)


@contextlib.asynccontextmanager
async def open_driver(uri: str, driver: Driver = "pymongo") -> AsyncIterator[AsyncDatabase[Row]]:
    """Open the database that the address names, `DEFAULT_NAME` if it names none.

    Raises:
        ConfigurationError: the address cannot be read, or Motor is not installed.
    """
    try:
        client = _client(uri, driver)
    except (DriverConfigurationError, InvalidURI, ValueError) as error:
        raise ConfigurationError(f"MONGODB_URI: {error}; see mongodb.com/docs") from error
    try:
        yield client.get_default_database(DEFAULT_NAME)
    finally:
        await _close(client, driver)


def _client(uri: str, driver: Driver) -> AsyncMongoClient[Row]:
    if driver == "pymongo":
        return AsyncMongoClient(uri, **_OPTIONS)
    try:
        from motor.motor_asyncio import AsyncIOMotorClient  # noqa: PLC0415  # an extra
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"MONGO_DRIVER: motor is not installed; run: {install('motor')}"
        ) from error
    return cast("AsyncMongoClient[Row]", AsyncIOMotorClient(uri, **_OPTIONS))


async def _close(client: AsyncMongoClient[Row], driver: Driver) -> None:
    if driver == "pymongo":
        await client.close()
    else:  # Motor's own blocks: it says goodbye to the server
        await asyncio.to_thread(cast("Callable[[], None]", client.close))
