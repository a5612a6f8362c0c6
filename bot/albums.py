"""Albums: messages that a platform delivers one by one although they were sent as one."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from bot.core.errors import UnparseableError
from bot.core.events import InboundEvent, MessageReceived
from bot.core.inbox import Inbox, InboxRow, RawUpdate
from bot.core.ports import Clock

WAIT = timedelta(seconds=1)
"""How long after its newest message an album counts as complete."""

_MANY_ALBUMS = 256


class Albums:
    """Gathers the messages of an album into one event.

    All of them are rows of the inbox, so nothing is lost while waiting; a run after a crash
    gathers again. A message that comes after its album was answered takes the album's words with
    it, and so joins in meaning although it is answered by itself.
    """

    def __init__(
        self, *, inbox: Inbox, parse: Callable[[RawUpdate], InboundEvent], clock: Clock
    ) -> None:
        self._inbox = inbox
        self._parse = parse
        self._clock = clock
        self._words: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def whole(
        self, row: InboxRow, event: InboundEvent
    ) -> tuple[InboundEvent, tuple[str, ...]]:
        """Return the event with all that belongs to it, and the ids of their inbox rows."""
        if not isinstance(event, MessageReceived) or not event.album or event.edited:
            return event, (event.event_id,)
        while True:
            members = await self._members(row.update.lane, event)
            newest = max([row.update.received_at, *(raw.received_at for raw, _ in members)])
            left = (newest + WAIT - self._clock.now()).total_seconds()
            if left <= 0:
                break
            await self._clock.sleep(left)
        events = [event, *(member for _, member in members)]
        return self._joined(events), tuple(member.event_id for member in events)

    async def _members(
        self, lane: str, first: MessageReceived
    ) -> list[tuple[RawUpdate, MessageReceived]]:
        """Return what else of the album waits in the same lane, in the order it came."""
        found: list[tuple[RawUpdate, MessageReceived]] = []
        for event_id, its_lane in await self._inbox.pending():
            if its_lane != lane or event_id == first.event_id:
                continue
            row = await self._inbox.get(event_id)
            if row is None:
                continue
            try:
                event = self._parse(row.update)
            except UnparseableError:
                continue
            if isinstance(event, MessageReceived) and event.album == first.album:
                found.append((row.update, event))
        return found

    def _joined(self, events: Sequence[MessageReceived]) -> MessageReceived:
        first = events[0]
        key = (first.session_key, first.album)
        said = dict.fromkeys(event.text for event in events if event.text)
        words = "\n".join(said) or self._words.get(key, "")
        self._words[key] = words
        while len(self._words) > _MANY_ALBUMS:
            self._words.popitem(last=False)
        return replace(
            first,
            text=words,
            attachments=tuple(a for event in events for a in event.attachments),
            reply_to=next((event.reply_to for event in events if event.reply_to), None),
        )
