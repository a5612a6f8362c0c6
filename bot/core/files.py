"""Files that people send and pictures that we make."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

MAX_FILE_BYTES = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A stored file.

    Attributes:
        owner: account key of who sent it, or of whom it was made for.
        sha256: hex digest of its bytes; equal contents are kept once.
    """

    file_id: str
    owner: str
    name: str
    mime: str
    size_bytes: int
    sha256: str
    created_at: datetime


class Files(Protocol):
    """Files by owner."""

    async def put(
        self, owner: str, data: bytes, *, name: str, mime: str, now: datetime
    ) -> StoredFile:
        """Store the bytes; the same bytes of the same owner give the same file.

        Raises:
            ValueError: more than `MAX_FILE_BYTES`, or empty.
        """
        ...

    async def get(self, owner: str, file_id: str) -> tuple[StoredFile, bytes] | None:
        """Return the file and its bytes; None when this owner has no such file."""
        ...

    async def purge(self, *, created_before: datetime) -> int:
        """Delete files made before then that no turn has attached; return how many."""
        ...

    async def counts(self) -> Mapping[str, int]:
        """Return the number of files and their bytes."""
        ...
