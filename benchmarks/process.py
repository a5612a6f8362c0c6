"""The real process: start to ready, to the first reply, and its memory when idle."""

import asyncio
import json
import sys
import tempfile
import time

import aiohttp
import psutil

from benchmarks.child import environment
from benchmarks.report import Figure

SETTLE_SECONDS = 2.0


async def measure() -> list[Figure]:
    """Return the figures of the second start."""
    await _start()
    return await _start()


async def _start() -> list[Figure]:
    """Start `python -m bot run` on an empty folder and talk to it once."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "run",
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment(DATA_DIR=folder, HTTP_PORT="0", ONBOARDING="off"),
        )
        try:
            assert process.stdout is not None
            line = (await process.stdout.readline()).decode()
            ready = time.perf_counter() - begin
            url = next(word for word in line.split() if word.startswith("http"))
            await _first_reply(url)
            replied = time.perf_counter() - begin
            await asyncio.sleep(SETTLE_SECONDS)
            memory = psutil.Process(process.pid).memory_info().rss / 2**20
        finally:
            process.terminate()
            await process.wait()
    return [
        Figure("start to ready", ready, "s"),
        Figure("start to first reply", replied, "s"),
        Figure("memory, web chat only, after the first reply", memory, "MB"),
    ]


async def _first_reply(url: str) -> None:
    origin = url.rstrip("/")
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{origin}/ws", headers={"Origin": origin}) as socket,
    ):
        await socket.send_json({"type": "hello", "version": 0, "locale": "zh-CN", "protocol": 1})
        await socket.send_json(
            {"type": "message", "id": "first-message", "text": "午饭35", "files": []}
        )
        async for frame in socket:
            data = json.loads(frame.data)
            items = data.get("items", []) if data.get("type") == "items" else []
            if any("35.00" in json.dumps(item["payload"]) for item in items):
                return
