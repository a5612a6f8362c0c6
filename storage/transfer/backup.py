"""A folder that holds all of a SQLite store, checked when it is made and when it is taken back."""

import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from bot.core.errors import ConfigurationError
from storage.folder import DATABASE, flush_folder, lock_folder

FILES = "files"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What a backup holds.

    Attributes:
        files: how many contents.
        missing: how many files have a row and no bytes, in the original too.
    """

    folder: Path
    turns: int
    entries: int
    files: int
    missing: int


def backup(data_dir: Path, target: Path) -> Saved:
    """Copy database and files into a new folder; it has its name only when all is checked.

    Raises:
        ConfigurationError: a bot is running, there is nothing to copy, the target is there
            already, or what was copied is damaged.
    """
    with lock_folder(data_dir):
        if target.exists():
            raise ConfigurationError(f"{target} is there already; name a new folder")
        unfinished = target.with_name(f"{target.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        _copy(data_dir, unfinished)
        saved = check(unfinished)
        unfinished.replace(target)
        flush_folder(target.parent)
        return replace(saved, folder=target)


def restore(source: Path, data_dir: Path) -> Saved:
    """Copy a checked backup into a data folder that has no database.

    Raises:
        ConfigurationError: a bot is running, the folder has a database, or the backup is damaged.
    """
    saved = check(source)
    with lock_folder(data_dir):
        database = data_dir / DATABASE
        if database.exists():
            raise ConfigurationError(f"{database} is there already; move it away first")
        unfinished = data_dir / f"{DATABASE}.restoring"
        shutil.copytree(source / FILES, data_dir / FILES, dirs_exist_ok=True)
        shutil.copyfile(source / DATABASE, unfinished)
        unfinished.replace(database)
        flush_folder(data_dir)
    return saved


def check(folder: Path) -> Saved:
    """Return what a backup holds.

    Raises:
        ConfigurationError: it is no backup, or damaged.
    """
    database = folder / DATABASE
    if not database.exists():
        raise ConfigurationError(f"{folder} is no backup: it has no {DATABASE}")
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
            if verdict != "ok":
                raise ConfigurationError(f"{database} is damaged: {verdict}")
            wanted = {row[0] for row in connection.execute("SELECT sha256 FROM files")}
            turns, entries = connection.execute(
                "SELECT (SELECT count(*) FROM turns), (SELECT count(*) FROM entries)"
            ).fetchone()
    except sqlite3.DatabaseError as error:
        raise ConfigurationError(f"{database} is damaged: {error}") from error
    held = set(_sound_files(folder / FILES))
    return Saved(
        folder=folder,
        turns=turns,
        entries=entries,
        files=len(held),
        missing=len(wanted - held),
    )


def _copy(data_dir: Path, folder: Path) -> None:
    database = data_dir / DATABASE
    if not database.exists():
        raise ConfigurationError(f"{database} is not there: nothing to back up")
    with (
        closing(sqlite3.connect(database)) as original,
        closing(sqlite3.connect(folder / DATABASE)) as copy,
    ):
        original.backup(copy)
    (folder / FILES).mkdir()
    if (data_dir / FILES).exists():
        shutil.copytree(
            data_dir / FILES,
            folder / FILES,
            ignore=shutil.ignore_patterns("incoming"),
            dirs_exist_ok=True,
        )


def _sound_files(folder: Path) -> Iterator[str]:
    for path in folder.glob("??/*"):
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != path.name:
                raise ConfigurationError(f"{path} is damaged")
        yield path.name
