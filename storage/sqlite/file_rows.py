"""Who owns which file, in SQLite; the bytes are on disk (`storage.files`)."""

import sqlite3
from collections.abc import Mapping
from datetime import datetime

from bot.core.files import StoredFile
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database


class SqliteFileRows:
    """`storage.files.FileRows` over the table ``files``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, file: StoredFile) -> StoredFile:
        """Store the row; the same contents of the same owner give the row that is there."""
        kept_since = to_micros(file.created_at)

        def job(connection: sqlite3.Connection) -> StoredFile:
            row = connection.execute(
                "INSERT INTO files"
                " (file_id, owner, name, mime, size_bytes, sha256, created_at, kept_since)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (owner, sha256) DO UPDATE"
                " SET kept_since = max(kept_since, excluded.kept_since) RETURNING *",
                (
                    file.file_id,
                    file.owner,
                    file.name,
                    file.mime,
                    file.size_bytes,
                    file.sha256,
                    to_micros(file.created_at),
                    kept_since,
                ),
            ).fetchone()
            return _file(row)

        return await self._database.write(job)

    async def get(self, owner: str, file_id: str) -> StoredFile | None:
        """Return the row if it is this owner's."""

        def job(connection: sqlite3.Connection) -> StoredFile | None:
            row = connection.execute(
                "SELECT * FROM files WHERE owner = ? AND file_id = ?", (owner, file_id)
            ).fetchone()
            return _file(row) if row else None

        return await self._database.read(job)

    async def forget(self, *, kept_before: datetime) -> int:
        """Delete rows last sent before then that no turn has attached; return how many."""

        def job(connection: sqlite3.Connection) -> int:
            return connection.execute(
                "DELETE FROM files WHERE kept_since < ? AND NOT EXISTS"
                " (SELECT 1 FROM turn_attachments WHERE ref = file_id)",
                (to_micros(kept_before),),
            ).rowcount

        return await self._database.write(job)

    async def contents(self) -> frozenset[str]:
        """Return the sha256 of everything that has a row."""

        def job(connection: sqlite3.Connection) -> frozenset[str]:
            rows = connection.execute("SELECT DISTINCT sha256 FROM files")
            return frozenset(row["sha256"] for row in rows)

        return await self._database.read(job)

    async def counts(self) -> Mapping[str, int]:
        """Return the number of files and the bytes of their contents, each counted once."""

        def job(connection: sqlite3.Connection) -> dict[str, int]:
            row = connection.execute(
                "SELECT (SELECT count(*) FROM files) AS files, ifnull(sum(size_bytes), 0) AS bytes"
                " FROM (SELECT DISTINCT sha256, size_bytes FROM files)"
            ).fetchone()
            return {"files": row["files"], "bytes": row["bytes"]}

        return await self._database.read(job)


def _file(row: sqlite3.Row) -> StoredFile:
    return StoredFile(
        file_id=row["file_id"],
        owner=row["owner"],
        name=row["name"],
        mime=row["mime"],
        size_bytes=row["size_bytes"],
        sha256=row["sha256"],
        created_at=from_micros(row["created_at"]),
    )
