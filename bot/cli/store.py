"""Commands about what is stored: export, migrate, backup, restore."""

import argparse
import asyncio
import importlib.util
from pathlib import Path

from bot.cli.voice import say, settings_loaded
from bot.core.errors import ConfigurationError, StorageError
from bot.core.extras import install


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    export = commands.add_parser("export", help="write out what is stored of a person")
    export.add_argument("--user", required=True, help="person id, or platform:id of an account")
    export.add_argument("--format", choices=("csv", "json", "ics"), default="json")
    export.set_defaults(run=_export)

    migrate = commands.add_parser("migrate", help="copy everything from one store to the other")
    migrate.add_argument("--from", dest="source", choices=("sqlite", "mongo"), required=True)
    migrate.add_argument("--to", dest="target", choices=("sqlite", "mongo"), required=True)
    migrate.set_defaults(run=_migrate)

    backup = commands.add_parser("backup", help="copy the SQLite store into a new folder")
    backup.add_argument("folder", type=Path)
    backup.set_defaults(run=_backup)

    restore = commands.add_parser("restore", help="take a backup back into an empty data folder")
    restore.add_argument("folder", type=Path)
    restore.set_defaults(run=_restore)


def _export(options: argparse.Namespace) -> int:
    from bot.export import export  # noqa: PLC0415

    say(asyncio.run(export(settings_loaded(), options.user, options.format)))
    return 0


def _migrate(options: argparse.Namespace) -> int:
    if importlib.util.find_spec("pymongo") is None:
        raise ConfigurationError(f"migrate needs pymongo: {install('mongo')}")
    from storage.transfer.migration import Places, migrate  # noqa: PLC0415

    settings = settings_loaded()
    uri = settings.mongodb_uri.get_secret_value()
    if not uri:
        raise ConfigurationError("migrate: set MONGODB_URI to the database to copy to or from")
    places = Places(data_dir=settings.data_dir, mongodb_uri=uri, driver=settings.mongo_driver)
    try:
        moved = migrate(places, source=options.source, target=options.target, say=say)
    except StorageError as error:
        raise ConfigurationError(f"migrate: {error}; run it again") from error
    for table in moved:
        say(f"{table.table:18} {table.count:>8} rows, equal on both sides")
    return 0


def _backup(options: argparse.Namespace) -> int:
    from storage.transfer.backup import backup  # noqa: PLC0415

    saved = backup(settings_loaded().data_dir, options.folder)
    say(f"{saved.folder}: {saved.turns} turns, {saved.entries} entries, {saved.files} files")
    return 0


def _restore(options: argparse.Namespace) -> int:
    from storage.transfer.backup import restore  # noqa: PLC0415

    data_dir = settings_loaded().data_dir
    saved = restore(options.folder, data_dir)
    say(f"{data_dir}: {saved.turns} turns, {saved.entries} entries, {saved.files} files")
    return 0
