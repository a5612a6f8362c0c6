"""Pauses that are lifted again, and pauses of one of several reminders."""

from zoneinfo import ZoneInfo

import pytest

from tests.stage import Shown, Stage


async def nexts(hub: Stage) -> list[str]:
    """Return what is to come: local moment and words."""
    owner = (await hub.person()).person_id
    found = await hub.app.stores.schedules.upcoming(owner, limit=50)
    zone = ZoneInfo((await hub.person()).zone)
    return [
        f"{s.next_fire_at.astimezone(zone):%m-%d %H:%M} {s.what}"
        for s in found
        if s.next_fire_at is not None
    ]


def nth(asked: Shown, name: str) -> str:
    """Return the label of the button of a reminder, which begins with its number."""
    return next(label for label in asked.buttons if label.split(" ")[-1] == name)


async def paused(hub: Stage) -> None:
    await hub.say("每天9点提醒我练琴")
    await hub.say("把练琴暂停一周")
    assert await nexts(hub) == ["12-09 09:00 练琴"]


@pytest.mark.parametrize("words", ["不暂停了", "别暂停了", "继续提醒我练琴", "unpause it"])
async def test_a_pause_is_lifted(hub: Stage, words: str) -> None:
    await paused(hub)

    (lifted,) = await hub.say(words)

    assert lifted.text.startswith("已恢复")
    assert await nexts(hub) == ["12-02 09:00 练琴"]


async def test_a_pause_is_lifted_from_a_day_on(hub: Stage) -> None:
    await paused(hub)

    await hub.say("周五恢复练琴")

    assert await nexts(hub) == ["12-04 09:00 练琴"]


async def test_of_several_that_are_paused_one_is_chosen(hub: Stage) -> None:
    await paused(hub)
    await hub.say("每天7点提醒我遛狗")
    await hub.say("把遛狗暂停一周")

    (asked,) = await hub.say("不暂停了")
    await hub.press(asked, nth(asked, "练琴"))

    assert await nexts(hub) == ["12-02 09:00 练琴", "12-09 07:00 遛狗"]


async def test_all_that_are_paused_ring_again_together(hub: Stage) -> None:
    await paused(hub)
    await hub.say("每天7点提醒我遛狗")
    await hub.say("把遛狗暂停一周")

    (answer,) = await hub.say("恢复所有提醒")

    assert answer.text == "已恢复 2 个提醒。"
    assert await nexts(hub) == ["12-02 07:00 遛狗", "12-02 09:00 练琴"]


async def test_nothing_is_paused_where_nothing_was(hub: Stage) -> None:
    await hub.say("每天9点提醒我练琴")
    await hub.say("每天7点提醒我遛狗")

    (answer,) = await hub.say("不暂停了")

    assert answer.text == "没有暂停的提醒，都照常响。"


async def test_who_has_no_reminder_has_nothing_to_go_on_with(hub: Stage) -> None:
    (answer,) = await hub.say("不暂停了")

    assert "暂停" not in answer.text


async def test_days_that_were_left_out_ring_again(hub: Stage) -> None:
    await hub.say("每天9点提醒我练琴")
    await hub.say("下周一到下周三暂停练琴")
    (listed,) = await hub.say("我的提醒")
    assert "除 2026-12-07 周一" in listed.text

    await hub.say("恢复练琴")

    (listed,) = await hub.say("我的提醒")
    assert "除" not in listed.text


async def test_the_days_that_were_said_are_kept_while_it_is_asked_which_one(hub: Stage) -> None:
    await hub.say("每天9点提醒我练琴")
    await hub.say("每天18点提醒我练琴复习")

    (asked,) = await hub.say("下周一到下周三暂停练琴")
    (done,) = await hub.press(asked, nth(asked, "练琴"))

    assert "除 2026-12-07 周一、2026-12-08 周二、2026-12-09 周三" in done.text
    assert len(await nexts(hub)) == 2


async def test_the_end_that_was_said_is_kept_while_it_is_asked_which_one(hub: Stage) -> None:
    await hub.say("每天9点提醒我练琴")
    await hub.say("每天18点提醒我练琴复习")

    (asked,) = await hub.say("暂停练琴到下周三")
    await hub.press(asked, nth(asked, "练琴"))

    assert "12-09 09:00 练琴" in await nexts(hub)


async def test_what_was_deleted_is_what_may_go_on(hub: Stage) -> None:
    await hub.say("每天9点提醒我练琴")
    await hub.say("删掉练琴")

    (back,) = await hub.say("恢复提醒")

    assert "提醒已恢复" in back.text
    assert await nexts(hub) == ["12-02 09:00 练琴"]
