"""A message that its author takes back: not answered any more, or told what stays of it."""

from pathlib import Path

import pytest

from bot.app import opened, working
from bot.clock import ManualClock
from bot.core.inbox import RECALLED, InboxStatus, UpdateKind
from bot.demo import settled
from bot.settings import Settings
from tests.stage import TUESDAY, Puppet, Stage, stage


async def reminders(hub: Stage) -> list[str]:
    owner = (await hub.person()).person_id
    found = await hub.app.stores.schedules.of_person(owner)
    return [reminder.what for reminder in found if not reminder.cancelled]


async def test_an_entry_stays_and_undo_takes_it_out(hub: Stage) -> None:
    await hub.say("早餐8")
    await hub.say("午饭35，打车20", key="m")
    (told,) = await hub.recall("m")
    assert "撤回" in told.text
    assert "2 笔" in told.text
    assert "午饭" not in told.text
    assert await hub.items() == ["早餐 8.00", "午饭 35.00", "打车 20.00"]

    await hub.press(told, "撤销")
    assert await hub.items() == ["早餐 8.00"]


@pytest.mark.parametrize("count", [1, 2])
async def test_a_reminder_stays_and_undo_cancels_it(hub: Stage, count: int) -> None:
    both = ["明天上午9点提醒我喝水", "后天上午9点提醒我开会"]
    await hub.say("大后天上午9点提醒我吃药")
    await hub.say("，".join(both[:count]), key="m")
    assert len(await reminders(hub)) == 1 + count
    (told,) = await hub.recall("m")
    assert "喝水" not in told.text
    assert f"{count} 个提醒" in told.text

    await hub.press(told, "撤销")
    assert await reminders(hub) == ["吃药"]


async def test_in_a_group_it_is_said_there_and_only_the_author_may_undo(hub: Stage) -> None:
    await hub.say("午饭35", chat="team", group=True, key="m")
    (told,) = await hub.recall("m")
    assert told.row.draft.chat.chat_id == "team"
    assert told.row.draft.message.mention == "anna"
    await hub.press(told, "撤销", who="ben")
    assert await hub.items() == ["午饭 35.00"]
    await hub.press(told, "撤销")
    assert await hub.items() == []


async def test_what_only_changed_something_or_left_nothing_is_not_spoken_of(hub: Stage) -> None:
    await hub.say("午饭35", key="made")
    hub.clock.turn(seconds=9)
    await hub.say("改成40", key="changed")
    await hub.say("这个月花了多少", key="asked")
    await hub.say("/why", key="command")
    assert await hub.recall("changed") == []
    assert await hub.recall("asked") == []
    assert await hub.recall("command") == []
    assert await hub.items() == ["午饭 40.00"]

    await hub.say("撤销两次")  # the change, then the entry
    assert await hub.items() == []
    assert await hub.recall("made") == []


async def test_a_question_that_the_message_opened_is_dropped(hub: Stage) -> None:
    (asked,) = await hub.say("提醒我喝水", key="m")
    assert asked.row.draft.message.asks
    (told,) = await hub.recall("m")
    assert "不用答" in told.text
    await hub.say("明天上午9点")
    assert await reminders(hub) == []


async def test_a_question_of_another_message_stays_open(hub: Stage) -> None:
    await hub.say("午饭35", key="m")
    await hub.say("这个月花了多少", key="asked")
    await hub.say("提醒我喝水")
    assert len(await hub.recall("m")) == 1
    assert await hub.recall("asked") == []
    await hub.say("明天上午9点")
    assert await reminders(hub) == ["喝水"]


async def test_a_recall_that_comes_twice_is_told_once(hub: Stage) -> None:
    await hub.say("午饭35", key="m")
    assert len(await hub.recall("m")) == 1
    assert await hub.recall("m") == []


async def test_a_message_that_comes_after_its_recall_is_not_answered(hub: Stage) -> None:
    """Deliveries overtake one another."""
    await hub.say("早餐8")
    assert await hub.recall("m") == []
    assert await hub.say("午饭35", key="m") == []
    assert await hub.items() == ["早餐 8.00"]
    row = await hub.app.stores.inbox.get("puppet:puppet:m")
    assert row is not None
    assert row.status is InboxStatus.DONE


async def test_a_recall_of_what_was_never_for_us_leaves_no_row(hub: Stage) -> None:
    await hub.recall("m")
    assert await hub.app.stores.inbox.counts() == {}


async def test_a_message_taken_back_while_it_waits_is_not_answered_even_after_a_restart(
    tmp_path: Path,
) -> None:
    clock = ManualClock(TUESDAY)
    async with stage(tmp_path, clock=clock) as hub:
        await hub.say("早餐8")
        raws = [
            hub.raw({"kind": "message", "text": "午饭35", "message": "u"}, key="m"),
            hub.raw(
                {"kind": "recall"}, kind=UpdateKind.RECALL, who="", chat="-", key=f"m{RECALLED}"
            ),
        ]
    values = {"data_dir": tmp_path, "onboarding": "off", "local_model": "off"}
    settings = Settings(_env_file=None, **values)  # type: ignore[arg-type]
    async with opened(settings, clock) as app:  # nobody works: the process dies with both waiting
        app.dispatcher.attach(Puppet())
        for raw in raws:
            await app.dispatcher.accept(raw)
    puppet = Puppet()
    async with opened(settings, clock) as app, working(app, puppet):
        await settled(app.stores)
        assert puppet.sent == []
        assert await Stage(app, clock, puppet).items() == ["早餐 8.00"]


async def test_a_newcomers_first_message_is_not_served_when_it_was_taken_back(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, onboarding="on") as hub:
        (welcome,) = await hub.say("午饭35", key="m")
        await hub.recall("m")
        await hub.press(welcome, "全部跳过")
        assert await hub.items() == []
