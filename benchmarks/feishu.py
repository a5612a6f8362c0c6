"""Feishu: what the adapter costs at its start, events a second through inbox and ack, the loop.

The platform is the emulator in this process; the bot is a process of its own.
"""

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from benchmarks.report import Figure
from tests.emulators.feishu import Feishu

EVENTS, CHATS = 1500, 110
QUICK = 100
"""Of these the bot knows the names then, as it knows the people of a company."""

PRESSES = 20


async def measure() -> list[Figure]:
    """Return all figures."""
    api = Feishu()
    with tempfile.TemporaryDirectory() as folder:
        async with api.serving() as base, _bot(folder, base) as process:
            started = await _line(process)
            figures = [
                Figure("feishu: adapter start to receiving", started["start"], "s"),
                Figure("feishu: of these CPU time", started["cpu"], "s"),
                Figure("feishu: memory over the base", started["memory"], "MB"),
                Figure(
                    "feishu: longest block of the loop at the start", started["lag"] * 1e3, "ms"
                ),
            ]
            await _ask(process)
            figures += await _latency(api)
            figures.append(await _presses(api))
            lag = (await _ask(process))["lag"] * 1e3
            figures.append(
                Figure("feishu: longest block of the loop, one after the other", lag, "ms")
            )
            figures += await _throughput(api)
            under_load = await _ask(process)
            lag, memory = under_load["lag"] * 1e3, under_load["memory"]
            figures.append(Figure("feishu: longest block of the loop, all at once", lag, "ms"))
            figures.append(Figure("feishu: memory over the base under load", memory, "MB"))
    return figures


@asynccontextmanager
async def _bot(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "benchmarks.feishu_child", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _line(process: asyncio.subprocess.Process) -> dict[str, float]:
    assert process.stdout is not None
    async with asyncio.timeout(60):
        while True:
            line = await process.stdout.readline()
            assert line, "the bot ended"
            if line.startswith(b"{"):
                facts: dict[str, float] = json.loads(line)
                return facts


async def _ask(process: asyncio.subprocess.Process) -> dict[str, float]:
    assert process.stdin is not None
    process.stdin.write(b"\n")
    return await _line(process)


async def _until(condition: Callable[[], bool], seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # another process changes it
            await asyncio.sleep(0.001)


async def _latency(api: Feishu) -> list[Figure]:
    acked, answered = list[float](), list[float]()
    for number in range(QUICK + 10):
        shown, begun = len(api.shown), time.perf_counter()
        said = api.say(f"午饭{number % 90 + 1}", who=f"ou_{number}")
        await _until(lambda said=said: bool(said.acks))  # type: ignore[misc]
        acked.append(time.perf_counter() - begun)
        await _until(lambda shown=shown: len(api.shown) > shown)  # type: ignore[misc]
        answered.append(time.perf_counter() - begun)
    return [
        Figure("feishu: event to ack, p50", statistics.median(acked[10:]) * 1e3, "ms"),
        Figure("feishu: message to answer, p50", statistics.median(answered[10:]) * 1e3, "ms"),
    ]


async def _presses(api: Feishu) -> Figure:
    """The longest time a press waits for its toast."""
    cards = [message for message in api.shown if message.buttons][-PRESSES:]
    pressed = [
        api.press(card, card.labels[0], who=card.chat_id.removeprefix("oc_p2p_")) for card in cards
    ]
    await _until(lambda: all(press.acks for press in pressed))
    longest = max(press.answered_after for press in pressed)
    return Figure(f"feishu: toast of {len(cards)} presses at once, longest", longest * 1e3, "ms")


async def _throughput(api: Feishu) -> list[Figure]:
    """All at once: time until the last is stored and acknowledged; agents work meanwhile."""
    before, begun = len(api.shown), time.perf_counter()
    said = [api.say(f"午饭{n % 90 + 1}", who=f"ou_{n % CHATS}") for n in range(EVENTS)]
    await _until(lambda: all(one.acks for one in said))
    stored = time.perf_counter() - begun
    await _until(lambda: len(api.shown) - before >= EVENTS)
    answered = time.perf_counter() - begun
    refused = sum(one.acks != [200] for one in said)
    return [
        Figure(f"feishu: {EVENTS} events at once, through inbox and ack", EVENTS / stored, "1/s"),
        Figure("feishu: the same, answered", EVENTS / answered, "1/s"),
        Figure("feishu: of these not acknowledged at once", refused, ""),
    ]
