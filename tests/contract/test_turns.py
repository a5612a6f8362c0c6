"""Promises of `bot.core.turns.Turns` and `bot.core.sessions.Sessions`."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.errors import ConflictError
from bot.core.inbox import InboxStatus
from bot.core.stores import Stores
from bot.core.turns import Link, TurnOutcome
from tests.contract.samples import (
    CHAT,
    NOW,
    RACERS,
    action,
    draft,
    outcome,
    record,
    session,
    update,
)

EVENT = "telegram:b:1"
LINK = Link(chat_key=CHAT.key, message_id="9", entity="ledger:e_1", event_id=EVENT)


def full(event_id: str = EVENT, *, expected_version: int = 0, mark: str = "") -> TurnOutcome:
    return outcome(
        event_id,
        expected_version=expected_version,
        actions=(action(f"t{mark}", group=f"g{mark}"),),
        outbox=(draft(f"o{mark}"),),
        links=(replace(LINK, entity=f"ledger:e_1{mark}"),),
        attachments=("f_1",),
    )


async def assert_nothing_of(stores: Stores, mark: str) -> None:
    assert await stores.actions.get(f"t{mark}") is None
    assert await stores.outbox.get(f"o{mark}") is None
    assert f"ledger:e_1{mark}" not in await stores.turns.linked(CHAT.key, "9")


async def test_a_commit_stores_all_that_the_turn_leaves_behind(stores: Stores) -> None:
    await stores.inbox.accept(update("1"))
    await stores.turns.commit(full())

    assert await stores.turns.get(EVENT) == record(EVENT, attachments=("f_1",))
    assert await stores.sessions.load("s") == replace(session(), version=1)
    assert await stores.actions.get("t") == action()
    row = await stores.outbox.get("o")
    assert row is not None
    assert row.draft == draft("o")
    assert await stores.turns.linked(CHAT.key, "9") == ("ledger:e_1",)
    assert await stores.inbox.counts() == {"done": 1}


async def test_what_was_never_committed_is_not_there(stores: Stores) -> None:
    assert await stores.turns.get(EVENT) is None
    assert await stores.sessions.load("s") is None
    assert list(await stores.turns.recent("s", limit=5)) == []
    assert await stores.turns.linked(CHAT.key, "9") == ()


async def test_a_second_commit_of_the_same_event_changes_nothing(stores: Stores) -> None:
    await stores.inbox.accept(update("1"))
    await stores.turns.commit(full())
    await stores.turns.commit(full(mark="again"))
    await stores.turns.commit(full(expected_version=1, mark="again"))
    await stores.turns.commit(full(expected_version=7, mark="again"))

    await assert_nothing_of(stores, "again")
    assert await stores.sessions.load("s") == replace(session(), version=1)
    assert len(await stores.turns.recent("s", limit=5)) == 1


async def test_a_commit_against_an_older_session_is_a_conflict_and_leaves_nothing(
    stores: Stores,
) -> None:
    await stores.inbox.accept(update("2"))
    await stores.turns.commit(full())
    for version in (0, 2):
        with pytest.raises(ConflictError):
            await stores.turns.commit(full("telegram:b:2", expected_version=version, mark="late"))

    await assert_nothing_of(stores, "late")
    assert await stores.turns.get("telegram:b:2") is None
    assert await stores.inbox.counts() == {"new": 1}
    assert await stores.sessions.load("s") == replace(session(), version=1)


async def test_a_commit_that_cannot_be_stored_leaves_nothing(stores: Stores) -> None:
    await stores.inbox.accept(update("1"))
    good = full(mark="x")
    broken = replace(good.outbox[0], outbox_id="broken", entities=(object(),))  # type: ignore[arg-type]  # on purpose
    with pytest.raises(Exception, match="object"):
        await stores.turns.commit(replace(good, outbox=(*good.outbox, broken)))

    await assert_nothing_of(stores, "x")
    assert await stores.turns.get(EVENT) is None
    assert await stores.sessions.load("s") is None
    assert await stores.inbox.counts() == {"new": 1}
    await stores.turns.commit(good)
    assert await stores.inbox.counts() == {"done": 1}


async def test_the_version_rises_with_every_commit(stores: Stores) -> None:
    for version in range(3):
        await stores.turns.commit(outcome(f"e{version}", expected_version=version))
        stored = await stores.sessions.load("s")
        assert stored is not None
        assert stored.version == version + 1


async def test_of_racing_commits_to_one_session_exactly_one_wins(stores: Stores) -> None:
    results = await asyncio.gather(
        *(stores.turns.commit(full(f"e{n}", mark=str(n))) for n in range(RACERS)),
        return_exceptions=True,
    )

    assert results.count(None) == 1
    assert sum(isinstance(result, ConflictError) for result in results) == RACERS - 1
    assert len(await stores.turns.recent("s", limit=RACERS)) == 1
    assert await stores.outbox.counts() == {"queued": 1}


async def test_racing_commits_of_one_event_store_it_once(stores: Stores) -> None:
    await asyncio.gather(
        *(stores.turns.commit(full(mark=str(n))) for n in range(RACERS)),
    )

    assert len(await stores.turns.recent("s", limit=RACERS)) == 1
    assert await stores.outbox.counts() == {"queued": 1}


async def test_a_turn_finishes_every_inbox_row_that_it_consumed(stores: Stores) -> None:
    for key in "123":
        await stores.inbox.accept(update(key))
    await stores.turns.commit(outcome(EVENT, event_ids=(EVENT, "telegram:b:2")))

    assert [event_id for event_id, _ in await stores.inbox.pending()] == ["telegram:b:3"]


async def test_a_failed_turn_makes_dead_letters_with_the_reason(stores: Stores) -> None:
    await stores.inbox.accept(update("1"))
    await stores.turns.commit(outcome(EVENT, failure="boom"))

    row = await stores.inbox.get(EVENT)
    assert row is not None
    assert (row.status, row.note) == (InboxStatus.DEAD, "boom")


async def test_a_turn_needs_no_inbox_row(stores: Stores) -> None:
    await stores.turns.commit(outcome("scheduler:digest:1"))

    assert await stores.turns.get("scheduler:digest:1") is not None
    assert await stores.inbox.counts() == {}


async def test_recent_returns_the_last_turns_of_the_session_oldest_first(stores: Stores) -> None:
    for version, name in enumerate(("c", "a", "d", "b")):
        await stores.turns.commit(outcome(name, expected_version=version))
    await stores.turns.commit(outcome("other", session_key="s2"))

    recent = await stores.turns.recent("s", limit=3)
    assert [turn.event_id for turn in recent] == ["a", "d", "b"]


async def test_a_person_has_only_their_own_turns(stores: Stores) -> None:
    await stores.turns.commit(outcome("e1", session_key="s1", person_id="p_a"))
    await stores.turns.commit(outcome("e2", session_key="s2", person_id="p_b"))
    await stores.turns.commit(outcome("e3", session_key="s3", person_id="p_a"))

    assert [turn.event_id for turn in await stores.turns.of_person("p_a")] == ["e1", "e3"]
    assert [turn.event_id for turn in await stores.turns.of_person("p_b")] == ["e2"]
    assert list(await stores.turns.of_person("p_c")) == []


async def test_links_keep_their_order_and_are_kept_once(stores: Stores) -> None:
    links = tuple(replace(LINK, entity=entity) for entity in ("b", "a", "b", "c"))
    await stores.turns.commit(outcome("e1", links=links))
    await stores.turns.commit(outcome("e2", expected_version=1, links=links[2:]))

    assert await stores.turns.linked(CHAT.key, "9") == ("b", "a", "c")
    assert await stores.turns.linked(CHAT.key, "10") == ()


async def test_an_empty_session_comes_back_as_it_was(stores: Stores) -> None:
    bare = replace(session(), pending=None, parked=(), capsule=None, held=None, agent=None)
    await stores.turns.commit(replace(outcome("e1"), session=bare, now=NOW))

    assert await stores.sessions.load("s") == replace(bare, version=1)
