"""Chat: conversation by a language model; what is exact needs none, and without one it says so."""

from collections.abc import Sequence

from pydantic import JsonValue

from agents.chat.conversations import Talks
from agents.chat.plain import new_note, plain_words, small_talk, type_of
from agents.chat.remembered import FORGET, RESTORE, Remembered
from agents.talk.naming import new_name
from agents.talk.receipts import receipts
from agents.talk.talker import Talker
from agents.tool_loop import ToolLoop
from agents.tool_steps import Done
from agents.tools.conversations import Conversations
from bot.core.actions import Action
from bot.core.agents import AgentResult, Turn
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.errors import ModelRefusalError
from bot.core.memory import Memory
from bot.core.messages import Button, TextBlock
from bot.core.schedules import Schedules
from bot.core.turns import Turns
from bot.core.words import text

INTENT = "chat_manager"


class ChatAgent:
    """Talks; writes through its tools only, and only what the person's own words ask for."""

    def __init__(
        self,
        *,
        memory: Memory,
        schedules: Schedules,
        turns: Turns,
        loop: ToolLoop | None = None,
        sees: bool = False,
    ) -> None:
        """Take what it reads, and the tool loop where a model is configured.

        Args:
            memory: what people asked to be remembered.
            schedules: their reminders, to tell a true promise from a false one.
            turns: earlier conversations.
            loop: None without a language model.
            sees: whether a model can look at pictures.
        """
        self._sees = sees
        self._talks = Talks(turns)
        self._remembered = Remembered(memory)
        self._has_model = loop is not None
        self._talker = Talker(
            loop,
            folder="chat",
            memory=memory,
            schedules=schedules,
            sees=sees,
            also=self._switches,
        )

    @property
    def intent(self) -> str:
        """Routing label."""
        return INTENT

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the answer to a press, a command or a message."""
        if turn.action is not None:
            return await self._pressed(turn, turn.action)
        if turn.command == "new":
            return self._talks.begin(turn)
        if turn.command == "chats":
            return await self._talks.show(turn)
        exact = await self._exact(turn)
        if exact is not None:
            return exact
        if self._unread(turn) or not self._has_model:
            return await self._without_model(turn, "chat.no_model")
        return await self._talk(turn)

    # --- without a model -------------------------------------------------------------------------

    async def _exact(self, turn: Turn) -> AgentResult | None:
        """Answer what is better done by rule than by a model; a re-run takes the same way."""
        if name := new_name(turn.query):
            arguments: dict[str, JsonValue] = {"change": {"name": name}}
            return await self._write(turn, "profile_update", arguments)
        if (answered := await self._remembered.answer(turn)) is not None:
            return answered
        words = plain_words(turn)
        return AgentResult(blocks=(TextBlock(words),)) if words is not None else None

    async def _write(self, turn: Turn, tool: str, arguments: dict[str, JsonValue]) -> AgentResult:
        async def decide() -> Sequence[ToolCall]:
            return [ToolCall(name=tool, arguments=arguments)]

        made = await turn.tools.perform(decide)
        done = [Done(call, result) for call, result in made]
        return AgentResult(blocks=receipts(done, turn.tools.grant))

    async def _without_model(self, turn: Turn, key: str) -> AgentResult:
        if note := new_note(turn.query):
            kind = type_of(note).value
            return await self._write(turn, "memory_save", {"type": kind, "text": note})
        words = small_talk(turn)
        if words is None:
            words = text(self._unread(turn) or key)
        return AgentResult(blocks=(TextBlock(words),))

    def _unread(self, turn: Turn) -> str:
        """Return why a message without words says nothing to us; empty when it does."""
        if not turn.attachments or turn.query.strip():
            return ""
        if all(attachment.kind != "image" for attachment in turn.attachments):
            return "chat.no_reader"
        return "" if self._sees else "chat.no_vision"

    # --- with a model ----------------------------------------------------------------------------

    async def _talk(self, turn: Turn) -> AgentResult:
        answer = await self._talker.talk(turn)
        if isinstance(answer, AgentResult):
            return answer
        if answer.trouble == ModelRefusalError.__name__:
            key = "chat.no_vision" if turn.attachments else "chat.refused"
            return AgentResult(blocks=(TextBlock(text(key)),))
        return await self._without_model(turn, "chat.model_down")

    def _switches(self, turn: Turn, done: Sequence[Done]) -> tuple[tuple[Button, ...], ...]:
        """Return buttons to switch when the model has listed conversations."""
        listed = [d.result for d in done if d.call.name == "conversation_list"]
        return self._talks.buttons(turn, from_json(Conversations, listed[-1])) if listed else ()

    # --- presses ---------------------------------------------------------------------------------

    async def _pressed(self, turn: Turn, action: Action) -> AgentResult:
        if action.name == "switch":
            return await self._talks.switch(turn, str(action.arguments["conversation"]))
        if action.name in (FORGET, RESTORE):
            return await self._remembered.pressed(turn, action.name, action.arguments)
        return await self._talker.pressed(turn, action)
