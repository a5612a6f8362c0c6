"""What an operator learns about the models: by `doctor`, by a message, by the counters."""

from pathlib import Path

from pydantic import SecretStr

from adapters.llm.access import check
from bot.clock import SystemClock
from bot.core.providers import Provider
from bot.doctor import examine_models
from bot.settings import Settings
from tests.emulators.openai import Endpoint, failing
from tests.stage import stage

KEY = "sk-test-0123456789abcdef"


def provider(endpoint: Endpoint) -> Provider:
    return Provider(
        name="openai", base_url=endpoint.base, model="m", key=SecretStr(KEY), prices={}
    )


async def test_a_model_that_answers_is_reported_with_how_it_was_held_to_a_schema() -> None:
    async with Endpoint(json_schema=False).serving() as endpoint:
        found = await check(provider(endpoint), clock=SystemClock())
    assert found.ok
    assert "m answers by tool_call" in found.says


async def test_a_refused_key_is_reported_without_the_key_and_the_address() -> None:
    async with Endpoint(key="sk-another").serving() as endpoint:
        found = await check(provider(endpoint), clock=SystemClock())
    assert not found.ok
    assert "the key is refused (401)" in found.says
    assert KEY not in found.says
    assert "127.0.0.1" not in found.says


async def test_doctor_tests_every_provider() -> None:
    down = Endpoint(down=failing(503))
    async with Endpoint().serving() as first, down.serving():
        settings = Settings(
            _env_file=None,
            openai_model="m",
            openai_base_url=first.base,
            llm_fallbacks=f"spare={down.base}|m",
        )
        findings = {finding.what: finding for finding in await examine_models(settings)}
    assert findings["model openai"].ok
    assert not findings["model spare"].ok
    assert "answers 503" in findings["model spare"].says


async def test_an_administrator_is_told_of_a_refused_key_once_a_day(tmp_path: Path) -> None:
    async with stage(tmp_path, admin_ids={"puppet:anna", "puppet:stranger"}) as hub:
        await hub.say("你好")
        await hub.say("你好", who="ben")
        before = len(hub.puppet.sent)
        for _ in range(3):
            await hub.app.notices.key_refused("openai")
        await hub.later(seconds=1)
        told = hub.puppet.sent[before:]
        assert [row.draft.chat.chat_id for row in told] == ["dm-anna"]
        await hub.later(days=1)
        await hub.app.notices.key_refused("openai")
        await hub.later(seconds=1)
        assert len(hub.puppet.sent) == before + 2
