"""The memory tools keep no secrets, whoever calls them: a model, an agent or a button."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from agents.tools.memory import Notes
from bot.core.codec import from_json
from bot.core.effects import Effect, ToolCall
from bot.core.errors import ToolInputError
from bot.core.events import Chat
from bot.core.tools import ToolContext
from tests.stage import TUESDAY, Stage, stage

SECRETS = [
    "我的密码是hunter2",
    "my password is hunter2",
    "卡是 4111-1111-1111-1111",
    "我的api key是abc",
    "用这个 sk-abcdefghijklmnop1234",
    "token ghp_abcdefghijklmnopqrstuvwx",
    "AKIAABCDEFGHIJKLMNOP",
    "123456789:AAabcdefghijklmnopqrstuvwxyz_012345",
    "-----BEGIN RSA PRIVATE KEY----- MIIE",
]
HARMLESS = ["我不吃香菜", "手机号 13800138000", "sk-8 路公交站在楼下", "I like key lime pie"]


async def call(hub: Stage, effect: str, name: str, **arguments: str) -> JsonValue:
    wanted = ToolCall(name=name, arguments=dict(arguments))
    tool, checked = hub.app.registry.tools.look_up(wanted)
    context = ToolContext(
        person=await hub.person(),
        chat=Chat(platform="web", bot="web", chat_id="anna"),
        account_id="anna",
        now=TUESDAY,
        effect=Effect(effect_id=effect, at=TUESDAY),
    )
    return await tool.run(context, checked)


async def kept(hub: Stage) -> list[str]:
    owner = (await hub.person()).person_id
    return [note.text for note in await hub.app.stores.memory.list(owner, "")]


async def test_a_secret_reaches_no_store_and_the_refusal_says_why(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        await hub.say("你好")
        saved = await call(hub, "e#0", "memory_save", type="fact", text="我不吃香菜")
        (note,) = from_json(Notes, saved)
        for words in SECRETS:
            with pytest.raises(ToolInputError, match="密码管理器"):
                await call(hub, "e#1", "memory_save", type="fact", text=words)
            with pytest.raises(ToolInputError, match="密码管理器"):
                await call(hub, "e#2", "memory_append", note_id=note.note_id, text=words)
        assert await kept(hub) == ["我不吃香菜"]


async def test_what_only_looks_like_a_secret_is_kept(tmp_path: Path) -> None:
    async with stage(tmp_path) as hub:
        await hub.say("你好")
        for number, words in enumerate(HARMLESS):
            await call(hub, f"e#{number}", "memory_save", type="fact", text=words)
        assert await kept(hub) == HARMLESS
