"""The bot as it is run: the web chat, the configured platforms, one HTTP server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from adapters.charts import Charts
from adapters.http import HttpServer
from adapters.web.adapter import WebAdapter
from bot.app import App, opened, working
from bot.assembly.commands import COMMANDS, HUB_COMMANDS
from bot.core.ports import Clock
from bot.garbage import settled_garbage
from bot.locales.catalogue import LOCALES
from bot.settings import Settings

if TYPE_CHECKING:
    from adapters.feishu.adapter import FeishuAdapter
    from adapters.telegram.adapter import TelegramAdapter


async def run(
    settings: Settings, clock: Clock, *, stop: asyncio.Event, say: Callable[[str], None]
) -> None:
    """Run until ``stop`` is set.

    Raises:
        ConfigurationError: it cannot start like this.
    """
    async with opened(settings, clock) as app, settled_garbage(clock), serving(app) as server:
        say(server.url)
        await stop.wait()


@asynccontextmanager
async def serving(app: App) -> AsyncIterator[HttpServer]:
    """Run the hub with everything that is configured, and the web chat."""
    charts = Charts()
    web = WebAdapter(
        sink=app.dispatcher.accept,
        accepted=app.stores.inbox.get,
        transcripts=app.stores.transcripts,
        files=app.stores.files,
        tokens=app.stores.web_tokens,
        views=app.views,
        clock=app.clock,
        charts=charts,
        host=app.settings.http_host,
    )
    chosen = (web, build_telegram(app, charts), build_feishu(app))
    adapters = tuple(adapter for adapter in chosen if adapter is not None)
    server = HttpServer(
        app.settings.http_host,
        app.settings.http_port,
        routes=[route for adapter in adapters for route in adapter.routes()],
        health={
            "store": app.dispatcher.health,
            **({"model": app.model.health} if app.model else {}),
            **({"mcp": app.services.health} if app.services.names else {}),
            **{adapter.platform: adapter.health for adapter in adapters},
        },
        metrics=app.metrics.text,
        guard=web.access.guard,
    )
    async with server, working(app, *adapters):  # pages are sent away before the door is shut
        yield server


def build_telegram(app: App, charts: Charts) -> "TelegramAdapter | None":
    """Return the Telegram adapter; None when it is not configured.

    Raises:
        ConfigurationError: it is configured wrongly, or its extra is missing.
    """
    settings = app.settings
    token = settings.telegram_bot_token.get_secret_value()
    if not token:
        return None
    from adapters.telegram.adapter import TelegramAdapter  # noqa: PLC0415  # only where it is used

    bar = [m for m in app.registry.manifests if m.capsule is not None]
    return TelegramAdapter(
        token=token,
        sink=app.dispatcher.accept,
        views=app.views,
        reach=app.reach,
        files=app.stores.files,
        clock=app.clock,
        charts=charts,
        capsules={
            f"{m.capsule.icon} {m.capsule.label.in_locale(locale)}": m.intent
            for m in bar
            if m.capsule is not None
            for locale in LOCALES
        },
        commands=(*COMMANDS, *HUB_COMMANDS),
        api_base=settings.telegram_api_base,
        mode=settings.telegram_mode,
        webhook_url=settings.telegram_webhook_url,
        webhook_secret=settings.telegram_webhook_secret.get_secret_value(),
        locale=settings.locale,
    )


def build_feishu(app: App) -> "FeishuAdapter | None":
    """Return the Feishu adapter; None when it is not configured.

    Raises:
        ConfigurationError: it is configured wrongly, or its extra is missing.
    """
    settings = app.settings
    secret = settings.feishu_app_secret.get_secret_value()
    if not settings.feishu_app_id and not secret:
        return None
    from adapters.feishu.adapter import FeishuAdapter  # noqa: PLC0415  # only where it is used

    return FeishuAdapter(
        app_id=settings.feishu_app_id,
        secret=secret,
        sink=app.dispatcher.accept,
        views=app.views,
        reach=app.reach,
        files=app.stores.files,
        clock=app.clock,
        domain=settings.feishu_domain,
        mode=settings.feishu_mode,
        encrypt_key=settings.feishu_encrypt_key.get_secret_value(),
        verification_token=settings.feishu_verification_token.get_secret_value(),
        locale=settings.locale,
    )
