"""Secret, keys and tokens are nowhere but in requests to the platform."""

import logging
from pathlib import Path

import pytest

from adapters.feishu.checkup import check
from bot.clock import SystemClock
from tests.emulators.feishu import APP_ID, APP_SECRET, ENCRYPT_KEY, VERIFICATION
from tests.emulators.feishu_stage import feishu_stage

SECRETS = (APP_SECRET, ENCRYPT_KEY, "KEY-TO-HIDE", "t-0-")


def contents(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_no_secret_is_in_a_log_a_row_a_message_or_a_health_text(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """PF29: with every fault, at the log's loudest; the SDK logs addresses with their keys."""
    caplog.set_level(logging.DEBUG)
    said: list[str] = []
    async with feishu_stage(tmp_path, ping_seconds=60) as hub:
        await hub.say("午饭35")
        hub.api.fail("send", html="<html>", status=502)
        hub.api.fail("users", 99991663, "invalid token", times=2)
        hub.api.lose("send")
        hub.api.say("打车20", who="ou_ben")
        await hub.turn_until(lambda: len(hub.api.shown) == 2, step=1)
        hub.api.endpoint_answer = {"code": 403, "msg": "forbidden"}
        await hub.api.link.drop()
        await hub.turn_until(lambda: "403" in str(hub.adapter.health()), step=5)
        said.append(str(dict(hub.adapter.health())))
        findings = await check(
            app_id=APP_ID,
            secret="wrong-" + APP_SECRET,
            domain=hub.api.base,
            mode="long",
            encrypt_key=ENCRYPT_KEY,
            verification_token=VERIFICATION,
            clock=SystemClock(),
            runs=True,
        )
        said += [finding.says for finding in findings]
        said += hub.api.texts()

    printed = capfd.readouterr()
    everything = "\n".join([*said, caplog.text, printed.out, printed.err])
    assert "long_connection_refused" in everything
    for secret in SECRETS:
        assert secret not in everything
        assert secret.encode() not in contents(tmp_path)
