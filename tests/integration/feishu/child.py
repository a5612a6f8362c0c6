"""The hub with Feishu as a process of its own, to be killed and measured.

Arguments: folder, address of the platform, failpoint, port of the webhook (empty for the long
connection).
"""

import asyncio
import sys
from pathlib import Path

from adapters.http import HttpServer
from bot.app import opened, working
from bot.clock import SystemClock
from bot.core.failpoints import arm
from bot.settings import Settings
from tests.emulators.feishu_stage import adapter_for


async def main(folder: str, base: str, failpoint: str = "", port: str = "") -> None:
    settings = Settings(_env_file=None, data_dir=Path(folder), onboarding="off")
    if failpoint:
        arm(failpoint)
    async with opened(settings, SystemClock()) as app:
        adapter = adapter_for(app, base, mode="webhook" if port else "long")
        server = HttpServer("127.0.0.1", int(port or 0), routes=adapter.routes())
        async with server, working(app, adapter):
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
