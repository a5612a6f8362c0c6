"""One conversation in all three structured modes: routed, talked, remembered, confirmed."""

from pathlib import Path
from typing import Any

import pytest

from tests.emulators.openai import Endpoint
from tests.emulators.openai_mind import Prompt
from tests.integration.llm.chat_stage import chat_stage

ABILITIES = {
    "json_schema": (True, True),
    "tool_call": (False, True),
    "json_text": (False, False),
}


def route(prompt: Prompt) -> dict[str, Any]:
    is_money = "午饭" in prompt.last
    return {
        "intent": "ledger_manager" if is_money else "chat_manager",
        "confidence": 0.95,
        "secondary": [],
    }


@pytest.mark.parametrize("mode", sorted(ABILITIES))
async def test_everything_works_in_this_mode(tmp_path: Path, mode: str) -> None:
    json_schema, forced_tools = ABILITIES[mode]
    endpoint = Endpoint(json_schema=json_schema, forced_tools=forced_tools)
    endpoint.mind.schemas["RoutingAnswer"] = route
    async with chat_stage(tmp_path, endpoint) as hub:
        assert hub.app.model is not None
        for link in hub.app.model._links:
            await link.connection.load()
        (talk,) = await hub.say("随便讲点什么给我听听呗")
        assert talk.text.startswith("你说的是")
        (saved,) = await hub.say("顺手记住我不吃香菜")
        assert "已记住：我不吃香菜" in saved.text
        (asks,) = await hub.say("忘掉香菜那条吧")
        (gone,) = await hub.press(asks, "确认")
        assert "已忘记：我不吃香菜" in gone.text
        (booked,) = await hub.say("午饭35")
        assert "35" in booked.text
        assert hub.app.model._links[0].connection.mode == mode
        turns = await hub.app.stores.turns.of_person((await hub.person()).person_id)
        assert "llm" in {turn.source for turn in turns}
