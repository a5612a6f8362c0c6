"""Which messages were taken back before they were handled: nobody answers them."""

from collections import OrderedDict
from dataclasses import replace

from bot.core.effects import Journal
from bot.core.inbox import RECALLED, Inbox, RawUpdate

_MANY = 5000


class RecalledMessages:
    """Remembers what was taken back before it was handled, or even before it came."""

    def __init__(self, *, inbox: Inbox, journal: Journal) -> None:
        self._inbox = inbox
        self._journal = journal
        self._ids: OrderedDict[str, None] = OrderedDict()

    def note(self, event_id: str) -> None:
        """Remember what the update with this id takes back; any other is left."""
        if event_id.endswith(RECALLED):
            self._ids[event_id.removesuffix(RECALLED)] = None
            while len(self._ids) > _MANY:
                self._ids.popitem(last=False)

    async def placed(self, raw: RawUpdate) -> RawUpdate | None:
        """Return a recall in the lane of its message and with its body.

        None when the message was not for us, or is so old that we have forgotten it.
        """
        self.note(raw.event_id)
        message = await self._inbox.get(raw.event_id.removesuffix(RECALLED))
        if message is None or not message.update.body:
            return None
        body = {**raw.body, "recalled": dict(message.update.body)}
        return replace(raw, lane=message.update.lane, body=body)

    async def is_void(self, event_id: str) -> bool:
        """Whether this message was taken back and nothing has been begun for it."""
        return event_id in self._ids and not await self._journal.load(event_id)
