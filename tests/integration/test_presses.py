"""Buttons: who may press, how often, how long; T13 and T14 on the spine."""

import asyncio
from pathlib import Path

import pytest
from pydantic import JsonValue

from bot.clock import ManualClock
from bot.core.inbox import UpdateKind
from bot.demo import settled
from bot.locales.catalogue import resolve
from tests.stage import TUESDAY, Puppet, Shown, Stage, stage


def toast(hub: Stage) -> str:
    assert hub.last_receipt is not None
    assert hub.last_receipt.text is not None
    return resolve(hub.last_receipt.text, "zh-CN")


async def test_a_second_press_changes_nothing_and_says_so(hub: Stage) -> None:
    (shown,) = await hub.say("午饭35")
    await hub.press(shown, "撤销")

    answers = await hub.press(shown, "撤销")

    assert answers == []
    assert "已经处理过" in toast(hub)
    assert await hub.items() == []


async def test_two_presses_at_once_run_the_action_once(hub: Stage) -> None:
    """T14: Confirm pressed twice within 50 ms."""
    (review,) = await hub.say("早餐8元，地铁4元，咖啡18元，午饭30元，奶茶15元，晚饭46元")

    await asyncio.gather(hub.press(review, "确认记入 6 笔"), hub.press(review, "确认记入 6 笔"))
    await settled(hub.app.stores)

    assert len(await hub.items()) == 6


async def test_an_expired_press_repaints_the_message_as_expired_and_does_nothing(
    hub: Stage,
) -> None:
    """T14: pressed after its time to live; no success text."""
    (shown,) = await hub.say("午饭35")
    hub.clock.turn(days=3)

    (repainted,) = await hub.press(shown, "撤销")

    assert "已过期" in toast(hub)
    assert repainted.message_id == shown.message_id
    assert "已过期" in repainted.text
    assert repainted.buttons == {}
    assert await hub.items() == ["午饭 35.00"]


async def test_a_press_by_somebody_else_does_nothing_and_the_owner_can_still_press(
    hub: Stage,
) -> None:
    """T13: in a group, B presses A's button."""
    (shown,) = await hub.say("午饭35", chat="g1", group=True)
    await hub.say("你好", who="bob", chat="g1", group=True)

    answers = await hub.press(shown, "撤销", who="bob")
    assert answers == []
    assert "别人的按钮" in toast(hub)
    assert await hub.items() == ["午饭 35.00"]

    await hub.press(shown, "撤销")
    assert await hub.items() == []


async def test_a_button_works_after_a_restart(tmp_path: Path) -> None:
    clock = ManualClock(TUESDAY)
    async with stage(tmp_path, clock=clock) as hub:
        (shown,) = await hub.say("午饭35")
    async with stage(tmp_path, clock=clock, puppet=Puppet()) as hub:
        hub.numbers = iter(range(1000, 2000))  # type: ignore[assignment]
        await hub.press(Shown(shown.row), "撤销")

        assert await hub.items() == []


async def test_an_unknown_token_changes_nothing_and_says_so(hub: Stage) -> None:
    (shown,) = await hub.say("午饭35")
    body: dict[str, JsonValue] = {"kind": "press", "token": "A" * 16, "message": shown.message_id}

    answers = await hub.feed(body, kind=UpdateKind.BUTTON, who="anna", chat=None)

    assert answers == []
    assert "失效" in toast(hub)


async def test_cancel_and_confirm_of_one_question_exclude_each_other(hub: Stage) -> None:
    (review,) = await hub.say("早餐8元，地铁4元，咖啡18元，午饭30元，奶茶15元，晚饭46元")
    await hub.press(review, "取消")

    await hub.press(review, "确认记入 6 笔")

    assert await hub.items() == []


SEVEN = "早餐8，午饭35，晚饭50，打车20，咖啡18，水果30，电影60"


@pytest.mark.parametrize(
    ("question", "answer", "label"),
    [
        (SEVEN, "对", "确认记入 7 笔"),
        (SEVEN, "对", "取消"),
        ("35", "午饭", "直接记 ¥35.00"),
        ("提醒我喝水", "明早8点", "取消"),
        ("今天早上8点提醒我吃药", "明早8点", "2026-12-02 周三 08:00"),
    ],
)
async def test_a_button_of_a_question_that_words_have_answered_does_nothing_more(
    hub: Stage, question: str, answer: str, label: str
) -> None:
    """Nothing is done twice, and nobody is told that it was not done."""
    (asked,) = await hub.say(question)
    await hub.say(answer)
    entries, owner = await hub.items(), (await hub.person()).person_id
    reminders = await hub.app.stores.schedules.of_person(owner)
    assert entries or reminders

    (over,) = await hub.press(asked, label)

    assert "已经用文字答过了" in over.text
    assert await hub.items() == entries
    assert await hub.app.stores.schedules.of_person(owner) == reminders


async def test_a_button_of_a_question_that_was_put_aside_still_answers_it(hub: Stage) -> None:
    (asked,) = await hub.say(SEVEN)
    await hub.say("明早8点提醒我喝水")
    await hub.press(asked, "确认记入 7 笔")
    assert len(await hub.items()) == 7


async def test_a_question_asked_again_takes_its_answer_from_the_newer_buttons(hub: Stage) -> None:
    (asked,) = await hub.say("今天早上8点提醒我吃药")
    (again,) = await hub.say("今天早上7点")
    (over,) = await hub.press(asked, "2026-12-02 周三 08:00")
    assert "已经用文字答过了" in over.text
    (stored,) = await hub.press(again, "2026-12-02 周三 07:00")
    assert "07:00" in stored.text
