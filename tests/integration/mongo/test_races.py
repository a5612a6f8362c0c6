"""Twenty writers over connections of their own: of each unique rule exactly one wins.

The contract's races run in one process, where writers queue up; here the server decides.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest_asyncio

from bot.core.actions import ClaimStatus
from bot.core.errors import ConflictError
from bot.core.people import Person, ProfileChange
from bot.core.stores import Stores
from storage.mongo.stores import open_stores
from tests.contract.samples import (
    CHAT,
    NOW,
    RACERS,
    account,
    action,
    draft,
    effect,
    entry,
    firing,
    later,
    outcome,
    person,
    reminder,
    update,
)

CONNECTIONS = 5


@pytest_asyncio.fixture
async def many(uri: str) -> AsyncIterator[list[Stores]]:
    async with contextlib.AsyncExitStack() as opened:
        yield [await opened.enter_async_context(open_stores(uri)) for _ in range(CONNECTIONS)]


async def race(many: list[Stores], run: Callable[[Stores, int], Awaitable[Any]]) -> list[Any]:
    return await asyncio.gather(
        *(run(many[n % CONNECTIONS], n) for n in range(RACERS)), return_exceptions=True
    )


async def test_one_delivery_of_an_inbox_key_is_accepted(many: list[Stores]) -> None:
    rows = await race(many, lambda stores, _: stores.inbox.accept(update("1")))

    assert sum(row is not None for row in rows) == 1


async def test_one_writer_of_an_effect_id_writes(many: list[Stores]) -> None:
    results = await race(
        many, lambda stores, n: stores.ledger.append("p", [entry(n + 1)], effect=effect("e"))
    )

    assert len(set(results)) == 1
    (made,) = results[0]
    assert await many[0].ledger.get("p", made.entry_id) == made


async def test_writers_of_one_person_do_not_lose_each_others_effects(many: list[Stores]) -> None:
    results = await race(
        many, lambda stores, n: stores.ledger.append("p", [entry(n + 1)], effect=effect(f"e{n}"))
    )

    assert len(set(results)) == RACERS
    for (made,) in results:
        assert await many[0].ledger.get("p", made.entry_id) == made


async def test_one_press_of_an_action_is_granted(many: list[Stores]) -> None:
    await many[0].turns.commit(outcome("made", actions=(action(),)))

    claims = await race(
        many,
        lambda stores, n: stores.actions.claim(
            "t", person_id="p_a", chat_key=CHAT.key, event_id=f"press {n}", now=NOW
        ),
    )

    assert [claim.status for claim in claims].count(ClaimStatus.GRANTED) == 1


async def test_one_action_of_a_group_is_granted(many: list[Stores]) -> None:
    await many[0].turns.commit(
        outcome("made", actions=tuple(action(f"t{n}") for n in range(RACERS)))
    )

    claims = await race(
        many,
        lambda stores, n: stores.actions.claim(
            f"t{n}", person_id="p_a", chat_key=CHAT.key, event_id=f"press {n}", now=NOW
        ),
    )

    assert [claim.status for claim in claims].count(ClaimStatus.GRANTED) == 1


async def test_one_advance_of_a_stage_wins(many: list[Stores]) -> None:
    await many[0].people.get_or_create(account(), defaults=person())

    results = await race(
        many,
        lambda stores, n: stores.people.advance_stage(
            "p_a", from_stage=0, to_stage=1, change=ProfileChange(), effect=effect(f"e{n}")
        ),
    )

    assert sum(isinstance(result, Person) for result in results) == 1
    assert sum(isinstance(result, ConflictError) for result in results) == RACERS - 1


async def test_one_commit_to_a_session_wins(many: list[Stores]) -> None:
    results = await race(
        many, lambda stores, n: stores.turns.commit(outcome(f"e{n}", outbox=(draft(f"o{n}"),)))
    )

    assert results.count(None) == 1
    assert sum(isinstance(result, ConflictError) for result in results) == RACERS - 1
    assert await many[0].outbox.counts() == {"queued": 1}


async def test_one_firing_of_a_moment_is_stored(many: list[Stores]) -> None:
    made = await many[0].schedules.insert("p_a", reminder(), effect=effect("add"))
    fired = firing(made, next_fire_at=later(days=7))

    counts = await race(many, lambda stores, _: stores.schedules.fire([fired], now=NOW))

    assert sum(counts) == 1
    assert await many[0].outbox.counts() == {"queued": 1}


async def test_one_person_is_made_of_first_sights(many: list[Stores]) -> None:
    people = await race(
        many,
        lambda stores, n: stores.people.get_or_create(account(), defaults=person(f"p_{n}")),
    )

    assert len({found.person_id for found in people}) == 1


async def test_items_of_a_transcript_get_versions_of_their_own(many: list[Stores]) -> None:
    items = await race(
        many,
        lambda stores, n: stores.transcripts.put(
            "c", f"i{n}", author="bot", payload={"n": n}, at=NOW
        ),
    )

    assert sorted(item.version for item in items) == list(range(1, RACERS + 1))
