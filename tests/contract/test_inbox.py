"""Promises of `bot.core.inbox.Inbox`."""

import asyncio

import pytest

from bot.core.inbox import InboxStatus, UpdateKind
from bot.core.stores import Stores
from tests.contract.samples import NOW, RACERS, later, update


async def test_an_accepted_update_comes_back_as_it_came(stores: Stores) -> None:
    row = await stores.inbox.accept(update("1", kind=UpdateKind.BUTTON))

    assert row is not None
    assert row.update == update("1", kind=UpdateKind.BUTTON)
    assert (row.status, row.attempts, row.note) == (InboxStatus.NEW, 0, "")
    assert await stores.inbox.get("telegram:b:1") == row


async def test_of_racing_deliveries_of_one_key_exactly_one_is_accepted(stores: Stores) -> None:
    rows = await asyncio.gather(*(stores.inbox.accept(update("1")) for _ in range(RACERS)))

    assert sum(row is not None for row in rows) == 1
    assert await stores.inbox.counts() == {"new": 1}


async def test_a_finished_update_is_still_a_duplicate(stores: Stores) -> None:
    await stores.inbox.accept(update("1"))
    await stores.inbox.finish("telegram:b:1", status=InboxStatus.DONE, note="", now=NOW)
    await stores.inbox.purge(done_before=later(days=1))

    assert await stores.inbox.accept(update("1")) is None


async def test_pending_lists_new_rows_in_the_order_of_acceptance(stores: Stores) -> None:
    keys = ["9", "10", "1", "5"]
    for key in keys:
        await stores.inbox.accept(update(key, lane=f"lane {key}"))
    await stores.inbox.finish("telegram:b:10", status=InboxStatus.DEAD, note="?", now=NOW)

    assert list(await stores.inbox.pending()) == [
        (f"telegram:b:{key}", f"lane {key}") for key in ["9", "1", "5"]
    ]


async def test_sequences_rise(stores: Stores) -> None:
    rows = [await stores.inbox.accept(update(key)) for key in "3142"]

    sequences = [row.sequence for row in rows if row is not None]
    assert sequences == sorted(set(sequences))
    assert len(sequences) == 4


async def test_every_beginning_counts_an_attempt(stores: Stores) -> None:
    await stores.inbox.accept(update("1"))
    await stores.inbox.begin("telegram:b:1")
    row = await stores.inbox.begin("telegram:b:1")

    assert row is not None
    assert row.attempts == 2
    assert row.update.body == update("1").body
    assert await stores.inbox.pending() == [("telegram:b:1", "lane")]


async def test_a_row_that_is_not_new_any_more_cannot_be_begun(stores: Stores) -> None:
    await stores.inbox.accept(update("1"))
    await stores.inbox.finish("telegram:b:1", status=InboxStatus.DEAD, note="why", now=NOW)

    assert await stores.inbox.begin("telegram:b:1") is None
    assert await stores.inbox.begin("telegram:b:unheard-of") is None
    row = await stores.inbox.get("telegram:b:1")
    assert row is not None
    assert (row.status, row.attempts, row.note) == (InboxStatus.DEAD, 0, "why")


async def test_the_first_end_of_a_row_stays(stores: Stores) -> None:
    await stores.inbox.accept(update("1"))
    await stores.inbox.finish("telegram:b:1", status=InboxStatus.DONE, note="", now=NOW)
    await stores.inbox.finish("telegram:b:1", status=InboxStatus.DEAD, note="late", now=NOW)

    assert await stores.inbox.counts() == {"done": 1}


async def test_a_row_cannot_be_finished_as_new(stores: Stores) -> None:
    with pytest.raises(ValueError, match="DONE or DEAD"):
        await stores.inbox.finish("telegram:b:1", status=InboxStatus.NEW, note="", now=NOW)


async def test_purging_empties_the_bodies_of_old_finished_rows_only(stores: Stores) -> None:
    for key in "123":
        await stores.inbox.accept(update(key))
    await stores.inbox.finish("telegram:b:1", status=InboxStatus.DONE, note="", now=NOW)
    await stores.inbox.finish("telegram:b:2", status=InboxStatus.DONE, note="", now=later(days=7))

    assert await stores.inbox.purge(done_before=later(days=7)) == 1
    assert await stores.inbox.purge(done_before=later(days=7)) == 0
    bodies = [await stores.inbox.get(f"telegram:b:{key}") for key in "123"]
    assert [bool(row and row.update.body) for row in bodies] == [False, True, True]


async def test_counts_are_by_status(stores: Stores) -> None:
    for key in "1234":
        await stores.inbox.accept(update(key))
    await stores.inbox.finish("telegram:b:1", status=InboxStatus.DONE, note="", now=NOW)
    await stores.inbox.finish("telegram:b:2", status=InboxStatus.DEAD, note="x", now=NOW)

    assert await stores.inbox.counts() == {"new": 2, "done": 1, "dead": 1}
