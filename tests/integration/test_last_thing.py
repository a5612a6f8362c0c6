"""Undo and "that is wrong" reach the last thing done, whatever agent did it."""

import pytest

from tests.stage import Stage


async def reminders(hub: Stage) -> str:
    (listed,) = await hub.say("/reminders")
    return listed.text


@pytest.mark.parametrize("words", ["撤销", "撤回一下", "undo", "undo that"])
async def test_an_undo_after_a_reminder_takes_back_the_reminder(hub: Stage, words: str) -> None:
    await hub.say("午饭35")
    await hub.say("明早8点提醒我交水费")

    await hub.say(words)

    assert await hub.items() == ["午饭 35.00"]
    assert "交水费" not in await reminders(hub)


async def test_an_undo_after_an_entry_leaves_the_older_reminder(hub: Stage) -> None:
    await hub.say("明早8点提醒我交水费")
    await hub.say("午饭35，咖啡18")

    await hub.say("撤销")

    assert await hub.items() == []
    assert "交水费" in await reminders(hub)


async def test_a_further_undo_goes_on_with_what_another_agent_did_before(hub: Stage) -> None:
    await hub.say("打车20")
    await hub.say("明早8点提醒我交水费")
    await hub.say("午饭35")

    await hub.say("撤销")
    assert await hub.items() == ["打车 20.00"]
    assert "交水费" in await reminders(hub)
    await hub.say("撤销")
    assert await hub.items() == ["打车 20.00"]
    assert "交水费" not in await reminders(hub)
    await hub.say("撤销")
    assert await hub.items() == []

    (nothing,) = await hub.say("撤销")
    assert "没有更早" in nothing.text


async def test_a_further_undo_goes_on_from_before_a_question_that_was_dropped(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("明早8点提醒我交水费")
    await hub.say("100")
    await hub.say("撤销")
    assert "交水费" in await reminders(hub)

    await hub.say("撤销")
    assert "交水费" not in await reminders(hub)
    await hub.say("撤销")
    assert await hub.items() == []


async def test_a_further_undo_after_a_reminder_came_back_reaches_the_entry(hub: Stage) -> None:
    await hub.say("明早8点提醒我交水费")
    await hub.say("午饭35")
    await hub.say("取消交水费的提醒")

    await hub.say("撤销")
    assert "交水费" in await reminders(hub)
    await hub.say("撤销")
    assert await hub.items() == []


async def test_a_further_undo_leaves_what_another_agent_did_long_ago(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.later(minutes=70)
    await hub.say("明早8点提醒我交水费")

    await hub.say("撤销")
    await hub.say("撤销")

    assert await hub.items() == ["午饭 35.00"]


async def test_every_further_undo_takes_back_the_step_before(hub: Stage) -> None:
    await hub.say("打车20")
    await hub.say("午饭35")
    await hub.say("打车改成25")
    await hub.say("删掉午饭")

    await hub.say("撤销")
    assert await hub.items() == ["打车 25.00", "午饭 35.00"]
    await hub.say("撤销")
    assert await hub.items() == ["打车 20.00", "午饭 35.00"]
    await hub.say("撤销")
    assert await hub.items() == ["打车 20.00"]
    await hub.say("撤销")
    assert await hub.items() == []

    (nothing,) = await hub.say("撤销")
    assert "没有更早" in nothing.text


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("撤销两次", ["打车 20.00"]),
        ("撤销 1", ["打车 20.00", "午饭 35.00"]),
        ("undo twice", ["打车 20.00"]),
        ("撤销9步", []),
    ],
)
async def test_several_steps_are_taken_back_at_once_and_all_are_named(
    hub: Stage, words: str, left: list[str]
) -> None:
    for entry in ("打车20", "午饭35", "咖啡18"):
        await hub.say(entry)

    (answer,) = await hub.say(words)

    assert await hub.items() == left
    assert answer.text.count("已删除") == 3 - len(left)


@pytest.mark.parametrize("words", ["恢复", "恢复刚才撤销的", "redo", "bring it back"])
async def test_what_was_undone_last_comes_back_when_it_is_asked_for(
    hub: Stage, words: str
) -> None:
    await hub.say("打车20")
    await hub.say("午饭35")
    await hub.say("撤销")

    await hub.say(words)

    assert await hub.items() == ["打车 20.00", "午饭 35.00"]


async def test_steps_are_kept_over_a_question_and_forgotten_after_an_hour(hub: Stage) -> None:
    await hub.say("打车20")
    await hub.later(minutes=90)
    await hub.say("午饭35")
    await hub.say("咖啡18")
    await hub.say("今天花了多少")

    for _ in range(3):
        await hub.say("撤销")

    assert await hub.items() == ["打车 20.00"]


@pytest.mark.parametrize("words", ["删掉刚才的", "刚才那个删掉", "把上一笔删了"])
async def test_to_delete_the_last_thing_is_no_undo_of_its_change(hub: Stage, words: str) -> None:
    await hub.say("打车20")
    await hub.say("午饭35")
    await hub.say("打车改成25")

    await hub.say(words)

    assert await hub.items() == ["午饭 35.00"]


@pytest.mark.parametrize("words", ["午饭35，算了", "午饭花了35，撤销", "lunch 12, never mind"])
async def test_what_its_own_message_takes_back_is_not_booked(hub: Stage, words: str) -> None:
    (answer,) = await hub.say(words)

    assert await hub.items() == []
    assert "没有记" in answer.text


async def test_what_is_booked_already_is_offered_when_it_is_taken_back(hub: Stage) -> None:
    await hub.say("午饭35")

    (offered,) = await hub.say("午饭35，撤销")
    assert await hub.items() == ["午饭 35.00"]
    (label,) = offered.buttons
    await hub.press(offered, label)

    assert await hub.items() == []


async def test_an_undo_after_a_change_gives_back_what_was_there(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("改成45")
    await hub.say("撤销")
    assert await hub.items() == ["午饭 35.00"]

    await hub.say("明早8点提醒我交水费")
    await hub.say("改到9点")
    await hub.say("撤销")
    assert "2026-12-02 周三 08:00" in await reminders(hub)


async def test_several_reminders_of_one_message_are_undone_together(hub: Stage) -> None:
    await hub.say("明早8点提醒我交水费，9点提醒我买菜")

    await hub.say("撤销")

    assert "没有" in await reminders(hub)


async def test_an_undo_while_a_question_is_open_only_drops_the_question(hub: Stage) -> None:
    await hub.say("明早8点提醒我交水费")
    await hub.say("明早9点提醒我")

    answers = await hub.say("撤销")

    assert len(answers) == 1
    assert "交水费" in await reminders(hub)


@pytest.mark.parametrize(
    "words", ["刚才那笔记错了", "上一笔不对", "记错了", "the last one is wrong", "that's wrong"]
)
async def test_a_mistake_is_asked_what_it_should_be_with_buttons(hub: Stage, words: str) -> None:
    await hub.say("打车20")
    await hub.say("午饭35")

    (asked,) = await hub.say(words)
    assert "午饭" in asked.text
    assert "删除这笔" in asked.buttons
    await hub.say("45")

    assert await hub.items() == ["打车 20.00", "午饭 45.00"]


async def test_a_mistake_with_what_is_right_is_corrected_at_once(hub: Stage) -> None:
    await hub.say("午饭35")

    await hub.say("刚才那笔错了，应该是45")

    assert await hub.items() == ["午饭 45.00"]


async def test_a_reminder_that_is_wrong_is_asked_for_its_time(hub: Stage) -> None:
    await hub.say("明早8点提醒我交水费")

    await hub.say("设错了")
    await hub.say("9点")

    assert "2026-12-02 周三 09:00" in await reminders(hub)


async def test_the_kind_that_is_named_is_taken_and_not_the_last_thing(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("明早8点提醒我交水费")

    await hub.say("撤销刚才那笔")

    assert await hub.items() == []
    assert "交水费" in await reminders(hub)


@pytest.mark.parametrize("words", ["删掉", "撤销", "delete it"])
async def test_an_answer_to_an_entrys_message_deletes_it_and_renames_nothing(
    hub: Stage, words: str
) -> None:
    (shown,) = await hub.say("午饭35")
    await hub.say("打车20")

    await hub.say(words, reply_to=shown.message_id)

    assert await hub.items() == ["打车 20.00"]


async def test_a_question_in_answer_to_an_entrys_message_renames_nothing(hub: Stage) -> None:
    (shown,) = await hub.say("午饭35")

    await hub.say("这是什么？", reply_to=shown.message_id)

    assert await hub.items() == ["午饭 35.00"]


@pytest.mark.parametrize("words", ["把它删了", "删了", "delete it"])
async def test_a_second_removal_reaches_no_older_entry(hub: Stage, words: str) -> None:
    await hub.say("打车20")
    await hub.say("午饭35")

    await hub.say(words)
    await hub.say(words)

    assert await hub.items() == ["打车 20.00"]


async def test_all_of_today_goes_on_with_what_was_talked_about(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("打车20")

    (asked,) = await hub.say("今天的都删了")

    assert "删除 2 笔" in asked.buttons


async def test_an_entry_is_moved_to_another_day_by_its_own(hub: Stage) -> None:
    await hub.say("昨天午饭35")

    (changed,) = await hub.say("昨天的午饭改到前天")

    assert "2026-11-29" in changed.text


@pytest.mark.parametrize("between", ["你好", "今天心情怎么样"])
async def test_talk_between_does_not_make_an_undo_mean_nothing(hub: Stage, between: str) -> None:
    await hub.say("午饭35")
    await hub.say(between)

    (undone,) = await hub.say("撤销")

    assert undone.text.startswith("已删除：午饭")
    assert await hub.items() == []


async def test_it_is_still_the_last_thing_after_talk(hub: Stage) -> None:
    await hub.say("明天下午3点提醒我开会")
    await hub.say("你好")

    (moved,) = await hub.say("改到4点")

    assert "2026-12-02 周三 16:00" in moved.text


async def test_a_doubt_after_talk_is_about_the_talk(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("你好")

    (answer,) = await hub.say("不对")

    assert "午饭 ¥" not in answer.text
    assert await hub.items() == ["午饭 35.00"]
