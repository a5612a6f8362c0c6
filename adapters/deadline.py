"""A time limit by the injected clock, so that tests need not wait."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from bot.core.ports import Clock

T = TypeVar("T")


async def within(clock: Clock, seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of ``work``.

    Raises:
        TimeoutError: it took longer; it is cancelled, and what it still does is awaited.
    """
    task = asyncio.ensure_future(work)
    timer = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({task, timer}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TimeoutError(f"nothing within {seconds:g} s")
        return task.result()
    finally:
        for each in (task, timer):
            each.cancel()
        await asyncio.gather(task, timer, return_exceptions=True)
