"""The hub with Feishu, watched from inside: prints JSON when it can receive and when it is asked.

Arguments: folder, address of the platform. A line on standard input asks for the longest block of
the loop since the last one.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

import psutil

from bot.app import opened, working
from bot.clock import SystemClock
from bot.garbage import settled_garbage
from bot.log import configure
from bot.settings import Settings
from tests.emulators.feishu_stage import adapter_for

TICK_SECONDS = 0.002


class Lag:
    """Notices how late a sleep of the loop ends."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def watch(self) -> None:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(TICK_SECONDS)
            self.longest = max(self.longest, time.perf_counter() - begun - TICK_SECONDS)


async def main(folder: str, base: str) -> None:
    configure("ERROR")  # to a pipe that nobody empties
    process, lag = psutil.Process(), Lag()
    settings = Settings(_env_file=None, data_dir=Path(folder), onboarding="off", local_model="off")
    clock = SystemClock()
    async with opened(settings, clock) as app, settled_garbage(clock):
        async with working(app):
            await asyncio.sleep(0.5)
        before = process.memory_info().rss
        watching = asyncio.create_task(lag.watch())
        begun, busy = time.perf_counter(), time.process_time()

        adapter = adapter_for(app, base)
        async with working(app, adapter):
            while not is_ready(dict(adapter.health())):  # noqa: ASYNC110  # seldom and soon over
                await asyncio.sleep(TICK_SECONDS)
            say(
                start=time.perf_counter() - begun,
                cpu=time.process_time() - busy,
                memory=(process.memory_info().rss - before) / 2**20,
                lag=lag.longest,
            )
            while await asyncio.to_thread(sys.stdin.readline):
                say(lag=lag.longest, memory=(process.memory_info().rss - before) / 2**20)
                lag.longest = 0.0
        watching.cancel()


def is_ready(facts: dict[str, str]) -> bool:
    return facts["sending"] == "ready" and not any(fact.startswith("!") for fact in facts.values())


def say(**facts: float) -> None:
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
