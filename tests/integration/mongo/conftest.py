"""A database of its own for each test, at the server of the session."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mongo_server import database_uri, own_database


@pytest.fixture
def uri(secantus: str, tmp_path: Path) -> Iterator[str]:
    with own_database(tmp_path, secantus):
        yield database_uri(tmp_path)
