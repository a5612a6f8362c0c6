"""The spine's conversation, in Feishu: the same agents as everywhere, over both modes."""

from pathlib import Path

import pytest

from bot.core.words import text
from bot.locales.catalogue import resolve
from tests.emulators.feishu import BEN, BOT, GROUP
from tests.emulators.feishu_stage import Mode, feishu_stage


@pytest.mark.parametrize("mode", ["long", "webhook"])
async def test_the_conversation_of_the_spine_runs_in_feishu(tmp_path: Path, mode: Mode) -> None:
    async with feishu_stage(tmp_path, mode=mode, onboarding="on") as hub:
        (language,) = await hub.say("/start")
        toast, _ = await hub.press(language, "中文")
        assert toast == "收到，正在处理…"
        await hub.press(language, "Asia/Shanghai")
        await hub.say("小林")

        (booked,) = await hub.say("午饭35", message_id="om_lunch")
        assert "35" in booked.plain
        (notice, *_) = await hub.say("午饭53", message_id="om_lunch", edited=True)
        assert "53" in notice.plain
        assert await hub.items() == ["午饭 53.00"]

        await hub.press(notice, "撤销")
        assert await hub.items() == []
        await hub.say("打车22.5")
        (total, *_) = await hub.say("这个月花了多少")
        assert "22.50" in total.plain

        await hub.say("10分钟后提醒我喝水")
        (reminder,) = await hub.later(minutes=11)
        assert "喝水" in reminder.plain
        before = reminder.edits
        await hub.press(reminder, "完成")
        assert reminder.edits == before + 1


@pytest.mark.parametrize("mode", ["long", "webhook"])
async def test_the_conversation_runs_in_a_group_where_the_bot_is_named(
    tmp_path: Path, mode: Mode
) -> None:
    async with feishu_stage(tmp_path, mode=mode) as hub:
        assert await hub.say("午饭35", chat=GROUP) == []
        await hub.say("@_user_1 打车9", chat=GROUP, at=(BOT,), who=BEN)
        (booked,) = await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,))
        assert "<at id=ou_anna></at>" in booked.plain
        toast, _ = await hub.press(booked, "撤销", who=BEN)
        assert toast == resolve(text("hub.press_foreign"), "zh-CN")
        assert await hub.items() == ["午饭 35.00"]
        await hub.press(booked, "撤销")
        assert await hub.items() == []

        await hub.say("@_user_1 10分钟后提醒我喝水", chat=GROUP, at=(BOT,))
        (reminder,) = await hub.later(minutes=11)
        assert "喝水" in reminder.plain
        assert "<at id=ou_anna></at>" in reminder.plain
        assert reminder.chat_id == GROUP
