"""What the application reads at its start is read before these tests."""

import pytest

from bot.preload import preload


@pytest.fixture(autouse=True, scope="session")
def package_files_are_read() -> None:
    """As in `bot.app.opened`."""
    preload()
