"""Locks by name, so that writers in one process queue up instead of racing at the server."""

import asyncio
from weakref import WeakValueDictionary


class Locks:
    """One lock per name, kept as long as anybody holds or awaits it.

    They only save repeats: what is right is decided at the server, between processes too.
    """

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, name: str) -> asyncio.Lock:
        """Return the lock of this name."""
        return self._locks.setdefault(name, asyncio.Lock())
