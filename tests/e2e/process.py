"""The bot as a real process on a data folder: started, killed, stopped, started again."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.chosen_store import environment

ROOT = Path(__file__).parents[2]
START_SECONDS = 30
READY = re.compile(r"Switchboard is ready: (http://[^/]+)/")


def surroundings(**settings: object) -> Mapping[str, str]:
    """Return the whole environment of a process: nothing of the caller's leaks in."""
    inherited = {"PATH": os.defpath, "HOME": str(Path.home()), "LANG": "C.UTF-8"}
    return inherited | {"PYTHONPATH": str(ROOT)} | {k: str(v) for k, v in settings.items()}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


async def command(*arguments: str, cwd: Path, **settings: object) -> Ended:
    """Run ``python -m bot`` with these arguments to its end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        *arguments,
        cwd=cwd,
        env=surroundings(**settings),
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        async with asyncio.timeout(START_SECONDS):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return Ended(process.returncode or 0, out.decode(), err.decode())


class Bot:
    """``python -m bot run``, as often as it takes.

    Attributes:
        folder: its data folder.
        origin: where the web chat of the present life is; empty while there is none.
        lives: how often it was started.
    """

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.origin = ""
        self.lives = 0
        self._settings = {
            "DATA_DIR": folder / "data",
            "HTTP_PORT": 0,
            "ONBOARDING": "off",
            **settings,
        }
        self._process: Process | None = None

    @property
    def data(self) -> Path:
        """The data folder of the process."""
        return self.folder / "data"

    @property
    def pid(self) -> int | None:
        """The process of the present life."""
        return self._process.pid if self._process else None

    @property
    def log(self) -> str:
        """Everything that all lives wrote to standard error."""
        return (self.folder / "stderr.log").read_text(encoding="utf-8", errors="replace")

    async def start(self, *, failpoint: str = "") -> bool:
        """Start and wait until it serves; False when it died before (it may be armed to)."""
        process = await self._launch(failpoint)
        assert process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            line = (await process.stdout.readline()).decode()
        if ready := READY.match(line):
            self.origin = ready[1]
            return True
        await self.ended()
        return False

    async def start_and_die(self, *, after_seconds: float) -> None:
        """Start and kill it, whether it serves already or not."""
        process = await self._launch("")
        await asyncio.sleep(after_seconds)
        process.kill()
        await process.communicate()

    async def _launch(self, failpoint: str) -> Process:
        self.lives += 1
        extra = {"FAILPOINT": failpoint} if failpoint else {}
        with (self.folder / "stderr.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot",
                "run",
                cwd=self.folder,
                env=surroundings(**self._settings, **environment(self.data), **extra),
                stdout=PIPE,
                stderr=log,
            )
        return self._process

    async def ended(self) -> int:
        """Wait for the end of this life and return its code; negative for a signal."""
        assert self._process is not None
        await self._process.communicate()
        self.origin = ""
        assert self._process.returncode is not None
        return self._process.returncode

    async def kill(self) -> int:
        """End it at once, as a power cut would; an ended one stays ended."""
        return await self._signal(signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to end, as an operator would, and wait until it has."""
        return await self._signal(signal.SIGTERM)

    async def _signal(self, number: signal.Signals) -> int:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)
        return await self.ended()


@asynccontextmanager
async def bot(folder: Path, *, start: bool = True, **settings: object) -> AsyncIterator[Bot]:
    """Run the bot on a folder; whatever happens, no process is left."""
    running = Bot(folder, **settings)
    try:
        if start:
            assert await running.start(), running.log
        yield running
    finally:
        if running.lives:
            await running.kill()
