"""How fast messages go out."""

import asyncio
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.limits import LIMITS
from bot.clock import ManualClock
from bot.core.events import Chat, ChatKind
from bot.core.outbox import OutboxClass
from bot.core.ports import Rate, SendLimits
from bot.throttle import Bucket, Throttle

START = datetime(2026, 12, 1, tzinfo=UTC)
INTERACTIVE, BULK = OutboxClass.INTERACTIVE, OutboxClass.BULK


def chat(chat_id: str = "1", kind: ChatKind = ChatKind.PRIVATE) -> Chat:
    return Chat(platform="telegram", bot="42", chat_id=chat_id, kind=kind)


async def spin() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class Sending:
    """Sends that are let out, with the second at which each left."""

    def __init__(self, limits: SendLimits) -> None:
        self.clock = ManualClock(START)
        self.throttle = Throttle(limits, self.clock)
        self.left: list[tuple[str, float]] = []
        self.tasks: list[asyncio.Task[None]] = []

    def send(self, name: str, to: Chat, outbox_class: OutboxClass = INTERACTIVE) -> None:
        async def go() -> None:
            await self.throttle.admit(to, outbox_class)
            self.left.append((name, (self.clock.now() - START).total_seconds()))

        self.tasks.append(asyncio.create_task(go()))

    async def turn(self, seconds: float, step: float = 0.05) -> None:
        await spin()
        for _ in range(round(seconds / step)):
            self.clock.turn(seconds=step)
            await spin()

    def end(self) -> None:
        for task in self.tasks:
            task.cancel()


async def test_a_private_chat_takes_a_short_burst_and_then_one_a_second() -> None:
    sending = Sending(LIMITS)
    for n in range(6):
        sending.send(str(n), chat())
    await sending.turn(4)

    assert [round(at) for _, at in sending.left] == [0, 0, 0, 1, 2, 3]


async def test_a_group_takes_no_more_than_twenty_in_a_minute() -> None:
    sending = Sending(LIMITS)
    for n in range(40):
        sending.send(str(n), chat("-5", ChatKind.GROUP))
    await sending.turn(60, step=1)
    sending.end()

    assert len(sending.left) == 20


async def test_no_second_sees_more_than_thirty_messages_over_all_chats() -> None:
    sending = Sending(LIMITS)
    for n in range(200):
        sending.send(str(n), chat(str(n)))
    await sending.turn(8, step=0.02)

    times = [at for _, at in sending.left]
    assert len(times) == 200
    assert times[-1] <= 7.5
    assert all(sum(at <= t < at + 1 for t in times) <= 31 for at in times)


async def test_a_chat_that_was_told_to_wait_holds_up_no_other() -> None:
    """T04, PT6: retry_after is obeyed for its chat, in both classes."""
    sending = Sending(LIMITS)
    sending.throttle.pause(chat("1"), 30)
    sending.send("answer", chat("1"))
    sending.send("reminder", chat("1"), BULK)
    sending.send("other", chat("2"))
    await sending.turn(29, step=1)
    assert [name for name, _ in sending.left] == ["other"]

    await sending.turn(2, step=1)
    assert {name for name, _ in sending.left} == {"other", "answer", "reminder"}


async def test_a_third_of_a_bucket_is_kept_for_answers() -> None:
    limits = SendLimits(overall=Rate(burst=9, per_second=0.1))
    sending = Sending(limits)
    for n in range(20):
        sending.send(f"bulk{n}", chat(str(n)), BULK)
    await spin()
    assert len(sending.left) == 6

    for n in range(3):
        sending.send(f"answer{n}", chat(str(n)))
    await spin()
    assert len(sending.left) == 9
    sending.end()


async def test_any_number_of_reminders_delays_an_answer_by_one_token_at_most() -> None:
    sending = Sending(SendLimits(overall=Rate(burst=3, per_second=10)))
    for n in range(500):
        sending.send("bulk", chat(str(n)), BULK)
    await sending.turn(2)
    sending.send("answer", chat("x"))
    before = (sending.clock.now() - START).total_seconds()
    await sending.turn(0.2)

    assert dict(sending.left)["answer"] - before <= 0.11
    sending.end()


async def test_without_limits_nothing_waits() -> None:
    sending = Sending(SendLimits())
    for n in range(1000):
        sending.send(str(n), chat())
    await spin()

    assert len(sending.left) == 1000


@given(st.lists(st.floats(0, 3), min_size=1, max_size=60), st.floats(1, 20), st.floats(0.1, 50))
@settings(max_examples=100, deadline=None)
def test_a_bucket_never_lets_out_more_than_burst_and_rate(
    pauses: list[float], burst: float, rate: float
) -> None:
    now = START
    bucket = Bucket(Rate(burst=burst, per_second=rate), now)
    leaving: list[float] = []
    for pause in pauses:
        now += timedelta(seconds=pause)
        leaving.append((now - START).total_seconds() + bucket.reserve(now))

    for n, first in enumerate(leaving):
        for count, last in enumerate(leaving[n:], start=1):
            assert count <= burst + rate * (last - first) + 1.001
