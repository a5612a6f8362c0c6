"""The spine's conversation, in Telegram: the same agents as in the web chat."""

from pathlib import Path

from tests.emulators.telegram_stage import telegram_stage


async def test_the_conversation_of_the_spine_runs_in_telegram(tmp_path: Path) -> None:
    async with telegram_stage(tmp_path, onboarding="on") as hub:
        (language,) = await hub.say("/start")
        toast, _ = await hub.press(language, "中文")
        assert toast == ""
        await hub.press(hub.api.last(), "Asia/Shanghai")
        await hub.say("小林")

        (booked,) = [m for m in await hub.say("午饭35", message_id=501) if m.buttons]
        assert "35" in booked.plain
        (notice, *_) = await hub.say("午饭53", message_id=501, edited=True)
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
