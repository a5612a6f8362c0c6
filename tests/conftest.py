"""For all tests: nothing blocks the loop, nothing leaves this machine."""

import gc
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from blockbuster import BlockBuster, blockbuster_ctx
from hypothesis import settings
from structlog.typing import EventDict

from bot.assembly import stores
from tests.chosen_store import open_chosen
from tests.mongo_server import MongoServer, is_installed, own_database

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")  # a machine that stops for a second makes no property false


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--store",
        choices=("sqlite", "mongodb"),
        default="sqlite",
        help="what the application of the other tests keeps its data in",
    )


@pytest.fixture(autouse=True, scope="session")
def logs_are_lines() -> None:
    """Log lines without tracebacks: rendering one reads source files on the loop."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.processors.UnicodeDecoder(),
            _without_traceback,
            structlog.processors.KeyValueRenderer(key_order=["level", "event"]),
        ],
        logger_factory=structlog.PrintLoggerFactory(),
    )


def _without_traceback(_logger: object, _method: str, event: EventDict) -> EventDict:
    event.pop("exc_info", None)
    return event


@pytest.fixture(autouse=True, scope="session")
def nothing_is_frozen() -> Iterator[None]:
    """Leave all objects to the collector: Hypothesis looks among them for who refers to whom."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "freeze", lambda: None)
        yield


OURS = ["bot", "adapters", "agents", "storage"]
LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True)
def nothing_blocks_the_loop() -> Iterator[BlockBuster]:
    """A blocking call of our packages on the event loop fails the test."""
    with blockbuster_ctx(OURS) as blockbuster:
        for call in ("os.stat", "io.BufferedReader.read"):  # one small zone file, once per zone
            blockbuster.functions[call].can_block_in("zoneinfo/_tzpath.py", {"find_tzfile"})
            blockbuster.functions[call].can_block_in(
                "zoneinfo/_common.py", {"load_tzdata", "load_data"}
            )
        blockbuster.functions["os.stat"].can_block_in(  # looks once whether it is in a container
            "pymongo/pool_options.py", {"get_container_env_info"}
        )
        yield blockbuster


@pytest.fixture(autouse=True, scope="session")
def nothing_leaves_this_machine() -> Iterator[None]:
    """Connecting to anything but loopback fails the test.

    Once for the session: BlockBuster wraps the same method for each test and takes its own
    wrapping off, so a guard for each test would be left behind inside it.
    """
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:  # noqa: ANN401  # as in the library
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            pytest.fail(f"a test tried to reach {address[0]}")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield


@pytest.fixture(scope="session")
def secantus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a SecantusDB that runs as long as the tests."""
    if not is_installed():
        pytest.skip("SecantusDB is not installed (extra dev)")
    server = MongoServer(tmp_path_factory.mktemp("secantus"))
    server.start()
    yield server.uri
    server.kill()


@pytest.fixture(autouse=True)
def application_on_the_chosen_store(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[None]:
    """With ``--store mongodb`` the application gets MongoDB wherever it would open SQLite."""
    if request.config.getoption("--store") == "sqlite":
        yield
        return
    if request.node.get_closest_marker("sqlite_only"):
        pytest.skip("about SQLite itself")
    with (
        own_database(tmp_path, request.getfixturevalue("secantus")),
        pytest.MonkeyPatch.context() as patch,  # a test may undo its own patches
    ):
        patch.setattr(stores, "sqlite_stores", lambda path, **_: open_chosen(path.parent))
        yield
