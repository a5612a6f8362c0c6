"""A sign that an answer is under way: a reaction on the message, as there are no typing dots."""

from contextlib import suppress
from typing import TYPE_CHECKING

from bot.core.errors import AdapterError
from bot.core.events import Chat

if TYPE_CHECKING:
    from adapters.feishu.calls import Calls

EMOJI = "Typing"
"""Source: https://open.feishu.cn/document/server-docs/im-v1/message-reaction/emojis-introduce ."""

_MANY = 2000
_AT_ONCE = 10
"""Under load answers come late everywhere, and two more calls for each would make that worse."""


class TypingSign:
    """Reactions by chat; failures are swallowed, they are decoration."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}
        self._shown: dict[str, tuple[str, str]] = {}
        self._asking = 0

    def heard(self, chat: Chat, message_id: str) -> None:
        """Remember which message is to be answered."""
        if len(self._last) >= _MANY:
            self._last.clear()
        self._last[chat.key] = message_id

    async def show(self, chat: Chat, calls: "Calls") -> None:
        """Put the sign on the newest message of the chat."""
        message_id = self._last.get(chat.key)
        if message_id is None or chat.key in self._shown or self._asking >= _AT_ONCE:
            return
        self._asking += 1
        try:
            with suppress(AdapterError):
                self._shown[chat.key] = (message_id, await calls.react(message_id, EMOJI))
        finally:
            self._asking -= 1

    async def hide(self, chat: Chat, calls: "Calls") -> None:
        """Take the sign back."""
        shown = self._shown.pop(chat.key, None)
        if shown is not None:
            with suppress(AdapterError):
                await calls.unreact(*shown)
