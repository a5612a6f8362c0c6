"""The real clock."""

import asyncio
from datetime import UTC, datetime, timedelta


class SystemClock:
    """`bot.core.ports.Clock` on the machine's clock and the running loop."""

    def now(self) -> datetime:
        """Return the present instant, aware UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Return after ``seconds``."""
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock whose hands are turned by hand: for the demo and for tests."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._turned = asyncio.Event()

    def now(self) -> datetime:
        """Return the instant it was set to."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Return once the hands have been turned that far."""
        until = self._now + timedelta(seconds=seconds)
        while self._now < until:
            await self._turned.wait()

    def turn(self, **distance: float) -> None:
        """Turn the hands forward, e.g. ``turn(minutes=10)``."""
        self._now += timedelta(**distance)
        self._turned.set()
        self._turned = asyncio.Event()
