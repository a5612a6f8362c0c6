"""Several wishes in one message: one is done, the others are named and wait for a press."""

from pathlib import Path

import pytest

from tests.stage import stage

PACKS = frozenset({"personal", "workplace"})
MIXED = "投影仪坏了，请派人来修。另外今天会议室能坐几个人"


async def test_the_other_wish_is_named_and_its_press_serves_it(tmp_path: Path) -> None:
    """Seed 002, 4.5: one intent only, the other is mentioned in the answer."""
    async with stage(tmp_path, packs=PACKS) as hub:
        first, named = await hub.say(MIXED)
        assert "工单" in first.text
        assert "你还提到了" in named.text
        (label,) = named.buttons

        (second,) = await hub.press(named, label)

        assert second.text != first.text
        turns = await hub.app.stores.turns.recent(hub_session(), limit=2)
        assert [(turn.agent, turn.source) for turn in turns][-1] == ("QA", "action")


async def test_a_wish_without_permission_is_neither_named_nor_served(tmp_path: Path) -> None:
    async with stage(tmp_path, packs=PACKS, admin_ids=frozenset({"puppet:boss"})) as hub:
        _, named = await hub.say(MIXED)
        await hub.say("/grant puppet:anna -QA", who="boss")

        (label,) = named.buttons
        (refused,) = await hub.press(named, label)
        assert "没有使用此功能的权限" in refused.text

        assert len(await hub.say(MIXED)) == 1


async def test_a_main_wish_without_permission_is_refused_and_the_others_are_still_named(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, packs=PACKS, admin_ids=frozenset({"puppet:boss"})) as hub:
        await hub.say("你好")
        await hub.say("/grant puppet:anna -TICKET", who="boss")

        refused, named = await hub.say(MIXED)

        assert "没有使用此功能的权限" in refused.text
        assert "你还提到了" in named.text


async def test_every_one_of_several_wishes_is_done_or_has_a_button_that_works(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path) as hub:
        done, first, second = await hub.say(
            "记账：打车20，然后提醒我晚上8点交电费，还有这个月花了多少"
        )
        assert "打车" in done.text
        (remind,), (total,) = first.buttons, second.buttons

        (set_up,) = await hub.press(first, remind)
        assert "2026-12-01 周二 20:00" in set_up.text
        (sums,) = await hub.press(second, total)
        assert "¥20.00" in sums.text
        assert await hub.items() == ["打车 20.00"]


@pytest.mark.parametrize(
    "words",
    [
        "晚上8点提醒我交电费，再看看这个月花了多少",
        "晚上8点提醒我交电费，顺便查一下这周花了多少",
        "提醒我晚上8点交电费，这个月花了多少？",
        "remind me at 8pm to pay 交电费, and how much did i spend this month",
        "remind me at 8pm to pay 交电费 and show my spending this month",
    ],
)
async def test_a_question_beside_a_reminder_is_named_and_not_stored_with_it(
    tmp_path: Path, words: str
) -> None:
    async with stage(tmp_path) as hub:
        reminder, named = await hub.say(words)

        assert "20:00" in reminder.text
        assert "花" not in reminder.text
        assert "spend" not in reminder.text
        assert len(named.buttons) == 1


@pytest.mark.parametrize(
    "words", ["晚上8点提醒我交电费，另外把午饭改成40", "晚上8点提醒我交电费，顺便删掉午饭"]
)
async def test_an_order_about_an_entry_is_not_stored_in_the_reminder_beside_it(
    tmp_path: Path, words: str
) -> None:
    async with stage(tmp_path) as hub:
        await hub.say("午饭35")

        first, named = await hub.say(words)
        await hub.press(named, next(iter(named.buttons)))

        assert "午饭" not in first.text or "交电费" not in first.text
        (listed,) = await hub.say("/reminders")
        assert "午饭" not in listed.text.replace("午饭35", "")


@pytest.mark.parametrize("words", ["打车20，帮我查下这个月花了多少", "打车20，还有这个月花了多少"])
async def test_an_entry_beside_a_question_about_the_ledger_is_booked(
    tmp_path: Path, words: str
) -> None:
    async with stage(tmp_path) as hub:
        await hub.say(words)

        assert await hub.items() == ["打车 20.00"]


async def test_a_wish_for_which_nobody_is_here_is_said_not_to_be_done(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        reminder, said = await hub.say("订会议室并提醒我晚上九点交电费")

        assert "交电费" in reminder.text
        assert "订会议室" in said.text
        assert "没有办" in said.text


@pytest.mark.parametrize(
    "words",
    ["remind me to call mom and show her the pictures at 8pm", "晚上8点提醒我给妈打电话再买水果"],
)
async def test_what_belongs_to_one_reminder_is_not_torn_apart(tmp_path: Path, words: str) -> None:
    async with stage(tmp_path) as hub:
        (reminder,) = await hub.say(words)

        assert "pictures" in reminder.text or "水果" in reminder.text


def hub_session() -> str:
    return "puppet/puppet/dm-anna/|puppet/puppet//anna"
