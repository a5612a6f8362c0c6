"""The scheduler with many stored reminders, and what a crowd of due ones costs a reply."""

import asyncio
import statistics
import tempfile
import time
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from agents.schedule.present import once_rule
from benchmarks.report import Figure
from bot.core.effects import Effect
from bot.core.events import Chat, ChatKind
from bot.core.schedules import ScheduleDraft
from bot.demo import settled
from tests.stage import Stage, stage

STORED = 100_000
DUE = 1_000
TICKS = 50
ROUNDS = 5


async def measure() -> list[Figure]:
    """Return the cost of an idle tick and the delay of replies while many reminders go out."""
    with tempfile.TemporaryDirectory() as folder:
        async with stage(Path(folder)) as hub:
            await hub.say("你好")
            await _fill(hub, STORED, ahead=timedelta(days=30), chats=500, prefix="far")
            idle = await _idle_tick(hub)
            quiet = await _reply(hub)
            await _fill(hub, DUE, ahead=timedelta(minutes=5), chats=DUE, prefix="near")
            hub.clock.turn(minutes=5)
            begin = time.perf_counter()
            firing = asyncio.create_task(hub.app.scheduler.tick())
            crowded = [await _reply(hub) for _ in range(ROUNDS)]
            await firing
            await settled(hub.app.stores)
            whole = time.perf_counter() - begin
    return [
        Figure(f"idle tick, {STORED:,} schedules", idle * 1000, "ms"),
        Figure(f"reply while {DUE:,} reminders go out, worst", max(crowded) * 1000, "ms"),
        Figure("reply on a quiet hub", quiet * 1000, "ms"),
        Figure(f"{DUE:,} reminders fired and sent", whole, "s"),
    ]


async def _idle_tick(hub: Stage) -> float:
    took = []
    for _ in range(TICKS):
        begin = time.perf_counter()
        await hub.app.scheduler.tick()
        took.append(time.perf_counter() - begin)
    return statistics.median(took)


async def _reply(hub: Stage) -> float:
    seen = len(hub.puppet.sent)
    begin = time.perf_counter()
    body = {"kind": "message", "text": "现在几点", "message": f"r{begin}"}
    await hub.app.dispatcher.accept(hub.raw(dict(body)))
    while all(row.draft.delivery_id for row in hub.puppet.sent[seen:]):
        hub.puppet.arrived.clear()
        await hub.puppet.arrived.wait()
    return time.perf_counter() - begin


async def _fill(hub: Stage, count: int, *, ahead: timedelta, chats: int, prefix: str) -> None:
    """Store reminders; inserted through the port, in bounded crowds."""
    owner = (await hub.person()).person_id
    local = hub.clock.now().astimezone(UTC) + ahead
    draft = ScheduleDraft(
        what="喝水",
        rule=once_rule(local.astimezone(hub_zone())),
        next_fire_at=local,
        chat=Chat(platform="puppet", bot="puppet", chat_id="0", kind=ChatKind.GROUP),
    )
    for start in range(0, count, 500):
        await asyncio.gather(
            *(
                hub.app.stores.schedules.insert(
                    owner,
                    replace(draft, chat=replace(draft.chat, chat_id=f"c{n % chats}")),
                    effect=Effect(effect_id=f"{prefix}{n}", at=hub.clock.now()),
                )
                for n in range(start, min(start + 500, count))
            )
        )


def hub_zone() -> ZoneInfo:
    """Return the zone that the stage's people live in."""
    return ZoneInfo("Asia/Shanghai")
