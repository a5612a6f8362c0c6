"""Trouble inside: one bad thing never takes the rest down, and what was accepted is kept."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue
from structlog.testing import capture_logs

from bot.clock import ManualClock
from bot.core.errors import ConflictError, StorageError, StorageUnavailableError
from bot.core.inbox import InboxStatus, UpdateKind
from bot.core.recurrence import Rule
from bot.core.schedules import DeliveryStatus, Schedule
from bot.core.turns import TurnOutcome
from bot.delivery import Delivery
from bot.demo import settled
from bot.dispatcher import MAX_ATTEMPTS, MAX_CONFLICTS
from tests.patience import PATIENCE_SECONDS
from tests.stage import TUESDAY, Stage, stage


@pytest.fixture(autouse=True)
def nothing_is_printed() -> Iterator[None]:
    """Printing a traceback reads source files, which is forbidden on the loop here."""
    with capture_logs():
        yield


async def test_a_reminder_that_cannot_be_made_is_skipped_and_the_others_arrive(
    hub: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hub.say("9分钟后提醒我读坏规则")
    await hub.say("10分钟后提醒我喝水")
    scheduler, working = hub.app.scheduler, hub.app.scheduler._next_fire

    def failing(rule: Rule, after: object) -> object:
        if rule.dtstart_local.minute == 9:
            raise OverflowError("a rule from another world")
        return working(rule, after)  # type: ignore[arg-type]  # the same argument

    monkeypatch.setattr(scheduler, "_next_fire", failing)
    (due,) = await hub.later(minutes=10)

    assert due.text == "⏰ 喝水"
    deliveries = await hub.app.stores.schedules.deliveries((await hub.person()).person_id)
    assert {(d.status, d.reason) for d in deliveries} == {
        (DeliveryStatus.DELIVERED, ""),
        (DeliveryStatus.SKIPPED, "internal error"),
    }
    assert await hub.app.stores.schedules.next_due_at() is None


async def test_a_recurring_reminder_outlives_a_moment_that_could_not_be_made(
    hub: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hub.say("每天早上8点提醒我吃药")

    def failing(*_: object) -> object:
        raise KeyError("no such text")

    with monkeypatch.context() as patch:
        patch.setattr("bot.scheduler.reminder_message", failing)
        assert await hub.later(hours=22) == []
    (due,) = await hub.later(days=1)

    assert due.text == "⏰ 吃药"


async def test_a_store_that_cannot_be_read_keeps_no_bot_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_: object, **__: object) -> tuple[Schedule, ...]:
        raise ValueError("a row from another world")

    async with stage(tmp_path) as hub:
        await hub.say("10分钟后提醒我喝水")
        monkeypatch.setattr(hub.app.stores.schedules, "due", failing)
        assert await hub.app.scheduler.tick() == 0
        (answer,) = await hub.say("午饭35")

    assert "已记" in answer.text


async def test_a_reminder_set_while_the_next_moment_is_looked_up_is_waited_for(
    hub: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedules, look_up, begun = hub.app.stores.schedules, asyncio.Event(), asyncio.Event()
    working = schedules.next_due_at

    async def slow() -> object:
        found = await working()
        begun.set()
        await look_up.wait()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(schedules, "next_due_at", slow)
        hub.app.scheduler.changed()
        await begun.wait()
        await hub.say("10分钟后提醒我喝水")
        look_up.set()
        await until(lambda: hub.app.scheduler._timer.get_job("due") is not None)

    assert hub.app.scheduler._timer.get_job("due").next_run_time == await working()


async def until(check: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not check():  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0)


@pytest.mark.parametrize("error", [StorageUnavailableError("full"), StorageError("torn")])
async def test_an_event_that_can_neither_be_handled_nor_buried_stops_nobody_else(
    hub: Stage, monkeypatch: pytest.MonkeyPatch, error: StorageError
) -> None:
    enter, finish = hub.app.dispatcher._gates.enter, hub.app.stores.inbox.finish
    failures = [error]

    async def failing_enter(event: object) -> object:
        if getattr(event, "text", "") == "坏":
            raise ValueError("a bug")
        return await enter(event)  # type: ignore[arg-type]  # the same argument

    async def failing_finish(event_id: str, **how: object) -> None:
        if failures:
            raise failures.pop()
        await finish(event_id, **how)  # type: ignore[arg-type]  # the same arguments

    monkeypatch.setattr(hub.app.dispatcher._gates, "enter", failing_enter)
    monkeypatch.setattr(hub.app.stores.inbox, "finish", failing_finish)
    raw = hub.raw({"kind": "message", "text": "坏", "message": "m1"}, who="bob", key="bad")
    await hub.app.dispatcher.accept(raw)
    await until(lambda: not failures)
    raw = hub.raw({"kind": "message", "text": "午饭35", "message": "m2"}, key="good")
    await hub.app.dispatcher.accept(raw)
    await until_done(hub, "good")
    hub.clock.turn(seconds=1)

    if isinstance(error, StorageUnavailableError):
        await until_done(hub, "bad")
    assert await hub.items() == ["午饭 35.00"]


async def until_done(hub: Stage, key: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            row = await hub.app.stores.inbox.get(f"puppet:puppet:{key}")
            if row is not None and row.status is not InboxStatus.NEW:
                return
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("conflicts", [MAX_ATTEMPTS + 1, MAX_CONFLICTS])
async def test_a_session_that_moves_on_again_and_again_costs_no_answer(
    hub: Stage, monkeypatch: pytest.MonkeyPatch, conflicts: int
) -> None:
    commit, left = hub.app.stores.turns.commit, [conflicts]

    async def moving_on(outcome: TurnOutcome) -> None:
        if left[0]:
            left[0] -= 1
            raise ConflictError("moved on")
        await commit(outcome)

    monkeypatch.setattr(hub.app.stores.turns, "commit", moving_on)
    (answer,) = await hub.say("午饭35")

    assert "已记" in answer.text
    assert await hub.items() == ["午饭 35.00"]


async def test_a_turn_that_cannot_be_kept_is_apologised_for(
    hub: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = hub.app.stores.turns.commit

    async def picky(outcome: TurnOutcome) -> None:
        if "午饭" in outcome.record.text:
            raise ValueError("cannot be kept")
        await commit(outcome)

    monkeypatch.setattr(hub.app.stores.turns, "commit", picky)
    (answer,) = await hub.say("午饭35")
    monkeypatch.undo()

    assert "没有处理完" in answer.text
    (later,) = await hub.say("打车20")
    assert "已记：打车" in later.text


async def test_half_a_character_in_a_message_does_not_lose_it(hub: Stage) -> None:
    (answer,) = await hub.say("午饭35\ud83d")

    assert answer.text

    (listed,) = await hub.say("打车20")
    assert "已记：打车" in listed.text


async def test_an_event_that_ends_every_life_is_apologised_for_and_buried(tmp_path: Path) -> None:
    clock = ManualClock(TUESDAY)
    async with stage(tmp_path, clock=clock) as hub:
        raw = hub.raw({"kind": "message", "text": "午饭35", "message": "m1"}, key="deadly")
        await hub.app.stores.inbox.accept(raw)
        for _ in range(MAX_ATTEMPTS):
            await hub.app.stores.inbox.begin(raw.event_id)  # and the process died

    async with stage(tmp_path, clock=clock) as hub:
        await until_done(hub, "deadly")
        row = await hub.app.stores.inbox.get(raw.event_id)

    assert row is not None
    assert (row.status, row.note) == (InboxStatus.DEAD, "too many attempts")


async def test_a_store_that_takes_nothing_shows_as_unhealthy_until_it_does_again(
    hub: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept = type(hub.app.stores.inbox).accept

    async def full(*_: object, **__: object) -> None:
        raise StorageUnavailableError("disk full")

    monkeypatch.setattr(type(hub.app.stores.inbox), "accept", full)
    with pytest.raises(StorageUnavailableError):
        await hub.say("午饭35")
    assert hub.app.dispatcher.health()["accepting"].startswith("!")

    monkeypatch.setattr(type(hub.app.stores.inbox), "accept", accept)
    await hub.say("午饭35")
    assert hub.app.dispatcher.health() == {"accepting": "yes"}


async def test_a_message_whose_queueing_was_not_noticed_is_found_by_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to a commit can be lost after the commit has happened."""
    monkeypatch.setattr(Delivery, "wake", lambda _self, _chat, _class: None)
    async with stage(tmp_path) as hub:
        body: dict[str, JsonValue] = {"kind": "message", "text": "午饭35", "message": "m1"}
        await hub.feed(body, kind=UpdateKind.MESSAGE, who="anna", chat=None, settle=False)
        while not await hub.app.stores.outbox.open_chats():  # noqa: ASYNC110  # it has no bell
            await asyncio.sleep(0.005)
        assert hub.puppet.sent == []

        monkeypatch.undo()
        await hub.app.delivery.wake_all()
        await settled(hub.app.stores)

        assert len(hub.puppet.sent) == 1
