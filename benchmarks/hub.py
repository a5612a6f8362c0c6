"""What the hub adds to a message: accept, route, agent, commit, send, on a real SQLite file."""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from pydantic import JsonValue

from benchmarks.report import Figure
from bot.core.inbox import RawUpdate
from bot.demo import settled
from tests.stage import Stage, stage

MESSAGES = 400
SESSIONS = 200
PER_SESSION = 5


async def measure() -> list[Figure]:
    """Return overhead per message and throughput over many sessions."""
    with tempfile.TemporaryDirectory() as folder:
        async with stage(Path(folder)) as hub:
            overhead = await _overhead(hub)
            rate = await _throughput(hub)
    return [
        Figure("overhead per message, p50", statistics.median(overhead) * 1000, "ms"),
        Figure("overhead per message, p95", _p95(overhead) * 1000, "ms"),
        Figure(f"messages per second, {SESSIONS} sessions", rate, "1/s"),
    ]


async def _overhead(hub: Stage) -> list[float]:
    took = []
    puppet = hub.puppet
    for number in range(MESSAGES):
        puppet.arrived.clear()
        begin = time.perf_counter()
        await hub.app.dispatcher.accept(_raw(hub, f"o{number}", "one", f"午饭{number % 90 + 1}"))
        await puppet.arrived.wait()
        took.append(time.perf_counter() - begin)
    await settled(hub.app.stores)
    return took


async def _throughput(hub: Stage) -> float:
    begin = time.perf_counter()
    await asyncio.gather(
        *(
            hub.app.dispatcher.accept(_raw(hub, f"t{who}-{n}", f"s{who}", f"打车{n + 10}"))
            for n in range(PER_SESSION)
            for who in range(SESSIONS)
        )
    )
    await settled(hub.app.stores)
    return SESSIONS * PER_SESSION / (time.perf_counter() - begin)


def _raw(hub: Stage, key: str, who: str, text: str) -> RawUpdate:
    body: dict[str, JsonValue] = {"kind": "message", "text": text, "message": key}
    return hub.raw(body, key=key, who=who)


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]
