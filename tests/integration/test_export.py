"""The export holds what is kept of a person, and nothing of anybody else."""

import json
from pathlib import Path

from bot.core.conversations import Summary
from bot.core.effects import Effect, ExternalStatus, ToolCall
from bot.export import export
from bot.settings import Settings
from tests.stage import TUESDAY, Stage, stage

NOTED = ToolCall(name="mcp_call_tool", arguments={"tool": "s__add_note", "arguments": {}})


async def keep(hub: Stage, who: str) -> str:
    """Let everything be kept of a person that a model's turns leave behind."""
    await hub.say("记住我不吃香菜", who=who)
    await hub.say("记住这个群每周聚餐", who=who, chat="g1", group=True)
    owner = (await hub.person(who)).person_id
    stores = hub.app.stores
    await stores.summaries.put(
        Summary(
            session_key=f"s-{who}",
            conversation_id="",
            person_id=owner,
            text=f"summary of {who}",
            covers=4,
            last_event="e",
        )
    )
    effect = Effect(effect_id=f"{who}#0", at=TUESDAY)
    await stores.journal.begin_external(effect, NOTED, person_id=owner)
    await stores.journal.end_external(effect.effect_id, status=ExternalStatus.UNKNOWN, result=None)
    return owner


async def test_memory_summaries_and_external_effects_are_in_it(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        await hub.say("你好", chat="g1", group=True)
        await keep(hub, "bela")
        owner = await keep(hub, "anna")

    settings = Settings(_env_file=None, data_dir=tmp_path)
    told = json.loads(await export(settings, owner, "json"))

    assert [(n["text"], bool(n["scope"])) for n in told["memory"]] == [
        ("我不吃香菜", False),
        ("这个群每周聚餐", True),
    ]
    assert [s["text"] for s in told["summaries"]] == ["summary of anna"]
    (call,) = told["external_effects"]
    assert (call["call"]["arguments"]["tool"], call["status"]) == ("s__add_note", "unknown")
