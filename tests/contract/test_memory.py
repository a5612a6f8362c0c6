"""Promises of `bot.core.memory.Memory`."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.errors import NotFoundError
from bot.core.memory import MemoryNote, MemoryType
from bot.core.stores import Stores
from tests.contract.samples import CHAT, NOW, ODD, RACERS, effect, later


async def save(
    stores: Stores, text: str = ODD, *, by: str = "p_a", scope: str = "", name: str = "save"
) -> MemoryNote:
    return await stores.memory.save(by, scope, MemoryType.PREFERENCE, text, effect=effect(name))


async def test_a_saved_note_is_listed_as_it_was_saved(stores: Stores) -> None:
    note = await save(stores)

    assert list(await stores.memory.list("p_a", "")) == [note]
    assert note == MemoryNote(
        note_id=note.note_id,
        person_id="p_a",
        scope="",
        type=MemoryType.PREFERENCE,
        text=ODD,
        created_at=NOW,
        updated_at=NOW,
    )


async def test_notes_are_listed_oldest_first(stores: Stores) -> None:
    notes = [await save(stores, text, name=text) for text in "cab"]

    assert list(await stores.memory.list("p_a", "")) == notes


async def test_a_sentence_is_added_to_a_note(stores: Stores) -> None:
    note = await save(stores, "likes tea")

    longer = await stores.memory.append(
        "p_a", "", note.note_id, "no sugar", effect=effect("more", later(days=1))
    )

    assert longer == replace(note, text="likes tea\nno sugar", updated_at=later(days=1))
    assert list(await stores.memory.list("p_a", "")) == [longer]


async def test_repeated_effects_return_their_first_results_and_write_nothing(
    stores: Stores,
) -> None:
    note = await save(stores, "a")
    longer = await stores.memory.append("p_a", "", note.note_id, "b", effect=effect("more"))
    assert (
        await stores.memory.append("p_a", "", note.note_id, "b", effect=effect("more")) == longer
    )
    gone = await stores.memory.delete("p_a", "", note.note_id, effect=effect("forget"))

    assert gone == longer
    assert await save(stores, "again") == note
    assert (
        await stores.memory.append("p_a", "", note.note_id, "c", effect=effect("more")) == longer
    )
    assert await stores.memory.delete("p_a", "", note.note_id, effect=effect("forget")) == gone
    assert list(await stores.memory.list("p_a", "")) == []


async def test_racing_repeats_of_one_effect_save_one_note(stores: Stores) -> None:
    notes = await asyncio.gather(*(save(stores, str(n)) for n in range(RACERS)))

    assert len(set(notes)) == 1
    assert len(await stores.memory.list("p_a", "")) == 1


async def test_racing_sentences_are_all_kept(stores: Stores) -> None:
    note = await save(stores, "start")
    await asyncio.gather(
        *(
            stores.memory.append("p_a", "", note.note_id, f"s{n}", effect=effect(f"e{n}"))
            for n in range(RACERS)
        )
    )

    (kept,) = await stores.memory.list("p_a", "")
    assert set(kept.text.split("\n")) == {"start", *(f"s{n}" for n in range(RACERS))}


async def test_nothing_of_one_scope_or_person_shows_in_another(stores: Stores) -> None:
    own = await save(stores, "own", name="1")
    group = await save(stores, "group", scope=CHAT.key, name="2")
    other = await save(stores, "other", by="p_b", name="3")

    assert list(await stores.memory.list("p_a", "")) == [own]
    assert list(await stores.memory.list("p_a", CHAT.key)) == [group]
    assert list(await stores.memory.list("p_b", "")) == [other]
    assert list(await stores.memory.list("p_b", CHAT.key)) == []
    assert list(await stores.memory.of_person("p_a")) == [own, group]


async def test_a_note_is_changed_only_by_its_person_in_its_scope(stores: Stores) -> None:
    note = await save(stores)
    strangers = [("p_b", ""), ("p_a", CHAT.key)]
    for number, (by, scope) in enumerate(strangers):
        with pytest.raises(NotFoundError):
            await stores.memory.append(
                by, scope, note.note_id, "x", effect=effect(f"append {number}")
            )
        with pytest.raises(NotFoundError):
            await stores.memory.delete(by, scope, note.note_id, effect=effect(f"del {number}"))

    assert list(await stores.memory.list("p_a", "")) == [note]
