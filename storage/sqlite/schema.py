"""Migrations: numbered SQL files, each applied once, whole, after a backup."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from bot.core.errors import ConfigurationError
from bot.language.normalize import folded
from storage.folder import flush_folder


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema; `number` is the version that it leads to."""

    number: int
    script: str


def _shipped() -> tuple[Migration, ...]:
    folder = resources.files("storage.sqlite") / "migrations"
    files = sorted((item for item in folder.iterdir()), key=lambda item: item.name)
    return tuple(
        Migration(int(item.name[:4]), item.read_text("utf-8"))
        for item in files
        if item.name.endswith(".sql")
    )


MIGRATIONS = _shipped()


def migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[Migration]) -> None:
    """Bring the database at ``path`` to the last of the ``migrations``.

    An existing database is copied to ``<name>.before-NNNN`` first, NNNN being the first step
    that it lacks.

    Raises:
        ConfigurationError: it is newer than the migrations, or another program's.
    """
    version = _version(connection)
    known = migrations[-1].number
    if version > known:
        raise ConfigurationError(
            f"DATA_DIR: {path} has version {version}, this program knows up to {known}; "
            f"install the newer program, or put {path.name}.before-{known + 1:04} in its place"
        )
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise ConfigurationError(
            f"DATA_DIR: {path} belongs to another program; name another folder"
        )
    missing = [step for step in migrations if step.number > version]
    if missing and version > 0:
        _back_up(connection, path.with_name(f"{path.name}.before-{missing[0].number:04}"))
    connection.create_function("folded", 1, folded, deterministic=True)
    for step in missing:
        _apply(connection, step)


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _apply(connection: sqlite3.Connection, step: Migration) -> None:
    # Rebuilding a table drops it for a moment, so references are checked once, at the end.
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in _statements(step.script):
            connection.execute(statement)
        if connection.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.IntegrityError(f"migration {step.number} leaves broken references")
        connection.execute(f"PRAGMA user_version = {step.number}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("PRAGMA foreign_keys = ON")


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _back_up(connection: sqlite3.Connection, path: Path) -> None:
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    with closing(sqlite3.connect(unfinished)) as copy:
        connection.backup(copy)
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())
    unfinished.replace(path)
    flush_folder(path.parent)
