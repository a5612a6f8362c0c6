"""The hub with Telegram as a process of its own, to be killed and measured.

Arguments: folder, API base, failpoint, webhook address, and ``limited`` for the real rates.
"""

import asyncio
import sys
from pathlib import Path
from urllib.parse import urlsplit

from adapters.http import HttpServer
from adapters.telegram.adapter import LIMITS
from bot.app import opened, working
from bot.clock import SystemClock
from bot.core.failpoints import arm
from bot.settings import Settings
from tests.emulators.telegram_stage import NO_LIMITS, adapter_for


async def main(
    folder: str, base: str, failpoint: str = "", webhook_url: str = "", rates: str = ""
) -> None:
    settings = Settings(_env_file=None, data_dir=Path(folder), onboarding="off")
    if failpoint:
        arm(failpoint)
    async with opened(settings, SystemClock()) as app:
        limits = LIMITS if rates == "limited" else NO_LIMITS
        adapter = adapter_for(app, base, webhook_url=webhook_url, limits=limits)
        if not webhook_url:
            async with working(app, adapter):
                await asyncio.Event().wait()
        port = urlsplit(webhook_url).port or 0
        server = HttpServer("127.0.0.1", port, routes=adapter.routes())
        async with server, working(app, adapter):
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
