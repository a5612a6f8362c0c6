"""The stores under test: a second store adds its opener to `OPENERS` and nothing else."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.core.stores import Stores
from tests.contract.openers import OPENERS, Check, Opener, Runner


@pytest.fixture(params=sorted(OPENERS))
def store_kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
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
