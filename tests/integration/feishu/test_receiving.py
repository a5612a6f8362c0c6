"""Events: nothing lost, nothing doubled, and only what is meant for us."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from bot.clock import ManualClock
from bot.core.errors import StorageUnavailableError
from bot.core.inbox import InboxStatus
from tests.emulators.feishu import APP_ID, BEN, BOT, GROUP, Feishu, Json
from tests.emulators.feishu_stage import FeishuStage, Mode, feishu_stage
from tests.stage import TUESDAY

BOTH = pytest.mark.parametrize("mode", ["long", "webhook"])


@BOTH
async def test_a_message_delivered_again_under_a_new_event_id_is_handled_once(
    tmp_path: Path, mode: Mode
) -> None:
    """T17, PF1, PF2: also 6 hours and 5 minutes later, and after a restart."""
    clock = ManualClock(TUESDAY)
    async with feishu_stage(tmp_path, mode=mode, clock=clock) as hub:
        first = hub.api.say("午饭35", message_id="om_once")
        await hub.settle()
        for seconds in (15, 300, 3600):
            clock.turn(seconds=seconds)
            hub.api.link.again(first, event_id=f"again-{seconds}")
            await hub.settle()
        assert await hub.items() == ["午饭 35.00"]
        assert len(hub.api.shown) == 1

    async with feishu_stage(tmp_path, mode=mode, clock=clock) as hub:
        clock.turn(hours=6)
        later = hub.api.say("午饭35", message_id="om_once", age_seconds=22_000)
        later.payload["event"]["message"] = first.payload["event"]["message"]
        await hub.settle()
        assert later.acks == [200]
        assert await hub.items() == ["午饭 35.00"]
        assert hub.api.shown == []


async def test_a_store_that_is_away_is_no_ack_and_the_event_comes_again(
    hub: FeishuStage,
) -> None:
    """T17: the claim of what failed is free; PF1."""
    accept = hub.app.stores.inbox.accept

    async def away(_update: object) -> None:
        raise StorageUnavailableError("away")

    hub.app.stores.inbox.accept = away  # type: ignore[method-assign, assignment]
    said = hub.api.say("午饭35")
    await hub.until(lambda: said.acks == [500])
    hub.app.stores.inbox.accept = accept  # type: ignore[method-assign]
    hub.api.link.again(said)
    await hub.settle()

    assert said.acks == [500, 200]
    assert await hub.items() == ["午饭 35.00"]


async def test_the_ack_goes_out_only_after_the_row_is_stored(hub: FeishuStage) -> None:
    accept = hub.app.stores.inbox.accept
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(update: object) -> object:
        begun.set()
        await go_on.wait()
        return await accept(update)  # type: ignore[arg-type]

    hub.app.stores.inbox.accept = slowly  # type: ignore[method-assign, assignment]
    said = hub.api.say("午饭35")
    await asyncio.wait_for(begun.wait(), 5)
    assert said.acks == []
    go_on.set()
    await hub.settle()
    assert said.acks == [200]


async def test_an_unknown_kind_of_event_is_acknowledged_and_left(hub: FeishuStage) -> None:
    """PF3: whoever does not, gets it again for hours."""
    happened = hub.api.happen("im.message.message_read_v1", {"reader": {}, "list": []})
    recalled = hub.api.recall("om_1")
    broken = hub.api.happen("im.message.recalled_v1", {"chat_id": "oc_1"})
    await hub.settle()

    assert (happened.acks, recalled.acks, broken.acks) == ([200], [200], [200])
    assert await hub.app.stores.inbox.counts() == {}


@BOTH
async def test_a_recalled_message_is_told_of_what_stays_or_not_answered_at_all(
    tmp_path: Path, mode: Mode
) -> None:
    async with feishu_stage(tmp_path, mode=mode) as hub:
        await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,), message_id="om_lunch")
        hub.clock.turn(minutes=9)
        recalled = hub.api.recall("om_lunch", chat=GROUP)
        await hub.settle()
        told = hub.api.last()
        assert (told.chat_id, "1 笔" in told.plain, "午饭" in told.plain) == (GROUP, True, False)
        hub.api.link.again(recalled, event_id="again")
        await hub.settle()
        assert hub.api.last() is told
        await hub.press(told, "撤销")
        assert await hub.items() == []

        before = len(hub.api.shown)
        hub.api.recall("om_early")
        await hub.settle()
        hub.api.say("打车20", message_id="om_early")
        await hub.settle()
        assert (len(hub.api.shown), await hub.items()) == (before, [])


async def test_a_message_that_cannot_be_read_stops_nobody(hub: FeishuStage) -> None:
    broken = hub.api.happen("im.message.receive_v1", {"message": {"message_id": 7}})
    await hub.say("午饭35")

    row = await hub.app.stores.inbox.get(
        f"feishu:{APP_ID}:im.message.receive_v1:{broken.event_id}"
    )
    assert row is not None
    assert row.status is InboxStatus.DEAD
    assert await hub.items() == ["午饭 35.00"]


async def test_fragments_are_put_together(hub: FeishuStage) -> None:
    hub.api.link.parts = 5
    said = hub.api.say("午饭35")
    await hub.settle()
    assert said.acks == [200]
    assert await hub.items() == ["午饭 35.00"]


async def test_ten_quick_messages_are_answered_in_their_order(hub: FeishuStage) -> None:
    """Also while the name of the first who speaks is looked up."""
    release = hub.api.hang("users")
    asyncio.get_running_loop().call_later(0.05, release.set)
    things = ["咖啡", "奶茶", "早餐", "午饭", "晚饭", "水果", "地铁", "打车", "电影", "零食"]
    for number, thing in enumerate(things):
        hub.api.say(f"{thing}{number + 11}元")
    await hub.settle()
    assert await hub.items() == [f"{thing} {n + 11}.00" for n, thing in enumerate(things)]


# --- the connection -----------------------------------------------------------------------------


async def test_a_silent_socket_is_replaced_within_240_seconds(tmp_path: Path) -> None:
    """T22, PF9: half open, no pong; no busy loop, and what was said meanwhile arrives."""
    async with feishu_stage(tmp_path, ping_seconds=120) as hub:
        await hub.until(lambda: hub.api.link.pings == 1)
        hub.api.link.silent = True
        said = hub.api.say("午饭35")
        assert "last heard" in hub.adapter.health()["long connection"]

        def lost() -> bool:
            return hub.adapter.health()["long connection"].startswith("!")

        assert await hub.turn_until(lost, step=10) <= 240
        hub.api.link.silent = False
        asked = hub.api.count("endpoint")
        await hub.turn_until(lambda: not lost(), step=1)
        assert hub.api.count("endpoint") == asked + 1
        await hub.settle()
        assert said.acks == [200]
        assert await hub.items() == ["午饭 35.00"]


def pinged_since(hub: FeishuStage, count: int) -> bool:
    return hub.api.link.pings > count


async def test_a_quiet_account_keeps_its_connection_and_renews_it_every_half_hour(
    tmp_path: Path,
) -> None:
    """PF9: connected and never sent anything looks the same as nobody speaking."""
    async with feishu_stage(tmp_path, ping_seconds=120) as hub:
        for _ in range(14):
            pings = hub.api.link.pings
            await hub.turn_until(partial(pinged_since, hub, pings), step=10)
        assert hub.api.link.connections == 1
        await hub.turn_until(lambda: hub.api.link.connections == 2, step=10)


async def test_a_dropped_connection_comes_back_after_a_random_moment(hub: FeishuStage) -> None:
    """PF8: jitter first; the event that nobody acknowledged is delivered then."""
    await hub.api.link.drop()
    await hub.until(lambda: not hub.api.link.sockets)
    said = hub.api.say("午饭35")
    assert await hub.turn_until(lambda: bool(hub.api.link.sockets)) == pytest.approx(15, abs=2)
    await hub.settle()
    assert said.acks == [200]


@pytest.mark.parametrize("code", [1000040344, 403, 514])
async def test_a_permanent_code_alarms_and_is_tried_again_for_ever(
    hub: FeishuStage, code: int
) -> None:
    """PF8: both SDKs stay dead here."""
    hub.api.endpoint_answer = {"code": code, "msg": "no credential"}
    await hub.api.link.drop()
    await hub.turn_until(
        lambda: f"refused: {code}" in hub.adapter.health()["long connection"], step=5
    )
    assert hub.adapter.health()["long connection"].startswith("!")
    before = hub.api.count("endpoint")
    await hub.turn_until(lambda: hub.api.count("endpoint") >= before + 9, step=10, most=3000)
    calls = [call.at for call in hub.api.calls if call.operation == "endpoint"][-3:]
    assert calls[-1] - calls[-2] >= 60

    hub.api.endpoint_answer = None
    await hub.turn_until(lambda: bool(hub.api.link.sockets), step=10)
    await hub.say("午饭35")
    assert await hub.items() == ["午饭 35.00"]


async def test_a_refused_handshake_is_told_with_its_code(hub: FeishuStage) -> None:
    hub.api.handshake = {
        "handshake-status": "514",
        "handshake-msg": "too many connections",
        "handshake-autherrcode": "1000040350",
    }
    await hub.api.link.drop()
    await hub.turn_until(lambda: "1000040350" in hub.adapter.health()["long connection"], step=5)
    hub.api.handshake = {}
    await hub.turn_until(lambda: bool(hub.api.link.sockets), step=10)


def asked_since(hub: FeishuStage, count: int) -> bool:
    return hub.api.count("endpoint") > count


async def test_an_endpoint_that_is_busy_or_no_json_is_only_a_hiccup(hub: FeishuStage) -> None:
    answers: list[Json | int] = [502, {"code": 1, "msg": "busy"}, {"code": 1000040343, "msg": "-"}]
    for answer in answers:
        hub.api.endpoint_answer = answer
        await hub.api.link.drop()
        before = hub.api.count("endpoint")
        await hub.turn_until(partial(asked_since, hub, before), step=5)
        hub.api.endpoint_answer = None
        await hub.turn_until(lambda: bool(hub.api.link.sockets), step=5)


# --- whom it is for -----------------------------------------------------------------------------


@BOTH
async def test_in_a_group_only_what_names_the_bot_is_for_it(tmp_path: Path, mode: Mode) -> None:
    """T24, PF19: by open id; everyone is not the bot, nor is a namesake or another bot."""
    async with feishu_stage(tmp_path, mode=mode) as hub:
        hub.api.names["ou_bot00000"] = "Switchboard"
        for at in ((BEN,), ("all",), ("ou_bot00000",), ()):
            hub.api.say("@_user_1 @_all 午饭35", chat=GROUP, at=at)
        hub.api.say("@_user_1 午饭35", chat=GROUP, at=(BOT,), sender_type="app", who="ou_other")
        await hub.settle()
        assert hub.api.shown == []

        hub.api.say("@_user_2 @_user_1 请记 午饭35", chat=GROUP, at=(BEN, BOT))
        await hub.settle()
        stored = await hub.app.stores.turns.recent(
            f"feishu/{APP_ID}/{GROUP}/|feishu/{APP_ID}/tenant-1/ou_anna", limit=1
        )
        assert stored[0].text == "@Ben 请记 午饭35"


async def test_a_group_is_not_answered_before_the_own_id_is_known(tmp_path: Path) -> None:
    """T24, PF27: the gate fails closed, and what came meanwhile is delivered again."""
    api = Feishu()
    api.fail("bot_info", html="<html>bad gateway</html>", status=502, times=3)
    async with feishu_stage(tmp_path, api=api, settle=False) as hub:
        await hub.until(lambda: bool(api.link.sockets))
        await hub.until(lambda: "bad" not in hub.adapter.health()["bot"])
        named = api.say("@_user_1 午饭35", chat=GROUP, at=(BOT,))
        await hub.until(lambda: named.acks == [500])
        private = api.say("打车20")
        await hub.until(lambda: private.acks == [200])
        assert hub.adapter.health()["bot"].startswith("!")

        await hub.turn_until(lambda: not hub.adapter.health()["bot"].startswith("!"))
        api.link.again(named)
        await hub.settle()
        assert sorted(await hub.items()) == ["午饭 35.00", "打车 20.00"]


async def test_a_reply_to_the_bot_in_a_group_needs_no_name(hub: FeishuStage) -> None:
    (booked,) = await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,))
    (again,) = await hub.say("40", chat=GROUP, parent_id=booked.message_id)
    assert "40" in again.plain
    assert await hub.say("50", chat=GROUP, parent_id="om_user_of_somebody") == []


async def test_a_topic_is_a_session_of_its_own_and_is_answered_in_it(hub: FeishuStage) -> None:
    (booked,) = await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,), thread_id="om_root")
    assert booked.parent_id == ""  # the root is not known to the emulator: sent to the group
    root = hub.api.say("@_user_1 打车20", chat=GROUP, at=(BOT,), message_id="om_top")
    await hub.settle()
    (inside,) = await hub.say("@_user_1 咖啡9", chat=GROUP, at=(BOT,), thread_id="om_top")
    assert root.acks == [200]
    assert (inside.parent_id, inside.chat_id) == ("om_top", GROUP)
    await hub.press(inside, "撤销")
    assert await hub.items() == ["午饭 35.00", "打车 20.00"]


async def test_what_was_said_while_the_bot_was_down_is_handled_once(tmp_path: Path) -> None:
    """T23: late is not lost."""
    clock = ManualClock(TUESDAY)
    api = Feishu()
    async with feishu_stage(tmp_path, clock=clock, api=api) as hub:
        await hub.say("早餐8")
    said = api.say("午饭35", deliver=False)
    clock.turn(seconds=90)
    async with feishu_stage(tmp_path, clock=clock, api=api) as hub:
        api.link.deliver(said.payload)
        api.link.deliver(said.payload)
        await hub.settle()
        assert await hub.items() == ["早餐 8.00", "午饭 35.00"]
        (answer,) = hub.api.shown[1:]
        assert answer.plain.startswith("（回复晚了，这是 2026-12-01 周二 10:00 那条消息的）")


@pytest.mark.parametrize(("minutes", "asked"), [(29, False), (31, True)])
async def test_an_old_order_to_delete_is_asked_about_and_an_old_entry_is_booked(
    tmp_path: Path,
    minutes: int,
    asked: bool,  # noqa: FBT001
) -> None:
    """PF28: nothing with consequences runs on an old order unasked; nothing is lost."""
    clock = ManualClock(TUESDAY)
    api = Feishu()
    async with feishu_stage(tmp_path, clock=clock, api=api) as hub:
        await hub.say("早餐8")
    orders = [api.say(words, deliver=False) for words in ("午饭35", "删掉早餐")]
    clock.turn(minutes=minutes)
    async with feishu_stage(tmp_path, clock=clock, api=api) as hub:
        for order in orders:
            api.link.deliver(order.payload)
            await hub.settle()
        assert ("早餐 8.00" in await hub.items()) is asked
        assert "午饭 35.00" in await hub.items()
        if asked:
            assert "请再说一次" in hub.api.shown[-1].plain
            await hub.say("删掉早餐")
            assert await hub.items() == ["午饭 35.00"]


async def test_a_chat_that_threw_the_bot_out_is_left_alone_until_it_is_back(
    hub: FeishuStage,
) -> None:
    await hub.say("@_user_1 10分钟后提醒我喝水", chat=GROUP, at=(BOT,))
    hub.api.happen("im.chat.member.bot.deleted_v1", {"chat_id": GROUP})
    await hub.settle()
    assert await hub.later(minutes=11) == []
    hub.api.happen("im.chat.member.bot.added_v1", {"chat_id": GROUP})
    await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,))
    assert len(await hub.items()) == 1


async def test_names_come_from_the_address_book_and_an_outage_of_it_delays_nothing(
    hub: FeishuStage,
) -> None:
    await hub.say("午饭35")
    people = await hub.app.stores.people.find(hub.adapter._accounts["ou_anna"])
    assert people is not None
    assert people.name == "小安"
    hub.api.fail("users", 99991672, "no scope", times=5)
    await hub.say("午饭20", who=BEN)
    assert await hub.items(BEN) == ["午饭 20.00"]


async def test_a_picture_and_a_file_reach_our_store(hub: FeishuStage) -> None:
    hub.api.resources["om_pic", "img_1"] = b"\x89PNG" + b"x" * 1000
    await hub.say(kind="image", content={"image_key": "img_1"}, message_id="om_pic")
    stored = (await hub.app.stores.files.counts())["files"]
    assert stored == 1
    (answer,) = await hub.say(kind="image", content={"image_key": "img_2"}, message_id="om_no")
    assert "没有取到" in answer.plain


@pytest.mark.parametrize(
    "kind", ["sticker", "share_chat", "share_user", "merge_forward", "location"]
)
async def test_what_nobody_can_read_is_said_to_be_so(hub: FeishuStage, kind: str) -> None:
    """It is no picture: asking for one that can be seen would lead nowhere."""
    (answer,) = await hub.say(kind=kind, content={"file_key": "f", "name": "x"})
    assert "位置、表情" in answer.plain


async def test_a_file_over_the_limit_is_refused_with_what_to_do(hub: FeishuStage) -> None:
    hub.api.resources["om_big", "file_1"] = b"x" * (20 * 2**20 + 1)
    content = {"file_key": "file_1", "file_name": "big.zip"}
    (answer,) = await hub.say(kind="file", content=content, message_id="om_big")
    assert "20 MB" in answer.plain


async def test_the_menu_of_the_bot_runs_commands(hub: FeishuStage) -> None:
    hub.api.menu("/help")
    await hub.settle()
    assert hub.api.last().chat_id == "oc_p2p_ou_anna"
    assert "记" in hub.api.last().plain
