"""Promises of `bot.core.grants.Grants`."""

from bot.core.grants import branches_after
from bot.core.stores import Stores
from tests.contract.samples import account, grant, person


async def test_changes_are_kept_in_their_order_and_the_last_one_counts(stores: Stores) -> None:
    await stores.people.get_or_create(account(), defaults=person())
    changes = (grant("1"), grant("2", allowed=False), grant("3", branch_id="DATA"))
    await stores.grants.add(changes[:2])
    await stores.grants.add(changes[2:])

    found = await stores.grants.of_person("p_a")
    assert found == changes
    assert branches_after(frozenset({"QA"}), found) == {"QA", "DATA"}
    assert await stores.grants.of_person("p_b") == ()


async def test_the_same_change_stored_twice_is_stored_once(stores: Stores) -> None:
    await stores.people.get_or_create(account(), defaults=person())
    for _ in range(2):
        await stores.grants.add([grant("1"), grant("2", branch_id="DATA")])

    assert len(await stores.grants.of_person("p_a")) == 2
