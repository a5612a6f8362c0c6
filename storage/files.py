"""Files on disk: bytes under their sha256, owners in a store. No client's name is a path."""

import asyncio
import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Protocol

from bot.core.errors import StorageError, StorageUnavailableError
from bot.core.files import MAX_FILE_BYTES, StoredFile
from bot.core.ids import derived_id
from storage.folder import flush_folder, prepare_folder

_INCOMING = "incoming"
_ABANDONED_SECONDS = 24 * 3600
"""After so long a write that is still unfinished belongs to a process that was killed."""


class FileRows(Protocol):
    """Who owns which file; a small table of the store that is used."""

    async def keep(self, file: StoredFile) -> StoredFile:
        """Store the row; the same contents of the same owner give the row that is there."""
        ...

    async def get(self, owner: str, file_id: str) -> StoredFile | None:
        """Return the row if it is this owner's."""
        ...

    async def forget(self, *, kept_before: datetime) -> int:
        """Delete rows last sent before then that no turn has attached; return how many."""
        ...

    async def contents(self) -> frozenset[str]:
        """Return the sha256 of everything that has a row."""
        ...

    async def counts(self) -> Mapping[str, int]:
        """Return the number of files and the bytes of their contents, each counted once."""
        ...


class DiskFiles:
    """`bot.core.files.Files` under one folder.

    The bytes are on disk before their row is written, and go after it, so a row always has its
    bytes. What a crash leaves behind without a row goes with the next purge.
    """

    def __init__(self, folder: Path, rows: FileRows) -> None:
        self._folder = folder
        self._rows = rows
        self._sweeping = asyncio.Lock()

    async def put(
        self, owner: str, data: bytes, *, name: str, mime: str, now: datetime
    ) -> StoredFile:
        """Store the bytes; the same bytes of the same owner give the same file.

        Raises:
            ValueError: more than `MAX_FILE_BYTES`, or empty.
            StorageUnavailableError: the disk is full or out of reach.
        """
        if not 0 < len(data) <= MAX_FILE_BYTES:
            raise ValueError(f"a file has 1 to {MAX_FILE_BYTES} bytes, not {len(data)}")
        incoming, digest = await asyncio.to_thread(_write_incoming, self._folder, data)
        async with self._sweeping:
            await asyncio.to_thread(_settle, incoming, self._path(digest))
            return await self._rows.keep(
                StoredFile(
                    file_id=derived_id("f", owner, digest),
                    owner=owner,
                    name=name,
                    mime=mime,
                    size_bytes=len(data),
                    sha256=digest,
                    created_at=now,
                )
            )

    async def get(self, owner: str, file_id: str) -> tuple[StoredFile, bytes] | None:
        """Return the file and its bytes; None when this owner has no such file.

        Raises:
            StorageError: the bytes are gone from the folder.
        """
        file = await self._rows.get(owner, file_id)
        if file is None:
            return None
        try:
            return file, await asyncio.to_thread(self._path(file.sha256).read_bytes)
        except OSError as error:
            raise StorageError(f"file {file_id} has no bytes any more") from error

    async def purge(self, *, created_before: datetime) -> int:
        """Delete files last sent before then that no turn has attached; return how many."""
        # A sweep that outlived its lock could take new bytes with it, so it is not cancelled.
        return await asyncio.shield(self._purge(created_before))

    async def counts(self) -> Mapping[str, int]:
        """Return the number of files and their bytes on disk."""
        return await self._rows.counts()

    async def _purge(self, created_before: datetime) -> int:
        async with self._sweeping:
            count = await self._rows.forget(kept_before=created_before)
            kept = await self._rows.contents()
            await asyncio.to_thread(_sweep, self._folder, kept)
            return count

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest


async def open_files(folder: Path, rows: FileRows) -> DiskFiles:
    """Return the files under the folder, which is made if need be.

    Raises:
        ConfigurationError: the folder cannot be made.
    """
    await asyncio.to_thread(_prepare, folder)
    return DiskFiles(folder, rows)


def _prepare(folder: Path) -> None:
    prepare_folder(folder / _INCOMING)
    flush_folder(folder)
    flush_folder(folder.parent)


def _write_incoming(folder: Path, data: bytes) -> tuple[Path, str]:
    with _disk_errors():
        handle, name = tempfile.mkstemp(dir=folder / _INCOMING)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
    return Path(name), hashlib.sha256(data).hexdigest()


def _settle(incoming: Path, path: Path) -> None:
    with _disk_errors():
        if not path.parent.exists():
            path.parent.mkdir()
            flush_folder(path.parent.parent)
        incoming.replace(path)
        flush_folder(path.parent)


def _sweep(folder: Path, kept: frozenset[str]) -> None:
    with _disk_errors():
        for path in folder.glob("??/*"):
            if path.name not in kept:
                path.unlink()
        for path in (folder / _INCOMING).iterdir():
            if path.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
                path.unlink()


@contextlib.contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageUnavailableError(f"the file folder: {error.strerror}") from error
