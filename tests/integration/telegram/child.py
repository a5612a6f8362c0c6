"""The hub with Telegram as a process of its own, to be killed and measured.

Arguments: folder, API base, failpoint, webhook address, then ``limited`` for the real rates and
``thinks=0.5`` for one agent that takes so many seconds in the place of all others.
"""

import asyncio
import sys
from pathlib import Path
from urllib.parse import urlsplit

from adapters.http import HttpServer
from adapters.telegram.limits import LIMITS
from bot.app import App, opened, working
from bot.clock import SystemClock
from bot.core.agents import Agent
from bot.core.failpoints import arm
from bot.settings import Settings
from tests.emulators.telegram_stage import NO_LIMITS, adapter_for
from tests.thinking import ThinkingAgent


async def main(
    folder: str,
    base: str,
    failpoint: str = "",
    webhook_url: str = "",
    *options: str,
) -> None:
    settings = Settings(_env_file=None, data_dir=Path(folder), onboarding="off")
    if failpoint:
        arm(failpoint)
    async with opened(settings, SystemClock()) as app:
        for option in options:
            if option.startswith("thinks="):
                think(app, float(option.removeprefix("thinks=")))
        limits = LIMITS if "limited" in options else NO_LIMITS
        adapter = adapter_for(app, base, webhook_url=webhook_url, limits=limits)
        if not webhook_url:
            async with working(app, adapter):
                await asyncio.Event().wait()
        port = urlsplit(webhook_url).port or 0
        server = HttpServer("127.0.0.1", port, routes=adapter.routes())
        async with server, working(app, adapter):
            await asyncio.Event().wait()


def think(app: App, seconds: float) -> None:
    """Let one agent that takes its time answer everything."""
    agent = ThinkingAgent(seconds)

    def of(intent: str) -> Agent:
        del intent
        return agent

    app.registry.agent = of  # type: ignore[method-assign]


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
