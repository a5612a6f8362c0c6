"""A sum and an order about reminders in one message: one is done, the other waits for a press."""

import pytest

from tests.stage import Stage


async def reminders(hub: Stage) -> list[str]:
    """Return the local moment and the words of what is to come."""
    owner = (await hub.person()).person_id
    found = await hub.app.stores.schedules.upcoming(owner, limit=50)
    zone = (await hub.person()).zone
    assert zone == "Asia/Shanghai"
    return [f"{s.rule.times or s.rule.dtstart_local:} {s.what}" for s in found]


@pytest.mark.parametrize(
    ("words", "button"),
    [
        ("面条18，把练琴暂停一周", "提醒：把练琴暂停一周"),
        ("面条18 另外练琴暂停一周", "提醒：练琴暂停一周"),
        ("面条18，明天不用提醒我练琴", "提醒：明天不用提醒我练琴"),
        ("面条18，明天练琴跳过", "提醒：明天练琴跳过"),
        ("面条18，取消练琴", "提醒：取消练琴"),
        ("面条18，练琴改成10点", "提醒：练琴改成10点"),
    ],
)
async def test_the_order_beside_a_sum_has_a_button_that_follows_it(
    hub: Stage, words: str, button: str
) -> None:
    await hub.say("每天9点提醒我练琴")
    before = await hub.say("我的提醒")

    booked, also = await hub.say(words)

    assert await hub.items() == ["面条 18.00"]
    assert "已记" in booked.text
    assert list(also.buttons) == [button]
    await hub.press(also, button)
    assert (await hub.say("我的提醒"))[0].text != before[0].text


async def test_an_order_and_a_new_reminder_are_two_wishes(hub: Stage) -> None:
    await hub.say("每天9点提醒我练琴")

    first, also = await hub.say("把练琴暂停一周，明天8点提醒我交表")

    assert "已暂停" in first.text
    (label,) = also.buttons
    (second,) = await hub.press(also, label)
    assert "交表" in second.text


async def test_what_is_cancelled_is_not_lost_beside_a_new_reminder(hub: Stage) -> None:
    await hub.say("每天9点提醒我练琴")

    first, also = await hub.say("取消练琴，明天8点提醒我交表")

    assert first.text == "已删除提醒：练琴"
    assert list(also.buttons) == ["提醒：明天8点提醒我交表"]


async def test_days_without_a_reminder_stay_with_it(hub: Stage) -> None:
    (answer,) = await hub.say("每天9点提醒我练琴，周末不用提醒")

    assert "每周一至周五 09:00" in answer.text
