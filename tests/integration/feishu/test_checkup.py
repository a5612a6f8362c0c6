"""What `doctor` says about a Feishu app."""

from datetime import UTC, datetime, timedelta

from adapters.feishu.checkup import Result, check
from bot.clock import ManualClock, SystemClock
from bot.core.ports import Clock
from tests.emulators.feishu import APP_ID, APP_SECRET, ENCRYPT_KEY, VERIFICATION, Feishu


async def findings(
    api: Feishu,
    *,
    mode: str = "long",
    secret: str = APP_SECRET,
    key: str = ENCRYPT_KEY,
    token: str = VERIFICATION,
    clock: Clock | None = None,
) -> dict[str, Result]:
    async with api.serving() as base:
        results = await check(
            app_id=APP_ID,
            secret=secret,
            domain=base,
            mode=mode,
            encrypt_key=key,
            verification_token=token,
            clock=clock or SystemClock(),
        )
    return {result.what: result for result in results}


async def test_a_healthy_app_has_nothing_to_complain_of_and_loses_no_event() -> None:
    api = Feishu()
    found = await findings(api)

    assert all(result.ok for result in found.values())
    assert "Switchboard" in found["feishu bot"].says
    assert "app of its own" in found["feishu long connection"].says
    assert set(found) == {
        "feishu token",
        "feishu bot",
        "feishu events",
        "feishu callbacks",
        "feishu menu",
        "feishu long connection",
        "feishu clock",
    }
    assert api.link.connections == 0


async def test_a_wrong_secret_says_what_to_copy() -> None:
    found = await findings(Feishu(), secret="wrong")  # noqa: S106
    assert [(r.ok, "FEISHU_APP_SECRET" in r.says) for r in found.values()] == [(False, True)]


async def test_what_is_not_subscribed_names_the_switches_in_the_console() -> None:
    """T19: a callback that is not subscribed is what people see as 200340."""
    api = Feishu()
    api.application = {"event": {"subscribed_events": []}, "callback": {}}
    found = await findings(api)
    assert not found["feishu events"].ok
    assert not found["feishu callbacks"].ok
    assert "200340" in found["feishu callbacks"].says


async def test_another_way_of_delivery_than_the_setting_is_told() -> None:
    found = await findings(Feishu(), mode="webhook")
    assert "FEISHU_MODE=long" in found["feishu events"].says


async def test_an_app_that_may_not_look_at_itself_is_told_where_to_look() -> None:
    api = Feishu()
    api.application = None
    found = await findings(api)
    assert found["feishu subscriptions"].ok
    assert "card.action.trigger" in found["feishu subscriptions"].says


async def test_encryption_is_tried_in_webhook_mode() -> None:
    api = Feishu()
    assert (await findings(api, mode="webhook"))["feishu encryption"].ok
    assert not (await findings(api, mode="webhook", key=""))["feishu encryption"].ok
    assert not (await findings(api, mode="webhook", token=""))["feishu encryption"].ok


async def test_a_bot_that_is_not_active_or_unknown_is_told() -> None:
    api = Feishu()
    api.fail("bot_info", 230006, "Bot ability is not activated.")
    assert "bot ability" in (await findings(api))["feishu bot"].says


async def test_a_refused_long_connection_is_told() -> None:
    api = Feishu()
    api.endpoint_answer = {"code": 1000040344, "msg": "no credential"}
    found = await findings(api)
    assert "1000040344" in found["feishu long connection"].says


async def test_a_clock_that_is_off_is_told() -> None:
    clock = ManualClock(datetime.now(UTC) + timedelta(minutes=7))
    api = Feishu(clock=lambda: clock.now().timestamp())
    found = await findings(api, clock=clock)
    assert not found["feishu clock"].ok
    assert "+4" in found["feishu clock"].says
