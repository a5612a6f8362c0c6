"""Invitations in SQLite."""

import sqlite3
from datetime import datetime

from bot.core.admission import Invitation
from storage.instants import to_micros
from storage.sqlite.database import Database


class SqliteInvitations:
    """`bot.core.admission.Invitations` over the table ``invitations``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, invitation: Invitation) -> None:
        """Store an invitation, in place of an unredeemed one of the same id."""
        values = (
            invitation.invitation_id,
            invitation.code_hash,
            invitation.made_by,
            to_micros(invitation.created_at),
            to_micros(invitation.expires_at),
        )

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO invitations"
                " (invitation_id, code_hash, made_by, created_at, expires_at)"
                " VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (invitation_id) DO UPDATE SET code_hash = excluded.code_hash,"
                " created_at = excluded.created_at, expires_at = excluded.expires_at"
                " WHERE account_key IS NULL",
                values,
            )

        await self._database.write(job)

    async def redeem(self, code_hash: str, *, account_key: str, now: datetime) -> bool:
        """Let the account in by the code; whether it is in by it now."""
        at = to_micros(now)

        def job(connection: sqlite3.Connection) -> bool:
            connection.execute(
                "UPDATE invitations SET account_key = ?, redeemed_at = ?"
                " WHERE code_hash = ? AND account_key IS NULL AND expires_at > ?",
                (account_key, at, code_hash, at),
            )
            mine = connection.execute(
                "SELECT 1 FROM invitations WHERE code_hash = ? AND account_key = ?",
                (code_hash, account_key),
            )
            return mine.fetchone() is not None

        return await self._database.write(job)

    async def admitted(self, account_key: str) -> bool:
        """Whether the account came in by an invitation."""

        def job(connection: sqlite3.Connection) -> bool:
            found = connection.execute(
                "SELECT 1 FROM invitations WHERE account_key = ?", (account_key,)
            )
            return found.fetchone() is not None

        return await self._database.read(job)

    async def expel(self, account_key: str) -> int:
        """Forget the invitations that the account redeemed; return how many."""

        def job(connection: sqlite3.Connection) -> int:
            return connection.execute(
                "DELETE FROM invitations WHERE account_key = ?", (account_key,)
            ).rowcount

        return await self._database.write(job)
