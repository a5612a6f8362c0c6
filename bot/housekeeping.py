"""Fixed jobs: old bodies and files go, counts are taken."""

from datetime import timedelta

import structlog
from prometheus_client import Gauge

from bot.core.errors import StorageError
from bot.core.ports import Clock
from bot.core.stores import Stores

KEEP_BODIES = timedelta(days=7)
KEEP_FILES = timedelta(days=30)

log = structlog.get_logger(__name__)


class Housekeeping:
    """Keeps the store small and its counts visible."""

    def __init__(self, *, stores: Stores, clock: Clock, rows: Gauge) -> None:
        self._stores = stores
        self._clock = clock
        self._rows = rows

    async def sweep(self) -> None:
        """Forget bodies of finished updates and files that nothing refers to."""
        now = self._clock.now()
        try:
            bodies = await self._stores.inbox.purge(done_before=now - KEEP_BODIES)
            files = await self._stores.files.purge(created_before=now - KEEP_FILES)
        except StorageError as error:
            log.warning("sweep_failed", error=type(error).__name__)
            return
        log.info("swept", bodies=bodies, files=files)

    async def count(self) -> None:
        """Take the counts for `/metrics`."""
        try:
            tables = {
                "inbox": await self._stores.inbox.counts(),
                "outbox": await self._stores.outbox.counts(),
                "deliveries": await self._stores.schedules.delivery_counts(),
                "files": await self._stores.files.counts(),
            }
        except StorageError as error:
            log.warning("count_failed", error=type(error).__name__)
            return
        for table, counts in tables.items():
            for status, count in counts.items():
                self._rows.labels(table, status).set(count)
