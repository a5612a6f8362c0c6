"""A test agent that takes its time, as a model does."""

import asyncio

from bot.core.agents import AgentResult, Turn
from bot.core.messages import TextBlock
from bot.core.words import Verbatim


class ThinkingAgent:
    """Sleeps on the real clock, then says what it was told."""

    intent = "chat_manager"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def handle(self, turn: Turn) -> AgentResult:
        await asyncio.sleep(self._seconds)
        return AgentResult(blocks=(TextBlock(Verbatim(turn.query)),))
