"""The emulator is judged by clients that nobody here wrote: both official SDKs."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.emulators.feishu import APP_ID, APP_SECRET, Feishu, Message

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("library", ["lark_oapi", "lark_channel"])
async def test_an_official_client_calls_listens_and_acknowledges(library: str) -> None:
    """REST, CardKit streaming, frames in fragments, ping and pong, a card callback."""
    api = Feishu()
    api.link.config = {**api.link.config, "PingInterval": 1}
    async with api.serving() as base:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.integration.feishu.sdk_client"),
            *(library, base, APP_ID, APP_SECRET),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(90):
                called = await line_of(process)
                assert called["called"] == [0, 0, 0, 0, 0]
                shown, reply = api.shown
                assert (shown.plain, reply.plain) == ("全文", "回复")
                assert reply.parent_id == shown.message_id == called["message"]

                await until(lambda: bool(api.link.sockets))
                api.link.parts = 3
                said = api.say("你好")
                assert await line_of(process) == {"text": "你好"}
                button = Message("om_1", "oc_1", "interactive", card_with_a_button())
                pressed = api.press(button, "好")
                assert await line_of(process) == {"token": "T1"}
                await until(lambda: bool(said.acks) and bool(pressed.acks) and api.link.pings > 1)
        finally:
            process.kill()
            await process.wait()

    assert said.acks == [200]
    assert pressed.answer is not None
    assert pressed.answer["toast"]["content"] == "收到"


def card_with_a_button() -> dict[str, Any]:
    behaviors = [{"type": "callback", "value": {"t": "T1"}}]
    text = {"tag": "plain_text", "content": "好"}
    button = {"tag": "button", "text": text, "behaviors": behaviors}
    return {"schema": "2.0", "body": {"elements": [button]}}


async def line_of(process: asyncio.subprocess.Process) -> Any:  # noqa: ANN401  # any JSON
    assert process.stdout is not None
    while True:
        line = await process.stdout.readline()
        assert line, "the client ended"
        if line.startswith(b"{"):
            return json.loads(line)


async def until(condition: Any) -> None:  # noqa: ANN401  # a callable
    while not condition():  # noqa: ASYNC110  # another process changes it
        await asyncio.sleep(0.02)
