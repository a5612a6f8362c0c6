"""Waiting in tests for what must come: bounded, but far longer than a busy machine needs."""

import asyncio
from collections.abc import Callable

from bot.app import App
from bot.clock import ManualClock

PATIENCE_SECONDS = 60.0
"""A guard against hanging; no test says anything by it."""

_PAUSE_SECONDS = 0.002
_QUICK_LOOKS = 10
_SLOW_LOOKS = 100


async def until(condition: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
    """Return once the condition holds."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # many different conditions
            await asyncio.sleep(_PAUSE_SECONDS)


async def turn_until(
    app: App, clock: ManualClock, condition: Callable[[], bool], *, step: float, most: float
) -> float:
    """Turn the clock in steps until the condition holds; return by how many seconds.

    A store that is asked over the network gets longer to answer before the next step.
    """
    over_the_network = type(app.stores.inbox).__module__.startswith("storage.mongo")
    looks = _SLOW_LOOKS if over_the_network else _QUICK_LOOKS
    turned = 0.0
    while True:
        for _ in range(looks):
            if condition():
                return turned
            await asyncio.sleep(_PAUSE_SECONDS)
        assert turned < most
        clock.turn(seconds=step)
        turned += step
