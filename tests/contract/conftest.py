"""The stores under test: another store adds its opener to `OPENERS` and what it needs here."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from pymongo import MongoClient

from bot.core.stores import Stores
from tests.contract.mongo_server import MongoServer, is_installed
from tests.contract.openers import ADDRESS, OPENERS, Check, Opener, Runner, database_name


@pytest.fixture(scope="session")
def mongo_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not is_installed():
        pytest.skip("SecantusDB is not installed (extra dev)")
    server = MongoServer(tmp_path_factory.mktemp("secantus"))
    server.start()
    yield server.uri
    server.kill()


@pytest.fixture
def mongo_folder(mongo_uri: str, tmp_path: Path) -> Iterator[Path]:
    """A folder whose own database is dropped in the end."""
    (tmp_path / ADDRESS).write_text(mongo_uri)
    yield tmp_path
    with MongoClient[dict[str, object]](mongo_uri) as client:
        client.drop_database(database_name(tmp_path))


@pytest.fixture(params=sorted(OPENERS))
def store_kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    if kind != "sqlite":
        request.getfixturevalue("mongo_folder")
    return kind


@pytest.fixture
def opener(store_kind: str) -> Opener:
    return OPENERS[store_kind]


@pytest_asyncio.fixture
async def stores(opener: Opener, tmp_path: Path) -> AsyncIterator[Stores]:
    async with contextlib.AsyncExitStack() as open_ones:
        yield await open_ones.enter_async_context(opener(tmp_path))


@pytest.fixture
def run_with_stores(opener: Opener, tmp_path: Path) -> Runner:
    """Runs a coroutine function against the stores, for generated examples."""

    async def open_and_run(check: Check) -> None:
        async with opener(tmp_path) as opened:
            await check(opened)

    return lambda check: asyncio.run(open_and_run(check))
