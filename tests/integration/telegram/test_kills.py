"""A process that is killed at each of the moments between which something could be lost."""

import asyncio
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import aiohttp
import pytest

from adapters.telegram.render import TextPart, render
from bot.core.events import Chat
from bot.core.messages import OutboundMessage, TextBlock
from bot.core.outbox import OutboxDraft, Purpose
from bot.core.words import Verbatim
from tests.chosen_store import as_sqlite, environment, open_chosen
from tests.contract.samples import outcome
from tests.e2e.process import surroundings
from tests.emulators.telegram import PRIVATE, TOKEN, BotApi
from tests.emulators.telegram_stage import free_port
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[3]
POINTS = ("after_inbox", "after_effect", "after_commit", "after_send_before_mark", "after_mark")


class Process:
    """One run of the application."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def died(self) -> None:
        assert await asyncio.wait_for(self.process.wait(), PATIENCE_SECONDS) == -signal.SIGKILL


@asynccontextmanager
async def running(
    folder: Path, base: str, *, failpoint: str = "", webhook_url: str = ""
) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.telegram.child",
        str(folder),
        base,
        failpoint,
        webhook_url,
        cwd=ROOT,
        env=surroundings(**environment(folder)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield Process(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def until(condition: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # another process changes it
            await asyncio.sleep(0.02)


async def entries(folder: Path) -> list[int]:
    with closing(sqlite3.connect(await as_sqlite(folder))) as connection:
        return [row[0] for row in connection.execute("SELECT minor FROM entries ORDER BY minor")]


async def deliver(api: BotApi, text: str, webhook_url: str) -> None:
    """Say it, by posting again and again where there is a webhook, as the platform does."""
    update = api.say(text, deliver=not webhook_url)
    if not webhook_url:
        return

    async def post() -> None:
        while True:
            with suppress(aiohttp.ClientError):
                if await api.post_webhook(update) == 200:
                    return
            await asyncio.sleep(0.1)

    await asyncio.wait_for(post(), PATIENCE_SECONDS)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("mode", ["polling", "webhook"])
async def test_a_kill_at_any_moment_loses_nothing_and_books_once(
    tmp_path: Path, point: str, mode: str
) -> None:
    """Issue 3, 2: confirmations may double in the one window the platform leaves open."""
    api = BotApi()
    async with api.serving() as base:
        url = f"http://127.0.0.1:{free_port()}/hook" if mode == "webhook" else ""
        async with running(tmp_path, base, failpoint=point, webhook_url=url) as first:
            if url:
                await until(lambda: bool(api.webhook))
            posting = asyncio.create_task(deliver(api, "午饭35", url))
            await first.died()
            async with running(tmp_path, base, webhook_url=url):
                await posting
                await until(lambda: any("午饭" in words for words in api.texts()))
                await deliver(api, "打车20", url)
                await until(lambda: any("打车" in words for words in api.texts()))
                await until(lambda: api.waiting == 0)

    assert await entries(tmp_path) == [2000, 3500]
    doubled = sum("午饭" in words for words in api.texts()) - 1
    assert doubled == (1 if point == "after_send_before_mark" else 0)


@pytest.mark.parametrize(
    ("point", "purpose", "doubled"),
    [
        ("after_mark:1", Purpose.ANSWER, 0),
        ("after_mark:2", Purpose.CONFIRMATION, 0),
        ("after_send_before_mark:2", Purpose.ANSWER, 0),
        ("after_send_before_mark:2", Purpose.CONFIRMATION, 1),
    ],
)
async def test_a_kill_between_parts_loses_none_and_doubles_at_most_the_unsure_one(
    tmp_path: Path, point: str, purpose: Purpose, doubled: int
) -> None:
    words = "".join(f"第{n}段。" * 600 for n in range(4))
    chat = Chat(platform="telegram", bot=TOKEN.partition(":")[0], chat_id=str(PRIVATE))
    message = OutboundMessage(blocks=(TextBlock(Verbatim(words)),), locale="zh-CN")
    parts = [part.plain for part in render(message) if isinstance(part, TextPart)]
    async with open_chosen(tmp_path) as stores:
        draft = OutboxDraft(
            outbox_id="m", chat=chat, person_id="p", message=message, purpose=purpose
        )
        await stores.turns.commit(outcome("e", session_key="s", outbox=(draft,)))

    api = BotApi()
    async with api.serving() as base:
        async with running(tmp_path, base, failpoint=point) as first:
            await first.died()
        async with running(tmp_path, base):
            await until(lambda: set(parts) == set(api.texts()))
            api.say("午饭35")
            await until(lambda: any("午饭" in shown for shown in api.texts()))

    shown = [text for text in api.texts() if text in parts]
    assert list(dict.fromkeys(shown)) == parts
    assert len(shown) - len(parts) == doubled
