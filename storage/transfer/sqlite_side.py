"""SQLite and the folder of files as a side of a transfer."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from storage.folder import flush_folder, prepare_folder
from storage.sqlite.database import Database
from storage.transfer.tables import CONTENTS, NUMBERED, PAGE, Cursor, Record, Table

_ROWID_IS_SEQUENCE = frozenset({"accounts", "entries", "deliveries"})
_WITHOUT_ROWID = frozenset({"learned_categories"})


class SqliteSide:
    """The tables of an open database, and the files under a folder."""

    def __init__(self, database: Database, files_folder: Path) -> None:
        self._database = database
        self._files = files_folder

    async def pages(
        self, table: Table, after: Cursor = ""
    ) -> AsyncIterator[tuple[Sequence[Record], Cursor]]:
        """Yield all records in the order of their rows."""
        while True:
            records, after = await self._page(table, after)
            if not records:
                return
            yield records, after

    async def put(self, table: Table, records: Sequence[Record]) -> None:
        """Write those of the records whose key is not there yet, all or none."""
        if table is CONTENTS:
            for record in records:
                await asyncio.to_thread(
                    _write_file, self._files, record["sha256"], record["bytes"]
                )
            return
        await self._database.write(lambda connection: _put(connection, table, records))

    async def finish(self) -> None:
        """Nothing is left to do."""

    async def _page(self, table: Table, after: Cursor) -> tuple[list[Record], Cursor]:
        if table is CONTENTS:
            return await self._contents(after)
        return await self._database.read(lambda connection: _page(connection, table, after))

    async def _contents(self, after: Cursor) -> tuple[list[Record], Cursor]:
        """Return the next bytes that are there; a row may have lost its own."""

        def job(connection: sqlite3.Connection) -> list[str]:
            rows = connection.execute(
                "SELECT DISTINCT sha256 FROM files WHERE sha256 > ? ORDER BY sha256", (after,)
            )
            return [row["sha256"] for row in rows]

        for digest in await self._database.read(job):
            data = await asyncio.to_thread(_read_file, self._files, digest)
            if data is not None:
                return [{"sha256": digest, "bytes": data}], digest
        return [], after


def _page(
    connection: sqlite3.Connection, table: Table, after: Cursor
) -> tuple[list[Record], Cursor]:
    place = ", ".join(table.key) if table.name in _WITHOUT_ROWID else "rowid"
    mark = json.loads(after) if after else None
    marks = ", ".join("?" for _ in mark or ())
    where = f"WHERE ({place}) > ({marks})" if mark else ""
    rows = connection.execute(
        f"SELECT {place}, {_selected(table)} FROM {table.name} {where}"  # noqa: S608  # our names
        f" ORDER BY {place} LIMIT ?",
        (*(mark or ()), PAGE),
    ).fetchall()
    if not rows:
        return [], after
    places = len(table.key) if table.name in _WITHOUT_ROWID else 1
    return [_record(table, row) for row in rows], json.dumps(list(rows[-1])[:places])


def _selected(table: Table) -> str:
    names = [
        "(SELECT json_group_array(ref) FROM turn_attachments a WHERE a.event_id = turns.event_id)"
        " AS attachments"
        if column == "attachments"
        else _column(table, column)
        for column in (*table.key, *table.columns)
    ]
    return ", ".join(names)


def _column(table: Table, column: str) -> str:
    if column == NUMBERED and table.name in _ROWID_IS_SEQUENCE:
        return "rowid AS sequence"
    return column


def _record(table: Table, row: sqlite3.Row) -> Record:
    record = {column: row[column] for column in (*table.key, *table.columns)}
    for flag in table.flags:
        record[flag] = bool(record[flag])
    for column in ("attachments", "parts"):
        if column in record:
            record[column] = json.loads(record[column])
    if "attachments" in record:
        record["attachments"].sort()
    return record


def _put(connection: sqlite3.Connection, table: Table, records: Sequence[Record]) -> None:
    columns = [column for column in (*table.key, *table.columns) if column != "attachments"]
    names = [_column(table, column).removesuffix(" AS sequence") for column in columns]
    marks = ", ".join("?" for _ in columns)
    connection.executemany(
        f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608  # our names
        " ON CONFLICT DO NOTHING",
        [[_value(record[column]) for column in columns] for record in records],
    )
    if "attachments" in table.columns:
        connection.executemany(
            "INSERT INTO turn_attachments (ref, event_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [(ref, record["event_id"]) for record in records for ref in record["attachments"]],
        )


def _value(value: object) -> object:
    if not isinstance(value, list):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read_file(folder: Path, digest: str) -> bytes | None:
    path = folder / digest[:2] / digest
    return path.read_bytes() if path.exists() else None


def _write_file(folder: Path, digest: str, data: bytes) -> None:
    path = folder / digest[:2] / digest
    prepare_folder(path.parent)
    unfinished = path.with_name(f"{digest}.unfinished")
    unfinished.write_bytes(data)
    unfinished.replace(path)
    flush_folder(path.parent)
    flush_folder(folder)
