"""A process that is killed at each of the moments between which something could be lost."""

import asyncio
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import pytest

from adapters.feishu.render import Spot, render
from bot.core.events import Chat
from bot.core.messages import OutboundMessage, TextBlock
from bot.core.outbox import OutboxDraft
from bot.core.words import Verbatim
from storage.sqlite.stores import open_stores
from tests.contract.samples import outcome
from tests.emulators.feishu import ANNA, APP_ID, ENCRYPT_KEY, Feishu
from tests.emulators.telegram_stage import free_port

ROOT = Path(__file__).parents[3]
POINTS = ("after_inbox", "after_effect", "after_commit", "after_send_before_mark", "after_mark")


@asynccontextmanager
async def running(
    folder: Path, base: str, *, failpoint: str = "", port: str = ""
) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.integration.feishu.child", str(folder), base, failpoint, port),
        cwd=ROOT,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def died(process: asyncio.subprocess.Process) -> None:
    assert await asyncio.wait_for(process.wait(), 60) == -signal.SIGKILL


async def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # another process changes it
            await asyncio.sleep(0.02)


def entries(folder: Path) -> list[int]:
    with closing(sqlite3.connect(folder / "switchboard.db")) as connection:
        return [row[0] for row in connection.execute("SELECT minor FROM entries ORDER BY minor")]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("mode", ["long", "webhook"])
async def test_a_kill_at_any_moment_loses_nothing_doubles_nothing_and_books_once(
    tmp_path: Path, point: str, mode: str
) -> None:
    """Unlike elsewhere nothing doubles either: the platform knows the uuid of the outbox row."""
    api = Feishu(encrypt_key=ENCRYPT_KEY)
    port = str(free_port()) if mode == "webhook" else ""
    if port:
        api.link.webhook_url = f"http://127.0.0.1:{port}/feishu"
    async with api.serving() as base:
        async with running(tmp_path, base, failpoint=point, port=port) as first:
            if not port:
                await until(lambda: bool(api.link.sockets))
            api.say("午饭35")
            await died(first)
        async with running(tmp_path, base, port=port):
            await until(lambda: any("午饭" in words for words in api.texts()))
            api.say("打车20")
            await until(lambda: any("打车" in words for words in api.texts()))
            await until(lambda: api.waiting == 0)

    assert entries(tmp_path) == [2000, 3500]
    assert sum("午饭" in words for words in api.texts()) == 1


@pytest.mark.parametrize("point", ["after_mark:1", "after_send_before_mark:2"])
async def test_a_kill_between_parts_loses_and_doubles_none(tmp_path: Path, point: str) -> None:
    words = "".join(f"第{n}段。\n" * 600 for n in range(6))
    chat = Chat(platform="feishu", bot=APP_ID, chat_id=ANNA)
    message = OutboundMessage(blocks=(TextBlock(Verbatim(words)),), locale="zh-CN")
    parts = [part.plain for part in render(message, images={}, spot=Spot())]
    assert len(parts) >= 3
    async with open_stores(tmp_path / "switchboard.db", files_folder=tmp_path / "files") as stores:
        draft = OutboxDraft(outbox_id="m", chat=chat, person_id="p", message=message)
        await stores.turns.commit(outcome("e", session_key="s", outbox=(draft,)))

    api = Feishu()
    async with api.serving() as base:
        async with running(tmp_path, base, failpoint=point) as first:
            await died(first)
        async with running(tmp_path, base):
            await until(lambda: len(api.shown) == len(parts))
            api.say("午饭35")
            await until(lambda: any("午饭" in shown for shown in api.texts()))

    assert api.texts()[: len(parts)] == parts
