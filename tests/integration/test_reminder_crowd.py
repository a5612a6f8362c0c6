"""Many reminders: what they may cost others, counted instead of timed."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

import pytest

from agents.schedule.present import once_rule
from bot.core.effects import Effect
from bot.core.events import Chat, ChatKind
from bot.core.schedules import DeliveryStatus, Firing, Schedule, ScheduleDraft
from bot.demo import settled
from storage.sqlite.database import Database, Job
from tests.stage import Stage, stage

CROWD = 300
T = TypeVar("T")


async def fill(hub: Stage, count: int, *, minutes: int) -> str:
    """Store reminders for many groups, all due at one moment."""
    await hub.say("你好")
    owner = (await hub.person()).person_id
    due = hub.clock.now() + timedelta(minutes=minutes)
    draft = ScheduleDraft(
        what="喝水",
        rule=once_rule(due.astimezone(ZoneInfo("Asia/Shanghai"))),
        next_fire_at=due,
        chat=Chat(platform="puppet", bot="puppet", chat_id="0", kind=ChatKind.GROUP),
    )
    await asyncio.gather(
        *(
            hub.app.stores.schedules.insert(
                owner,
                replace(draft, chat=replace(draft.chat, chat_id=f"c{n}")),
                effect=Effect(effect_id=f"fill{n}", at=hub.clock.now()),
            )
            for n in range(count)
        )
    )
    return owner


async def test_a_reply_overtakes_a_crowd_of_due_reminders(hub: Stage) -> None:
    await fill(hub, CROWD, minutes=5)
    hub.clock.turn(minutes=5)
    before = len(hub.puppet.sent)

    firing = asyncio.create_task(hub.app.scheduler.tick())
    await hub.feed(
        {"kind": "message", "text": "现在几点", "message": "m1"},
        kind=hub.raw({}).kind,
        who="anna",
        chat=None,
        settle=False,
    )
    await firing
    await settled(hub.app.stores)

    sent = hub.puppet.sent[before:]
    place = next(n for n, row in enumerate(sent) if row.draft.delivery_id is None)
    assert len(sent) == CROWD + 1
    assert place < CROWD / 2


async def test_every_reminder_of_a_crowd_is_sent_once_and_called_delivered(hub: Stage) -> None:
    owner = await fill(hub, CROWD, minutes=5)

    await hub.later(minutes=5)

    deliveries = await hub.app.stores.schedules.deliveries(owner, limit=CROWD * 2)
    chats = [row.draft.chat.chat_id for row in hub.puppet.sent if row.draft.delivery_id]
    assert len(set(chats)) == len(chats) == CROWD
    assert {d.status for d in deliveries} == {DeliveryStatus.DELIVERED}


@pytest.mark.sqlite_only
async def test_an_idle_tick_asks_the_store_twice_however_many_are_stored(
    hub: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(hub, CROWD, minutes=60)
    reads = []
    plain = Database.read

    async def counted(self: Database, job: Job[T]) -> T:
        reads.append(job)
        return await plain(self, job)

    monkeypatch.setattr(Database, "read", counted)

    await hub.app.scheduler.tick()

    assert len(reads) == 2


async def test_one_firing_that_cannot_be_stored_does_not_hold_up_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage(tmp_path) as hub:
        await fill(hub, 3, minutes=5)
        schedules = hub.app.stores.schedules
        plain = type(schedules).fire
        bad: Schedule = (await schedules.due(hub.clock.now() + timedelta(hours=1), limit=1))[0]

        async def fire(self: object, firings: list[Firing], **more: object) -> int:
            if any(firing.schedule_id == bad.schedule_id for firing in firings):
                raise ValueError("cannot be stored")
            return await plain(self, firings, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(type(schedules), "fire", fire)

        sent = await hub.later(minutes=5)

        assert len(sent) == 2
