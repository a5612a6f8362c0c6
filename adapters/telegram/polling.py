"""Long polling: fetch, store, and only then move the offset that acknowledges.

Source: https://core.telegram.org/bots/api#getupdates
"""

import asyncio
from collections.abc import Mapping
from datetime import timedelta

import structlog
from pydantic import JsonValue

from adapters.telegram.client import Client
from adapters.telegram.failures import PollingConflictError, TokenRefusedError
from adapters.telegram.intake import Intake
from adapters.telegram.schemas import ALLOWED_UPDATES, Me
from bot.core.errors import (
    AdapterError,
    AmbiguousSendError,
    RateLimitedError,
    StorageUnavailableError,
)
from bot.core.ports import Clock

POLL_SECONDS = 50
"""How long the platform holds a request open when there is nothing."""

STALL = timedelta(seconds=150)
"""Silence after which the connection counts as deaf: three times what an answer may take."""

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0

log = structlog.get_logger(__name__)


class Poller:
    """Receives updates for ever; no failure ends it.

    Attributes:
        trouble: what is wrong now, for the health page; empty when nothing is.
        rebuilt: how often the connections were replaced because nothing came.
    """

    def __init__(self, *, client: Client, intake: Intake, clock: Clock) -> None:
        self._client = client
        self._intake = intake
        self._clock = clock
        self._offset: int | None = None
        self._answered_at = clock.now()
        self._rebuild_at = self._answered_at + STALL
        self.trouble = ""
        self.rebuilt = 0

    @property
    def silent_for(self) -> timedelta:
        """How long ago the platform last answered."""
        return self._clock.now() - self._answered_at

    async def run(self) -> None:
        """Find out who we are, take the updates over from a webhook, and poll."""
        self._heard()
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                await self._round()
            except (AdapterError, StorageUnavailableError) as error:
                pause = await self._recover(error, pause)
            else:
                pause = FIRST_PAUSE_SECONDS
                self.trouble = ""

    async def _round(self) -> None:
        if self._intake.me is None:
            self._intake.me = Me.model_validate(await self._watched("getMe"))
            await self._watched("deleteWebhook", {"drop_pending_updates": False})
        payload: dict[str, JsonValue] = {
            "timeout": POLL_SECONDS,
            "limit": 100,
            "allowed_updates": list(ALLOWED_UPDATES),
        }
        if self._offset is not None:
            payload["offset"] = self._offset
        updates = await self._watched("getUpdates", payload)
        for body in _in_order(updates):
            if not await self._intake.take(body):
                break
            update_id = body.get("update_id")
            if isinstance(update_id, int):
                self._offset = max(self._offset or 0, update_id + 1)

    async def _watched(
        self, method: str, payload: Mapping[str, JsonValue] | None = None
    ) -> JsonValue:
        """Call, and replace the connections when nothing has come for too long."""
        call = asyncio.ensure_future(
            self._client.call(method, payload, seconds=2 * STALL.total_seconds())
        )
        left = (self._rebuild_at - self._clock.now()).total_seconds()
        alarm = asyncio.ensure_future(self._clock.sleep(max(0.0, left)))
        try:
            await asyncio.wait({call, alarm}, return_when=asyncio.FIRST_COMPLETED)
            if not call.done():
                await self._replace_connections()
                raise AmbiguousSendError("no answer for too long")
            result = await call
        finally:
            call.cancel()
            alarm.cancel()
            await asyncio.gather(call, alarm, return_exceptions=True)
        self._heard()
        return result

    async def _replace_connections(self) -> None:
        log.error("polling_deaf", seconds=self.silent_for.total_seconds())
        self.rebuilt += 1
        self._rebuild_at = self._clock.now() + STALL
        await self._client.rebuild()

    def _heard(self) -> None:
        self._answered_at = self._clock.now()
        self._rebuild_at = self._answered_at + STALL

    async def _recover(self, error: AdapterError | StorageUnavailableError, pause: float) -> float:
        """Wait as the error asks, and return the next pause."""
        if isinstance(error, PollingConflictError):
            if error.webhook:
                self._intake.me = None
            self.trouble = (
                "! a webhook took this bot's updates; taking them back (409)"
                if error.webhook
                else "! another program receives this bot's updates (409): stop it, "
                "or give one of them a token of its own"
            )
        elif isinstance(error, TokenRefusedError):
            self.trouble = "! TELEGRAM_BOT_TOKEN is refused: ask @BotFather for the right one"
        else:
            self.trouble = f"! {error}"
        if isinstance(error, RateLimitedError):
            pause = error.retry_after_seconds
        elif self._clock.now() >= self._rebuild_at:
            await self._replace_connections()
        log.warning("polling_failed", error=str(error), kind=type(error).__name__, pause=pause)
        await self._clock.sleep(pause)
        return min(pause * 2, LONGEST_PAUSE_SECONDS)


def _in_order(updates: JsonValue) -> list[dict[str, JsonValue]]:
    """Return the updates by their number: that is the order they happened in."""
    bodies = (
        [body for body in updates if isinstance(body, dict)] if isinstance(updates, list) else []
    )

    def number(body: dict[str, JsonValue]) -> int:
        update_id = body.get("update_id")
        return update_id if isinstance(update_id, int) else 0

    return sorted(bodies, key=number)
