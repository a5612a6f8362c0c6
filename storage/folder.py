"""The data folder: made when missing, checked, and held by one process at a time."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from bot.core.errors import ConfigurationError

LOCK_NAME = "switchboard.lock"

DATABASE = "switchboard.db"
"""The file of the embedded store in the data folder."""


class FolderInUseError(ConfigurationError):
    """Another process of ours holds the folder; `holder` is its number, or ``unknown``."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(
            f"DATA_DIR: {path} is in use by another Switchboard (process {holder}); "
            "stop that one or name another folder"
        )
        self.holder = holder


def prepare_folder(path: Path) -> None:
    """Make the folder if it is missing.

    Raises:
        ConfigurationError: it cannot be made, or is no folder.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise ConfigurationError(
            f"DATA_DIR: {path} is a file; name a folder or move the file away"
        ) from error
    except OSError as error:
        raise ConfigurationError(
            f"DATA_DIR: the folder {path} cannot be made ({error.strerror}); name another one"
        ) from error


def flush_folder(path: Path) -> None:
    """Put the folder's entries on disk, so that a rename in it outlives a power cut."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Wait until no other process is between the same lines under this lock file; blocking."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def lock_folder(path: Path) -> Iterator[None]:
    """Hold the folder for this process; the operating system lets go when the process ends.

    It does blocking file calls: enter it before the event loop starts.

    Raises:
        FolderInUseError: another process holds it.
        ConfigurationError: it cannot be written to.
    """
    prepare_folder(path)
    try:
        handle = os.open(path / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ConfigurationError(
            f"DATA_DIR: {path} cannot be written to ({error.strerror}); "
            "give this user the right to write there or name another folder"
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(handle, 32).decode(errors="replace").strip() or "unknown"
            raise FolderInUseError(path, holder) from error
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)
