"""What was said over half an hour before it is handled: added is what is new, nothing else."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.people import Person
from bot.demo import settled
from tests.stage import Shown, Stage

OVERWRITING = [
    "改成77",
    "早餐改成77",
    "撤销",
    "删掉早餐",
    "把货币改成美元",
    "以后叫我小李",
    "把语言换成英文",
    "把喝水的提醒改到下午3点",
    "别提醒我喝水了",
    "/space 305",
    "/settings America/New_York",
]


ADDING = {
    "ledger_insert",
    "memory_append",
    "memory_save",
    "profile_advance",
    "schedule_insert",
}
"""What writes and loses nothing: it may be done for an order that comes late."""


async def said_before(hub: Stage, minutes: int, text: str, **more: bool) -> list[Shown]:
    """Let something arrive now that was said so long ago."""
    before = len(hub.puppet.sent)
    number = next(hub.numbers)
    raw = hub.raw({"kind": "message", "text": text, "message": f"old{number}", **more})
    said_at = hub.clock.now() - timedelta(minutes=minutes)
    await hub.app.dispatcher.accept(replace(raw, received_at=said_at))
    await settled(hub.app.stores)
    return [Shown(row) for row in hub.puppet.sent[before:]]


async def state_of(hub: Stage) -> tuple[list[str], list[tuple[object, ...]], Person, str]:
    """Return all that an order could overwrite."""
    person = await hub.person()
    reminders = await hub.app.stores.schedules.of_person(person.person_id)
    turn = hub.puppet.parse(hub.raw({"kind": "message", "text": "-", "message": "-"}))
    session = await hub.app.stores.sessions.load(turn.session_key)
    return (
        await hub.items(),
        [(r.what, r.cancelled, r.next_fire_at) for r in reminders],
        person,
        session.space if session else "",
    )


@pytest.mark.parametrize("order", OVERWRITING)
async def test_an_old_order_overwrites_nothing_and_is_asked_for_again(
    hub: Stage, order: str
) -> None:
    """PF28."""
    await hub.say("明天上午9点提醒我喝水")
    await hub.say("早餐8")
    before = await state_of(hub)

    hub.clock.turn(minutes=40)
    (answer,) = await said_before(hub, 31, order)

    assert await state_of(hub) == before
    assert "请再说一次" in answer.text
    assert order in answer.text


@pytest.mark.parametrize("order", OVERWRITING)
async def test_the_same_order_is_followed_while_it_is_fresh(hub: Stage, order: str) -> None:
    await hub.say("明天上午9点提醒我喝水")
    await hub.say("早餐8")
    before = await state_of(hub)
    hub.clock.turn(minutes=40)
    (answer, *_) = await said_before(hub, 29, order)
    assert "请再说一次" not in answer.text
    assert await state_of(hub) != before


async def test_what_adds_something_is_done_however_late(hub: Stage) -> None:
    """Nothing that was accepted is lost: it is marked as late, and can be taken back."""
    await hub.say("早餐8")
    hub.clock.turn(minutes=90)
    (booked,) = await said_before(hub, 80, "午饭35")
    (kept,) = await said_before(hub, 80, "明天上午9点提醒我喝水")
    assert await hub.items() == ["早餐 8.00", "午饭 35.00"]
    assert "请再说一次" not in booked.text + kept.text
    assert len((await state_of(hub))[1]) == 1


async def test_each_tool_that_writes_adds_or_is_kept_from_old_orders(hub: Stage) -> None:
    free = {
        tool.name
        for tool in hub.app.registry.tools
        if tool.writes and not (tool.overwrites or tool.confirm)
    }
    assert free == ADDING
