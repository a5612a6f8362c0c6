"""The webhook: who vouches for a post, and 200 only after the row."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from adapters.feishu.adapter import FeishuAdapter
from bot.core.errors import ConfigurationError, StorageUnavailableError
from tests.emulators.feishu import ENCRYPT_KEY, VERIFICATION, Json
from tests.emulators.feishu_link import encrypted
from tests.emulators.feishu_stage import FeishuStage, adapter_for, feishu_stage

KEYS = pytest.mark.parametrize("key", ["", ENCRYPT_KEY], ids=["plain", "encrypted"])


def challenge(token: str = VERIFICATION) -> Json:
    return {"challenge": 'ajls384"kdj', "token": token, "type": "url_verification"}


@KEYS
async def test_the_challenge_is_answered_at_once_and_only_with_our_token(
    tmp_path: Path, key: str
) -> None:
    """T26 a, PF21: within 1 s, encrypted and plain, without a signature."""
    async with feishu_stage(tmp_path, mode="webhook", encrypt_key=key) as hub:
        async with asyncio.timeout(1):
            status, answer = await hub.api.link.post(challenge(), sign=False)
        assert (status, answer) == (200, {"challenge": 'ajls384"kdj'})
        assert await hub.api.link.post(challenge("wrong"), sign=False) == (401, None)


async def test_an_event_without_signature_headers_is_refused(tmp_path: Path) -> None:
    """T26 b."""
    async with feishu_stage(tmp_path, mode="webhook") as hub:
        status, _ = await hub.api.link.post(event_of(hub), sign=False)
        assert status == 401
        assert await hub.app.stores.inbox.counts() == {}
        assert hub.adapter.health()["webhook"] == "0 events, 1 refused"


async def test_a_plain_event_is_refused_while_a_key_is_set(tmp_path: Path) -> None:
    """T26 c."""
    async with feishu_stage(tmp_path, mode="webhook") as hub:
        status, _ = await hub.api.link.post(event_of(hub), encrypt=False)
        assert status == 401


@KEYS
async def test_an_event_with_the_token_in_its_header_is_taken(tmp_path: Path, key: str) -> None:
    """T26 d, PF21: header names in any case."""
    async with feishu_stage(tmp_path, mode="webhook", encrypt_key=key) as hub:
        assert (await hub.api.link.post(event_of(hub), lower=True))[0] == 200
        wrong = event_of(hub)
        wrong["header"]["token"] = "wrong"  # noqa: S105
        assert (await hub.api.link.post(wrong))[0] == 401
        await hub.settle()
        assert await hub.items() == ["午饭 35.00"]


@pytest.mark.parametrize(("age", "status"), [(600, 401), (301, 401), (290, 200), (-600, 401)])
async def test_a_signature_lives_for_five_minutes(tmp_path: Path, age: int, status: int) -> None:
    """T26 e, PF21: both SDKs take one of yesterday."""
    async with feishu_stage(tmp_path, mode="webhook") as hub:
        assert (await hub.api.link.post(event_of(hub), age_seconds=age))[0] == status


async def test_a_signature_is_over_the_raw_body_and_by_our_key(tmp_path: Path) -> None:
    """T26: another body, another key, a broken number: nobody vouches for it."""
    async with feishu_stage(tmp_path, mode="webhook") as hub:
        link = hub.api.link
        for headers in (
            {"X-Lark-Signature": "0" * 64},
            {"X-Lark-Signature": "秘密".encode().hex()},
            {"X-Lark-Request-Timestamp": "soon"},
            {"X-Lark-Request-Nonce": "another"},
        ):
            assert (await link.post(event_of(hub), headers=headers))[0] == 401
        foreign = {"encrypt": encrypted(event_of(hub), "another key")}
        async with aiohttp.ClientSession() as session:
            for data in (b"", b"{", b"[1]", b"\xff\xfe", b"[" * 100_000, b'{"encrypt": "AA=="}'):
                async with session.post(link.webhook_url, data=data) as response:
                    assert response.status == 401
            async with session.post(link.webhook_url, json=foreign) as response:
                assert response.status == 401
        assert await hub.app.stores.inbox.counts() == {}


async def test_a_store_that_is_away_makes_the_platform_post_again(tmp_path: Path) -> None:
    async with feishu_stage(tmp_path, mode="webhook") as hub:
        accept = hub.app.stores.inbox.accept

        async def away(_update: object) -> None:
            raise StorageUnavailableError("away")

        hub.app.stores.inbox.accept = away  # type: ignore[method-assign, assignment]
        event = event_of(hub)
        assert (await hub.api.link.post(event))[0] == 503
        hub.app.stores.inbox.accept = accept  # type: ignore[method-assign]
        assert (await hub.api.link.post(event))[0] == 200
        await hub.settle()
        assert await hub.items() == ["午饭 35.00"]


async def test_a_webhook_without_a_token_is_refused_with_what_to_set(tmp_path: Path) -> None:
    async with feishu_stage(tmp_path) as hub:
        with pytest.raises(ConfigurationError, match="FEISHU_VERIFICATION_TOKEN"):
            FeishuAdapter(
                app_id="cli_x",
                secret="s",  # noqa: S106
                sink=hub.app.dispatcher.accept,
                views=hub.app.views,
                reach=hub.app.reach,
                files=hub.app.stores.files,
                clock=hub.app.clock,
                mode="webhook",
            )
        with pytest.raises(ConfigurationError, match="FEISHU_APP_SECRET"):
            FeishuAdapter(
                app_id="cli_x",
                secret="",
                sink=hub.app.dispatcher.accept,
                views=hub.app.views,
                reach=hub.app.reach,
                files=hub.app.stores.files,
                clock=hub.app.clock,
            )
        assert adapter_for(hub.app, hub.api.base, mode="webhook").routes()


def event_of(hub: FeishuStage) -> Json:
    payload: Json = hub.api.say("午饭35", deliver=False, message_id="om_w").payload
    return payload
