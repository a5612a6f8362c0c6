"""Promises of `bot.core.admission.Invitations`."""

import asyncio
from dataclasses import replace

from bot.core.stores import Stores
from tests.contract.samples import NOW, RACERS, invitation, later

ANN, BOB = "telegram/b//1", "telegram/b//2"


async def test_a_code_lets_the_first_account_in_and_nobody_else(stores: Stores) -> None:
    await stores.invitations.put(invitation(code_hash="h"))
    assert not await stores.invitations.admitted(ANN)

    assert await stores.invitations.redeem("h", account_key=ANN, now=NOW)
    assert not await stores.invitations.redeem("h", account_key=BOB, now=NOW)
    assert await stores.invitations.admitted(ANN)
    assert not await stores.invitations.admitted(BOB)


async def test_redeeming_again_finds_the_same_even_after_the_time_is_over(stores: Stores) -> None:
    await stores.invitations.put(invitation(code_hash="h"))

    assert await stores.invitations.redeem("h", account_key=ANN, now=NOW)
    assert await stores.invitations.redeem("h", account_key=ANN, now=later(days=30))


async def test_a_code_that_is_unknown_or_too_old_lets_nobody_in(stores: Stores) -> None:
    await stores.invitations.put(invitation(code_hash="h"))

    assert not await stores.invitations.redeem("other", account_key=ANN, now=NOW)
    assert not await stores.invitations.redeem("h", account_key=ANN, now=later(days=7))
    assert not await stores.invitations.admitted(ANN)


async def test_of_racing_accounts_one_takes_the_code(stores: Stores) -> None:
    await stores.invitations.put(invitation(code_hash="h"))

    won = await asyncio.gather(
        *(stores.invitations.redeem("h", account_key=f"a{n}", now=NOW) for n in range(RACERS))
    )

    assert sum(won) == 1


async def test_an_invitation_made_again_replaces_its_code_until_it_is_redeemed(
    stores: Stores,
) -> None:
    await stores.invitations.put(invitation(code_hash="old"))
    await stores.invitations.put(invitation(code_hash="new"))
    assert not await stores.invitations.redeem("old", account_key=ANN, now=NOW)
    assert await stores.invitations.redeem("new", account_key=ANN, now=NOW)

    await stores.invitations.put(replace(invitation(code_hash="third"), made_by="x"))
    assert not await stores.invitations.redeem("third", account_key=BOB, now=NOW)


async def test_an_expelled_account_is_out_and_its_code_is_spent(stores: Stores) -> None:
    await stores.invitations.put(invitation(code_hash="h"))
    await stores.invitations.redeem("h", account_key=ANN, now=NOW)

    assert await stores.invitations.expel(ANN) == 1
    assert await stores.invitations.expel(ANN) == 0
    assert not await stores.invitations.admitted(ANN)
    assert not await stores.invitations.redeem("h", account_key=ANN, now=NOW)
