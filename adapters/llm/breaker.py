"""A circuit breaker: a provider that keeps failing is left alone for a while."""

from datetime import timedelta

from bot.core.ports import Clock

FAILURES = 3
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(minutes=5)


class Breaker:
    """Opens after `FAILURES` in a row; then one trial at a time decides."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._pause = FIRST_PAUSE
        self._closed_from = clock.now()
        self._on_trial = False

    @property
    def is_open(self) -> bool:
        """Whether requests are kept away."""
        return self._clock.now() < self._closed_from

    def admit(self) -> bool:
        """Whether a request may go through now; one that may is then reported on."""
        if self.is_open or self._on_trial:
            return False
        self._on_trial = self._failures >= FAILURES
        return True

    def succeeded(self) -> None:
        """The provider answered."""
        self._failures = 0
        self._pause = FIRST_PAUSE
        self._on_trial = False

    def failed(self) -> None:
        """The provider did not answer."""
        self._failures += 1
        self._on_trial = False
        if self._failures >= FAILURES:
            self.rest(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def rest(self, pause: timedelta) -> None:
        """Leave the provider alone for so long."""
        self._on_trial = False
        self._closed_from = max(self._closed_from, self._clock.now() + pause)

    def abandoned(self) -> None:
        """The request was given up before it showed anything about the provider."""
        self._on_trial = False
