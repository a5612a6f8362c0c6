"""Groups: asked nothing, told one line; what is private stays private."""

from pathlib import Path

import pytest

from tests.emulators.feishu import ANNA, BOT, GROUP
from tests.emulators.feishu_stage import Mode, feishu_stage


@pytest.mark.parametrize("mode", ["long", "webhook"])
async def test_who_first_speaks_in_a_group_is_served_at_once_and_sees_the_settings_alone(
    tmp_path: Path, mode: Mode
) -> None:
    async with feishu_stage(tmp_path, mode=mode, onboarding="on") as hub:
        shown = await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,))
        in_group = [m.plain for m in shown if m.chat_id == GROUP]
        private = [m for m in shown if m.chat_id == f"oc_p2p_{ANNA}"]

        assert len(in_group) == 2
        assert "小安" in in_group[0]
        assert "午饭" in in_group[1]
        assert len(private) == 1
        assert "Asia/Shanghai" in private[0].plain
        assert not any("Asia/Shanghai" in words for words in in_group)
        assert await hub.items() == ["午饭 35.00"]

        await hub.press(private[0], "English")
        assert "Your settings" in private[0].plain or "settings" in private[0].plain.lower()
        (answer,) = await hub.say("@_user_1 taxi 20", chat=GROUP, at=(BOT,))
        assert answer.chat_id == GROUP


async def test_the_line_in_the_group_comes_once(tmp_path: Path) -> None:
    async with feishu_stage(tmp_path, onboarding="on") as hub:
        await hub.say("@_user_1 你好", chat=GROUP, at=(BOT,))
        shown = await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,))
        assert [m.chat_id for m in shown] == [GROUP]
        (private,) = await hub.say("打车20")
        assert "打车" in private.plain


async def test_a_card_in_a_group_names_whose_it_is_when_it_is_repainted_too(
    tmp_path: Path,
) -> None:
    async with feishu_stage(tmp_path) as hub:
        (booked,) = await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,))
        await hub.press(booked, "撤销")
        assert booked.edits == 1
        assert "<at id=ou_anna></at>" in booked.plain
