"""Promises of `bot.core.binding.Bindings`."""

import asyncio
from dataclasses import replace
from datetime import datetime

import pytest

from bot.core.actions import ClaimStatus
from bot.core.binding import BindingCode, Holdings, Taking, Undoing, code_hash_of
from bot.core.conversations import Summary
from bot.core.errors import ConflictError, NotFoundError
from bot.core.ledger import EntryChange, EntryFilter
from bot.core.memory import MemoryType
from bot.core.schedules import ScheduleChange
from bot.core.stores import Stores
from tests.contract.samples import (
    CHAT,
    NOW,
    RACERS,
    account,
    action,
    effect,
    entry,
    firing,
    grant,
    later,
    outcome,
    person,
    reminder,
)

A, B = account("1"), account("2")
EVERYTHING = EntryFilter()


def code(code_hash: str = "h") -> BindingCode:
    return BindingCode(account=A, code_hash=code_hash, expires_at=later(minutes=10))


async def two_people(stores: Stores) -> None:
    await stores.people.get_or_create(A, defaults=person("p_a"))
    await stores.people.get_or_create(B, defaults=person("p_b"))


async def with_things(stores: Stores) -> None:
    """Give both people something of everything."""
    await two_people(stores)
    for name in ("p_a", "p_b"):
        await stores.ledger.append(name, [entry(10), entry(20)], effect=effect(f"{name}add"))
        await stores.ledger.learn_category(name, "tea", name, effect=effect(f"{name}tea"))
        await stores.memory.save(name, "", MemoryType.FACT, name, effect=effect(f"{name}note"))
        await stores.schedules.insert(name, reminder(what=name), effect=effect(f"{name}set"))
        await stores.turns.commit(
            outcome(
                f"telegram:b:{name}",
                session_key=name,
                person_id=name,
                actions=(action(f"t{name}", group=name, owner_id=name),),
            )
        )
        await stores.grants.add([replace(grant(f"g{name}"), person_id=name)])
        await stores.summaries.put(
            Summary(
                session_key=name,
                conversation_id="",
                person_id=name,
                text=name,
                covers=1,
                last_event="e",
            )
        )
    await stores.ledger.learn_category("p_a", "cake", "p_a", effect=effect("cake"))


async def things_of(stores: Stores, name: str) -> dict[str, list[str]]:
    entries = await stores.ledger.find(name, EVERYTHING, limit=99)
    return {
        "accounts": [account.user_id for account in await stores.people.accounts(name)],
        "entries": [f"{entry.minor} {entry.author_id}" for entry in entries],
        "notes": [note.text for note in await stores.memory.list(name, "")],
        "reminders": [s.what for s in await stores.schedules.upcoming(name, limit=9)],
        "turns": [record.event_id for record in await stores.turns.of_person(name)],
        "grants": [grant.grant_id for grant in await stores.grants.of_person(name)],
    }


async def merge(stores: Stores, merge_id: str = "m", at: datetime = NOW) -> Holdings:
    merged = await stores.bindings.merge("p_b", "p_a", merge_id=merge_id, at=at)
    return merged.moved


# --- codes -----------------------------------------------------------------------------------


async def take(stores: Stores, event_id: str = "e", **other: object) -> Taking:
    values = {"account_key": B.key, "now": NOW} | other
    taken = await stores.bindings.take("h", event_id=event_id, **values)  # type: ignore[arg-type]
    assert (taken.account == A) is (taken.status is Taking.TAKEN)
    return taken.status


async def test_a_code_is_taken_once_and_again_by_the_same_event_only(stores: Stores) -> None:
    await stores.bindings.offer(code())

    assert await take(stores) is Taking.TAKEN
    assert await take(stores) is Taking.TAKEN
    assert await take(stores, now=later(days=1)) is Taking.TAKEN
    assert await take(stores, "e2") is Taking.USED


async def test_a_wrong_an_old_and_the_own_code_prove_nothing(stores: Stores) -> None:
    assert await take(stores) is Taking.UNKNOWN
    await stores.bindings.offer(code())

    assert await take(stores, account_key=A.key) is Taking.OWN
    assert await take(stores, now=later(minutes=10)) is Taking.EXPIRED
    assert await take(stores, now=later(minutes=9)) is Taking.TAKEN


async def test_a_new_code_takes_the_place_of_the_accounts_earlier_one(stores: Stores) -> None:
    await stores.bindings.offer(code())
    assert await take(stores) is Taking.TAKEN
    await stores.bindings.offer(code("h2"))

    assert await take(stores) is Taking.UNKNOWN
    await stores.bindings.offer(code())
    assert await take(stores, "e2") is Taking.TAKEN


async def test_of_racing_takers_of_one_code_exactly_one_wins(stores: Stores) -> None:
    await stores.bindings.offer(code())

    answers = await asyncio.gather(*(take(stores, f"e{n}") for n in range(RACERS)))

    assert sorted(answers) == [Taking.TAKEN] + [Taking.USED] * (RACERS - 1)


def test_case_spaces_and_hyphens_of_a_typed_code_do_not_count() -> None:
    assert code_hash_of(" abcd-23 45") == code_hash_of("ABCD2345")
    assert code_hash_of("ABCD2345") != code_hash_of("ABCD2346")


# --- merging ---------------------------------------------------------------------------------


async def test_a_merge_gives_the_survivor_everything_of_the_other(stores: Stores) -> None:
    await with_things(stores)
    assert await stores.bindings.holdings("p_a") == Holdings(
        accounts=1, entries=2, reminders=1, notes=1
    )

    moved = await merge(stores)

    assert moved == Holdings(accounts=1, entries=2, reminders=1, notes=1)
    assert await stores.bindings.holdings("p_a") == Holdings()
    found = await stores.people.find(A)
    assert found is not None
    assert found.person_id == "p_b"
    mine = await things_of(stores, "p_b")
    assert sorted(mine["accounts"]) == ["1", "2"]
    assert sorted(mine["entries"]) == ["10 p_b", "10 p_b", "20 p_b", "20 p_b"]
    assert sorted(mine["notes"]) == sorted(mine["reminders"]) == ["p_a", "p_b"]
    assert sorted(mine["turns"]) == ["telegram:b:p_a", "telegram:b:p_b"]
    assert sorted(mine["grants"]) == ["gp_a", "gp_b"]
    assert not any((await things_of(stores, "p_a")).values())


async def test_of_what_both_learned_the_survivors_word_stands(stores: Stores) -> None:
    await with_things(stores)

    await merge(stores)

    learned = await stores.ledger.learned_categories("p_b")
    assert learned == {"tea": "p_b", "cake": "p_a"}


async def test_a_merged_persons_rows_can_be_changed_by_the_survivor(stores: Stores) -> None:
    await with_things(stores)
    (first, *_) = await stores.ledger.find("p_a", EVERYTHING, limit=9)
    (theirs,) = await stores.schedules.of_person("p_a")
    for n in range(5):  # the other wrote more often, so their versions are higher
        await stores.ledger.append("p_a", [], effect=effect(f"more{n}"))
    await merge(stores)

    changed = await stores.ledger.update(
        "p_b", first.entry_id, revision=1, change=EntryChange(minor=77), effect=effect("c")
    )
    moved = await stores.schedules.update(
        "p_b",
        theirs.schedule_id,
        revision=1,
        change=ScheduleChange(what="new"),
        effect=effect("s"),
    )

    assert await stores.ledger.get("p_b", first.entry_id) == changed
    assert changed.minor == 77
    assert await stores.schedules.get("p_b", theirs.schedule_id) == moved


async def test_buttons_made_before_a_merge_still_work(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)

    claim = await stores.actions.claim(
        "tp_a", person_id="p_b", chat_key=CHAT.key, event_id="e", now=NOW
    )

    assert claim.status is ClaimStatus.GRANTED


async def test_a_reminder_that_was_due_at_the_merge_is_fired_for_the_survivor(
    stores: Stores,
) -> None:
    await with_things(stores)
    read_before = [s for s in await stores.schedules.due(NOW, limit=9) if s.what == "p_a"]
    await merge(stores)

    fired = await stores.schedules.fire([firing(s) for s in read_before], now=NOW)
    assert fired == 0
    due = [s for s in await stores.schedules.due(NOW, limit=9) if s.what == "p_a"]
    assert await stores.schedules.fire([firing(s) for s in due], now=NOW) == 1
    (made,) = await stores.schedules.deliveries("p_b")
    assert made.person_id == "p_b"


async def test_nothing_is_written_in_the_name_of_somebody_merged_away(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)

    with pytest.raises(ConflictError, match="merged"):
        await stores.ledger.append("p_a", [entry(1)], effect=effect("late"))
    with pytest.raises(ConflictError, match="merged"):
        await stores.turns.commit(outcome("telegram:b:9", session_key="new"))
    assert await stores.turns.get("telegram:b:9") is None


async def test_an_effect_of_before_the_merge_gives_its_result_to_the_survivor(
    stores: Stores,
) -> None:
    await with_things(stores)
    await merge(stores)

    again = await stores.ledger.append("p_b", [entry(10), entry(20)], effect=effect("p_aadd"))

    assert [made.minor for made in again] == [10, 20]
    assert (await stores.bindings.holdings("p_b")).entries == 4


async def test_a_merge_of_the_same_id_happens_once(stores: Stores) -> None:
    await with_things(stores)
    first = await stores.bindings.merge("p_b", "p_a", merge_id="m", at=NOW)
    await stores.ledger.append("p_b", [entry(5)], effect=effect("new"))

    assert await stores.bindings.merge("p_b", "p_a", merge_id="m", at=later(days=3)) == first
    assert (await stores.bindings.holdings("p_b")).entries == 5


async def test_racing_merges_of_the_same_id_are_one(stores: Stores) -> None:
    await with_things(stores)

    moved = await asyncio.gather(*(merge(stores) for _ in range(RACERS)))

    assert set(moved) == {Holdings(accounts=1, entries=2, reminders=1, notes=1)}
    assert (await stores.bindings.holdings("p_b")).entries == 4


async def test_of_racing_merges_in_both_directions_one_is_done(stores: Stores) -> None:
    await with_things(stores)

    results = await asyncio.gather(
        stores.bindings.merge("p_a", "p_b", merge_id="m1", at=NOW),
        stores.bindings.merge("p_b", "p_a", merge_id="m2", at=NOW),
        return_exceptions=True,
    )

    assert sum(isinstance(result, ConflictError) for result in results) == 1
    both = [await stores.bindings.holdings(name) for name in ("p_a", "p_b")]
    assert Holdings() in both
    assert sum(held.entries for held in both) == 4


async def test_racing_writes_of_the_other_are_moved_or_refused(stores: Stores) -> None:
    await two_people(stores)

    async def write(number: int) -> bool:
        try:
            await stores.ledger.append("p_a", [entry(1)], effect=effect(f"w{number}"))
        except ConflictError:
            return False
        return True

    written, *_ = await asyncio.gather(
        asyncio.gather(*(write(n) for n in range(RACERS))), merge(stores)
    )

    assert (await stores.bindings.holdings("p_a")).entries == 0
    assert (await stores.bindings.holdings("p_b")).entries == sum(written)


async def test_who_is_merged_away_or_unknown_or_the_same_cannot_be_merged(
    stores: Stores,
) -> None:
    await two_people(stores)
    await stores.people.get_or_create(account("3"), defaults=person("p_c"))
    await merge(stores)

    for survivor, other in (("p_c", "p_a"), ("p_a", "p_c"), ("p_b", "p_b")):
        with pytest.raises(ConflictError):
            await stores.bindings.merge(survivor, other, merge_id="m2", at=NOW)
    with pytest.raises(NotFoundError):
        await stores.bindings.merge("p_b", "p_nobody", merge_id="m2", at=NOW)


# --- undoing ---------------------------------------------------------------------------------


async def test_undoing_gives_everything_back(stores: Stores) -> None:
    await with_things(stores)
    before = [await things_of(stores, name) for name in ("p_a", "p_b")]
    await merge(stores)

    assert await stores.bindings.undo("m", at=later(hours=23)) is Undoing.UNDONE

    assert [await things_of(stores, name) for name in ("p_a", "p_b")] == before
    await stores.ledger.append("p_a", [entry(1)], effect=effect("on"))
    claim = await stores.actions.claim(
        "tp_a", person_id="p_a", chat_key=CHAT.key, event_id="e", now=NOW
    )
    assert claim.status is ClaimStatus.GRANTED


async def test_rows_written_after_the_merge_stay_with_the_survivor(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)
    await stores.ledger.append("p_b", [entry(5)], effect=effect("new"))
    await stores.memory.save("p_b", "", MemoryType.FACT, "new", effect=effect("newnote"))
    await stores.schedules.insert("p_b", reminder(what="new"), effect=effect("newset"))
    await stores.turns.commit(
        outcome("telegram:b:n", session_key="p_a", expected_version=1, person_id="p_b")
    )

    await stores.bindings.undo("m", at=NOW)

    mine = await things_of(stores, "p_b")
    assert "5 p_b" in mine["entries"]
    assert mine["notes"] == mine["reminders"] == ["p_b", "new"]
    assert mine["turns"] == ["telegram:b:p_b", "telegram:b:n"]


async def test_what_the_survivor_changed_of_the_others_rows_goes_back_changed(
    stores: Stores,
) -> None:
    await with_things(stores)
    (first, *_) = await stores.ledger.find("p_a", EVERYTHING, limit=9)
    await merge(stores)
    change = EntryChange(minor=77)
    await stores.ledger.update(
        "p_b", first.entry_id, revision=1, change=change, effect=effect("c")
    )

    await stores.bindings.undo("m", at=NOW)

    found = await stores.ledger.get("p_a", first.entry_id)
    assert found is not None
    assert found.minor == 77
    again = EntryChange(minor=78)
    await stores.ledger.update("p_a", first.entry_id, revision=2, change=again, effect=effect("d"))
    found = await stores.ledger.get("p_a", first.entry_id)
    assert found is not None
    assert found.minor == 78


async def test_undoing_twice_is_once(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)
    assert await stores.bindings.undo("m", at=NOW) is Undoing.UNDONE
    await merge(stores, "m2")

    assert await stores.bindings.undo("m", at=NOW) is Undoing.UNDONE
    assert (await stores.bindings.holdings("p_b")).entries == 4
    assert await stores.bindings.undo("m2", at=NOW) is Undoing.UNDONE
    assert (await stores.bindings.holdings("p_a")).entries == 2


async def test_racing_undoings_are_one(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)

    answers = await asyncio.gather(*(stores.bindings.undo("m", at=NOW) for _ in range(RACERS)))

    assert set(answers) == {Undoing.UNDONE}
    assert (await stores.bindings.holdings("p_a")).entries == 2


async def test_after_24_hours_nothing_is_undone(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)

    assert await stores.bindings.undo("m", at=later(hours=24)) is Undoing.TOO_LATE
    assert await stores.bindings.undo("nothing", at=NOW) is Undoing.UNKNOWN
    assert await stores.bindings.holdings("p_a") == Holdings()


async def test_a_merge_becomes_final_when_its_survivor_is_merged_away(stores: Stores) -> None:
    await with_things(stores)
    await stores.people.get_or_create(account("3"), defaults=person("p_c"))
    await merge(stores)
    await stores.bindings.merge("p_c", "p_b", merge_id="m2", at=NOW)

    assert await stores.bindings.undo("m", at=NOW) is Undoing.CHANGED
    assert await stores.bindings.undo("m2", at=NOW) is Undoing.UNDONE
    assert (await stores.bindings.holdings("p_b")).entries == 4


# --- detaching -------------------------------------------------------------------------------


async def detach(stores: Stores, key: str = A.key, fresh_id: str = "p_new") -> str:
    made = await stores.bindings.detach(key, from_id="p_b", fresh_id=fresh_id, at=later(days=1))
    return made.person_id


async def test_a_detached_account_begins_anew_and_the_rest_stays(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)

    assert await detach(stores) == "p_new"

    fresh = await stores.people.find(A)
    assert fresh == replace(person("p_new"), created_at=later(days=1))
    assert await stores.bindings.holdings("p_new") == Holdings(accounts=1)
    assert (await stores.bindings.holdings("p_b")).entries == 4
    await stores.ledger.append("p_new", [entry(1)], effect=effect("on"))


async def test_detaching_twice_is_once_and_the_last_account_stays(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)

    assert await detach(stores) == await detach(stores) == "p_new"
    with pytest.raises(ConflictError):
        await detach(stores, fresh_id="p_newer")
    with pytest.raises(ConflictError):
        await detach(stores, B.key, fresh_id="p_newer")


async def test_of_racing_detachments_one_account_is_left(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)

    results = await asyncio.gather(
        detach(stores, A.key, "p_1"), detach(stores, B.key, "p_2"), return_exceptions=True
    )

    assert sum(isinstance(result, ConflictError) for result in results) == 1
    assert (await stores.bindings.holdings("p_b")).accounts == 1


async def test_a_merge_whose_account_was_detached_is_not_undone(stores: Stores) -> None:
    await with_things(stores)
    await merge(stores)
    await detach(stores)

    assert await stores.bindings.undo("m", at=NOW) is Undoing.CHANGED
