"""How fast messages may go out: token buckets per bot and per chat, and pauses on demand."""

from datetime import datetime, timedelta

from bot.core.events import Chat, ChatKind
from bot.core.outbox import OutboxClass
from bot.core.ports import Clock, Rate, SendLimits

_MANY_CHATS = 4096


class Bucket:
    """Tokens that come back at a steady rate.

    Interactive messages reserve: they take a token that will be there, and are told when.
    Bulk messages only take what is there, and leave a third of the bucket alone, so that any
    number of them never makes an answer wait.
    """

    def __init__(self, rate: Rate, now: datetime) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._at = now

    def wait_for_bulk(self, now: datetime) -> float:
        """Return the seconds until a bulk message may take a token."""
        self._refill(now)
        kept = min(self._rate.burst / 3, self._rate.burst - 1)
        return max(0.0, (1 + kept - self._tokens) / self._rate.per_second)

    def reserve(self, now: datetime) -> float:
        """Take a token and return the seconds until it is there."""
        self._refill(now)
        self._tokens -= 1
        return max(0.0, -self._tokens / self._rate.per_second)

    def is_full(self, now: datetime) -> bool:
        """Whether nobody has taken anything lately."""
        self._refill(now)
        return self._tokens >= self._rate.burst

    def _refill(self, now: datetime) -> None:
        passed = max(0.0, (now - self._at).total_seconds())
        self._tokens = min(self._rate.burst, self._tokens + passed * self._rate.per_second)
        self._at = now


class Throttle:
    """Lets messages of one bot out at the rate its platform takes them."""

    def __init__(self, limits: SendLimits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._overall = Bucket(limits.overall, clock.now()) if limits.overall else None
        self._chats: dict[str, Bucket] = {}
        self._paused: dict[str, datetime] = {}

    def pause(self, chat: Chat, seconds: float) -> None:
        """Leave this chat alone for so long: the platform asked for it."""
        until = self._clock.now() + timedelta(seconds=seconds)
        self._paused[chat.chat_id] = max(until, self._paused.get(chat.chat_id, until))

    async def admit(self, chat: Chat, outbox_class: OutboxClass) -> None:
        """Return when a message to this chat may leave, and count it."""
        buckets = self._buckets(chat)
        if outbox_class is OutboxClass.INTERACTIVE:
            now = self._clock.now()
            await self._sleep(max((bucket.reserve(now) for bucket in buckets), default=0.0))
        else:
            while wait := self._bulk_wait(buckets):
                await self._clock.sleep(wait)
            for bucket in buckets:
                bucket.reserve(self._clock.now())
        while wait := self._paused_for(chat):
            await self._clock.sleep(wait)

    async def _sleep(self, seconds: float) -> None:
        if seconds > 0:
            await self._clock.sleep(seconds)

    def _bulk_wait(self, buckets: list[Bucket]) -> float:
        now = self._clock.now()
        return max((bucket.wait_for_bulk(now) for bucket in buckets), default=0.0)

    def _paused_for(self, chat: Chat) -> float:
        until = self._paused.get(chat.chat_id)
        if until is None:
            return 0.0
        left = (until - self._clock.now()).total_seconds()
        if left <= 0:
            del self._paused[chat.chat_id]
        return max(0.0, left)

    def _buckets(self, chat: Chat) -> list[Bucket]:
        """Return the chat's bucket and the bot's; threads of a chat share theirs."""
        rate = self._limits.group if chat.kind is ChatKind.GROUP else self._limits.private
        found = [self._overall] if self._overall else []
        if rate is not None:
            if chat.chat_id not in self._chats:
                self._forget_quiet_chats()
                self._chats[chat.chat_id] = Bucket(rate, self._clock.now())
            found.append(self._chats[chat.chat_id])
        return found

    def _forget_quiet_chats(self) -> None:
        if len(self._chats) >= _MANY_CHATS:
            now = self._clock.now()
            self._chats = {
                key: bucket for key, bucket in self._chats.items() if not bucket.is_full(now)
            }
