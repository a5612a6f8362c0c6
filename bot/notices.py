"""Messages to administrators about the process itself, each told once a day at most."""

from collections.abc import Callable, Iterable

import structlog

from bot.core.errors import StorageError
from bot.core.events import Account, Chat
from bot.core.ids import derived_id
from bot.core.messages import OutboundMessage, TextBlock
from bot.core.outbox import Outbox, OutboxClass, OutboxDraft
from bot.core.people import People
from bot.core.ports import Adapter, Clock, HasPrivateChats
from bot.core.words import Words, text

log = structlog.get_logger(__name__)


class Notices:
    """Writes to the private chats of `ADMIN_IDS`, as far as we have met them."""

    def __init__(
        self,
        *,
        admin_ids: Iterable[str],
        people: People,
        outbox: Outbox,
        clock: Clock,
        wake: Callable[[str, OutboxClass], None],
    ) -> None:
        self._admin_ids = tuple(sorted(admin_ids))
        self._people = people
        self._outbox = outbox
        self._clock = clock
        self._wake = wake
        self._adapters: list[Adapter] = []

    def attach(self, adapter: Adapter) -> None:
        """Reach administrators by this adapter too."""
        self._adapters.append(adapter)

    async def key_refused(self, provider: str) -> None:
        """Tell that a provider of language models refuses its key, address or model name."""
        log.error("model_key_refused", provider=provider)
        await self.tell(f"key_refused {provider}", text("hub.key_refused", provider=provider))

    async def tell(self, subject: str, words: Words) -> None:
        """Tell all administrators; a second time on the same day changes nothing."""
        for admin_id in self._admin_ids:
            try:
                await self._tell(admin_id, subject, words)
            except StorageError as error:
                log.warning("notice_not_stored", subject=subject, error=type(error).__name__)

    async def _tell(self, admin_id: str, subject: str, words: Words) -> None:
        platform, _, user_id = admin_id.partition(":")
        known = await self._people.with_id(platform, user_id)
        if not known:
            return
        now = self._clock.now()
        accounts = [
            account
            for person in known
            for account in await self._people.accounts(person.person_id)
            if (account.platform, account.user_id) == (platform, user_id)
        ]
        for chat in self._chats(accounts):
            draft = OutboxDraft(
                outbox_id=derived_id("m", "notice", subject, chat.key, now.date().isoformat()),
                chat=chat,
                person_id=known[0].person_id,
                message=OutboundMessage(blocks=(TextBlock(words),), locale=known[0].locale),
            )
            await self._outbox.put(draft, now=now)
            self._wake(chat.key, draft.outbox_class)

    def _chats(self, accounts: Iterable[Account]) -> list[Chat]:
        return [
            adapter.private_chat(account)
            for account in accounts
            for adapter in self._adapters
            if (adapter.platform, adapter.bot) == (account.platform, account.bot)
            and isinstance(adapter, HasPrivateChats)
        ]
