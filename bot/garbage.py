"""Keeps the collector off what start-up has made: a full walk stops the loop for 50 ms."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.core.ports import Clock

PAUSES_SECONDS = (5.0, 60.0)
"""After the start: once the platforms' libraries are there, once more for what was slow."""


@asynccontextmanager
async def settled_garbage(clock: Clock) -> AsyncIterator[None]:
    """Collect now and again soon, and leave what remains out of later collections.

    Source: https://docs.python.org/3/library/gc.html#gc.freeze
    """
    gc.collect()
    gc.freeze()
    task = asyncio.create_task(_settle(clock))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gc.unfreeze()


async def _settle(clock: Clock) -> None:
    for pause in PAUSES_SECONDS:
        await clock.sleep(pause)
        gc.freeze()
