"""The moments and zones of the tests."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.fixture
def tz() -> ZoneInfo:
    return SHANGHAI


@pytest.fixture
def now() -> datetime:
    """A Tuesday morning."""
    return datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)
