"""Buttons: answered at once, by the right person, once."""

from pathlib import Path

from tests.emulators.telegram import GROUP, USERNAME, BotApi
from tests.emulators.telegram_stage import TelegramStage, telegram_stage


async def test_a_foreign_press_in_a_group_does_nothing_and_the_owners_still_works(
    hub: TelegramStage,
) -> None:
    """T13."""
    await hub.say(f"@{USERNAME} 你好", chat=GROUP, who=2002)
    (shown,) = await hub.say(f"@{USERNAME} 午饭35", chat=GROUP)

    toast, answers = await hub.press(shown, "撤销", who=2002)
    assert "别人的" in toast
    assert answers == []
    assert await hub.items() == ["午饭 35.00"]

    toast, _ = await hub.press(shown, "撤销", who=1001)
    assert toast == ""
    assert await hub.items() == []


async def test_two_presses_at_once_run_once_and_both_are_answered(hub: TelegramStage) -> None:
    """T14."""
    (shown,) = await hub.say("午饭35")
    first = hub.api.press(shown, "撤销")
    second = hub.api.press(shown, "撤销")
    await hub.settle()
    await hub.until(lambda: {first, second} <= hub.api.answered)

    assert await hub.items() == []
    assert [hub.api.toasts[first], hub.api.toasts[second]] == ["", "已经处理过了。"]


async def test_an_expired_press_says_so_on_the_message_too(hub: TelegramStage) -> None:
    """T14."""
    (shown,) = await hub.say("午饭35")
    polls = hub.api.count("getUpdates")
    hub.clock.turn(days=3)
    await hub.turn_until(lambda: hub.api.count("getUpdates") > polls)
    toast, _ = await hub.press(shown, "撤销")

    assert "过期" in toast
    assert "已过期" in shown.plain
    assert shown.buttons == []
    assert await hub.items() == ["午饭 35.00"]


async def test_a_button_works_after_a_restart(tmp_path: Path) -> None:
    """T14."""
    api = BotApi()
    async with telegram_stage(tmp_path, api=api) as hub:
        (shown,) = await hub.say("午饭35")
    async with telegram_stage(tmp_path, api=api) as hub:
        toast, _ = await hub.press(shown, "撤销")
        assert toast == ""
        assert await hub.items() == []


async def test_a_forged_press_gets_a_friendly_answer(hub: TelegramStage) -> None:
    """PT16."""
    (shown,) = await hub.say("午饭35")
    query = hub.api.press_data(shown, "forged-token")
    await hub.until(lambda: query in hub.api.answered)

    assert "失效" in hub.api.toasts[query]


async def test_a_press_that_is_too_old_to_be_answered_still_does_its_work(
    hub: TelegramStage,
) -> None:
    """PT8."""
    (shown,) = await hub.say("午饭35")
    hub.api.fail(
        "answerCallbackQuery",
        400,
        "Bad Request: query is too old and response timeout expired or query ID is invalid",
    )
    hub.api.press(shown, "撤销")
    await hub.settle()

    assert await hub.items() == []


async def test_a_press_is_answered_before_its_work_is_done(hub: TelegramStage) -> None:
    """PT8: the spinner stops although the answer to the work hangs."""
    (shown,) = await hub.say("午饭35")
    release = hub.api.hang("editMessageText")
    query = hub.api.press(shown, "撤销")
    await hub.until(lambda: query in hub.api.answered)

    assert shown.edits == 0
    release.set()
    await hub.settle()
    assert shown.edits == 1


async def test_a_press_on_nothing_of_ours_is_answered_and_left(hub: TelegramStage) -> None:
    person = {"id": 1001, "is_bot": False, "first_name": "A", "language_code": "en"}
    hub.api.push({"callback_query": {"id": "q-inline", "from": person, "data": "x"}})
    await hub.until(lambda: "q-inline" in hub.api.answered)

    assert "no longer" in hub.api.toasts["q-inline"]


async def test_capsules_stand_below_the_field_and_decide_when_selected(
    hub: TelegramStage,
) -> None:
    for _ in range(3):
        await hub.say("你好")
    bars = [message.keyboard for message in hub.api.shown if message.keyboard is not None]
    assert bars == [[["💰 记账", "⏰ 提醒"]]]

    shown = len(hub.api.shown)
    await hub.say("⏰ 提醒")
    await hub.until(lambda: len(hub.api.shown) == shown + 1)
    chosen = hub.api.last()
    assert chosen.keyboard == [["💰 记账", "✓ ⏰ 提醒"]]
    assert "⏰ 提醒" in chosen.plain

    await hub.say("✓ ⏰ 提醒")
    await hub.until(lambda: len(hub.api.shown) == shown + 2)
    cleared = hub.api.last()
    assert cleared.keyboard == [["💰 记账", "⏰ 提醒"]]


async def test_capsules_are_introduced_when_onboarding_ends(tmp_path: Path) -> None:
    async with telegram_stage(tmp_path, onboarding="on") as hub:
        await hub.say("/start")
        await hub.press(hub.api.last(), "中文")
        await hub.press(hub.api.last(), "Asia/Shanghai")
        await hub.say("小林")
        await hub.until(lambda: any(m.keyboard for m in hub.api.shown))

        (bar,) = [m for m in hub.api.shown if m.keyboard]
        assert "输入框下面" in bar.plain


async def test_groups_have_no_capsule_bar(hub: TelegramStage) -> None:
    await hub.say(f"@{USERNAME} 你好", chat=GROUP)
    await hub.say("/help", chat=GROUP)

    assert all(message.keyboard is None for message in hub.api.shown)
