"""How each store is opened in a folder; also used by the child that is killed."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from bot.core.stores import Stores
from storage.sqlite.stores import open_stores

Opener = Callable[[Path], AbstractAsyncContextManager[Stores]]
Check = Callable[[Stores], Awaitable[None]]
Runner = Callable[[Check], None]


def _sqlite(folder: Path) -> AbstractAsyncContextManager[Stores]:
    return open_stores(folder / "switchboard.db", files_folder=folder / "files")


OPENERS: dict[str, Opener] = {"sqlite": _sqlite}
