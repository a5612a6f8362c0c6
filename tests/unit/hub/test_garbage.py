"""What start-up made is not walked by the collector, neither then nor while the bot runs."""

import asyncio
import gc

import pytest

from bot.clock import ManualClock
from bot.garbage import PAUSES_SECONDS, put_off_collection, settled_garbage
from tests.stage import TUESDAY


async def test_what_is_there_is_left_out_at_the_start_soon_after_and_given_back_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    for name in ("freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, lambda name=name: said.append(name))
    clock = ManualClock(TUESDAY)
    async with settled_garbage(clock):
        assert said == ["freeze"]
        for times, pause in enumerate(PAUSES_SECONDS, 2):
            await asyncio.sleep(0)
            clock.turn(seconds=pause)
            for _ in range(5):
                await asyncio.sleep(0)
            assert said.count("freeze") == times
    assert said[-1] == "unfreeze"


async def test_a_collection_that_was_put_off_for_the_start_works_again_once_the_bot_runs() -> None:
    assert gc.isenabled()
    put_off_collection()
    assert not gc.isenabled()
    async with settled_garbage(ManualClock(TUESDAY)):
        assert gc.isenabled()
    assert gc.isenabled()
