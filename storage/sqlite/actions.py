"""Stored actions in SQLite."""

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime

from pydantic import JsonValue

from bot.core.actions import Action, Claim, ClaimStatus, Uses
from storage.documents import Document
from storage.instants import from_micros, to_micros
from storage.sqlite.database import Database

_ARGUMENTS = Document[Mapping[str, JsonValue]](Mapping[str, JsonValue])


class SqliteActions:
    """`bot.core.actions.Actions` over the table ``actions``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(
        self, token: str, *, person_id: str, chat_key: str, event_id: str, now: datetime
    ) -> Claim:
        """Take the action for this event, in one atomic write."""

        def job(connection: sqlite3.Connection) -> Claim:
            action = _load(connection, token)
            if action is None:
                return Claim(status=ClaimStatus.UNKNOWN)
            if action.claimed_by == event_id:
                return Claim(status=ClaimStatus.GRANTED, action=action)
            if (action.owner_id, action.chat_key) != (person_id, chat_key):
                return Claim(status=ClaimStatus.FOREIGN, action=action)
            if _is_used(connection, action):
                return Claim(status=ClaimStatus.USED, action=action)
            if now >= action.expires_at:
                return Claim(status=ClaimStatus.EXPIRED, action=action)
            if action.uses is Uses.ONCE:
                connection.execute(
                    "UPDATE actions SET claimed_by = ? WHERE token = ?", (event_id, token)
                )
            return Claim(status=ClaimStatus.GRANTED, action=_load(connection, token))

        return await self._database.write(job)

    async def get(self, token: str) -> Action | None:
        """Return the action without taking it."""
        return await self._database.read(lambda connection: _load(connection, token))


def add_actions(connection: sqlite3.Connection, actions: Iterable[Action]) -> None:
    """Store the actions whose token is not there yet."""
    connection.executemany(
        "INSERT INTO actions (token, owner_id, chat_key, agent, name, arguments, subject,"
        " revision, uses, action_group, expires_at, claimed_by)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (token) DO NOTHING",
        [
            (
                action.token,
                action.owner_id,
                action.chat_key,
                action.agent,
                action.name,
                _ARGUMENTS.dump(action.arguments),
                action.subject,
                action.revision,
                action.uses,
                action.group,
                to_micros(action.expires_at),
                action.claimed_by,
            )
            for action in actions
        ],
    )


def _load(connection: sqlite3.Connection, token: str) -> Action | None:
    row = connection.execute("SELECT * FROM actions WHERE token = ?", (token,)).fetchone()
    return _action(row) if row else None


def _is_used(connection: sqlite3.Connection, action: Action) -> bool:
    if action.uses is Uses.MANY:
        return False
    if action.claimed_by is not None or not action.group:
        return action.claimed_by is not None
    sibling = connection.execute(
        "SELECT 1 FROM actions"
        " WHERE action_group = ? AND action_group <> '' AND claimed_by IS NOT NULL",
        (action.group,),
    ).fetchone()
    return sibling is not None


def _action(row: sqlite3.Row) -> Action:
    return Action(
        token=row["token"],
        owner_id=row["owner_id"],
        chat_key=row["chat_key"],
        agent=row["agent"],
        name=row["name"],
        arguments=_ARGUMENTS.load(row["arguments"]),
        subject=row["subject"],
        revision=row["revision"],
        uses=Uses(row["uses"]),
        group=row["action_group"],
        expires_at=from_micros(row["expires_at"]),
        claimed_by=row["claimed_by"],
    )
