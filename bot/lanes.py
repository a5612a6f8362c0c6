"""Lanes: accepted work runs in order within a lane, side by side across lanes, bounded in all."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.core.ports import Clock


class Lanes:
    """Runs ``work(event_id)`` for everything that is put in.

    The durable truth is the inbox; this holds ids only. A lane without work holds nothing.
    """

    def __init__(
        self,
        work: Callable[[str], Awaitable[None]],
        *,
        parallel: int = 64,
        lane_limit: int = 200,
        total_limit: int = 20_000,
    ) -> None:
        self._work = work
        self._slots = asyncio.Semaphore(parallel)
        self._lane_limit = lane_limit
        self._total_limit = total_limit
        self._queues: dict[str, deque[str]] = {}
        self._queued = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._group: asyncio.TaskGroup | None = None

    def has_room(self, lane: str) -> bool:
        """Whether one more input of this lane may be accepted."""
        return (
            self._queued < self._total_limit and len(self._queues.get(lane, ())) < self._lane_limit
        )

    def put(self, lane: str, event_id: str) -> None:
        """Queue an accepted event; starts the lane when it was idle."""
        self._queued += 1
        queue = self._queues.get(lane)
        if queue is not None:
            queue.append(event_id)
            return
        self._queues[lane] = deque([event_id])
        if self._group is None:
            return
        self._start(lane)

    @asynccontextmanager
    async def running(self, *, clock: Clock, grace_seconds: float) -> AsyncIterator[None]:
        """Work while the context is open; at its end finish what is running, then stop.

        What was queued and not begun stays NEW in the inbox for the next start.
        """
        async with asyncio.TaskGroup() as group:
            self._group = group
            for lane in list(self._queues):
                self._start(lane)
            try:
                yield
            finally:
                self._group = None
                for queue in self._queues.values():
                    self._queued -= len(queue)
                    queue.clear()
                if self._tasks:
                    timer = group.create_task(clock.sleep(grace_seconds))
                    await asyncio.wait({timer, *self._tasks}, return_when=asyncio.FIRST_COMPLETED)
                    while self._tasks and not timer.done():
                        await asyncio.wait(
                            {timer, *self._tasks}, return_when=asyncio.FIRST_COMPLETED
                        )
                    timer.cancel()
                    for task in self._tasks:
                        task.cancel()

    def _start(self, lane: str) -> None:
        if self._group is not None:
            task = self._group.create_task(self._drain(lane))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _drain(self, lane: str) -> None:
        queue = self._queues[lane]
        try:
            while queue:
                event_id = queue.popleft()
                self._queued -= 1
                async with self._slots:
                    await self._work(event_id)
        finally:
            del self._queues[lane]
