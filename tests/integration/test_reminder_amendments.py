"""What is added to a repeated reminder right after it was set."""

import pytest

from tests.integration.test_reminder_orders import nexts
from tests.stage import Stage


async def rings(hub: Stage, days: int) -> list[str]:
    """Return the days from tomorrow on, as numbers, on which something rang."""
    rung: list[str] = []
    for ahead in range(days):
        sent = await hub.later(days=1)
        rung += [str(2 + ahead) for message in sent if "浇花" in message.text]
    return rung


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("除了周五", "2 3 5 6 7 8"),
        ("除了周末", "2 3 4 7 8"),
        ("以后周日不用提醒", "2 3 4 5 7 8"),
        ("except sundays", "2 3 4 5 7 8"),
        ("从周六开始", "5 6 7 8"),
        ("到周五为止", "2 3 4"),
        ("until friday", "2 3 4"),
        ("只要两天", "2 3"),
        ("只要周一三五", "2 4 7"),
        ("工作日就行", "2 3 4 7 8"),
        ("weekdays only", "2 3 4 7 8"),
    ],
)
async def test_a_bound_or_other_days_change_what_was_set(
    hub: Stage, words: str, kept: str
) -> None:
    await hub.say("每天早上9点提醒我浇花")

    await hub.say(words)

    assert await rings(hub, 7) == kept.split()


async def test_additions_go_together_and_the_last_is_undone(hub: Stage) -> None:
    await hub.say("每天早上9点提醒我浇花")
    await hub.say("从周四开始")
    await hub.say("除了周五")
    await hub.say("到周六为止")
    await hub.say("撤销")

    assert await rings(hub, 7) == ["3", "5", "6", "7", "8"]


async def test_one_reminder_has_no_other_hour_on_some_days(hub: Stage) -> None:
    await hub.say("每天早上8点提醒我浇花")
    before = await nexts(hub)

    (answer,) = await hub.say("周末改成9点")

    assert "没有改" in answer.text
    assert "每周末9点" in answer.text
    assert await nexts(hub) == before


async def test_a_time_of_day_alone_leaves_the_days(hub: Stage) -> None:
    await hub.say("每周一三五9点提醒我浇花")

    await hub.say("只要10点")

    assert [line[:5] for line in await nexts(hub)] == ["12-02"]
    assert (await rings(hub, 7)) == ["2", "4", "7"]


@pytest.mark.parametrize("words", ["除了周五", "从下周开始", "周末就行"])
async def test_what_rings_once_is_not_bounded(hub: Stage, words: str) -> None:
    await hub.say("明早8点提醒我浇花")

    await hub.say(words)

    assert await nexts(hub) == ["12-02 08:00 浇花"]


@pytest.mark.parametrize("words", ["再加一个晚上7点", "晚上7点也要"])
async def test_a_further_time_of_day_joins_the_first(hub: Stage, words: str) -> None:
    await hub.say("每天早上9点提醒我浇花")

    (answer,) = await hub.say(words)

    assert "09:00、19:00" in answer.text
    assert await nexts(hub) == ["12-01 19:00 浇花"]
