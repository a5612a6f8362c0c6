"""Patience with a store that does not answer, for writes whose caller acts on their end.

Once such a write is decided its caller must hear of it: it wakes the delivery of what was queued.
An error would leave the caller to find everything done, and nobody woken.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.core.errors import StorageUnavailableError

T = TypeVar("T")

PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


async def patiently(write: Callable[[], Awaitable[T]]) -> T:
    """Return the result of a repeatable write, begun again while the store does not answer.

    Raises:
        StorageUnavailableError: it still does not answer after the last pause.
    """
    for pause in PAUSES_SECONDS:
        try:
            return await write()
        except StorageUnavailableError:
            await asyncio.sleep(pause)
    return await write()
