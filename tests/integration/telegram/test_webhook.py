"""The webhook: the right secret, and 200 only after the row."""

from pathlib import Path

import aiohttp
import pytest

from bot.clock import ManualClock
from bot.core.errors import ConfigurationError, StorageUnavailableError
from bot.core.ports import SendLimits
from tests.emulators.telegram import BotApi
from tests.emulators.telegram_stage import TelegramStage, adapter_for, telegram_stage
from tests.stage import TUESDAY


async def test_a_posted_update_is_answered_and_a_double_is_not(tmp_path: Path) -> None:
    """PT4: 200 after the durable insert; the same update_id once."""
    async with telegram_stage(tmp_path, webhook=True) as hub:
        update = hub.api.say("午饭35", deliver=False)
        assert [await hub.api.post_webhook(update) for _ in range(3)] == [200, 200, 200]
        await hub.settle()

        assert await hub.items() == ["午饭 35.00"]
        assert len(hub.api.shown) == 1
        assert hub.adapter.health()["webhook"] == "3 updates"


async def test_a_wrong_or_missing_secret_stores_nothing(tmp_path: Path) -> None:
    """PT5."""
    async with telegram_stage(tmp_path, webhook=True) as hub:
        update = hub.api.say("午饭35", deliver=False)
        for secret in ("", "wrong", hub.api.webhook["secret"] + "x", "秘密"):
            headers = {"X-Forwarded-For": "149.154.160.1"}
            if secret.isascii():
                headers["X-Telegram-Bot-Api-Secret-Token"] = secret
            async with (
                aiohttp.ClientSession() as session,
                session.post(hub.url, json=update, headers=headers) as response,
            ):
                assert response.status == 401
        assert await hub.app.stores.inbox.counts() == {}


async def test_a_store_that_is_away_makes_the_platform_post_again(tmp_path: Path) -> None:
    """PT4: no 200 for what is not stored."""
    async with telegram_stage(tmp_path, webhook=True) as hub:
        accept = hub.app.stores.inbox.accept

        async def away(_update: object) -> None:
            raise StorageUnavailableError("away")

        hub.app.stores.inbox.accept = away  # type: ignore[method-assign, assignment]
        update = hub.api.say("午饭35", deliver=False)
        assert await hub.api.post_webhook(update) == 503
        hub.app.stores.inbox.accept = accept  # type: ignore[method-assign]
        assert await hub.api.post_webhook(update) == 200
        await hub.settle()
        assert await hub.items() == ["午饭 35.00"]


async def test_garbage_with_the_right_secret_is_not_posted_for_ever(tmp_path: Path) -> None:
    async with telegram_stage(tmp_path, webhook=True) as hub:
        headers = {"X-Telegram-Bot-Api-Secret-Token": hub.api.webhook["secret"]}
        for data in (b"", b"{", b"[1]", b"\xff\xfe", b"[" * 100_000):
            async with (
                aiohttp.ClientSession() as session,
                session.post(hub.url, data=data, headers=headers) as response,
            ):
                assert response.status == 200
        assert await hub.app.stores.inbox.counts() == {}


async def test_the_conversation_runs_over_the_webhook(tmp_path: Path) -> None:
    async with telegram_stage(tmp_path, webhook=True) as hub:
        await post_said(hub, "午饭35")
        shown = hub.api.last()
        query = hub.api.press(shown, "撤销")
        assert await hub.api.post_webhook(hub.api._updates.pop()) == 200
        await hub.until(lambda: query in hub.api.answered)
        await hub.settle()
        assert await hub.items() == []


async def post_said(hub: TelegramStage, text: str) -> None:
    assert await hub.api.post_webhook(hub.api.say(text, deliver=False)) == 200
    await hub.settle()


async def test_registering_is_tried_until_the_platform_hears(tmp_path: Path) -> None:
    clock = ManualClock(TUESDAY)
    api = BotApi()
    api.fail("setWebhook", 500, "Internal Server Error", times=2)
    async with telegram_stage(tmp_path, api=api, clock=clock, webhook=True, settle=False) as hub:
        await hub.until(lambda: api.count("setWebhook") == 1)
        assert hub.adapter.health()["webhook"].startswith("!")
        await hub.turn_until(lambda: bool(api.webhook))
        await hub.until(lambda: not hub.adapter.health()["webhook"].startswith("!"))


async def test_a_webhook_without_address_or_secret_is_refused_with_what_to_set(
    tmp_path: Path,
) -> None:
    async with telegram_stage(tmp_path) as hub:
        with pytest.raises(ConfigurationError, match="TELEGRAM_WEBHOOK_SECRET"):
            adapter_for(
                hub.app,
                hub.api.base,
                limits=SendLimits(),
                webhook_url="https://a.example/hook",
                secret="short",  # noqa: S106
            )
