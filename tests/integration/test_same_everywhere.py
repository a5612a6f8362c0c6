"""One conversation on every platform: what is said, in neutral form, is the same."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from adapters.charts import Charts
from adapters.http import HttpServer
from adapters.web.adapter import WebAdapter
from bot.app import App, opened, working
from bot.clock import ManualClock
from bot.core.outbox import OutboxRow
from bot.demo import SCRIPT, settled
from bot.locales.catalogue import resolve
from bot.outcomes import plain
from bot.settings import Settings
from tests.e2e.web_client import WebClient, attending
from tests.emulators import feishu, telegram
from tests.emulators.feishu_stage import FeishuStage, Mode, feishu_stage
from tests.emulators.telegram_stage import TelegramStage, telegram_stage
from tests.patience import PATIENCE_SECONDS
from tests.stage import TUESDAY

Neutral = tuple[str, tuple[str, ...], bool]
"""The words, the labels of the buttons, and whether an earlier message was changed."""

Stage = TelegramStage | FeishuStage


class Recorder:
    """Notes each message once, however many parts it takes on its platform."""

    def __init__(self, adapter: Any) -> None:  # noqa: ANN401  # any adapter
        self.rows: dict[str, OutboxRow] = {}
        self._send: Callable[[OutboxRow], Awaitable[Any]] = adapter.send
        adapter.send = self.send

    async def send(self, row: OutboxRow) -> Any:  # noqa: ANN401  # as the adapter's
        self.rows[row.draft.outbox_id] = row
        return await self._send(row)

    def transcript(self) -> list[Neutral]:
        messages = [row.draft.message for row in self.rows.values()]
        return [
            (
                plain(message.blocks, message.locale),
                tuple(resolve(key.label, message.locale) for row in message.keys for key in row),
                message.replaces is not None,
            )
            for message in messages
        ]


async def play(hub: Stage, **where: Any) -> list[Neutral]:  # noqa: ANN401  # chat and mention
    """Go through the demonstration's script."""
    recorder = Recorder(hub.adapter)
    said = 700
    name = "@_user_1 " if isinstance(hub, FeishuStage) else f"@{telegram.USERNAME} "
    prefix = name if where else ""
    for step in SCRIPT:
        if step.say or step.edit:
            said += not step.edit
            number: Any = f"om_{said}" if isinstance(hub, FeishuStage) else said
            text = prefix + (step.say or step.edit)
            await hub.say(text, message_id=number, edited=bool(step.edit), **where)
        elif step.press:
            shown: Any = [m for m in hub.api.shown if step.press in m.labels]
            if shown:  # without onboarding its buttons are not there
                await hub.press(shown[-1], step.press)
        if step.wait_minutes:
            await hub.later(minutes=step.wait_minutes)
    return recorder.transcript()


async def play_on_the_web(folder: Path, onboarding: str) -> list[Neutral]:
    """Go through the script on a page of the served web chat; a first visit says /start itself."""
    clock = ManualClock(TUESDAY)
    settings = Settings(
        _env_file=None,
        data_dir=folder,
        http_port=0,
        onboarding=onboarding,
        local_model="off",
    )
    page, said = WebClient("local"), ""
    async with opened(settings, clock) as app:
        adapter = web_adapter(app)
        recorder = Recorder(adapter)
        server = HttpServer("127.0.0.1", 0, routes=adapter.routes())
        async with (
            server,
            working(app, adapter),
            asyncio.timeout(PATIENCE_SECONDS),
            attending(lambda: server.url.rstrip("/"), page),
        ):
            await page.until(lambda: page.shown)
            for step in SCRIPT:
                clock.turn(seconds=5)
                if step.edit:
                    page.edit(said, step.edit)
                elif step.say and step.say != "/start":
                    said = page.say(step.say)
                elif step.press:
                    shown = [
                        i for i in page.shown if i.author == "bot" and step.press in i.buttons
                    ]
                    if shown:
                        page.press(shown[-1], step.press)
                await page.delivered()
                if step.wait_minutes:
                    clock.turn(minutes=step.wait_minutes)
                    await app.scheduler.tick()
                await settled(app.stores)
    return recorder.transcript()


def web_adapter(app: App) -> WebAdapter:
    return WebAdapter(
        sink=app.dispatcher.accept,
        accepted=app.stores.inbox.get,
        transcripts=app.stores.transcripts,
        files=app.stores.files,
        tokens=app.stores.web_tokens,
        views=app.views,
        clock=app.clock,
        charts=Charts(),
        host="127.0.0.1",
    )


@asynccontextmanager
async def on_feishu(
    folder: Path, mode: Mode, onboarding: str = "off"
) -> AsyncIterator[FeishuStage]:
    api = feishu.Feishu(encrypt_key=feishu.ENCRYPT_KEY)
    api.names[feishu.ANNA] = f"P{telegram.PRIVATE}"  # as the emulated Telegram calls her
    async with feishu_stage(
        folder, api=api, mode=mode, onboarding=onboarding, local_model="off"
    ) as hub:
        yield hub


@pytest.mark.parametrize("mode", ["long", "webhook"])
async def test_a_private_conversation_is_the_same_in_telegram_and_feishu(
    tmp_path: Path, mode: Mode
) -> None:
    async with telegram_stage(tmp_path / "telegram", local_model="off", onboarding="on") as hub:
        there = await play(hub)
    async with on_feishu(tmp_path / "feishu", mode, onboarding="on") as hub_here:
        here = await play(hub_here)
    assert len(there) > 10
    assert here == there


@pytest.mark.parametrize("mode", ["long", "webhook"])
async def test_a_conversation_in_a_group_is_the_same_in_telegram_and_feishu(
    tmp_path: Path, mode: Mode
) -> None:
    async with telegram_stage(tmp_path / "telegram", local_model="off") as hub:
        there = await play(hub, chat=telegram.GROUP)
    async with on_feishu(tmp_path / "feishu", mode) as hub_here:
        here = await play(hub_here, chat=feishu.GROUP, at=(feishu.BOT,))
    assert len(there) > 10
    assert here == there


async def test_a_private_conversation_is_the_same_in_telegram_and_the_web_chat(
    tmp_path: Path,
) -> None:
    async with telegram_stage(tmp_path / "telegram", local_model="off", onboarding="on") as hub:
        there = await play(hub)
    here = await play_on_the_web(tmp_path / "web", "on")
    assert len(there) > 10
    assert here == there
