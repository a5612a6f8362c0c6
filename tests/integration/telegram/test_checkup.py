"""What `doctor` says about a Telegram bot."""

from datetime import UTC, datetime, timedelta

from adapters.telegram.checkup import Result, check
from bot.clock import ManualClock, SystemClock
from bot.core.ports import Clock
from tests.emulators.telegram import TOKEN, BotApi


async def findings(
    api: BotApi, *, clock: Clock | None = None, mode: str = "polling", token: str = TOKEN
) -> dict[str, Result]:
    async with api.serving() as base:
        results = await check(
            token=token,
            clock=clock or SystemClock(),
            mode=mode,
            webhook_url="https://us.example/hook",
            webhook_secret="webhook-secret-of-us",  # noqa: S106
            api_base=base,
        )
    return {result.what: result for result in results}


async def test_a_healthy_bot_has_nothing_to_complain_of() -> None:
    found = await findings(BotApi())

    assert all(result.ok for result in found.values())
    assert "@switch_bot" in found["telegram token"].says
    assert "@mentions" in found["telegram privacy mode"].says
    assert len(found) == 5


async def test_looking_takes_no_update_away() -> None:
    api = BotApi()
    api.say("午饭35")
    await findings(api)

    assert api.waiting == 1


async def test_a_wrong_token_is_told_with_where_to_get_the_right_one() -> None:
    found = await findings(BotApi(), token="1:wrong")  # noqa: S106

    assert list(found) == ["telegram token"]
    assert "@BotFather" in found["telegram token"].says


async def test_what_run_would_refuse_is_found_without_asking_the_platform() -> None:
    api = BotApi()
    found = await findings(api, token="hunter2")  # noqa: S106
    assert "123456:ABC" in found["telegram settings"].says
    assert "hunter2" not in found["telegram settings"].says

    (webhook,) = await check(token=TOKEN, clock=SystemClock(), mode="webhook")
    assert not webhook.ok
    assert "TELEGRAM_WEBHOOK_SECRET" in webhook.says
    assert api.calls == []


async def test_a_foreign_webhook_clashes_with_polling() -> None:
    api = BotApi()
    api.webhook = {"url": "https://other.example"}

    assert not (await findings(api))["telegram updates"].ok
    assert not (await findings(api, mode="webhook"))["telegram updates"].ok


async def test_a_second_instance_is_found() -> None:
    api = BotApi()
    api.fail("getUpdates", 409, "Conflict: terminated by other getUpdates request")

    found = (await findings(api))["telegram second instance"]
    assert not found.ok
    assert "stop it" in found.says


async def test_a_wrong_clock_is_found() -> None:
    clock = ManualClock(datetime.now(UTC) + timedelta(minutes=5))

    found = (await findings(BotApi(), clock=clock))["telegram clock"]
    assert not found.ok
    assert "+30" in found.says


async def test_a_platform_that_cannot_be_reached_is_one_finding() -> None:
    (found,) = await check(
        token=TOKEN, clock=SystemClock(), mode="polling", api_base="http://127.0.0.1:9"
    )

    assert not found.ok
    assert "network" in found.says
