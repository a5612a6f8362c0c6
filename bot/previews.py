"""An answer while it grows: shown at the pace of the platform, and never in the agent's way."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta

import structlog

from bot.core.effects import Journal, ToolCall
from bot.core.errors import (
    AdapterError,
    AmbiguousSendError,
    ChatGoneError,
    RateLimitedError,
    StorageError,
)
from bot.core.events import ButtonPressed, ChatKind, InboundEvent
from bot.core.ports import Adapter, Clock, Growing, Previews

BATCH = -1
"""Where the journal keeps the id of the preview's message; tool calls begin at 0."""

MAX_FAILURES = 5
"""Failures in a row after which the rest of the answer is waited for."""

GRACE_SECONDS = 5.0
"""How long the end of a turn waits for a preview that is on its way, to learn its id."""

log = structlog.get_logger(__name__)


def preview_id_of(recorded: Mapping[int, tuple[ToolCall, ...]]) -> str:
    """Return the message that an earlier run of the turn has shown its answer in."""
    calls = recorded.get(BATCH, ())
    return str(calls[0].arguments.get("message_id", "")) if calls else ""


class Preview:
    """The growing answer of one turn.

    Only the newest text is shown, by a task of its own. The message that it stands in is
    journaled before it is changed again, so that a run after a crash takes it over.

    Attributes:
        message_id: the message that shows it; empty when there is none.
    """

    def __init__(
        self,
        *,
        adapter: Adapter,
        event: InboundEvent,
        locale: str,
        journal: Journal,
        clock: Clock,
        message_id: str = "",
    ) -> None:
        # A press is answered in the message that was pressed.
        can = isinstance(adapter, Previews) and not isinstance(event, ButtonPressed)
        self._adapter = adapter if can and isinstance(adapter, Previews) else None
        self._event = event
        self._locale = locale
        self._journal = journal
        self._clock = clock
        self._text = self._shown = ""
        self._failures = 0
        self._not_before = clock.now()
        self._is_sending = self._is_over = False
        self._task: asyncio.Task[None] | None = None
        self.message_id = message_id

    async def show(self, text: str) -> None:
        """Show the whole text so far, soon; see `bot.core.agents.Progress`."""
        if self._adapter is None or self._is_over or not text.strip():
            return
        self._text = text
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(self._adapter))

    async def close(self) -> str:
        """Show no more; return the message that the final answer takes over."""
        self._is_over = True
        if self._task is not None:
            if self._is_sending:
                await asyncio.wait({self._task}, timeout=GRACE_SECONDS)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        return self.message_id

    async def _run(self, adapter: Previews) -> None:
        while not self._is_over and self._text != self._shown:
            wait = (self._not_before - self._clock.now()).total_seconds()
            if wait > 0:
                await self._clock.sleep(wait)
            pause = adapter.preview_pause(self._event.chat)
            try:
                await self._send(adapter)
            except RateLimitedError as error:
                pause = max(pause, error.retry_after_seconds)
            except AdapterError as error:
                self._failed(error)
            except Exception as error:  # decoration: the answer itself does not depend on it
                log.exception("preview_failed")
                self._failed(error)
            self._not_before = self._clock.now() + timedelta(seconds=pause)

    async def _send(self, adapter: Previews) -> None:
        text, event = self._text, self._event
        growing = Growing(
            event_id=event.event_id,
            chat=event.chat,
            text=text,
            locale=self._locale,
            message_id=self.message_id,
            mention=event.account.user_id if event.chat.kind is ChatKind.GROUP else None,
        )
        self._is_sending = True
        try:
            message_id = await adapter.preview(growing)
            self._shown, self._failures = text, 0
            if message_id != self.message_id:
                self.message_id = message_id
                await self._record(message_id)
        finally:
            self._is_sending = False

    async def _record(self, message_id: str) -> None:
        call = ToolCall(name="preview", arguments={"message_id": message_id})
        try:
            await self._journal.record(self._event.event_id, BATCH, (call,))
        except StorageError as error:
            log.warning("preview_not_recorded", error=type(error).__name__)

    def _failed(self, error: Exception) -> None:
        """Go on after a failure, unless that would be in vain or show the answer twice."""
        self._failures += 1
        log.info("preview_not_shown", error=str(error), times=self._failures)
        unsure = isinstance(error, AmbiguousSendError) and not self.message_id
        if unsure or isinstance(error, ChatGoneError) or self._failures >= MAX_FAILURES:
            self._is_over = True
