"""Conversations of a chat: a new one, the list, and going back to an earlier one."""

from collections.abc import Sequence

from bot.core.actions import ActionDraft, Uses
from bot.core.agents import AgentResult, Turn
from bot.core.conversations import Conversation
from bot.core.ids import derived_id
from bot.core.messages import Button, TextBlock
from bot.core.turns import Turns
from bot.core.words import Lines, Text, Verbatim, text
from bot.locales.moments import moment

MOST = 8
TITLE_LENGTH = 24


class Talks:
    """Answers `/new`, `/chats` and the buttons that switch."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def begin(self, turn: Turn) -> AgentResult:
        """Begin a new conversation; what was said before is kept and left aside."""
        return AgentResult(
            blocks=(TextBlock(text("chat.new_conversation")),),
            conversation=derived_id("c", turn.event_id),
        )

    async def show(self, turn: Turn) -> AgentResult:
        """Return the list with buttons to switch."""
        found = await self._turns.conversations(turn.session_key, limit=MOST)
        if not found:
            return AgentResult(blocks=(TextBlock(text("chat.no_conversations")),))
        lines = tuple(self._line(n, c, turn) for n, c in enumerate(found, start=1))
        return AgentResult(
            blocks=(TextBlock(text("chat.conversations", lines=Lines(lines))),),
            buttons=self.buttons(turn, found),
        )

    def buttons(self, turn: Turn, found: Sequence[Conversation]) -> tuple[tuple[Button, ...], ...]:
        """Return a button for each conversation that does not go on already."""
        return tuple(
            (
                Button(
                    label=text("chat.button_switch", n=n, title=Verbatim(_title(c))),
                    action=ActionDraft(
                        name="switch",
                        arguments={"conversation": c.conversation_id},
                        uses=Uses.MANY,
                    ),
                ),
            )
            for n, c in enumerate(found, start=1)
            if c.conversation_id != turn.conversation
        )

    async def switch(self, turn: Turn, conversation_id: str) -> AgentResult:
        """Go on with an earlier conversation of this session."""
        found = await self._turns.conversations(turn.session_key, limit=1000)
        for conversation in found:
            if conversation.conversation_id == conversation_id:
                words = text("chat.switched", title=Verbatim(_title(conversation)))
                return AgentResult(
                    blocks=(TextBlock(words),), repaint=True, conversation=conversation_id
                )
        return AgentResult(blocks=(TextBlock(text("chat.conversation_gone")),), repaint=True)

    @staticmethod
    def _line(number: int, conversation: Conversation, turn: Turn) -> Text:
        here = conversation.conversation_id == turn.conversation
        return text(
            "chat.conversation_here" if here else "chat.conversation",
            n=number,
            title=Verbatim(_title(conversation)),
            turns=conversation.turns,
            at=moment(conversation.last_at.astimezone(turn.now.tzinfo), turn.locale),
        )


def _title(conversation: Conversation) -> str:
    title = " ".join(conversation.title.split())
    return title if len(title) <= TITLE_LENGTH else f"{title[:TITLE_LENGTH]}…"
