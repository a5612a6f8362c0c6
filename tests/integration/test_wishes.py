"""Several wishes in one message: one is done, the others are named and wait for a press."""

from pathlib import Path

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


def hub_session() -> str:
    return "puppet/puppet/dm-anna/|puppet/puppet//anna"
