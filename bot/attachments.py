"""Files that people sent: in our store before an agent hears of them."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.events import Account, Attachment
from bot.core.ports import Adapter, Fetches
from bot.core.words import Words

_MANY_FILES = 256
_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class NotFetched:
    """Why a file is not there, for the person."""

    words: Words


class Attachments:
    """Fetches what came with a message.

    A turn that is run again takes what was fetched before. Only a restart forgets that, and then
    the store finds by content that it has the file already.
    """

    def __init__(self) -> None:
        self._fetched: OrderedDict[tuple[str, str], Attachment] = OrderedDict()
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def fetched(
        self, adapter: Adapter, attachments: Sequence[Attachment], account: Account
    ) -> tuple[Attachment, ...] | NotFetched:
        """Return the attachments as files of our store, or what is wrong with one of them.

        Raises:
            StorageUnavailableError: nothing can be stored now.
        """
        if not isinstance(adapter, Fetches):
            return tuple(attachments)
        found: list[Attachment] = []
        for one in await asyncio.gather(
            *(self._one(adapter, attachment, account) for attachment in attachments)
        ):
            if not isinstance(one, Attachment):
                return NotFetched(one)
            found.append(one)
        return tuple(found)

    async def _one(
        self, adapter: Fetches, attachment: Attachment, account: Account
    ) -> Attachment | Words:
        key = (account.key, attachment.ref)
        known = self._fetched.get(key)
        if known is not None:
            return known
        async with self._slots:
            fetched = await adapter.fetch(attachment, account)
        if isinstance(fetched, Attachment):
            self._fetched[key] = fetched
            while len(self._fetched) > _MANY_FILES:
                self._fetched.popitem(last=False)
        return fetched
