"""The stores under test: a second store adds its opener to `OPENERS` and nothing else."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from storage.bundle import Stores
from tests.contract.openers import OPENERS, Opener


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
