"""What `doctor` says about a Feishu app."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest

from adapters.feishu.checkup import Result, check
from bot.clock import ManualClock, SystemClock
from bot.core.ports import Clock
from bot.demo import settled
from tests.emulators.feishu import APP_ID, APP_SECRET, ENCRYPT_KEY, VERIFICATION, Feishu
from tests.emulators.feishu_stage import feishu_stage


async def findings(
    api: Feishu,
    *,
    mode: str = "long",
    secret: str = APP_SECRET,
    key: str = ENCRYPT_KEY,
    token: str = VERIFICATION,
    clock: Clock | None = None,
    runs: bool = False,
    connected: int = 0,
) -> dict[str, Result]:
    async with api.serving() as base, aiohttp.ClientSession() as session:
        held = [await session.ws_connect(f"{base}/ws") for _ in range(connected)]
        assert len(api.link.sockets) == len(held)
        return await ask(
            base, mode=mode, secret=secret, key=key, token=token, clock=clock, runs=runs
        )


async def everything(other: aiohttp.ClientWebSocketResponse) -> int:
    """Return how many events another program hears, once there are no more."""
    heard = 0
    while True:
        try:
            await other.receive(timeout=0.5)
        except TimeoutError:
            return heard
        heard += 1


async def ask(
    base: str,
    *,
    mode: str = "long",
    secret: str = APP_SECRET,
    key: str = ENCRYPT_KEY,
    token: str = VERIFICATION,
    clock: Clock | None = None,
    runs: bool = False,
) -> dict[str, Result]:
    results = await check(
        app_id=APP_ID,
        secret=secret,
        domain=base,
        mode=mode,
        encrypt_key=key,
        verification_token=token,
        clock=clock or SystemClock(),
        runs=runs,
    )
    return {result.what: result for result in results}


async def test_a_healthy_app_has_nothing_to_complain_of_and_loses_no_event() -> None:
    api = Feishu()
    found = await findings(api)

    assert all(result.ok for result in found.values())
    assert "Switchboard" in found["feishu bot"].says
    assert "not seen" in found["feishu second instance"].says
    assert set(found) == {
        "feishu token",
        "feishu bot",
        "feishu events",
        "feishu callbacks",
        "feishu menu",
        "feishu recalls",
        "feishu long connection",
        "feishu second instance",
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


@pytest.mark.parametrize(
    ("mode", "connected", "says", "facts"),
    [
        ("long", 1, "not seen: one connection", {"runs": True, "ok": True}),
        ("long", 2, "seen: 2 connected as this app, 1 of them this", {"runs": True, "ok": False}),
        ("long", 1, "seen: 1 connected as this app, 0 of them this", {"runs": False, "ok": False}),
        ("long", 0, "is not connected", {"runs": True, "ok": False}),
        ("webhook", 0, "not seen: nobody", {"runs": True, "ok": True}),
        (
            "webhook",
            1,
            "seen: 1 connected as this app, 0 of them this",
            {"runs": True, "ok": False},
        ),
    ],
)
async def test_a_second_instance_is_one_connection_more_than_our_own(
    mode: str, connected: int, says: str, facts: dict[str, bool]
) -> None:
    found = await findings(Feishu(), mode=mode, runs=facts["runs"], connected=connected)
    second = found["feishu second instance"]
    assert (second.ok, says in second.says) == (facts["ok"], True), second.says


async def test_a_platform_that_does_not_tell_how_many_are_connected_is_not_taken_for_none() -> (
    None
):
    api = Feishu()
    api.fail("connection", 99991672, "Access denied.")
    found = await findings(api, connected=1)
    assert found["feishu second instance"].ok
    assert "could not be looked for" in found["feishu second instance"].says

    api.fail("connection", html="<html>bad gateway</html>", status=502)
    found = await findings(api, connected=1)
    assert not found["feishu second instance"].ok


async def test_beside_a_running_bot_doctor_sees_the_program_that_takes_its_events(
    tmp_path: Path,
) -> None:
    """Both hear a part, and each event is heard by one of them only."""
    async with feishu_stage(tmp_path) as hub, aiohttp.ClientSession() as session:
        base = hub.api.base
        assert (await ask(base, runs=True))["feishu second instance"].ok
        async with session.ws_connect(f"{base}/ws") as other:
            assert not (await ask(base, runs=True))["feishu second instance"].ok
            for number in range(20):
                hub.api.say(f"午饭{number + 11}")
            stolen = await everything(other)
            await settled(hub.app.stores)
            ours = len(await hub.items())
            assert (ours + stolen, 0 < ours < 20) == (20, True)


async def test_a_running_bot_says_so_itself_once_it_has_seen_another_twice(tmp_path: Path) -> None:
    def says() -> str:
        return hub.adapter.health()["second instance"]

    async with feishu_stage(tmp_path) as hub, aiohttp.ClientSession() as session:
        assert says() == "not looked for yet"
        await hub.turn_until(lambda: says().startswith("nobody else"), step=30)
        async with session.ws_connect(f"{hub.api.base}/ws"):
            looked = hub.api.count("connection")
            await hub.turn_until(lambda: hub.api.count("connection") > looked, step=30)
            assert not says().startswith("!")
            await hub.turn_until(lambda: says().startswith("! 1 more connected"), step=30)
        await hub.until(lambda: len(hub.api.link.sockets) == 1)
        await hub.turn_until(lambda: says().startswith("nobody else"), step=30)
        hub.api.fail("connection", 99991672, "Access denied.")
        await hub.turn_until(lambda: says().startswith("cannot be looked for"), step=30)


async def test_a_clock_that_is_off_is_told() -> None:
    clock = ManualClock(datetime.now(UTC) + timedelta(minutes=7))
    api = Feishu(clock=lambda: clock.now().timestamp())
    found = await findings(api, clock=clock)
    assert not found["feishu clock"].ok
    assert "+4" in found["feishu clock"].says
