"""Pictures: read through the port, the person's own only, and their text is data."""

import io

import pytest
from PIL import Image

from adapters.llm.vision import ModelVision
from agents.tools.vision import LookArguments, VisionTools, vision_tools
from bot.core.effects import Effect
from bot.core.errors import ToolError
from bot.core.events import Chat
from bot.core.people import Person
from bot.core.tools import ToolContext
from tests.emulators.openai import Endpoint
from tests.emulators.openai_mind import Mind, Prompt
from tests.integration.llm.llm_stage import FewFiles, llm_stage
from tests.stage import TUESDAY


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (20, 20), "red").save(out, format="PNG")
    return out.getvalue()


def context(account: str) -> ToolContext:
    person = Person(person_id="p", locale="en", zone="UTC", currency="CNY", created_at=TUESDAY)
    return ToolContext(
        person=person,
        chat=Chat(platform="x", bot="x", chat_id="1"),
        account_id="1",
        now=TUESDAY,
        effect=Effect(effect_id="e#0", at=TUESDAY),
        account_key=account,
    )


def seeing(prompt: Prompt) -> dict[str, object]:
    assert prompt.pictures == 1
    return {"kind": "receipt", "summary": "a receipt", "text": "总计 35.00", "confidence": 0.9}


async def test_a_picture_of_ones_own_is_read() -> None:
    endpoint = Endpoint(mind=Mind(schemas={"ImageReading": seeing}))
    async with llm_stage(endpoint, vision="sees", files=FewFiles(f1=picture())) as stage:
        tools = VisionTools(ModelVision(stage.chain))
        found = await tools.look(context("anna"), LookArguments(picture="f1"))
    assert found == {
        "kind": "receipt",
        "summary": "a receipt",
        "text": "总计 35.00",
        "confidence": 0.9,
    }


@pytest.mark.parametrize(("account", "file_id"), [("ben", "f1"), ("anna", "f2")])
async def test_nobody_elses_picture_is_read(account: str, file_id: str) -> None:
    endpoint = Endpoint()
    async with llm_stage(endpoint, vision="sees", files=FewFiles(f1=picture())) as stage:
        tools = VisionTools(ModelVision(stage.chain))
        with pytest.raises(ToolError):
            await tools.look(context(account), LookArguments(picture=file_id))
    assert not endpoint.requests


def test_where_nobody_sees_the_tool_is_not_there() -> None:
    assert vision_tools(None) == ()
