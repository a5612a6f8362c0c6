"""Time limits by the injected clock, so that tests need not wait."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from bot.core.errors import ModelUnavailableError
from bot.core.model import Show
from bot.core.ports import Clock

T = TypeVar("T")

STALL_SECONDS = 20.0
"""A stream that has begun may pause so long before it counts as cut."""


class TooSlowError(ModelUnavailableError):
    """There was no answer within the time it was given."""


async def within(clock: Clock, seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of ``work``.

    Raises:
        TooSlowError: it took longer; it is cancelled.
    """
    task = asyncio.create_task(work)
    try:
        await _wait(task, clock, seconds)
        if not task.done():
            raise TooSlowError(f"no answer within {seconds:.1f} s")
        return task.result()
    finally:
        await _end(task)


async def growing_within(
    clock: Clock,
    *,
    first: float,
    whole: float,
    show: Show,
    work: Callable[[Show], Coroutine[Any, Any, T]],
) -> T:
    """Return the result of a work that calls what it is given while it goes on.

    Args:
        clock: measures.
        first: seconds until it has to show something.
        whole: seconds it may take in all.
        show: what each call is passed on to.
        work: is given the function to call.

    Raises:
        TooSlowError: it showed nothing in time, stalled, or took too long; it is cancelled.
    """
    beats = 0

    async def beating(text: str) -> None:
        nonlocal beats
        beats += 1
        await show(text)

    began = clock.now()
    task = asyncio.create_task(work(beating))
    try:
        limit = first
        while True:
            seen = beats
            left = whole - (clock.now() - began).total_seconds()
            await _wait(task, clock, min(limit, left))
            if task.done():
                return task.result()
            if beats == seen or left <= limit:
                raise TooSlowError(f"nothing more within {min(limit, left):.1f} s")
            limit = STALL_SECONDS
    finally:
        await _end(task)


async def _wait(task: asyncio.Task[T], clock: Clock, seconds: float) -> None:
    timer = asyncio.ensure_future(_sleep(clock, seconds))
    try:
        await asyncio.wait({task, timer}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        timer.cancel()


def _sleep(clock: Clock, seconds: float) -> Awaitable[None]:
    return clock.sleep(max(seconds, 0.0))


async def _end(task: asyncio.Task[T]) -> None:
    if not task.done():
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
