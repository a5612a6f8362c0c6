"""What start-up made is not walked by the collector while the bot runs."""

import asyncio
import gc

import pytest

from bot.clock import ManualClock
from bot.garbage import PAUSES_SECONDS, settled_garbage
from tests.stage import TUESDAY


async def test_what_is_there_is_left_out_at_the_start_soon_after_and_given_back_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    for name in ("collect", "freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, lambda name=name: said.append(name))
    clock = ManualClock(TUESDAY)
    async with settled_garbage(clock):
        assert said == ["collect", "freeze"]
        for times, pause in enumerate(PAUSES_SECONDS, 2):
            await asyncio.sleep(0)
            clock.turn(seconds=pause)
            for _ in range(5):
                await asyncio.sleep(0)
            assert said.count("freeze") == times
    assert said[-1] == "unfreeze"
