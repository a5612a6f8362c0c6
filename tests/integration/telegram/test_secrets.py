"""The token is nowhere but in requests to the platform."""

import asyncio
import logging
from pathlib import Path

import pytest

from adapters.telegram.checkup import check
from bot.clock import SystemClock
from bot.core.events import Account, Attachment
from bot.log import mask
from tests.emulators.telegram import PRIVATE, TOKEN
from tests.emulators.telegram_stage import telegram_stage
from tests.integration.telegram.queueing import queue

SECRET = TOKEN.partition(":")[2]


def contents(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_the_token_is_in_no_log_row_message_or_health_text(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """T16: a photo, a failing getFile, every fault, and the log at its loudest."""
    caplog.set_level(logging.DEBUG)
    said: list[str] = []
    async with telegram_stage(tmp_path) as hub:
        api = hub.api
        await hub.say("", photo=api.photo())
        who = Account(platform="telegram", bot=hub.adapter.bot, user_id=str(PRIVATE))
        api.reset("getFile")
        api.html_page("getFile")
        photo = Attachment(kind="image", ref="photo0")
        said += [str(await hub.adapter.fetch(photo, who)) for _ in range(2)]
        for method in ("sendMessage", "getUpdates"):
            api.reset(method)
            api.html_page(method)
            api.fail(method, 401, "Unauthorized")
        queued = await queue(hub, "x")
        api.say("午饭35")
        await hub.turn_until(lambda: api.waiting == 0)
        await hub.turn_until(lambda: api.count("sendMessage") >= 3)
        said += [(await queued.row()).error, str(dict(hub.adapter.health())), repr(hub.adapter)]
        said += [message.html for message in api.shown]
        api.fail("getMe", 401, "Unauthorized")
        said += [
            str(await check(token=TOKEN, clock=SystemClock(), mode="polling", api_base=api.base))
        ]

    stored = await asyncio.to_thread(contents, tmp_path)
    out, err = capfd.readouterr()
    assert SECRET.encode() not in stored
    assert SECRET not in "\n".join([caplog.text, out, err, *said])


def test_even_a_token_that_gets_into_a_log_line_is_masked() -> None:
    for line in (f"GET /bot{TOKEN}/getMe", TOKEN, f"token={TOKEN}."):
        assert SECRET not in mask(line)
