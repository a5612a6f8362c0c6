"""Words without a name, said in a group, neither show nor change what is private."""

import pytest

from bot.core.effects import Effect, ToolCall
from bot.core.events import Chat, ChatKind
from bot.core.tools import ToolContext
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


@pytest.mark.parametrize(
    "words",
    [
        "我的提醒",
        "/reminders",
        "明天有什么提醒",
        "删掉明天的提醒",
        "取消明天8点的提醒",
        "取消所有提醒",
        "第一个改到9点",
    ],
)
async def test_a_private_reminder_is_not_listed_in_a_group(hub: Stage, words: str) -> None:
    """Decision 61; what was set in the group is listed there."""
    await hub.say("明早8点提醒我看医生")
    await hub.say("明早9点提醒我开会", chat=GROUP, group=True)

    shown = await hub.say(words, chat=GROUP, group=True)

    told = "".join(f"{m.text} {list(m.buttons)}" for m in shown)
    assert "看医生" not in told
    stored = await hub.app.stores.schedules.of_person((await hub.person()).person_id)
    assert [s.what for s in stored if not s.cancelled and s.chat.chat_id != GROUP] == ["看医生"]


async def test_a_group_is_told_how_many_are_elsewhere_and_private_shows_all(hub: Stage) -> None:
    await hub.say("明早8点提醒我看医生")
    (empty,) = await hub.say("我的提醒", chat=GROUP, group=True)
    assert "在这个群里没有设过" in empty.text
    assert "另有 1 个" in empty.text

    await hub.say("明早9点提醒我开会", chat=GROUP, group=True)
    (listed,) = await hub.say("我的提醒", chat=GROUP, group=True)
    assert "1. 开会" in listed.text
    assert "另有 1 个" in listed.text

    (all_of_them,) = await hub.say("我的提醒")
    assert "看医生" in all_of_them.text
    assert "开会" in all_of_them.text
    assert "另有" not in all_of_them.text


async def test_a_change_of_zone_in_a_group_names_no_private_reminder(hub: Stage) -> None:
    await hub.say("明早8点提醒我看医生")
    await hub.say("明早9点提醒我开会", chat=GROUP, group=True)
    (asked,) = await hub.say("把时区改成东京", chat=GROUP, group=True)
    (moved,) = await hub.press(asked, "钟点不变（改按 Asia/Tokyo）")
    for shown in (asked, moved):
        assert ("看医生" in shown.text, "开会" in shown.text) == (False, True)
        assert "另有 1 个" in shown.text


async def test_a_reminder_that_is_named_is_meant_wherever_it_was_set(hub: Stage) -> None:
    await hub.say("明早8点提醒我看医生")
    (moved,) = await hub.say("把看医生的提醒改到9点", chat=GROUP, group=True)
    assert "09:00" in moved.text


async def test_the_own_ledger_is_shown_in_a_group_to_who_asks_there(hub: Stage) -> None:
    await hub.say("看牙医3500")
    (asked,) = await hub.say("我的账单", chat=GROUP, group=True)
    (others,) = await hub.say("我的账单", chat=GROUP, group=True, who="ben")
    assert "看牙医" in asked.text
    assert "看牙医" not in others.text


@pytest.mark.parametrize("tool", ["schedule_list", "schedule_list_recent", "schedule_get_latest"])
async def test_a_model_reads_no_private_reminder_in_a_group(hub: Stage, tool: str) -> None:
    await hub.say("明早9点提醒我开会", chat=GROUP, group=True)
    await hub.say("明早8点提醒我看医生")

    async def read(chat: Chat) -> str:
        found, arguments = hub.app.registry.tools.look_up(ToolCall(name=tool))
        context = ToolContext(
            person=await hub.person(),
            chat=chat,
            account_id="anna",
            now=hub.clock.now(),
            effect=Effect(effect_id="e", at=hub.clock.now(), arguments={}),
        )
        return str(await found.run(context, arguments))

    there = await read(Chat(platform="puppet", bot="puppet", chat_id=GROUP, kind=ChatKind.GROUP))
    private = await read(Chat(platform="puppet", bot="puppet", chat_id="dm-anna"))
    assert ("开会" in there, "看医生" in there) == (True, False)
    assert "看医生" in private
