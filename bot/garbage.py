"""Keeps the collector off what start-up makes: it costs the start 0.1 s, later the loop 50 ms."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.core.ports import Clock

PAUSES_SECONDS = (5.0, 60.0)
"""After the start: once the platforms' libraries are there, once more for what was slow."""


def put_off_collection() -> None:
    """Collect nothing until `settled_garbage`: what start-up makes stays, and is made at once."""
    gc.disable()


@asynccontextmanager
async def settled_garbage(clock: Clock) -> AsyncIterator[None]:
    """Leave what is there out of later collections, soon again, and let the collector work.

    The little that is no longer used by then (some 2,000 objects) is kept rather than looked for.

    Source: https://docs.python.org/3/library/gc.html#gc.freeze
    """
    gc.freeze()
    gc.enable()
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
