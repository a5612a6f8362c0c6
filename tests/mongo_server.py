"""SecantusDB as a process: it speaks MongoDB's protocol; never imported, never shipped (GPL)."""

import contextlib
import hashlib
import os
import socket
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pymongo import MongoClient

PROGRAM = Path(sysconfig.get_path("scripts")) / "secantusd-py"
UP_SECONDS = 60


def is_installed() -> bool:
    """Return whether the server is there to be started."""
    return PROGRAM.exists()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def running_mongod() -> str | None:
    """Return the address of a server that the person who runs the tests has named."""
    return os.environ.get("TEST_MONGODB_URI")  # noqa: TID251  # for tests only, no setting of ours


@dataclass(slots=True)
class MongoServer:
    """One server on a folder and a port of its own; it can go and come back."""

    folder: Path
    port: int = field(default_factory=_free_port)
    _process: "subprocess.Popen[bytes] | None" = None

    @property
    def uri(self) -> str:
        return f"mongodb://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Return when it takes connections; blocking."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(PROGRAM, "--port", str(self.port)),
                    *("--storage-path", self.folder / "data"),
                    *("--log-level", "WARNING", "--cache-size", "256M", "--sync-on-commit"),
                ],
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        until = time.monotonic() + UP_SECONDS
        while not self._answers():
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=0.05)
            if self._process.returncode is not None or time.monotonic() > until:
                raise RuntimeError((self.folder / "log.txt").read_text()[-2000:])

    def kill(self) -> None:
        """End it without a chance to tidy up; blocking."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False


def address_file(folder: Path) -> Path:
    """Return the file beside a test's folder with the address of its server."""
    return folder.with_name(f"{folder.name}.mongodb")


def database_name(folder: Path) -> str:
    """Return the name of the folder's own database."""
    return f"switchboard_{hashlib.sha256(bytes(folder)).hexdigest()[:16]}"


def database_uri(folder: Path) -> str:
    """Return the address of the folder's own database."""
    server, _, options = address_file(folder).read_text().partition("?")
    return f"{server.rstrip('/')}/{database_name(folder)}?{options}"


@contextlib.contextmanager
def own_database(folder: Path, uri: str) -> Iterator[None]:
    """Give the folder databases of its own at this server, dropped in the end; blocking."""
    address_file(folder).write_text(uri)
    yield
    with MongoClient[dict[str, object]](uri) as client:
        for name in client.list_database_names():
            if name.startswith(database_name(folder)):
                client.drop_database(name)
