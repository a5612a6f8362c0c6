"""The hub: order, duplicates, sessions, owners, traces, capsules, open questions."""

import asyncio
from pathlib import Path

from pydantic import JsonValue

from bot.core.effects import Effect
from bot.core.inbox import InboxStatus, UpdateKind
from bot.core.memory import MemoryType
from bot.demo import settled
from tests.stage import TUESDAY, Shown, Stage, stage


async def test_the_same_delivery_is_answered_once(hub: Stage) -> None:
    body: dict[str, JsonValue] = {"kind": "message", "text": "午饭35", "message": "m1"}
    raw = hub.raw(body, key="d1")

    first = await hub.app.dispatcher.accept(raw)
    again = await hub.app.dispatcher.accept(raw)
    await settled(hub.app.stores)

    assert (first.status, again.status) == ("accepted", "duplicate")
    assert await hub.items() == ["午饭 35.00"]
    assert len(hub.puppet.sent) == 1


async def test_a_burst_is_booked_in_order_and_each_answer_names_its_own(hub: Stage) -> None:
    """T42: two messages 200 ms apart."""
    for number, words in enumerate(("午饭35", "打车20", "奶茶15")):
        body: dict[str, JsonValue] = {"kind": "message", "text": words, "message": f"m{number}"}
        await hub.feed(body, kind=UpdateKind.MESSAGE, who="anna", chat=None, settle=False)
    await settled(hub.app.stores)

    assert await hub.items() == ["午饭 35.00", "打车 20.00", "奶茶 15.00"]
    answers = [Shown(row).text for row in hub.puppet.sent]
    assert ["午饭" in answers[0], "打车" in answers[1], "奶茶" in answers[2]] == [True] * 3


async def test_stop_passes_the_lane_and_says_that_nothing_is_running(hub: Stage) -> None:
    (answer,) = await hub.say("/stop")

    assert "没有正在进行" in answer.text


async def test_an_update_nobody_can_read_becomes_a_dead_letter_and_the_rest_flows(
    hub: Stage,
) -> None:
    await hub.feed({"kind": "riddle"}, kind=UpdateKind.MESSAGE, who="anna", chat=None, key="bad")
    (answer,) = await hub.say("午饭35")

    dead = await hub.app.stores.inbox.get("puppet:puppet:bad")
    assert dead is not None
    assert dead.status is InboxStatus.DEAD
    assert "已记" in answer.text


async def test_nothing_of_one_person_shows_for_another(hub: Stage) -> None:
    """T43, the account part: ledger, reminders and memory by owner; groups by scope."""
    await hub.say("午饭35", who="anna")
    await hub.say("明早8点提醒我复诊", who="anna")
    anna = (await hub.person("anna")).person_id
    await hub.app.stores.memory.save(
        anna, "", MemoryType.FACT, "likes tea", effect=Effect(effect_id="e", at=TUESDAY)
    )

    (total,) = await hub.say("这个月花了多少", who="bob")
    (listed,) = await hub.say("我有哪些提醒", who="bob")
    bob = (await hub.person("bob")).person_id

    assert "35" not in total.text
    assert "复诊" not in listed.text
    assert await hub.app.stores.memory.list(bob, "") == ()
    assert await hub.app.stores.memory.list(anna, "puppet/puppet/g1/") == ()


async def test_an_answer_in_a_group_never_answers_somebody_elses_question(hub: Stage) -> None:
    await hub.say("记一笔午饭", who="anna", chat="g1", group=True)

    await hub.say("35", who="bob", chat="g1", group=True)

    assert await hub.items("anna") == []


async def test_only_listed_ids_come_in_by_every_kind_of_update(tmp_path: Path) -> None:
    """T44: names are reusable, ids are not; text, edit, press and command are all gated."""
    async with stage(tmp_path, allowed_ids=frozenset({"puppet:1001"})) as hub:
        (welcome,) = await hub.say("午饭35", who="1001", message="m1")
        assert "已记" in welcome.text

        bodies: tuple[dict[str, JsonValue], ...] = (
            {"kind": "message", "text": "午饭35", "message": "m2"},
            {"kind": "message", "text": "午饭53", "message": "m1", "edited": True},
            {"kind": "message", "text": "/help", "message": "m3"},
            {"kind": "capsule", "intent": "ledger_manager"},
        )
        for body in bodies:
            (refused,) = await hub.feed(
                body,
                kind=UpdateKind.MESSAGE,
                who="2002",
                chat=None,
            )
            assert "puppet:2002" in refused.text
        press: dict[str, JsonValue] = {
            "kind": "press",
            "token": welcome.buttons["撤销"],
            "message": welcome.message_id,
        }
        await hub.feed(press, kind=UpdateKind.BUTTON, who="2002", chat="dm-1001")

        assert await hub.items("1001") == ["午饭 35.00"]


async def test_a_selected_capsule_decides_for_every_input_until_it_is_cleared(hub: Stage) -> None:
    assert await hub.capsule("schedule_manager") == []

    await hub.say("午饭35")
    assert await hub.items() == []
    (why,) = await hub.say("/why")
    assert "能力胶囊" in why.text

    await hub.capsule("schedule_manager")
    await hub.say("午饭35")
    assert await hub.items() == ["午饭 35.00"]


async def test_a_second_capsule_takes_the_place_of_the_first_and_survives_a_restart(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path) as hub:
        await hub.capsule("schedule_manager")
        await hub.capsule("ledger_manager")
        await hub.say("午饭35")
        account = "puppet/puppet/dm-anna/|puppet/puppet//anna"
    async with stage(tmp_path) as hub:
        session = await hub.app.stores.sessions.load(account)

        assert session is not None
        assert session.capsule == "ledger_manager"


async def test_a_new_wish_parks_the_open_question_and_mentions_it(hub: Stage) -> None:
    """T37: an unrelated wish is served; the old question waits and can be taken up again."""
    await hub.say("记一笔午饭")

    served = await hub.say("10分钟后提醒我喝水")
    assert "喝水" in served[0].text
    assert "多少钱" in served[-1].text

    (again,) = await hub.press(served[-1], "继续回答")
    assert "多少钱" in again.text
    await hub.say("35")
    assert await hub.items() == ["午饭 35.00"]


async def test_an_open_question_is_cancelled_in_words(hub: Stage) -> None:
    await hub.say("记一笔午饭")
    (answer,) = await hub.say("算了")
    assert "没有改动" in answer.text

    await hub.say("35")
    assert "午饭 35.00" not in await hub.items()


async def test_why_names_the_agent_the_source_and_every_station(hub: Stage) -> None:
    await hub.say("午饭35")

    (why,) = await hub.say("/why")

    assert "记账" in why.text
    assert "语法完整匹配" in why.text
    assert "能力胶囊：没有" in why.text


async def test_an_unknown_command_lists_the_known_ones(hub: Stage) -> None:
    (answer,) = await hub.say("/fly")

    assert "/help" in answer.text
    assert "/reminders" in answer.text


async def test_sessions_are_served_side_by_side(hub: Stage) -> None:
    await asyncio.gather(*(hub.say("午饭35", who=f"p{n}") for n in range(20)))
    await settled(hub.app.stores)

    for n in range(20):
        assert await hub.items(f"p{n}") == ["午饭 35.00"]
