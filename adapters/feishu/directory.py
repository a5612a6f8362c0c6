"""Names out of the address book: asked for once, kept for a while, never waited for long."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import structlog

from bot.core.errors import AdapterError
from bot.core.ports import Clock

PATIENCE_SECONDS = 1.0
"""An event has to be acknowledged within 3 s, and a name is only a prefill."""

KEPT = timedelta(hours=6)
_MANY = 5000

log = structlog.get_logger(__name__)


class Directory:
    """Names by open id."""

    def __init__(self, ask: Callable[[str], Awaitable[str]], clock: Clock) -> None:
        self._ask = ask
        self._clock = clock
        self._names: dict[str, tuple[str, datetime]] = {}
        self._asking: dict[str, asyncio.Task[str]] = {}

    def known(self, open_id: str) -> str:
        """Return the name if it is known already."""
        return self._names.get(open_id, ("", self._clock.now()))[0]

    def is_at_hand(self, open_id: str) -> bool:
        """Whether `name` returns without waiting."""
        kept = self._names.get(open_id)
        return not open_id or (kept is not None and self._clock.now() < kept[1])

    async def name(self, open_id: str) -> str:
        """Return the name; empty when there is none, or none in time."""
        if self.is_at_hand(open_id):
            return self.known(open_id)
        task = self._asking.get(open_id)
        if task is None:
            task = asyncio.create_task(self._fetch(open_id))
            self._asking[open_id] = task
            task.add_done_callback(lambda _: self._asking.pop(open_id, None))
        done, _ = await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
        return task.result() if done else self.known(open_id)

    async def close(self) -> None:
        """Stop asking."""
        tasks = tuple(self._asking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _fetch(self, open_id: str) -> str:
        try:
            name = await self._ask(open_id)
        except AdapterError as error:
            log.info("name_not_found", error=str(error))
            name = self.known(open_id)
        if len(self._names) >= _MANY:
            self._names.clear()
        self._names[open_id] = (name, self._clock.now() + KEPT)
        return name
