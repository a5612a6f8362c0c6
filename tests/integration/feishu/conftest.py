"""A running application on Feishu's long connection."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.emulators.feishu_stage import FeishuStage, feishu_stage


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[FeishuStage]:
    async with feishu_stage(tmp_path) as stage:
        yield stage
