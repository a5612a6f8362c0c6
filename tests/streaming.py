"""A test agent that shows its answer while it grows."""

from collections.abc import Awaitable, Callable

from bot.core.agents import AgentResult, Turn
from bot.core.messages import TextBlock
from bot.core.words import Verbatim

Step = str | Callable[[], Awaitable[object]]


class StreamingAgent:
    """Goes through its steps: a text is shown as the answer so far, anything else is awaited."""

    intent = "chat_manager"

    def __init__(self, *steps: Step, final: str = "全文。") -> None:
        self.steps = steps
        self.final = final

    async def handle(self, turn: Turn) -> AgentResult:
        for step in self.steps:
            if isinstance(step, str):
                await turn.progress(step)
            else:
                await step()
        return AgentResult(blocks=(TextBlock(Verbatim(self.final)),))
