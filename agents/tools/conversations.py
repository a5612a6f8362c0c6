"""The tools of the CONVERSATION group (seed 000) that read conversations."""

from pydantic import Field, JsonValue

from agents.tools.declare import free
from bot.core.codec import to_json
from bot.core.conversations import Conversation
from bot.core.tools import Tool, ToolArguments, ToolContext
from bot.core.turns import Turns

TITLE_LENGTH = 60
MOST = 20
Conversations = tuple[Conversation, ...]


class CurrentArguments(ToolArguments):
    """Nothing to say."""


class ListArguments(ToolArguments):
    """How many."""

    limit: int = Field(default=10, ge=1, le=MOST)


class ConversationTools:
    """Functions behind the tools; the session comes from the context."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    async def current(self, context: ToolContext, _arguments: CurrentArguments) -> JsonValue:
        """Return the conversation that goes on; null before its first answer."""
        found = await self._turns.conversations(context.session_key, limit=MOST)
        for conversation in found:
            if conversation.conversation_id == context.conversation:
                return to_json(Conversation, conversation)
        return None

    async def list(self, context: ToolContext, arguments: ListArguments) -> JsonValue:
        """Return the latest conversations of this session."""
        found = await self._turns.conversations(context.session_key, limit=arguments.limit)
        return to_json(Conversations, tuple(found))


def conversation_tools(turns: Turns) -> tuple[Tool, ...]:
    """Return the tools."""
    functions = ConversationTools(turns)
    return (
        free(
            "conversation_current",
            CurrentArguments,
            functions.current,
            "The conversation that goes on: when it began, how long it is.",
        ),
        free(
            "conversation_list",
            ListArguments,
            functions.list,
            "The latest conversations in this chat; the person gets buttons to switch.",
        ),
    )
