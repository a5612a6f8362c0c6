"""The hub with the Feishu adapter against the emulator, all in one process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adapters.feishu.adapter import FeishuAdapter
from adapters.http import HttpServer
from bot.app import App, opened, working
from bot.clock import ManualClock
from bot.core.events import Account
from bot.core.ledger import EntryFilter
from bot.core.ports import SendLimits
from bot.demo import settled
from bot.settings import Settings
from tests.emulators.feishu import (
    ANNA,
    APP_ID,
    APP_SECRET,
    ENCRYPT_KEY,
    TENANT,
    VERIFICATION,
    Feishu,
    Message,
)
from tests.emulators.feishu_link import Delivery
from tests.emulators.telegram_stage import free_port
from tests.patience import PATIENCE_SECONDS, turn_until, until
from tests.stage import TUESDAY

Mode = Literal["long", "webhook"]
NO_LIMITS = SendLimits()


@dataclass(slots=True)
class FeishuStage:
    """One running application, one emulated platform."""

    app: App
    api: Feishu
    adapter: FeishuAdapter
    clock: ManualClock

    async def settle(self) -> None:
        """Return once everything said is acknowledged, answered and shown."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self.until(lambda: self.api.waiting == 0)
            await settled(self.app.stores)

    async def until(
        self, condition: Callable[[], bool], seconds: float = PATIENCE_SECONDS
    ) -> None:
        """Return once the condition holds."""
        await until(condition, seconds)

    async def turn_until(
        self, condition: Callable[[], bool], *, step: float = 1.0, most: float = 1000
    ) -> float:
        """Turn the clock in steps until the condition holds; return by how many seconds."""
        return await turn_until(self.app, self.clock, condition, step=step, most=most)

    def sends(self, result: str) -> float:
        """Return how many sends ended like this."""
        labels = {"platform": "feishu", "result": result}
        registry = self.app.metrics.registry
        return registry.get_sample_value("switchboard_sends_total", labels) or 0.0

    async def say(self, text: str | None = None, **more: object) -> list[Message]:
        """Say something and return what was newly shown."""
        before = len(self.api.shown)
        self.clock.turn(seconds=5)
        self.api.say(text, **more)  # type: ignore[arg-type]
        await self.settle()
        return self.api.shown[before:]

    async def press(
        self, message: Message, label: str, **more: object
    ) -> tuple[str, list[Message]]:
        """Press a button; return the toast and what was newly shown."""
        before = len(self.api.shown)
        self.clock.turn(seconds=5)
        pressed = self.api.press(message, label, **more)  # type: ignore[arg-type]
        await self.settle()
        return toast_of(pressed), self.api.shown[before:]

    async def later(self, **distance: float) -> list[Message]:
        """Turn the clock, let what is due fire, and return what was newly shown."""
        before = len(self.api.shown)
        self.clock.turn(**distance)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self.app.scheduler.tick()
            await settled(self.app.stores)
        return self.api.shown[before:]

    async def items(self, who: str = ANNA) -> list[str]:
        """Return what the person's ledger holds, oldest first."""
        account = Account(platform="feishu", bot=APP_ID, user_id=who, tenant=TENANT)
        person = await self.app.stores.people.find(account)
        if person is None:
            return []
        entries = await self.app.stores.ledger.latest(person.person_id, EntryFilter(), limit=1000)
        return [f"{entry.item} {entry.amount}" for entry in reversed(entries)]


def toast_of(pressed: Delivery) -> str:
    """Return what a press was answered in Chinese; empty for no toast."""
    toast = (pressed.answer or {}).get("toast", {})
    return str(toast.get("content", ""))


def adapter_for(
    app: App,
    base: str,
    *,
    mode: Mode = "long",
    encrypt_key: str = ENCRYPT_KEY,
    limits: SendLimits = NO_LIMITS,
    answer_within: float = 2.5,
) -> FeishuAdapter:
    return FeishuAdapter(
        app_id=APP_ID,
        secret=APP_SECRET,
        sink=app.dispatcher.accept,
        views=app.views,
        reach=app.reach,
        files=app.stores.files,
        clock=app.clock,
        domain=base,
        mode=mode,
        encrypt_key=encrypt_key,
        verification_token=VERIFICATION,
        limits=limits,
        chance=lambda: 0.5,
        answer_within=answer_within,
    )


@asynccontextmanager
async def feishu_stage(
    folder: Path,
    *,
    api: Feishu | None = None,
    clock: ManualClock | None = None,
    mode: Mode = "long",
    encrypt_key: str = ENCRYPT_KEY,
    limits: SendLimits = NO_LIMITS,
    answer_within: float = 2.5,
    ping_seconds: float | None = 10_000_000,
    settle: bool = True,
    **settings: object,
) -> AsyncIterator[FeishuStage]:
    """Open the application on a folder, connected to an emulator.

    Pings are off unless asked for: tests turn the clock by hours at once.
    """
    clock = clock or ManualClock(TUESDAY)
    api = api or Feishu(encrypt_key=encrypt_key)
    api.clock = lambda: clock.now().timestamp()
    if ping_seconds is not None:
        api.link.config["PingInterval"] = ping_seconds
    values: dict[str, object] = {"data_dir": folder, "onboarding": "off", **settings}
    async with (
        api.serving() as base,
        opened(Settings(_env_file=None, **values), clock) as app,  # type: ignore[arg-type]
    ):
        adapter = adapter_for(
            app,
            base,
            mode=mode,
            encrypt_key=encrypt_key,
            limits=limits,
            answer_within=answer_within,
        )
        stage = FeishuStage(app, api, adapter, clock)
        port = free_port()
        server = HttpServer("127.0.0.1", port, routes=adapter.routes())
        async with server, working(app, adapter):
            if mode == "webhook":
                api.link.webhook_url = f"http://127.0.0.1:{port}/feishu"
            if settle:
                known = lambda: not adapter.health()["bot"].startswith("!")  # noqa: E731
                await stage.until(known)
                await stage.until(lambda: mode == "webhook" or bool(api.link.sockets))
            yield stage
