"""Promises of `bot.core.effects.Journal`."""

import asyncio

from bot.core.effects import ExternalStatus, ToolCall
from bot.core.stores import Stores
from tests.contract.samples import ODD, RACERS, effect

CALLS = (
    ToolCall(name="ledger_add", arguments={"item": ODD, "minor": 3500, "tags": [None, True]}),
    ToolCall(name="schedule_create"),
)


async def test_batches_come_back_by_number(stores: Stores) -> None:
    await stores.journal.record("e", 1, CALLS[:1])
    await stores.journal.record("e", 0, CALLS)
    await stores.journal.record("other", 0, CALLS[1:])

    assert await stores.journal.load("e") == {0: CALLS, 1: CALLS[:1]}


async def test_a_batch_may_stand_before_the_tool_calls(stores: Stores) -> None:
    """A preview's message is kept as batch -1, see `bot.previews`."""
    await stores.journal.record("e", -1, CALLS[:1])
    await stores.journal.record("e", 0, CALLS)

    assert await stores.journal.load("e") == {-1: CALLS[:1], 0: CALLS}


async def test_an_event_that_never_got_so_far_has_no_batches(stores: Stores) -> None:
    assert await stores.journal.load("e") == {}


async def test_a_batch_without_calls_is_a_batch(stores: Stores) -> None:
    await stores.journal.record("e", 0, [])

    assert await stores.journal.load("e") == {0: ()}


async def test_the_first_writer_of_a_batch_wins(stores: Stores) -> None:
    await stores.journal.record("e", 0, CALLS)
    await stores.journal.record("e", 0, [ToolCall(name="other")])

    assert await stores.journal.load("e") == {0: CALLS}


async def test_racing_writers_leave_the_batch_of_one_of_them(stores: Stores) -> None:
    await asyncio.gather(
        *(stores.journal.record("e", 0, [ToolCall(name=str(n))]) for n in range(RACERS))
    )

    ((only,),) = (await stores.journal.load("e")).values()
    assert only.name in {str(n) for n in range(RACERS)}


async def test_a_call_to_another_service_is_noted_before_it_leaves(stores: Stores) -> None:
    assert await stores.journal.begin_external(effect("e#0"), CALLS[0], person_id="p_a") is None

    again = await stores.journal.begin_external(effect("e#0"), CALLS[0], person_id="p_a")
    assert again is not None
    assert (again.status, again.result) == (ExternalStatus.PENDING, None)


async def test_how_such_a_call_ended_is_kept_and_done_stays_done(stores: Stores) -> None:
    await stores.journal.begin_external(effect("e#0"), CALLS[0], person_id="p_a")
    await stores.journal.end_external(
        effect("e#0").effect_id, status=ExternalStatus.UNKNOWN, result=None
    )
    await stores.journal.end_external(
        effect("e#0").effect_id, status=ExternalStatus.DONE, result={"said": ODD}
    )
    await stores.journal.end_external(
        effect("e#0").effect_id, status=ExternalStatus.UNKNOWN, result=None
    )

    kept = await stores.journal.begin_external(effect("e#0"), CALLS[0], person_id="p_a")
    assert kept is not None
    assert (kept.status, kept.result) == (ExternalStatus.DONE, {"said": ODD})


async def test_the_calls_of_a_person_are_told_with_what_came_of_them(stores: Stores) -> None:
    for name, owner in (("e#0", "p_a"), ("f#0", "p_b"), ("g#0", "p_a")):
        await stores.journal.begin_external(effect(name), CALLS[0], person_id=owner)
    await stores.journal.end_external(
        effect("e#0").effect_id, status=ExternalStatus.DONE, result={"said": ODD}
    )

    done, pending = await stores.journal.external_calls("p_a")
    assert (done.call, done.status, done.result) == (CALLS[0], ExternalStatus.DONE, {"said": ODD})
    assert (pending.status, pending.result) == (ExternalStatus.PENDING, None)
    assert done.began_at == effect("e#0").at
    assert await stores.journal.external_calls("nobody") in ((), [])


async def test_of_racing_notes_of_one_call_exactly_one_is_the_first(stores: Stores) -> None:
    notes = await asyncio.gather(
        *(
            stores.journal.begin_external(effect("e#0"), CALLS[0], person_id="p_a")
            for _ in range(RACERS)
        )
    )

    assert sum(note is None for note in notes) == 1
