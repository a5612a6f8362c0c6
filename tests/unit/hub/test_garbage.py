"""What start-up made is not walked by the collector while the bot runs."""

import asyncio
import gc

from bot.clock import ManualClock
from bot.garbage import PAUSES_SECONDS, settled_garbage
from tests.stage import TUESDAY


async def test_what_is_there_at_the_start_and_soon_after_is_left_out_until_the_end() -> None:
    clock = ManualClock(TUESDAY)
    async with settled_garbage(clock):
        at_start = gc.get_freeze_count()
        later = [[number] for number in range(1000)]
        await asyncio.sleep(0)
        clock.turn(seconds=PAUSES_SECONDS[0])
        for _ in range(5):
            await asyncio.sleep(0)

        assert at_start > len(later)
        assert gc.get_freeze_count() > at_start
    assert gc.get_freeze_count() == 0
