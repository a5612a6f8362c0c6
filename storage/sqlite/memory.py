"""Remembered notes in SQLite."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from bot.core.effects import Effect
from bot.core.errors import NotFoundError
from bot.core.ids import derived_id
from bot.core.memory import MemoryNote, MemoryType
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database, Job
from storage.sqlite.effects import once

_NOTE = Document[MemoryNote](MemoryNote)


class SqliteMemory:
    """`bot.core.memory.Memory` over the table ``notes``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(
        self, person_id: str, scope: str, kind: MemoryType, text: str, *, effect: Effect
    ) -> MemoryNote:
        """Store a note."""
        note = MemoryNote(
            note_id=derived_id("m", effect.effect_id),
            person_id=person_id,
            scope=scope,
            type=kind,
            text=text,
            created_at=effect.at,
            updated_at=effect.at,
        )

        def job(connection: sqlite3.Connection) -> MemoryNote:
            connection.execute(
                "INSERT INTO notes"
                " (note_id, person_id, scope, type, text, created_at, updated_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    note.note_id,
                    note.person_id,
                    note.scope,
                    note.type,
                    note.text,
                    to_micros(note.created_at),
                    to_micros(note.updated_at),
                ),
            )
            return note

        return await self._once("memory.save", person_id, effect, job)

    async def append(
        self, person_id: str, scope: str, note_id: str, text: str, *, effect: Effect
    ) -> MemoryNote:
        """Add a sentence to a note, on a line of its own.

        Raises:
            NotFoundError: no such note of this person in this scope.
        """

        def job(connection: sqlite3.Connection) -> MemoryNote:
            note = _existing(connection, person_id, scope, note_id)
            note = replace(note, text=f"{note.text}\n{text}", updated_at=effect.at)
            connection.execute(
                "UPDATE notes SET text = ?, updated_at = ? WHERE note_id = ?",
                (note.text, to_micros(note.updated_at), note_id),
            )
            return note

        return await self._once("memory.append", person_id, effect, job)

    async def delete(
        self, person_id: str, scope: str, note_id: str, *, effect: Effect
    ) -> MemoryNote:
        """Forget a note; return what it was.

        Raises:
            NotFoundError: no such note of this person in this scope.
        """

        def job(connection: sqlite3.Connection) -> MemoryNote:
            note = _existing(connection, person_id, scope, note_id)
            connection.execute("DELETE FROM notes WHERE note_id = ?", (note_id,))
            return note

        return await self._once("memory.delete", person_id, effect, job)

    async def list(self, person_id: str, scope: str) -> Sequence[MemoryNote]:
        """Return the notes, oldest first."""

        def job(connection: sqlite3.Connection) -> tuple[MemoryNote, ...]:
            rows = connection.execute(
                "SELECT * FROM notes WHERE person_id = ? AND scope = ? ORDER BY sequence",
                (person_id, scope),
            )
            return tuple(map(_note, rows))

        return await self._database.read(job)

    async def of_person(self, person_id: str) -> Sequence[MemoryNote]:
        """Return the person's notes of all scopes, oldest first."""

        def job(connection: sqlite3.Connection) -> tuple[MemoryNote, ...]:
            rows = connection.execute(
                "SELECT * FROM notes WHERE person_id = ? ORDER BY sequence", (person_id,)
            )
            return tuple(map(_note, rows))

        return await self._database.read(job)

    async def _once(
        self, name: str, person_id: str, effect: Effect, job: Job[MemoryNote]
    ) -> MemoryNote:
        return await once(
            self._database, effect, name=name, person_id=person_id, result=_NOTE, write=job
        )


def _existing(
    connection: sqlite3.Connection, person_id: str, scope: str, note_id: str
) -> MemoryNote:
    row = connection.execute(
        "SELECT * FROM notes WHERE person_id = ? AND scope = ? AND note_id = ?",
        (person_id, scope, note_id),
    ).fetchone()
    if row is None:
        raise NotFoundError(f"no note {note_id}")
    return _note(row)


def _note(row: sqlite3.Row) -> MemoryNote:
    return MemoryNote(
        note_id=row["note_id"],
        person_id=row["person_id"],
        scope=row["scope"],
        type=MemoryType(row["type"]),
        text=row["text"],
        created_at=from_micros(row["created_at"]),
        updated_at=from_micros(row["updated_at"]),
    )
