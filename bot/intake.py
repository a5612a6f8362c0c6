"""The sink of all adapters: an update is stored before anything is acknowledged."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

import structlog

from bot.core.characters import whole_characters, whole_values
from bot.core.errors import StorageUnavailableError, UnparseableError
from bot.core.failpoints import Failpoint, hit
from bot.core.inbox import Inbox, InboxStatus, RawUpdate, Receipt, UpdateKind
from bot.core.ports import Clock
from bot.core.words import text
from bot.gates import STOP_SUFFIX
from bot.lanes import Lanes
from bot.platforms import Platforms
from bot.presses import Presses
from bot.recalled import RecalledMessages

log = structlog.get_logger(__name__)


class Intake:
    """Stores updates and queues their work in lanes."""

    def __init__(
        self,
        *,
        inbox: Inbox,
        presses: Presses,
        platforms: Platforms,
        lanes: Lanes,
        recalled: RecalledMessages,
        clock: Clock,
    ) -> None:
        self._inbox = inbox
        self._recalled = recalled
        self._presses = presses
        self._platforms = platforms
        self._lanes = lanes
        self._clock = clock
        self._trouble_since: datetime | None = None

    async def accept(self, raw: RawUpdate) -> Receipt:
        """Store the update and queue its work; a press is claimed here, for its toast."""
        raw = replace(
            raw, body={whole_characters(k): whole_values(v) for k, v in raw.body.items()}
        )
        if raw.kind is UpdateKind.STOP:
            raw = replace(raw, lane=raw.lane + STOP_SUFFIX)
        if not self._lanes.has_room(raw.lane):
            return Receipt(status="refused", text=text("hub.busy"))
        try:
            receipt = await asyncio.shield(self._store(raw))
        except StorageUnavailableError:
            log.warning("store_unavailable", event_id=raw.event_id)
            self._trouble_since = self._trouble_since or self._clock.now()
            raise
        self._trouble_since = None
        return receipt

    async def recover(self) -> int:
        """Queue everything that was accepted and not finished; return how much."""
        pending = await self._inbox.pending()
        for event_id, lane in pending:
            self._recalled.note(event_id)
            self._lanes.put(lane, event_id)
        return len(pending)

    def health(self) -> Mapping[str, str]:
        """Return whether updates can be stored; a value starting with ``!`` means they cannot."""
        if self._trouble_since is None:
            return {"accepting": "yes"}
        return {"accepting": f"!nothing could be stored since {self._trouble_since:%H:%M:%S} UTC"}

    async def _store(self, raw: RawUpdate) -> Receipt:
        """Store and queue; shielded, so that a caller who goes away leaves nothing half done."""
        if raw.kind is UpdateKind.RECALL:
            placed = await self._recalled.placed(raw)
            if placed is None:
                return Receipt(status="accepted")
            raw = placed
        row = await self._inbox.accept(raw)
        if row is None:
            stored = await self._inbox.get(raw.event_id)
            if stored is not None and stored.status is InboxStatus.NEW:
                self._lanes.put(stored.update.lane, raw.event_id)
            return Receipt(status="duplicate")
        hit(Failpoint.AFTER_INBOX)
        try:
            toast = None
            if raw.kind is UpdateKind.BUTTON:
                toast = await self._presses.toast(self._platforms.parse(raw))
        except (UnparseableError, StorageUnavailableError):
            toast = None  # the work that follows says what is wrong
        finally:
            self._lanes.put(raw.lane, raw.event_id)
        return Receipt(status="accepted", text=toast)
