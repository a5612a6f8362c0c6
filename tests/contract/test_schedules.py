"""Promises of `bot.core.schedules.Schedules`, and of the outbox about deliveries."""

import asyncio
from dataclasses import replace
from datetime import datetime

import pytest

from bot.core.errors import ConflictError, NotFoundError
from bot.core.outbox import OutboxClass
from bot.core.schedules import Delivery, DeliveryStatus, Schedule, ScheduleChange
from bot.core.stores import Stores
from tests.contract.samples import (
    CHAT,
    NOW,
    ODD,
    RACERS,
    action,
    effect,
    firing,
    later,
    reminder,
    rule,
)


async def add(
    stores: Stores, name: str = "add", *, at: datetime = NOW, by: str = "p_a"
) -> Schedule:
    return await stores.schedules.insert(by, reminder(at, name), effect=effect(name))


async def only_delivery(stores: Stores) -> Delivery:
    (found,) = await stores.schedules.deliveries("p_a")
    return found


async def test_a_reminder_comes_back_as_it_was_stored(stores: Stores) -> None:
    made = await stores.schedules.insert("p_a", reminder(), effect=effect("add"))

    assert made == Schedule(
        schedule_id=made.schedule_id,
        person_id="p_a",
        what=ODD,
        rule=rule(),
        next_fire_at=NOW,
        chat=CHAT,
        mention="42",
        when_late="skip",
        created_at=NOW,
    )
    assert await stores.schedules.get("p_a", made.schedule_id) == made


async def test_racing_repeats_of_one_effect_store_one_reminder(stores: Stores) -> None:
    made = await asyncio.gather(*(add(stores) for _ in range(RACERS)))

    assert len({schedule.schedule_id for schedule in made}) == 1
    assert len(await stores.schedules.of_person("p_a")) == 1


async def test_a_change_rises_the_revision_and_keeps_the_rest(stores: Stores) -> None:
    made = await add(stores)
    new_rule = rule().model_copy(update={"times": ("09:30",)})

    changed = await stores.schedules.update(
        "p_a",
        made.schedule_id,
        revision=1,
        change=ScheduleChange(rule=new_rule, next_fire_at=later(days=1)),
        effect=effect("change"),
    )

    assert changed == replace(made, rule=new_rule, next_fire_at=later(days=1), revision=2)
    assert await stores.schedules.get("p_a", made.schedule_id) == changed


async def test_of_racing_changes_of_one_revision_exactly_one_wins(stores: Stores) -> None:
    made = await add(stores)

    results = await asyncio.gather(
        *(
            stores.schedules.update(
                "p_a",
                made.schedule_id,
                revision=1,
                change=ScheduleChange(what=str(n)),
                effect=effect(f"e{n}"),
            )
            for n in range(RACERS)
        ),
        return_exceptions=True,
    )

    assert sum(isinstance(result, Schedule) for result in results) == 1
    assert sum(isinstance(result, ConflictError) for result in results) == RACERS - 1


async def test_a_cancelled_reminder_is_not_due_and_can_come_back(stores: Stores) -> None:
    made = await add(stores)

    (cancelled,) = await stores.schedules.cancel("p_a", [made.schedule_id], effect=effect("c"))

    assert cancelled == replace(made, cancelled=True, revision=2)
    assert await stores.schedules.get("p_a", made.schedule_id) == cancelled
    assert await stores.schedules.next_due_at() is None
    assert await stores.schedules.due(NOW, limit=9) == ()
    assert await stores.schedules.upcoming("p_a", limit=9) == ()
    assert await stores.schedules.of_person("p_a") == (cancelled,)
    with pytest.raises(NotFoundError):
        await stores.schedules.update(
            "p_a", made.schedule_id, revision=2, change=ScheduleChange(), effect=effect("u")
        )

    (restored,) = await stores.schedules.restore("p_a", [made.schedule_id], effect=effect("r"))

    assert restored == replace(made, revision=3)
    assert await stores.schedules.due(NOW, limit=9) == (restored,)


async def test_cancel_and_restore_return_only_what_they_changed(stores: Stores) -> None:
    one, two = await add(stores, "one"), await add(stores, "two")
    both = [one.schedule_id, two.schedule_id, one.schedule_id]
    await stores.schedules.cancel("p_a", [one.schedule_id], effect=effect("e1"))

    cancelled = await stores.schedules.cancel("p_a", both, effect=effect("e2"))
    assert [found.what for found in cancelled] == ["two"]
    restored = await stores.schedules.restore("p_a", both, effect=effect("e3"))
    assert [found.what for found in restored] == ["one", "two"]
    assert await stores.schedules.cancel("p_a", [one.schedule_id], effect=effect("e1")) == (
        replace(one, cancelled=True, revision=2),
    )
    assert len(await stores.schedules.upcoming("p_a", limit=9)) == 2


async def test_a_person_reaches_only_their_own_reminders(stores: Stores) -> None:
    mine, theirs = await add(stores, "mine"), await add(stores, "theirs", by="p_b")
    stranger = theirs.schedule_id

    assert await stores.schedules.get("p_a", stranger) is None
    assert await stores.schedules.upcoming("p_a", limit=9) == (mine,)
    assert await stores.schedules.of_person("p_b") == (theirs,)
    with pytest.raises(NotFoundError):
        await stores.schedules.cancel("p_a", [mine.schedule_id, stranger], effect=effect("1"))
    with pytest.raises(NotFoundError):
        await stores.schedules.restore("p_a", [stranger], effect=effect("2"))
    with pytest.raises(NotFoundError):
        await stores.schedules.update(
            "p_a", stranger, revision=1, change=ScheduleChange(what="x"), effect=effect("3")
        )
    assert await stores.schedules.get("p_a", mine.schedule_id) == mine
    assert await stores.schedules.get("p_b", stranger) == theirs


async def test_upcoming_is_next_first_and_limited(stores: Stores) -> None:
    for name, hours in [("c", 3), ("a", 1), ("b", 2)]:
        await add(stores, name, at=later(hours=hours))

    found = await stores.schedules.upcoming("p_a", limit=2)
    assert [schedule.what for schedule in found] == ["a", "b"]


async def test_due_returns_what_has_come_the_most_overdue_first(stores: Stores) -> None:
    assert await stores.schedules.next_due_at() is None
    for name, seconds in [("now", 0), ("long ago", -3600), ("soon", 1), ("ago", -1)]:
        await add(stores, name, at=later(seconds=seconds))

    assert await stores.schedules.next_due_at() == later(hours=-1)
    due = await stores.schedules.due(NOW, limit=9)
    assert [schedule.what for schedule in due] == ["long ago", "ago", "now"]
    assert len(await stores.schedules.due(NOW, limit=2)) == 2


async def test_a_firing_stores_delivery_message_and_actions_and_moves_on(
    stores: Stores,
) -> None:
    made = await add(stores)
    fired = firing(made, next_fire_at=later(days=7))

    assert await stores.schedules.fire([fired], now=later(seconds=2)) == 1

    moved = replace(made, next_fire_at=later(days=7))
    assert await stores.schedules.get("p_a", made.schedule_id) == moved
    assert await stores.schedules.deliveries("p_a") == fired.deliveries
    row = await stores.outbox.get(fired.outbox[0].outbox_id)
    assert row is not None
    assert (row.draft, row.created_at) == (fired.outbox[0], later(seconds=2))
    assert await stores.actions.get(fired.actions[0].token) == fired.actions[0]


async def test_a_rule_that_has_ended_leaves_nothing_to_come(stores: Stores) -> None:
    made = await add(stores)
    await stores.schedules.fire([firing(made)], now=NOW)

    assert await stores.schedules.next_due_at() is None
    assert await stores.schedules.upcoming("p_a", limit=9) == ()
    ended = await stores.schedules.get("p_a", made.schedule_id)
    assert ended == replace(made, next_fire_at=None)


async def test_firing_twice_stores_once(stores: Stores) -> None:
    fired = firing(await add(stores), next_fire_at=later(days=7))

    assert await stores.schedules.fire([fired, fired], now=NOW) == 1
    assert await stores.schedules.fire([fired], now=NOW) == 0
    assert len(await stores.schedules.deliveries("p_a")) == 1
    assert await stores.outbox.counts() == {"queued": 1}


async def test_racing_firings_of_one_moment_store_once(stores: Stores) -> None:
    fired = firing(await add(stores), next_fire_at=later(days=7))

    counts = await asyncio.gather(
        *(stores.schedules.fire([fired], now=NOW) for _ in range(RACERS))
    )

    assert sum(counts) == 1
    assert await stores.outbox.counts() == {"queued": 1}


async def test_a_moment_that_comes_round_again_is_stored_once(stores: Stores) -> None:
    made = await add(stores)
    await stores.schedules.fire([firing(made, next_fire_at=made.next_fire_at)], now=NOW)
    await stores.schedules.fire([firing(made, next_fire_at=later(days=7))], now=NOW)

    assert len(await stores.schedules.deliveries("p_a")) == 1
    assert await stores.outbox.counts() == {"queued": 1}


async def test_a_firing_of_a_changed_reminder_is_left_out_and_the_others_are_stored(
    stores: Stores,
) -> None:
    edited, moved, gone, live = [await add(stores, name) for name in "emgl"]
    firings = [firing(schedule) for schedule in (edited, moved, gone, live)]
    await stores.schedules.update(
        "p_a",
        edited.schedule_id,
        revision=1,
        change=ScheduleChange(what="edited"),
        effect=effect("edit"),
    )
    await stores.schedules.cancel("p_a", [gone.schedule_id], effect=effect("cancel"))
    unexpected = replace(firings[1], expected_fire_at=later(days=1))

    assert await stores.schedules.fire([firings[0], unexpected, *firings[2:]], now=NOW) == 1

    (stored,) = await stores.schedules.deliveries("p_a")
    assert stored.schedule_id == live.schedule_id
    assert await stores.outbox.counts() == {"queued": 1}
    for left_out in firings[:3]:
        assert await stores.actions.get(left_out.actions[0].token) is None


async def test_a_firing_that_cannot_be_stored_leaves_nothing(stores: Stores) -> None:
    fired = firing(await add(stores))
    broken = replace(action("broken"), arguments={"x": object()})  # type: ignore[dict-item]  # on purpose

    with pytest.raises(Exception, match="object"):
        await stores.schedules.fire([replace(fired, actions=(broken,))], now=NOW)

    assert await stores.schedules.deliveries("p_a") == ()
    assert await stores.outbox.counts() == {}
    assert await stores.schedules.next_due_at() == NOW


@pytest.mark.parametrize(
    ("late", "status"), [(False, DeliveryStatus.DELIVERED), (True, DeliveryStatus.LATE)]
)
async def test_a_sent_reminder_is_delivered_or_late(
    stores: Stores, *, late: bool, status: DeliveryStatus
) -> None:
    fired = firing(await add(stores), late=late)
    await stores.schedules.fire([fired], now=NOW)
    await stores.outbox.mark_sending(fired.outbox[0].outbox_id)
    assert (await only_delivery(stores)).status is DeliveryStatus.PENDING

    await stores.outbox.mark_sent(fired.outbox[0].outbox_id, message_id="m", now=later(seconds=3))

    assert await only_delivery(stores) == replace(
        fired.deliveries[0], status=status, settled_at=later(seconds=3)
    )
    assert await stores.turns.linked(CHAT.key, "m") == fired.outbox[0].entities


async def test_a_reminder_that_is_tried_again_is_retrying_until_it_is_sent(
    stores: Stores,
) -> None:
    fired = firing(await add(stores))
    await stores.schedules.fire([fired], now=NOW)
    await stores.outbox.mark_retry(
        fired.outbox[0].outbox_id, not_before=later(minutes=1), error="timeout"
    )
    retrying = await only_delivery(stores)
    assert (retrying.status, retrying.settled_at) == (DeliveryStatus.RETRYING, None)

    await stores.outbox.mark_sent(fired.outbox[0].outbox_id, message_id="m", now=NOW)
    assert (await only_delivery(stores)).status is DeliveryStatus.DELIVERED


async def test_a_reminder_that_cannot_be_sent_is_skipped_with_the_reason(stores: Stores) -> None:
    fired = firing(await add(stores))
    await stores.schedules.fire([fired], now=NOW)
    await stores.outbox.mark_failed(fired.outbox[0].outbox_id, error="chat gone", now=NOW)

    skipped = await only_delivery(stores)
    assert (skipped.status, skipped.reason) == (DeliveryStatus.SKIPPED, "chat gone")
    assert skipped.settled_at == NOW


async def test_a_delivery_that_was_skipped_when_it_was_made_stays_so(stores: Stores) -> None:
    fired = firing(await add(stores))
    skipped = replace(
        fired.deliveries[0], status=DeliveryStatus.SKIPPED, reason="while down", covers=12
    )
    await stores.schedules.fire([replace(fired, deliveries=(skipped,))], now=NOW)
    await stores.outbox.mark_sent(fired.outbox[0].outbox_id, message_id="m", now=NOW)

    assert await only_delivery(stores) == skipped


async def test_done_is_recorded_once_for_the_delivery_of_this_person(stores: Stores) -> None:
    fired = firing(await add(stores))
    await stores.schedules.fire([fired], now=NOW)
    delivery_id = fired.deliveries[0].delivery_id

    with pytest.raises(NotFoundError):
        await stores.schedules.acknowledge("p_b", delivery_id, effect=effect("foreign"))
    done = await stores.schedules.acknowledge("p_a", delivery_id, effect=effect("done"))
    await stores.outbox.mark_sent(fired.outbox[0].outbox_id, message_id="m", now=NOW)
    again = await stores.schedules.acknowledge("p_a", delivery_id, effect=effect("done"))

    assert done == again == replace(fired.deliveries[0], acknowledged=True)
    assert (await only_delivery(stores)).acknowledged
    assert await stores.schedules.deliveries("p_b") == ()


async def test_deliveries_are_newest_first_limited_and_counted(stores: Stores) -> None:
    for name, hours in [("b", 2), ("c", 3), ("a", 1)]:
        made = await add(stores, name, at=later(hours=hours))
        await stores.schedules.fire([firing(made)], now=NOW)
    row = await stores.outbox.next_for(CHAT.key, OutboxClass.BULK)
    assert row is not None
    await stores.outbox.mark_sent(row.draft.outbox_id, message_id="m", now=NOW)

    found = await stores.schedules.deliveries("p_a", limit=2)
    assert [delivery.due_at for delivery in found] == [later(hours=3), later(hours=2)]
    assert await stores.schedules.delivery_counts() == {"pending": 2, "delivered": 1}
