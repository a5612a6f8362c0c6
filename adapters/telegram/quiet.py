"""Chats that the platform asked us to leave alone for a while: decoration waits, answers not."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from bot.core.errors import RateLimitedError
from bot.core.ports import Clock


class QuietChats:
    """Until when each chat is left alone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[str, datetime] = {}

    def has(self, chat_id: str) -> bool:
        """Whether the chat is still to be left alone."""
        return self.seconds_left(chat_id) > 0

    def seconds_left(self, chat_id: str) -> float:
        """Return for how long the chat is to be left alone; 0 when it is not."""
        until = self._until.get(chat_id)
        if until is None:
            return 0.0
        left = (until - self._clock.now()).total_seconds()
        if left <= 0:
            del self._until[chat_id]
            return 0.0
        return left

    @contextmanager
    def minding(self, chat_id: str) -> Iterator[None]:
        """Note for how long the platform wants to be left alone, when a call inside says so."""
        try:
            yield
        except RateLimitedError as error:
            wait = timedelta(seconds=error.retry_after_seconds)
            self._until[chat_id] = self._clock.now() + wait
            raise
