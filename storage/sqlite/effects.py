"""The one way in which a write with an effect happens: once, with its result beside it."""

import json
import sqlite3
from typing import TypeVar

from bot.core.effects import Effect
from bot.core.errors import ConflictError
from storage.documents import Document
from storage.instants import to_micros
from storage.sqlite.database import Database, Job
from storage.sqlite.merges import refuse_merged

T = TypeVar("T")


async def once(
    database: Database,
    effect: Effect,
    *,
    name: str,
    person_id: str,
    result: Document[T],
    write: Job[T],
) -> T:
    """Run ``write`` and keep its result, or return the result kept under this effect id.

    Raises:
        ConflictError: the effect id belongs to another method or another person, or the person
            was merged away.
    """

    def job(connection: sqlite3.Connection) -> T:
        kept = connection.execute(
            "SELECT name, person_id, result FROM effects WHERE effect_id = ?", (effect.effect_id,)
        ).fetchone()
        if kept is not None:
            if (kept["name"], kept["person_id"]) != (name, person_id):
                raise ConflictError(f"effect {effect.effect_id} was {kept['name']}, not {name}")
            return result.load(kept["result"])
        refuse_merged(connection, person_id)
        value = write(connection)
        connection.execute(
            "INSERT INTO effects (effect_id, name, person_id, arguments, result, at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                effect.effect_id,
                name,
                person_id,
                json.dumps(dict(effect.arguments)),
                result.dump(value),
                to_micros(effect.at),
            ),
        )
        return value

    return await database.write(job)
