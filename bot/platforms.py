"""The attached platforms: every event is read by its own adapter and answered through it."""

from bot.core.errors import UnparseableError
from bot.core.events import Account, Chat, ChatKind, InboundEvent
from bot.core.inbox import RawUpdate
from bot.core.ports import Adapter, HasPrivateChats


class Platforms:
    """Adapters by platform and bot."""

    def __init__(self) -> None:
        self._adapters: dict[tuple[str, str], Adapter] = {}

    def attach(self, adapter: Adapter) -> None:
        """Let this adapter's updates be parsed."""
        self._adapters[adapter.platform, adapter.bot] = adapter

    def of(self, chat: Chat) -> Adapter:
        """Return the adapter of an attached platform's chat."""
        return self._adapters[chat.platform, chat.bot]

    def parse(self, raw: RawUpdate) -> InboundEvent:
        """Return the event in an update.

        Raises:
            UnparseableError: its adapter is not there, or cannot read it.
        """
        adapter = self._adapters.get((raw.platform, raw.bot))
        if adapter is None:
            raise UnparseableError(f"no adapter for {raw.platform}")
        return adapter.parse(raw)

    def private_chat(self, chat: Chat, account: Account) -> Chat | None:
        """Return where a member of a group can be told something alone; None elsewhere."""
        adapter = self.of(chat)
        if chat.kind is not ChatKind.GROUP or not adapter.capabilities.whispers:
            return None
        return adapter.private_chat(account) if isinstance(adapter, HasPrivateChats) else None
