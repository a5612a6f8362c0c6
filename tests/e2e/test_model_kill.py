"""Killed on the way of a model's answer: it is not asked twice, and nothing happens twice."""

import signal
from pathlib import Path
from typing import Any

import pytest

from bot.core.failpoints import Failpoint
from tests.e2e.process import Bot, bot
from tests.e2e.web_client import WebClient, attending
from tests.emulators.openai import Endpoint

pytestmark = pytest.mark.e2e

NOTE = "我不吃香菜"
POINTS = (
    Failpoint.AFTER_INBOX,
    Failpoint.AFTER_JOURNAL,
    Failpoint.AFTER_EFFECT,
    Failpoint.AFTER_COMMIT,
    Failpoint.AFTER_SEND_BEFORE_MARK,
    Failpoint.AFTER_MARK,
)


def chat_steps(endpoint: Endpoint) -> list[int]:
    """Return, of each request of the chat agent, how many results of tools it carried."""
    return [
        sum(message["role"] == "tool" for message in request["messages"])
        for request in endpoint.requests
        if "You are a helpful assistant in a chat" in str(request["messages"][0]["content"])
    ]


def routing_calls(endpoint: Endpoint) -> int:
    return sum("RoutingAnswer" in str(request) for request in endpoint.requests)


def routes_to_chat(endpoint: Endpoint) -> None:
    value = {"intent": "chat_manager", "confidence": 0.95, "secondary": []}
    endpoint.mind.schemas["RoutingAnswer"] = lambda _: value


async def start_and_be_killed(running: Bot, page: WebClient, point: Failpoint) -> str:
    assert await running.start(failpoint=f"{point}:1"), running.log[-2000:]
    event = page.say(f"记住{NOTE}")
    assert await running.ended() == -signal.SIGKILL
    return event


@pytest.mark.parametrize("point", POINTS)
async def test_killed_at_this_point_the_model_is_not_asked_again(
    tmp_path: Path, point: Failpoint
) -> None:
    async with Endpoint().serving() as endpoint:
        routes_to_chat(endpoint)
        settings: dict[str, Any] = {
            "OPENAI_BASE_URL": endpoint.base,
            "OPENAI_MODEL": "m",
            "LOCAL_MODEL": "off",
        }
        async with bot(tmp_path, start=False, **settings) as running:
            page = WebClient("local")
            async with attending(lambda: running.origin, page):
                event = await start_and_be_killed(running, page, point)
                assert await running.start(), running.log[-2000:]
                answer = await page.answer(event)
                assert answer.text.count(f"已记住：{NOTE}") == 1
                recalled = await page.answer(page.say("你还记得我的忌口吗"))
                assert recalled.text == f"我记得：{NOTE}"
                assert len(page.answers(event)) == 1
            steps = chat_steps(endpoint)
            assert steps.count(0) == 2, steps  # of either message once
            assert steps.count(1) == 1, steps
            assert routing_calls(endpoint) <= 2  # none while the SDK is still loading
