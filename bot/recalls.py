"""Messages that were handled and are then taken back: what stays of them is said."""

from dataclasses import replace

from bot.asking import Asking
from bot.core.agents import AgentResult
from bot.core.events import MessageRecalled
from bot.core.messages import TextBlock
from bot.core.turns import Turns
from bot.core.words import text
from bot.gates import OWNERS
from bot.outcomes import Reply
from bot.tool_runner import JournaledTools
from bot.turn_state import HUB, TurnState


class Recalls:
    """Says what stays of a message that was handled before it was taken back."""

    def __init__(self, *, turns: Turns, asking: Asking) -> None:
        self._turns = turns
        self._asking = asking

    async def follow(
        self, state: TurnState, event: MessageRecalled, tools: JournaledTools
    ) -> list[Reply]:
        """Return what the owners of its entities say, else drop the question that it opened."""
        state.outcome = "recalled"
        record = await self._turns.get(event.recalls)
        held = state.session.held
        if held is not None and held.message_id == event.message_id:
            state.session = replace(state.session, held=None)
        if record is None:
            return []
        state.recalled_at = record.at
        state.linked = await self._turns.linked(event.chat.key, event.message_id)
        nouns = dict.fromkeys(entity.partition(":")[0] for entity in state.linked)
        replies = [
            Reply(result=result, agent=OWNERS[noun])
            for noun in nouns
            if noun in OWNERS
            and (result := await self._asking.aside(state, tools, OWNERS[noun])) is not None
        ]
        return replies or await self._drop_question(state, event)

    async def _drop_question(self, state: TurnState, event: MessageRecalled) -> list[Reply]:
        pending = state.session.pending
        (*_, last) = await self._turns.recent(event.session_key, limit=1)
        if pending is None or last.message_id != event.message_id:
            return []
        state.session = replace(state.session, pending=None)
        if pending.soft:
            return []
        block = TextBlock(text("hub.recalled_question"))
        return [Reply(result=AgentResult(blocks=(block,)), agent=HUB)]
