"""Remembered notes in MongoDB; a forgotten one leaves an empty row, so that it stays forgotten."""

from collections.abc import Sequence
from dataclasses import replace

from bot.core.effects import Effect
from bot.core.errors import NotFoundError
from bot.core.ids import derived_id
from bot.core.memory import MemoryNote, MemoryType
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.mongo.database import Database
from storage.mongo.decisions import Write, insert
from storage.mongo.driver import Row
from storage.mongo.turnstiles import Plan, Turnstiles, rewrite

_NOTE = Document[MemoryNote](MemoryNote)


class MongoMemory:
    """`bot.core.memory.Memory` over the collection ``notes``."""

    def __init__(self, database: Database, turnstiles: Turnstiles) -> None:
        self._database = database
        self._notes = database.rows("notes")
        self._turnstiles = turnstiles

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

        async def plan(version: int) -> tuple[MemoryNote, list[Write]]:
            row = {
                "_id": note.note_id,
                "sequence": await self._database.reserve(1),
                "person_id": note.person_id,
                "scope": note.scope,
                "type": note.type.value,
                "text": note.text,
                "created_at": to_micros(note.created_at),
                "updated_at": to_micros(note.updated_at),
                "forgotten": False,
                "head": version,
            }
            return note, [insert("notes", row)]

        return await self._once("memory.save", person_id, effect, plan)

    async def append(
        self, person_id: str, scope: str, note_id: str, text: str, *, effect: Effect
    ) -> MemoryNote:
        """Add a sentence to a note, on a line of its own.

        Raises:
            NotFoundError: no such note of this person in this scope.
        """

        async def plan(version: int) -> tuple[MemoryNote, list[Write]]:
            note = await self._existing(person_id, scope, note_id)
            note = replace(note, text=f"{note.text}\n{text}", updated_at=effect.at)
            fields = {"text": note.text, "updated_at": to_micros(note.updated_at)}
            return note, [rewrite("notes", note_id, version, fields)]

        return await self._once("memory.append", person_id, effect, plan)

    async def delete(
        self, person_id: str, scope: str, note_id: str, *, effect: Effect
    ) -> MemoryNote:
        """Forget a note; return what it was.

        Raises:
            NotFoundError: no such note of this person in this scope.
        """

        async def plan(version: int) -> tuple[MemoryNote, list[Write]]:
            note = await self._existing(person_id, scope, note_id)
            fields = {"text": "", "forgotten": True}
            return note, [rewrite("notes", note_id, version, fields)]

        return await self._once("memory.delete", person_id, effect, plan)

    async def list(self, person_id: str, scope: str) -> Sequence[MemoryNote]:
        """Return the notes, oldest first."""
        rows = await self._notes.many(
            {"person_id": person_id, "scope": scope, "forgotten": False}, sort=[("sequence", 1)]
        )
        return tuple(map(_note, rows))

    async def of_person(self, person_id: str) -> Sequence[MemoryNote]:
        """Return the person's notes of all scopes, oldest first."""
        rows = await self._notes.many(
            {"person_id": person_id, "forgotten": False}, sort=[("sequence", 1)]
        )
        return tuple(map(_note, rows))

    async def _once(
        self, name: str, person_id: str, effect: Effect, plan: Plan[MemoryNote]
    ) -> MemoryNote:
        return await self._turnstiles.once(
            effect, name=name, person_id=person_id, result=_NOTE, plan=plan
        )

    async def _existing(self, person_id: str, scope: str, note_id: str) -> MemoryNote:
        row = await self._notes.one(
            {"_id": note_id, "person_id": person_id, "scope": scope, "forgotten": False}
        )
        if row is None:
            raise NotFoundError(f"no note {note_id}")
        return _note(row)


def _note(row: Row) -> MemoryNote:
    return MemoryNote(
        note_id=row["_id"],
        person_id=row["person_id"],
        scope=row["scope"],
        type=MemoryType(row["type"]),
        text=row["text"],
        created_at=from_micros(row["created_at"]),
        updated_at=from_micros(row["updated_at"]),
    )
