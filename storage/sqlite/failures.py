"""SQLite's errors in the words of `bot.core.errors`, split by what the caller does."""

import sqlite3

from bot.core.errors import ConflictError, StorageError, StorageUnavailableError

_PRIMARY = 0xFF
"""The low byte of an extended result code is its family."""

_UNIQUE = frozenset({sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY})

_PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)


def translated(error: sqlite3.Error) -> StorageError:
    """Return the error of ours that says how to react."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    if code in _UNIQUE:
        return ConflictError(str(error))
    if code & _PRIMARY in _PASSING:
        return StorageUnavailableError(str(error))
    return StorageError(str(error))
