"""Imports aiogram without building what is not used.

``import aiogram`` builds the validators of some 700 classes: 2.1 s of CPU time and 136 MB
(3.31.0, measured here). Nearly all of it is a loop at the end of ``aiogram.types`` that builds
every class. We let that loop do nothing and build the classes we send: 0.6 s and 27 MB.
See decision 0010; that it goes on working like this is held by tests.
"""

import asyncio
import functools
import importlib
import importlib.util
import sys
import threading
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Optional, Union

from bot.core.errors import ConfigurationError
from bot.core.extras import install

if TYPE_CHECKING:
    from adapters.telegram.calls import Calls
    from adapters.telegram.sender import Sender

_ONE_AT_A_TIME = threading.Lock()


def ensure_installed() -> None:
    """Find the library without importing it.

    Raises:
        ConfigurationError: it is not installed.
    """
    if importlib.util.find_spec("aiogram") is None:
        raise ConfigurationError(
            f"TELEGRAM_BOT_TOKEN is set, but aiogram is missing: {install('telegram')}"
        )


async def load() -> tuple["type[Calls]", "type[Sender]"]:
    """Return what needs the library; the import happens in a thread, once per process."""
    return await asyncio.to_thread(_load)


def _load() -> tuple["type[Calls]", "type[Sender]"]:
    with _ONE_AT_A_TIME:
        return _loaded()


@functools.cache
def _loaded() -> tuple["type[Calls]", "type[Sender]"]:
    spec = importlib.util.find_spec("aiogram")
    if spec is not None and "aiogram" not in sys.modules:
        _import_unbuilt(spec.submodule_search_locations or [])
    from adapters.telegram import calls, sender  # noqa: PLC0415  # not before the above

    _build(calls)
    return calls.Calls, sender.Sender


def _import_unbuilt(folders: Sequence[str]) -> None:
    """Import the classes while building is put off.

    The root of all their classes can only be reached before them by passing by the package's
    ``__init__``, which imports everything.
    """
    with _bare_package("aiogram", folders):
        root = importlib.import_module("aiogram.client.context_controller").BotContextController
        root.model_config["defer_build"] = True
        root.model_rebuild = classmethod(lambda _cls, **_options: None)
        try:
            for name in ("types", "methods", "client.bot", "client.session.base"):
                importlib.import_module(f"aiogram.{name}")
        finally:
            del root.model_rebuild


@contextmanager
def _bare_package(name: str, folders: Sequence[str]) -> Iterator[None]:
    """Let modules of a package be imported without running its ``__init__`` yet."""
    package = types.ModuleType(name)
    package.__path__ = list(folders)
    sys.modules[name] = package
    try:
        yield
    finally:
        del sys.modules[name]


def _build(calls: types.ModuleType) -> None:
    """Build the classes that the calls use; each takes along what it is made of."""
    library = importlib.import_module("aiogram.types")
    names = {
        "List": list,
        "Optional": Optional,
        "Union": Union,
        "Literal": Literal,
        "Default": importlib.import_module("aiogram.client.default").Default,
        **{name: getattr(library, name) for name in library.__all__},
    }
    for used in vars(calls).values():
        module = getattr(used, "__module__", "")
        if module.startswith(("aiogram.types.", "aiogram.methods.")):
            rebuild = getattr(used, "model_rebuild", None)
            if rebuild is not None:
                rebuild(_types_namespace=names)
