"""Promises of `bot.core.people.People`."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.errors import ConflictError, NotFoundError
from bot.core.people import Person, ProfileChange
from bot.core.stores import Stores
from tests.contract.samples import RACERS, account, effect, person

NOTHING = ProfileChange()


async def known(stores: Stores, user_id: str = "42", person_id: str = "p_a") -> Person:
    return await stores.people.get_or_create(account(user_id), defaults=person(person_id))


async def test_a_newcomer_is_made_from_the_defaults(stores: Stores) -> None:
    assert await stores.people.find(account()) is None

    assert await known(stores) == person()
    assert await stores.people.find(account()) == person()
    assert await stores.people.get("p_a") == person()
    assert await stores.people.get("p_b") is None


async def test_an_account_stays_with_its_first_person(stores: Stores) -> None:
    await known(stores, person_id="p_a")

    assert await known(stores, person_id="p_b") == person("p_a")
    assert await stores.people.get("p_b") is None


async def test_racing_first_sights_make_one_person(stores: Stores) -> None:
    people = await asyncio.gather(*(known(stores, person_id=f"p_{n}") for n in range(RACERS)))

    assert len({found.person_id for found in people}) == 1
    made = [await stores.people.get(f"p_{n}") for n in range(RACERS)]
    assert sum(found is not None for found in made) == 1


async def test_accounts_are_compared_without_their_changeable_names(stores: Stores) -> None:
    await stores.people.get_or_create(account(display_name="Ann", locale="en"), defaults=person())

    assert await stores.people.find(account(display_name="Anna")) == person()


async def test_people_are_found_by_the_id_that_their_platform_gives_them(stores: Stores) -> None:
    await known(stores)
    await known(stores, "43", "p_b")
    elsewhere = replace(account(), bot="other")
    await stores.people.get_or_create(elsewhere, defaults=person("p_c"))

    assert await stores.people.with_id("telegram", "42") == (person("p_a"), person("p_c"))
    assert await stores.people.with_id("telegram", "4") == ()
    assert await stores.people.with_id("tele", "42") == ()
    assert await stores.people.with_id("web", "42") == ()


async def test_a_person_has_only_their_own_accounts(stores: Stores) -> None:
    first = account(display_name="Ann", locale="zh-hans")
    await stores.people.get_or_create(first, defaults=person("p_a"))
    await known(stores, "43", "p_b")

    assert await stores.people.accounts("p_a") == (first,)
    assert await stores.people.accounts("p_b") == (account("43"),)
    assert await stores.people.accounts("p_c") == ()


async def test_a_new_account_cannot_take_over_an_existing_person(stores: Stores) -> None:
    await known(stores, "42", "p_a")

    with pytest.raises(ConflictError):
        await known(stores, "43", "p_a")
    assert await stores.people.find(account("43")) is None


async def test_a_change_leaves_the_fields_that_are_none(stores: Stores) -> None:
    await known(stores)

    changed = await stores.people.change(
        "p_a", ProfileChange(zone="Europe/Berlin", name=""), effect=effect("e1")
    )

    assert changed == replace(person(), zone="Europe/Berlin", name="", revision=1)
    assert await stores.people.get("p_a") == changed


async def test_a_repeated_change_returns_the_first_result_and_writes_nothing(
    stores: Stores,
) -> None:
    await known(stores)
    first = await stores.people.change("p_a", ProfileChange(name="1"), effect=effect("e1"))
    second = await stores.people.change("p_a", ProfileChange(name="2"), effect=effect("e2"))

    again = await stores.people.change("p_a", ProfileChange(name="3"), effect=effect("e1"))

    assert again == first
    assert await stores.people.get("p_a") == second


async def test_nobody_cannot_be_changed(stores: Stores) -> None:
    with pytest.raises(NotFoundError):
        await stores.people.change("p_x", NOTHING, effect=effect("e1"))
    with pytest.raises(NotFoundError):
        await stores.people.advance_stage(
            "p_x", from_stage=0, to_stage=1, change=NOTHING, effect=effect("e1")
        )


async def test_the_stage_advances_together_with_the_change(stores: Stores) -> None:
    await known(stores)

    advanced = await stores.people.advance_stage(
        "p_a", from_stage=0, to_stage=1, change=ProfileChange(name="Ann"), effect=effect("e1")
    )

    assert advanced == replace(person(), name="Ann", setup_stage=1, revision=1)
    assert await stores.people.get("p_a") == advanced


async def test_a_stage_that_has_moved_is_a_conflict_and_changes_nothing(stores: Stores) -> None:
    await known(stores)
    with pytest.raises(ConflictError):
        await stores.people.advance_stage(
            "p_a", from_stage=1, to_stage=2, change=ProfileChange(name="x"), effect=effect("e1")
        )

    assert await stores.people.get("p_a") == person()


async def test_a_repeated_advance_returns_the_first_result_though_the_stage_has_moved(
    stores: Stores,
) -> None:
    await known(stores)

    async def advance() -> Person:
        return await stores.people.advance_stage(
            "p_a", from_stage=0, to_stage=1, change=NOTHING, effect=effect("e1")
        )

    assert await advance() == await advance()


async def test_of_racing_advances_exactly_one_wins(stores: Stores) -> None:
    await known(stores)

    results = await asyncio.gather(
        *(
            stores.people.advance_stage(
                "p_a", from_stage=0, to_stage=1, change=NOTHING, effect=effect(f"e{n}")
            )
            for n in range(RACERS)
        ),
        return_exceptions=True,
    )

    assert sum(isinstance(result, Person) for result in results) == 1
    assert sum(isinstance(result, ConflictError) for result in results) == RACERS - 1
