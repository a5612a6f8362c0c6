"""Promises of `bot.core.transcripts.Transcripts`."""

import asyncio
from collections.abc import Mapping

from pydantic import JsonValue

from bot.core.stores import Stores
from bot.core.transcripts import TranscriptItem
from tests.contract.samples import NOW, ODD, RACERS, later

PAYLOAD: dict[str, JsonValue] = {"text": ODD, "blocks": [{"n": 1, "x": None}], "yes": True}


async def put(
    stores: Stores,
    item_id: str,
    payload: Mapping[str, JsonValue] = PAYLOAD,
    chat_id: str = "c",
) -> TranscriptItem:
    return await stores.transcripts.put(chat_id, item_id, author="bot", payload=payload, at=NOW)


async def test_an_item_comes_back_as_it_was_put(stores: Stores) -> None:
    item = await put(stores, "a")

    assert list(await stores.transcripts.since("c", 0)) == [item]
    assert (item.item_id, item.author, item.payload, item.at) == ("a", "bot", PAYLOAD, NOW)


async def test_sequences_and_versions_rise_per_chat(stores: Stores) -> None:
    items = [await put(stores, name) for name in "cab"]
    other = await put(stores, "c", chat_id="c2")

    assert [item.sequence for item in items] == sorted({item.sequence for item in items})
    assert [item.version for item in items] == sorted({item.version for item in items})
    assert list(await stores.transcripts.since("c2", 0)) == [other]


async def test_racing_items_get_places_of_their_own(stores: Stores) -> None:
    items = await asyncio.gather(*(put(stores, f"i{n}") for n in range(RACERS)))

    assert len({item.sequence for item in items}) == RACERS
    assert len({item.version for item in items}) == RACERS


async def test_a_replaced_item_keeps_its_place_and_gets_a_new_version(stores: Stores) -> None:
    first, second = await put(stores, "a"), await put(stores, "b")

    replaced = await stores.transcripts.put(
        "c", "a", author="bot", payload={"text": "new"}, at=later(hours=1)
    )

    assert replaced.sequence == first.sequence
    assert replaced.version > second.version
    assert replaced.payload == {"text": "new"}
    assert list(await stores.transcripts.since("c", second.version)) == [replaced]
    assert list(await stores.transcripts.since("c", 0)) == [second, replaced]


async def test_one_item_is_found_in_its_own_chat_only(stores: Stores) -> None:
    item = await put(stores, "a")

    assert await stores.transcripts.get("c", "a") == item
    assert await stores.transcripts.get("c2", "a") is None
    assert await stores.transcripts.get("c", "b") is None


async def test_the_same_payload_changes_nothing(stores: Stores) -> None:
    item = await put(stores, "a")
    same = dict(reversed(PAYLOAD.items()))

    assert await put(stores, "a", same) == item
    assert list(await stores.transcripts.since("c", item.version)) == []


async def test_since_returns_the_newest_ordered_by_version(stores: Stores) -> None:
    items = [await put(stores, name) for name in "abcd"]

    assert list(await stores.transcripts.since("c", 0, limit=2)) == items[2:]
    assert list(await stores.transcripts.since("c", items[1].version)) == items[2:]
    assert list(await stores.transcripts.since("nothing", 0)) == []


async def test_an_item_is_found_in_its_own_chat_only(stores: Stores) -> None:
    item = await stores.transcripts.put("c", "a", author="person", payload={"text": "x"}, at=NOW)

    assert await stores.transcripts.get("c", "a") == item
    assert await stores.transcripts.get("d", "a") is None
