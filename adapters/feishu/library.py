"""Imports of lark-oapi what is used, without the rest of it.

``import lark_oapi`` imports every service: 4 s of CPU time, 176 MB (1.7.5, measured here). All of
that is done by the ``__init__`` of two packages; passing by both, the models we send and the
decryption take 0.3 s and 31 MB. See decision 0040; that it goes on working is held by tests.
"""

import asyncio
import functools
import importlib.util
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from bot.core.errors import ConfigurationError
from bot.core.extras import install

if TYPE_CHECKING:
    from adapters.feishu.calls import Calls
    from adapters.feishu.secrecy import Opener

_PASSED_BY = ("lark_oapi", "lark_oapi.api")
_ONE_AT_A_TIME = threading.Lock()


def ensure_installed() -> None:
    """Find the library without importing it.

    Raises:
        ConfigurationError: it is not installed.
    """
    if importlib.util.find_spec("lark_oapi") is None:
        raise ConfigurationError(
            f"FEISHU_APP_ID is set, but lark-oapi is missing: {install('feishu')}"
        )


async def load() -> tuple["type[Calls]", "type[Opener]"]:
    """Return what needs the library; the import happens in a thread, once per process."""
    return await asyncio.to_thread(_load)


def _load() -> tuple["type[Calls]", "type[Opener]"]:
    with _ONE_AT_A_TIME:
        return _loaded()


@functools.cache
def _loaded() -> tuple["type[Calls]", "type[Opener]"]:
    with ExitStack() as stack:
        if "lark_oapi" not in sys.modules:
            for name in _PASSED_BY:
                stack.enter_context(_bare_package(name))
        from adapters.feishu import calls, secrecy  # noqa: PLC0415  # not before the above

        return calls.Calls, secrecy.Opener


@contextmanager
def _bare_package(name: str) -> Iterator[None]:
    """Let modules of a package be imported without running its ``__init__``."""
    spec = importlib.util.find_spec(name)
    package = types.ModuleType(name)
    package.__path__ = list(spec.submodule_search_locations or []) if spec else []
    package.__spec__ = spec
    sys.modules[name] = package
    try:
        yield
    finally:
        del sys.modules[name]
