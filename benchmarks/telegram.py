"""Telegram: what we add to a message beside a bare echo bot, rates, floods, a kill, memory.

The platform is the emulator in this process; every bot is a process of its own.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import pairwise

import psutil

from benchmarks.child import environment
from benchmarks.report import Figure
from tests.emulators.telegram import TOKEN, BotApi

OURS = "tests.integration.telegram.child"
"""The hub with Telegram without the platform's rates, which would hide our own."""

ECHO = "benchmarks.telegram_echo"
WARM_UP = 10
MESSAGES = 150
CHATS, PER_CHAT = 200, 3
FLOOD = (30, 1.0)
SETTLE_SECONDS = 1.0
STARTS = 5
THINKING_SECONDS = 0.5
THINKING_RATE = 20
THINKING_MESSAGES = 300


async def measure() -> list[Figure]:
    """Return all figures."""
    figures = [await _start()]
    for name, module in (("bare aiogram echo", ECHO), ("ours", OURS)):
        figures += await _latency(name, module)
    figures += [*await _throughput(), *await _thinking()]
    return [*figures, *await _flood(), *await _kill()]


@asynccontextmanager
async def _bot(module: str, *arguments: str, **told: str) -> AsyncIterator[psutil.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *arguments,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment(**told),
    )
    try:
        yield psutil.Process(process.pid)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _until(api: BotApi, condition: Callable[[], bool], seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await api.changed.next(0.05)


async def _begin(module: str) -> None:
    """Start it once for its byte code to be there, until it polls and its libraries are read."""
    api = BotApi()
    with tempfile.TemporaryDirectory() as folder:
        async with (
            api.serving() as base,
            _bot(module, *((folder, base) if module == OURS else (TOKEN, base))),
        ):
            api.say("午饭1")
            await _until(api, lambda: len(api.shown) > 0)


async def _start() -> Figure:
    """How long the bot as people start it takes until it asks for updates; the median of some."""
    took: list[float] = []
    for _ in range(1 + STARTS):
        api = BotApi()
        with tempfile.TemporaryDirectory() as folder:
            async with api.serving() as base:
                told = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_API_BASE": base}
                begin = time.perf_counter()
                async with _bot("bot", DATA_DIR=folder, HTTP_PORT="0", **told):
                    await _until(api, lambda api=api: api.count("getUpdates") > 0)  # type: ignore[misc]
                    took.append(time.perf_counter() - begin)
    return Figure(
        "telegram: start to polling, web chat included", statistics.median(took[1:]), "s"
    )


async def _latency(name: str, module: str) -> list[Figure]:
    await _begin(module)
    api, took = BotApi(), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        async with api.serving() as base:
            arguments = (folder, base) if module == OURS else (TOKEN, base)
            begin = time.perf_counter()
            async with _bot(module, *arguments) as process:
                await _until(api, lambda: api.count("getUpdates") > 0)
                polling = time.perf_counter() - begin
                for number in range(WARM_UP + MESSAGES):
                    shown = len(api.shown)
                    began = time.perf_counter()
                    api.say(f"午饭{number % 90 + 1}")
                    await _until(api, lambda shown=shown: len(api.shown) > shown)  # type: ignore[misc]
                    took.append(time.perf_counter() - began)
                await asyncio.sleep(SETTLE_SECONDS)
                memory = process.memory_info().rss / 2**20
    quick = took[WARM_UP:]
    return [
        Figure(f"telegram, {name}: start to polling", polling, "s"),
        Figure(f"telegram, {name}: message to answer, p50", statistics.median(quick) * 1e3, "ms"),
        Figure(
            f"telegram, {name}: message to answer, p95",
            statistics.quantiles(quick, n=20)[-1] * 1e3,
            "ms",
        ),
        Figure(f"telegram, {name}: memory", memory, "MB"),
    ]


async def _throughput() -> list[Figure]:
    """600 messages over 200 chats, no rates on either side."""
    api = BotApi()
    with tempfile.TemporaryDirectory() as folder:
        async with api.serving() as base, _bot(OURS, folder, base):
            await _ready(api)
            begin = time.perf_counter()
            for number in range(PER_CHAT):
                for chat in range(CHATS):
                    api.say(f"午饭{number + 11}", who=5000 + chat)
            wanted = CHATS * PER_CHAT
            await _until(api, lambda: _answers(api) >= wanted)
            seconds = time.perf_counter() - begin
            await asyncio.sleep(SETTLE_SECONDS)
    amounts = [_amounts(api, 5000 + chat) for chat in range(CHATS)]
    misordered = sum(any(a > b for a, b in pairwise(of_chat)) for of_chat in amounts)
    lost = sum(PER_CHAT - len(set(of_chat)) for of_chat in amounts)
    return [
        Figure(f"telegram: {wanted} messages over {CHATS} chats", wanted / seconds, "1/s"),
        Figure("telegram: of these lost", lost, ""),
        Figure("telegram: of these doubled", _answers(api) - wanted + lost, ""),
        Figure("telegram: chats out of order", misordered, ""),
    ]


async def _thinking() -> list[Figure]:
    """So many messages a second for an agent that takes as long as a model; each its own chat."""
    api, said = BotApi(), dict[str, float]()
    with tempfile.TemporaryDirectory() as folder:
        async with (
            api.serving() as base,
            _bot(OURS, folder, base, "", "", f"thinks={THINKING_SECONDS}"),
        ):
            await _ready(api)
            begin = time.monotonic()
            api.say("n", who=2)  # the first that needs the local model waits for it to load
            await _until(api, lambda: len(api.shown) > 1)
            first = time.monotonic() - begin - THINKING_SECONDS
            begin = time.monotonic()
            for number in range(WARM_UP + THINKING_MESSAGES):
                await asyncio.sleep(begin + number / THINKING_RATE - time.monotonic())
                words = f"n{number}"
                said[words] = time.monotonic()
                api.say(words, who=5000 + number)
            await _until(api, lambda: len(api.shown) > len(said) + 1)
    shown = {c.fields["text"]: c.at for c in api.calls if c.method == "sendMessage"}
    over = [(shown[words] - at - THINKING_SECONDS) * 1e3 for words, at in said.items()][WARM_UP:]
    what = f"telegram: {THINKING_RATE} messages/s, agent of {THINKING_SECONDS} s: over its time"
    return [
        Figure("telegram: the first message that needs the local model", first, "s"),
        Figure(f"{what}, p50", statistics.median(over), "ms"),
        Figure(f"{what}, p95", statistics.quantiles(over, n=20)[-1], "ms"),
    ]


async def _flood() -> list[Figure]:
    """200 answers at once against the platform's 30 a second."""
    api = BotApi()
    with tempfile.TemporaryDirectory() as folder:
        async with api.serving() as base, _bot(OURS, folder, base, "", "", "limited"):
            await _ready(api)
            await asyncio.sleep(SETTLE_SECONDS)
            api.flood = FLOOD
            begin = time.perf_counter()
            for chat in range(CHATS):
                api.say("午饭35", who=5000 + chat)
            await _until(api, lambda: _answers(api) >= CHATS)
            seconds = time.perf_counter() - begin
    refused = sum("Too Many" in call.refused for call in api.calls)
    return [
        Figure(f"telegram: {CHATS} answers at once, all delivered after", seconds, "s"),
        Figure("telegram: 429 answers meanwhile", refused, ""),
    ]


async def _kill() -> list[Figure]:
    """Killed with 200 answers in flight and started again."""
    api = BotApi()
    with tempfile.TemporaryDirectory() as folder:
        async with api.serving() as base:
            async with _bot(OURS, folder, base, "", "", "limited"):
                await _ready(api)
                await asyncio.sleep(SETTLE_SECONDS)
                api.flood = FLOOD
                for chat in range(CHATS):
                    api.say("午饭35", who=5000 + chat)
                await _until(api, lambda: _answers(api) >= CHATS // 4)
            begin = time.perf_counter()
            async with _bot(OURS, folder, base, "", "", "limited"):
                await _until(api, lambda: len(_per_chat(api)) == CHATS)
                seconds = time.perf_counter() - begin
                await asyncio.sleep(SETTLE_SECONDS)
    doubled = sum(count - 1 for count in _per_chat(api).values())
    return [
        Figure("telegram: killed with 200 in flight, all answered after", seconds, "s"),
        Figure("telegram: of these doubled", doubled / CHATS * 100, "%"),
    ]


async def _ready(api: BotApi) -> None:
    api.say("午饭35", who=1)
    await _until(api, lambda: bool(api.shown))


def _per_chat(api: BotApi) -> Counter[int]:
    return Counter(m.chat_id for m in api.shown if m.chat_id >= 5000 and "午饭" in m.plain)


def _answers(api: BotApi) -> int:
    return _per_chat(api).total()


def _amounts(api: BotApi, chat: int) -> list[str]:
    return [
        next(f"{n}" for n in range(11, 11 + PER_CHAT) if f"{n}.00" in message.plain)
        for message in api.shown
        if message.chat_id == chat and "午饭" in message.plain
    ]


def main() -> None:
    """Print the figures as a table."""
    print("| what | figure |\n|---|---|")
    for figure in asyncio.run(measure()):
        print(figure.row(), flush=True)


if __name__ == "__main__":
    main()
