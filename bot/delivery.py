"""The outbox sender: in order per chat and class, errors acted on by their class."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta

import structlog
from prometheus_client import Counter

from bot.core.errors import (
    AdapterError,
    AmbiguousSendError,
    ChatGoneError,
    RateLimitedError,
    RejectedError,
    RetryableAdapterError,
    StorageUnavailableError,
)
from bot.core.failpoints import Failpoint, hit
from bot.core.outbox import Outbox, OutboxClass, OutboxRow, OutboxStatus, Purpose
from bot.core.ports import Adapter, Clock, PartSent
from bot.reach import StoredReach
from bot.throttle import Throttle

MAX_ATTEMPTS = 12
"""With the back-off below some nine hours: longer than any outage worth waiting for."""

FIRST_RETRY_SECONDS = 1.0
LONGEST_RETRY_SECONDS = 3600.0
PARALLEL: Mapping[OutboxClass, int] = {OutboxClass.INTERACTIVE: 32, OutboxClass.BULK: 4}

log = structlog.get_logger(__name__)


class Delivery:
    """Sends queued messages while it is running.

    One task per chat and class that has something to send; interactive messages have slots of
    their own, so any number of reminders never stands in the way of an answer.
    """

    def __init__(
        self, *, outbox: Outbox, reach: StoredReach, clock: Clock, sends: Counter
    ) -> None:
        self._outbox = outbox
        self._reach = reach
        self._sends = sends
        self._clock = clock
        self._adapters: dict[tuple[str, str], Adapter] = {}
        self._throttles: dict[tuple[str, str], Throttle] = {}
        self._slots = {kind: asyncio.Semaphore(count) for kind, count in PARALLEL.items()}
        self._active: dict[tuple[str, OutboxClass], asyncio.Task[None]] = {}
        self._again: set[tuple[str, OutboxClass]] = set()
        self._resting: dict[tuple[str, OutboxClass], datetime] = {}
        self._moved = asyncio.Event()
        self._group: asyncio.TaskGroup | None = None

    def attach(self, adapter: Adapter) -> None:
        """Send this platform's messages through the adapter."""
        bot = (adapter.platform, adapter.bot)
        self._adapters[bot] = adapter
        self._throttles[bot] = Throttle(adapter.capabilities.limits, self._clock)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send while the context is open, beginning with what an earlier run left."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            for chat_key, outbox_class in await self._outbox.open_chats():
                self.wake(chat_key, outbox_class)
            try:
                yield
            finally:
                self._group = None
                for task in self._active.values():
                    task.cancel()

    async def drain(self, *, grace_seconds: float) -> None:
        """Wait until nothing is on its way, for at most so long.

        What has to rest for longer than that is not waited for; its row keeps it.
        """
        end = self._clock.now() + timedelta(seconds=grace_seconds)
        with suppress(TimeoutError):
            async with asyncio.timeout(grace_seconds):
                while any(self._resting.get(lane, end) <= end for lane in self._active):
                    self._moved.clear()
                    await self._moved.wait()

    async def wake_all(self) -> None:
        """Look again at every chat with something to send: whoever queued it may have died."""
        try:
            for chat_key, outbox_class in await self._outbox.open_chats():
                self.wake(chat_key, outbox_class)
        except StorageUnavailableError:
            log.warning("store_unavailable", what="open chats")

    def wake(self, chat_key: str, outbox_class: OutboxClass) -> None:
        """Look for something to send to this chat."""
        lane = (chat_key, outbox_class)
        if self._group is None:
            return
        if lane in self._active:
            self._again.add(lane)
            return
        self._active[lane] = self._group.create_task(self._send_all(lane))

    async def _send_all(self, lane: tuple[str, OutboxClass]) -> None:
        pause = FIRST_RETRY_SECONDS
        try:
            while True:
                self._again.discard(lane)
                try:
                    row = await self._outbox.next_for(*lane)
                    if row is None:
                        if lane in self._again:
                            continue
                        return
                    await self._attempt(row)
                    pause = FIRST_RETRY_SECONDS
                except StorageUnavailableError:
                    log.warning("store_unavailable", chat=lane[0])
                    await self._clock.sleep(FIRST_RETRY_SECONDS)
                except Exception:  # last resort: one chat's trouble must not stop the process
                    log.exception("chat_stuck", chat=lane[0], retry_in=pause)
                    await self._clock.sleep(pause)
                    pause = min(pause * 4, LONGEST_RETRY_SECONDS)
        finally:
            del self._active[lane]
            self._moved.set()

    async def _attempt(self, row: OutboxRow) -> None:
        draft = row.draft
        adapter = self._adapters.get((draft.chat.platform, draft.chat.bot))
        if adapter is None:
            await self._give_up(row, "this platform is not configured any more")
            return
        await self._rest(row)
        if reason := self._reach.why_not(draft.chat):
            await self._give_up(row, reason)
            return
        throttle = self._throttles[draft.chat.platform, draft.chat.bot]
        await throttle.admit(draft.chat, draft.outbox_class)
        async with self._slots[draft.outbox_class]:
            if row.status is not OutboxStatus.SENDING or adapter.capabilities.idempotent_send:
                await self._send(row, adapter, throttle)
            elif _worth_twice(row):
                self._count(row, "ambiguous")
                self._count(row, "repeated")
                await self._send(row, adapter, throttle)
            else:
                await self._lost(row, adapter, "the answer to the send was lost; not sent again")

    async def _rest(self, row: OutboxRow) -> None:
        wait = (row.not_before - self._clock.now()).total_seconds()
        if wait > 0:
            lane = (row.draft.chat.key, row.draft.outbox_class)
            self._resting[lane] = row.not_before
            self._moved.set()
            try:
                await self._clock.sleep(wait)
            finally:
                del self._resting[lane]

    async def _send(self, row: OutboxRow, adapter: Adapter, throttle: Throttle) -> None:
        outbox_id = row.draft.outbox_id
        if not adapter.capabilities.idempotent_send:
            await self._outbox.mark_sending(outbox_id)
        try:
            sent = await adapter.send(row)
        except AmbiguousSendError as error:
            self._count(row, "ambiguous")
            if adapter.capabilities.idempotent_send or _worth_twice(row):
                self._count(row, "repeated")
                await self._retry(row, str(error), None)
            else:
                await self._lost(row, adapter, str(error))
        except RateLimitedError as error:
            throttle.pause(row.draft.chat, error.retry_after_seconds)
            await self._retry(row, str(error), error.retry_after_seconds)
        except RetryableAdapterError as error:
            await self._retry(row, str(error), None)
        except ChatGoneError as error:
            await self._reach.lost(row.draft.chat, str(error))
            await self._give_up(row, str(error))
        except (RejectedError, AdapterError) as error:
            await self._give_up(row, str(error))
        except Exception as error:  # a bug while rendering must not hold up the chat for ever
            log.exception("send_failed", outbox_id=outbox_id)
            await self._retry(row, type(error).__name__, None)
        else:
            hit(Failpoint.AFTER_SEND_BEFORE_MARK)
            await self._mark(row, sent)
            hit(Failpoint.AFTER_MARK)

    async def _mark(self, row: OutboxRow, sent: str | PartSent) -> None:
        outbox_id = row.draft.outbox_id
        if isinstance(sent, PartSent):
            await self._outbox.mark_part(outbox_id, message_id=sent.message_id)
        elif sent:
            await self._outbox.mark_sent(outbox_id, message_id=sent, now=self._clock.now())
            self._count(row, "sent")
        else:
            await self._give_up(row, "the answer to the last part was lost")

    async def _lost(self, row: OutboxRow, adapter: Adapter, error: str) -> None:
        """Leave out what may have arrived; further parts of the same message still go out."""
        if row.status is OutboxStatus.SENDING:
            self._count(row, "ambiguous")
        if adapter.capabilities.splits:
            log.warning("part_unsure", outbox_id=row.draft.outbox_id, error=error)
            await self._outbox.mark_part(row.draft.outbox_id, message_id="")
        else:
            await self._give_up(row, error)

    async def _retry(self, row: OutboxRow, error: str, after: float | None) -> None:
        if row.attempts + 1 >= MAX_ATTEMPTS and after is None:
            await self._give_up(row, error)
            return
        back_off = min(FIRST_RETRY_SECONDS * 4 ** min(row.attempts, 8), LONGEST_RETRY_SECONDS)
        delay = back_off if after is None else after
        log.warning("send_retry", outbox_id=row.draft.outbox_id, delay=delay, error=error)
        await self._outbox.mark_retry(
            row.draft.outbox_id,
            not_before=self._clock.now() + timedelta(seconds=delay),
            error=error,
        )
        self._count(row, "retried")

    async def _give_up(self, row: OutboxRow, error: str) -> None:
        log.error("send_gave_up", outbox_id=row.draft.outbox_id, error=error)
        await self._outbox.mark_failed(row.draft.outbox_id, error=error, now=self._clock.now())
        self._count(row, "failed")

    def _count(self, row: OutboxRow, result: str) -> None:
        self._sends.labels(row.draft.chat.platform, result).inc()


def _worth_twice(row: OutboxRow) -> bool:
    """Whether what may have arrived is sent again: an edit shows once however often it is made."""
    if row.draft.message.replaces is not None and not row.parts:
        return True
    return row.draft.purpose in {Purpose.REMINDER, Purpose.CONFIRMATION}
