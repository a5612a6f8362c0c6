"""Killed around a call to another service: what may have happened is told, never repeated.

The oracle is the file of the MCP server: a line for each note that was really written.
"""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.core.failpoints import Failpoint
from tests.e2e.process import Bot, bot
from tests.e2e.web_client import Item, WebClient, attending
from tests.emulators.mcp_server import command
from tests.emulators.openai import Endpoint
from tests.emulators.openai_mind import Answer, Prompt

pytestmark = pytest.mark.e2e

ASK = "陪我聊聊天，顺手写张便签"
NOTE = "买灯泡"
PATIENCE = 30
MAYBE = "可能已经完成，也可能没有"
DONE = "已完成：s__"
FAILED = "没有做成，什么都没有改"


@dataclass(slots=True)
class Scene:
    """A bot with one MCP server, and a page on which the call waits for a press."""

    running: Bot
    page: WebClient
    question: Item
    notes: Path
    endpoint: Endpoint

    @property
    def written(self) -> list[str]:
        """What the server wrote, over all lives."""
        return self.notes.read_text(encoding="utf-8").splitlines() if self.notes.exists() else []

    async def until_written(self) -> None:
        """Wait for the first note; it comes from another process."""
        async with asyncio.timeout(PATIENCE):
            while not self.written:  # noqa: ASYNC110  # it is another process's
                await asyncio.sleep(0.02)

    async def answer_after_restart(self, press: str) -> str:
        """Start again and return what the pressed message says then."""
        assert await self.running.start(), self.running.log[-2000:]
        question = self.question.item_id
        shown = self.page.items
        async with asyncio.timeout(PATIENCE):
            await self.page.until(lambda: shown[question].version != self.question.version)
            settled = await self.page.answer(self.page.say("现在几点"))
        assert settled.text.startswith("现在是"), "the lane goes on after it"
        assert len(self.page.answers(press)) <= 1
        return shown[question].text


@asynccontextmanager
async def waiting_for_a_press(folder: Path, tool: str) -> AsyncIterator[Scene]:
    """Let a model ask for the call; the bot has stopped when the scene begins."""
    notes, config = folder / "notes", folder / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"s": command(notes)}}), encoding="utf-8")

    def wants_it(prompt: Prompt) -> Answer | None:
        if prompt.results or "便签" not in prompt.last:
            return None
        return Answer(
            calls=(("mcp_call_tool", {"tool": f"s__{tool}", "arguments": {"text": NOTE}}),)
        )

    async with Endpoint().serving() as endpoint:
        routed = {"intent": "chat_manager", "confidence": 0.95, "secondary": []}
        endpoint.mind.schemas["RoutingAnswer"] = lambda _: routed
        endpoint.mind.first.append(wants_it)
        settings: dict[str, Any] = {
            "OPENAI_BASE_URL": endpoint.base,
            "OPENAI_MODEL": "m",
            "LOCAL_MODEL": "off",
            "MCP_CONFIG": config,
        }
        page = WebClient("local")
        async with (
            bot(folder, **settings) as running,
            attending(lambda: running.origin, page),
        ):
            question = await page.answer(page.say(ASK))
            assert "确认" in question.buttons, question.text
            assert await running.stop() == 0
            yield Scene(running, page, question, notes, endpoint)


async def test_killed_while_the_service_works_the_call_is_not_repeated_and_the_person_told(
    tmp_path: Path,
) -> None:
    async with waiting_for_a_press(tmp_path, "add_note_silently") as scene:
        assert await scene.running.start(), scene.running.log[-2000:]
        press = scene.page.press(scene.question, "确认")
        await scene.until_written()
        assert await scene.running.kill() == -signal.SIGKILL
        told = await scene.answer_after_restart(press)
        assert MAYBE in told
        assert DONE not in told
        assert scene.written == [NOTE]


AROUND_THE_CALL = {
    Failpoint.AFTER_JOURNAL: (DONE, FAILED),
    Failpoint.AFTER_EXTERNAL: (MAYBE,),
    Failpoint.AFTER_EFFECT: (DONE,),
    Failpoint.AFTER_COMMIT: (DONE,),
}
"""What is true afterwards; before the call left it may be made anew, or its server be away."""


@pytest.mark.parametrize("point", AROUND_THE_CALL)
async def test_killed_at_this_point_the_service_did_it_once_at_most_and_the_truth_is_told(
    tmp_path: Path, point: Failpoint
) -> None:
    async with waiting_for_a_press(tmp_path, "add_note") as scene:
        assert await scene.running.start(failpoint=f"{point}:1"), scene.running.log[-2000:]
        press = scene.page.press(scene.question, "确认")
        assert await scene.running.ended() == -signal.SIGKILL
        told = await scene.answer_after_restart(press)
        assert sum(words in told for words in AROUND_THE_CALL[point]) == 1, told
        assert scene.written == ([] if FAILED in told else [NOTE])
