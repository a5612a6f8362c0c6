"""Words without a name, said in a group, neither show nor change what is private."""

import pytest

from tests.stage import Stage

GROUP = "group-1"


@pytest.mark.parametrize(
    "words",
    [
        "改成1",
        "删除刚才那笔",
        "那笔是昨天的",
        "取消刚才那笔",
        "删除第5笔",
        "记错了",
        "最近两笔删掉",
    ],
)
async def test_the_last_private_entry_is_not_meant(hub: Stage, words: str) -> None:
    await hub.say("看牙医3500")

    shown = await hub.say(words, chat=GROUP, group=True)

    assert not any("看牙医" in f"{m.text} {list(m.buttons)}" for m in shown)
    assert await hub.items() == ["看牙医 3500.00"]


@pytest.mark.parametrize(
    "words", ["推迟10分钟", "提前10分钟", "改到9点", "删除", "第一个改到9点", "删掉第一个", "撤销"]
)
async def test_the_last_private_reminder_is_not_meant(hub: Stage, words: str) -> None:
    await hub.say("明早8点提醒我看医生")
    before = await hub.app.stores.schedules.of_person((await hub.person()).person_id)

    shown = await hub.say(words, chat=GROUP, group=True)

    assert not any("看医生" in f"{m.text} {list(m.buttons)}" for m in shown)
    assert await hub.app.stores.schedules.of_person((await hub.person()).person_id) == before


async def test_what_was_booked_in_the_group_is_meant_there(hub: Stage) -> None:
    await hub.say("看牙医3500")
    await hub.say("午饭35", chat=GROUP, group=True)

    await hub.say("改成40", chat=GROUP, group=True)
    await hub.say("删除刚才那笔", chat=GROUP, group=True)

    assert await hub.items() == ["看牙医 3500.00"]


async def test_what_was_set_in_the_group_is_meant_there(hub: Stage) -> None:
    await hub.say("明早8点提醒我看医生")
    await hub.say("明早7点提醒我开会", chat=GROUP, group=True)

    (moved,) = await hub.say("推迟10分钟", chat=GROUP, group=True)

    assert "开会" in moved.text
    assert "07:10" in moved.text
