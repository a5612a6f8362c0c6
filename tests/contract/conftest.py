"""The stores under test: another store adds its opener to `OPENERS` and what it needs here."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.core.stores import Stores
from tests.contract.openers import OPENERS, Check, Opener, Runner
from tests.contract.subsets import is_checked
from tests.mongo_server import own_database, running_mongod

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not for a store, see `subsets`, and `mongod` where there is none."""
    dropped = [item for item in items if not _is_wanted(item)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item not in set(dropped)]


def _is_wanted(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function) or not item.path.is_relative_to(HERE):
        return True
    callspec = getattr(item, "callspec", None)
    store = callspec.params.get("store_kind", "") if callspec is not None else ""
    if store == "mongod" and running_mongod() is None:
        return False
    return is_checked(store, item.originalname)


@pytest.fixture(params=OPENERS)
def store_kind(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    kind: str = request.param
    uri: str | None = None
    if kind == "mongod":
        uri = running_mongod()
    elif kind in ("secantus", "motor"):
        uri = request.getfixturevalue("secantus")
    if uri is None:
        yield kind
        return
    with own_database(tmp_path, uri):
        yield kind


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
