"""The hub with the Telegram adapter against the emulator, all in one process."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from adapters.charts import Charts
from adapters.http import HttpServer
from adapters.telegram.adapter import TelegramAdapter
from bot.app import App, opened, working
from bot.assembly.commands import COMMANDS
from bot.clock import ManualClock
from bot.core.events import Account
from bot.core.ledger import EntryFilter
from bot.core.ports import SendLimits
from bot.demo import settled
from bot.locales.catalogue import LOCALES
from bot.settings import Settings
from tests.emulators.telegram import PRIVATE, TOKEN, BotApi, Message
from tests.patience import PATIENCE_SECONDS, turn_until, until
from tests.stage import TUESDAY

NO_LIMITS = SendLimits()
SECRET = "webhook-secret-of-tests"  # noqa: S105


@dataclass(slots=True)
class TelegramStage:
    """One running application, one emulated platform."""

    app: App
    api: BotApi
    adapter: TelegramAdapter
    clock: ManualClock
    url: str = ""

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

    async def breathe(self) -> None:
        """Let the others work a moment."""
        await asyncio.sleep(0.002)

    async def turn_until(
        self, condition: Callable[[], bool], *, step: float = 1.0, most: float = 200
    ) -> float:
        """Turn the clock in steps until the condition holds; return by how many seconds."""
        return await turn_until(self.app, self.clock, condition, step=step, most=most)

    def sends(self, result: str) -> float:
        """Return how many sends ended like this."""
        labels = {"platform": "telegram", "result": result}
        registry = self.app.metrics.registry
        return registry.get_sample_value("switchboard_sends_total", labels) or 0.0

    async def say(self, text: str, **more: object) -> list[Message]:
        """Say something and return what was newly shown."""
        before = len(self.api.shown)
        self.clock.turn(seconds=5)
        self.api.say(text, **more)  # type: ignore[arg-type]
        await self.settle()
        return self.api.shown[before:]

    async def press(
        self, message: Message, label: str, *, who: int | None = None
    ) -> tuple[str, list[Message]]:
        """Press a button; return the toast and what was newly shown."""
        before = len(self.api.shown)
        self.clock.turn(seconds=5)
        query = self.api.press(message, label, who=who)
        await self.settle()
        await self.until(lambda: query in self.api.answered)
        return self.api.toasts[query], self.api.shown[before:]

    async def later(self, **distance: float) -> list[Message]:
        """Turn the clock, let what is due fire, and return what was newly shown."""
        before = len(self.api.shown)
        self.clock.turn(**distance)
        await self.app.scheduler.tick()
        await settled(self.app.stores)
        return self.api.shown[before:]

    async def items(self, who: int = PRIVATE) -> list[str]:
        """Return what the person's ledger holds, oldest first."""
        account = Account(platform="telegram", bot=self.adapter.bot, user_id=str(who))
        person = await self.app.stores.people.find(account)
        assert person is not None
        entries = await self.app.stores.ledger.latest(person.person_id, EntryFilter(), limit=1000)
        return [f"{entry.item} {entry.amount}" for entry in reversed(entries)]


def capsule_labels(app: App) -> dict[str, str]:
    """Return intents by what their capsules show, in every language."""
    return {
        f"{manifest.capsule.icon} {manifest.capsule.label.in_locale(locale)}": manifest.intent
        for manifest in app.registry.manifests
        if manifest.capsule is not None
        for locale in LOCALES
    }


def adapter_for(
    app: App,
    base: str,
    *,
    limits: SendLimits = NO_LIMITS,
    webhook_url: str = "",
    secret: str = SECRET,
) -> TelegramAdapter:
    return TelegramAdapter(
        token=TOKEN,
        sink=app.dispatcher.accept,
        views=app.views,
        reach=app.reach,
        files=app.stores.files,
        clock=app.clock,
        charts=Charts(),
        capsules=capsule_labels(app),
        commands=(*COMMANDS, "why", "cancel", "stop"),
        api_base=base,
        mode="webhook" if webhook_url else "polling",
        webhook_url=webhook_url,
        webhook_secret=secret,
        limits=limits,
    )


@asynccontextmanager
async def telegram_stage(
    folder: Path,
    *,
    api: BotApi | None = None,
    clock: ManualClock | None = None,
    limits: SendLimits = NO_LIMITS,
    webhook: bool = False,
    settle: bool = True,
    **settings: object,
) -> AsyncIterator[TelegramStage]:
    """Open the application on a folder, connected to an emulator."""
    clock = clock or ManualClock(TUESDAY)
    api = api or BotApi()
    api.clock = lambda: clock.now().timestamp()
    values: dict[str, object] = {"data_dir": folder, "onboarding": "off", **settings}
    async with (
        api.serving() as base,
        opened(Settings(_env_file=None, **values), clock) as app,  # type: ignore[arg-type]
    ):
        if not webhook:
            adapter = adapter_for(app, base, limits=limits)
            async with working(app, adapter):
                yield TelegramStage(app, api, adapter, clock)
            return
        port = free_port()
        url = f"http://127.0.0.1:{port}/telegram/hook"
        adapter = adapter_for(app, base, limits=limits, webhook_url=url)
        server = HttpServer("127.0.0.1", port, routes=adapter.routes())
        async with server, working(app, adapter):
            stage = TelegramStage(app, api, adapter, clock, url)
            if settle:
                await stage.until(lambda: bool(api.webhook))
            yield stage


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
