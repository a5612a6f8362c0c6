"""Ledger and reminders talk with their own tools; no figure of a model reaches the store."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agents.toolsets import GROUPS
from bot.core.effects import Effect
from bot.core.memory import MemoryType
from tests.emulators.mcp_server import command
from tests.emulators.openai import Endpoint, failing
from tests.emulators.openai_mind import Answer, Mind, Prompt
from tests.integration.llm.chat_stage import chat_stage
from tests.patience import PATIENCE_SECONDS
from tests.stage import TUESDAY, Stage

LEDGER, SCHEDULE = "ledger_manager", "schedule_manager"
OPENINGS = {LEDGER: "You keep the ledger", SCHEDULE: "You keep the reminders"}
TALK: dict[str, dict[str, Any]] = {
    LEDGER: {"kind": "talk", "entries": [], "day": ""},
    SCHEDULE: {"kind": "talk", "what": "", "when": ""},
}
READING = {
    LEDGER: {"ledger_get_latest", "ledger_list_recent", "ledger_list"},
    SCHEDULE: {"schedule_get_latest", "schedule_list_recent", "schedule_list"},
}
BOTH = pytest.mark.parametrize("intent", [LEDGER, SCHEDULE])


def talking(intent: str, *calls: tuple[str, dict[str, Any]]) -> Endpoint:
    """Return a model that routes to the agent, finds only talk, and makes these calls once."""

    def act(prompt: Prompt) -> Answer | None:
        return None if not calls or prompt.called else Answer(calls=calls)

    schemas = {
        "LedgerSpans": lambda _: TALK[LEDGER],
        "ReminderSpans": lambda _: TALK[SCHEDULE],
        "RoutingAnswer": lambda _: {"intent": intent, "confidence": 0.95, "secondary": []},
    }
    return Endpoint(mind=Mind(first=[act], schemas=schemas))


def asked(endpoint: Endpoint, intent: str) -> Sequence[dict[str, Any]]:
    return [
        request
        for request in endpoint.requests
        if str(request["messages"][0]["content"]).startswith(OPENINGS[intent])
    ]


def offered(request: dict[str, Any]) -> set[str]:
    return {tool["function"]["name"] for tool in request.get("tools", ())}


async def notes(hub: Stage) -> list[str]:
    owner = (await hub.person()).person_id
    return [note.text for note in await hub.app.stores.memory.list(owner, "")]


async def reminders(hub: Stage) -> list[str]:
    owner = (await hub.person()).person_id
    return [s.what for s in await hub.app.stores.schedules.of_person(owner) if not s.cancelled]


@BOTH
async def test_something_lasting_is_remembered_where_it_is_said(
    tmp_path: Path, intent: str
) -> None:
    async with chat_stage(tmp_path, talking(intent)) as hub:
        (saved,) = await hub.say("记住我一般在食堂吃早饭")
        assert saved.text.endswith("已记住：我一般在食堂吃早饭")
        assert await notes(hub) == ["我一般在食堂吃早饭"]
        assert await hub.items() == []
        assert await reminders(hub) == []


@BOTH
async def test_what_is_remembered_is_known_in_the_talk_and_can_be_listed(
    tmp_path: Path, intent: str
) -> None:
    endpoint = talking(intent)
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("记住我一般在食堂吃早饭")
        (recalled,) = await hub.say("你还记得我的习惯吗")
        assert recalled.text == "我记得：我一般在食堂吃早饭"
        (listed,) = await hub.say("列出你的记忆")
        assert "食堂" in listed.text


@BOTH
async def test_forgetting_waits_for_the_persons_press(tmp_path: Path, intent: str) -> None:
    async with chat_stage(tmp_path, talking(intent)) as hub:
        await hub.say("记住我一般在食堂吃早饭")
        (asks,) = await hub.say("忘掉食堂那条吧")
        assert await notes(hub) == ["我一般在食堂吃早饭"]
        (done,) = await hub.press(asks, "确认")
        assert "已忘记：我一般在食堂吃早饭" in done.text
        assert await notes(hub) == []
        await hub.say("记住我周末休息")
        (asks,) = await hub.say("忘掉周末那条吧")
        (kept,) = await hub.press(asks, "不要")
        assert kept.text == "好的，什么都没有做。"
        assert await notes(hub) == ["我周末休息"]


@BOTH
async def test_the_model_is_shown_what_reads_and_remembers_and_nothing_that_writes(
    tmp_path: Path, intent: str
) -> None:
    endpoint = talking(intent)
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("我该怎么对待我的习惯")
    (request,) = asked(endpoint, intent)
    more = {"now_time", "fetch_url", "maps_weather"} if intent == SCHEDULE else set()
    assert offered(request) == READING[intent] | GROUPS["MEMORY"] | more


WRITES: list[tuple[str, str, dict[str, Any]]] = [
    (
        LEDGER,
        "ledger_insert",
        {
            "entries": [
                {"minor": 999900, "currency": "CNY", "item": "x", "occurred_on": "2026-12-01"}
            ]
        },
    ),
    (LEDGER, "ledger_update", {"entry_id": "e", "revision": 1, "change": {"minor": 999900}}),
    (LEDGER, "ledger_delete", {"entry_ids": ["e"]}),
    (SCHEDULE, "schedule_insert", {"draft": {"what": "x"}}),
    (SCHEDULE, "schedule_update", {"schedule_id": "s", "revision": 1, "change": {"what": "x"}}),
    (SCHEDULE, "schedule_delete", {"schedule_ids": ["s"]}),
]


@pytest.mark.parametrize(("intent", "tool", "arguments"), WRITES)
async def test_a_writing_tool_that_a_model_calls_nevertheless_does_not_exist_for_it(
    tmp_path: Path, intent: str, tool: str, arguments: dict[str, Any]
) -> None:
    endpoint = talking(intent, (tool, arguments))
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("我该怎么对待我的习惯")
        assert await hub.items() == []
        assert await reminders(hub) == []
    assert "there is no such tool" in str(asked(endpoint, intent)[-1]["messages"][-1]["content"])


async def test_a_question_is_answered_from_the_rows(tmp_path: Path) -> None:
    endpoint = talking(LEDGER, ("ledger_list", {"totals": True}))
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("午饭35")
        await hub.say("我是不是太能花钱啦")
    assert '"minor": 3500' in str(asked(endpoint, LEDGER)[-1]["messages"][-1]["content"])


async def test_a_figure_that_no_row_holds_does_not_reach_the_person(tmp_path: Path) -> None:
    endpoint = talking(LEDGER, ("ledger_list", {"totals": True}))
    endpoint.mind.first.append(lambda _: Answer("一共35元。其中外卖9999元。3500元。慢慢来。"))
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("午饭35")
        (answer,) = await hub.say("我是不是太能花钱啦")
        assert answer.text.startswith("一共35元。慢慢来。")
        assert "9999" not in answer.text
        assert "3500" not in answer.text
        assert "有些数字账本里查不到" in answer.text


async def test_a_figure_of_a_note_may_be_spoken_of(tmp_path: Path) -> None:
    async with chat_stage(tmp_path, talking(LEDGER)) as hub:
        await hub.say("你好")
        owner = (await hub.person()).person_id
        effect = Effect(effect_id="e#0", at=TUESDAY)
        note = "我的房租是每月3000元"
        await hub.app.stores.memory.save(owner, "", MemoryType.FACT, note, effect=effect)
        (recalled,) = await hub.say("你还记得我的房租吗")
        assert recalled.text == f"我记得：{note}"


async def test_an_entry_said_in_the_talk_is_not_talked_away(tmp_path: Path) -> None:
    """A sum that the grammar reads is booked or asked about, whatever the model makes of it."""
    endpoint = talking(LEDGER)
    async with chat_stage(tmp_path, endpoint) as hub:
        await hub.say("中午跟小王随便吃了点面条花了35块钱真香")
        assert not asked(endpoint, LEDGER)
        assert len(await hub.items()) == 1


@BOTH
async def test_a_promise_in_the_talk_gives_way_to_the_truth(tmp_path: Path, intent: str) -> None:
    endpoint = talking(intent)
    endpoint.mind.first.append(lambda _: Answer("好的，到时提醒你。已帮你记账。慢慢来。"))
    async with chat_stage(tmp_path, endpoint) as hub:
        (answer,) = await hub.say("我该怎么对待我的习惯")
        assert "到时提醒你" not in answer.text
        assert "已帮你记账" not in answer.text
        assert "慢慢来。" in answer.text
        assert "我没有设置提醒" in answer.text


@BOTH
async def test_a_model_that_breaks_down_in_the_talk_leaves_the_grammars_answer(
    tmp_path: Path, intent: str
) -> None:
    endpoint = talking(intent)
    async with chat_stage(tmp_path, endpoint) as hub:
        (plain,) = await hub.say("我该怎么对待我的习惯")
        endpoint.down = failing(503)
        (answer,) = await hub.say("我该怎么对待我的习惯")
        assert answer.text
        assert "Error" not in answer.text
        assert plain.text != answer.text


async def test_the_reminders_reach_the_operators_services_and_ask_before_they_change_anything(
    tmp_path: Path,
) -> None:
    wanted = {"tool": "s__add_note", "arguments": {"text": "milk"}}
    endpoint = talking(SCHEDULE, ("mcp_call_tool", wanted))
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"s": command(tmp_path / "notes")}}))
    async with chat_stage(tmp_path, endpoint, mcp_config=file) as hub:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not hub.app.services.tools():  # noqa: ASYNC110  # a program, which tells nobody
                await asyncio.sleep(0.02)
        (asks,) = await hub.say("我该怎么对待我的习惯")
        assert not (tmp_path / "notes").exists()
        (done,) = await hub.press(asks, "确认")
        assert "s__add_note" in done.text
    assert (tmp_path / "notes").read_text() == "milk\n"
