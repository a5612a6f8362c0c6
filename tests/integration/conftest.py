"""A running hub for every test that wants one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.stage import Stage, stage


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[Stage]:
    """The hub with onboarding switched off."""
    async with stage(tmp_path) as opened:
        yield opened
