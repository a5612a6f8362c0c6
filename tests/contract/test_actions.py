"""Promises of `bot.core.actions.Actions`."""

import asyncio
from dataclasses import replace
from datetime import datetime

from bot.core.actions import Action, Claim, ClaimStatus, Uses
from bot.core.stores import Stores
from tests.contract.samples import CHAT, NOW, OTHER_CHAT, RACERS, action, later, outcome


async def add(stores: Stores, *actions: Action) -> None:
    await stores.turns.commit(outcome("made", actions=actions))


async def press(
    stores: Stores,
    token: str,
    event_id: str,
    *,
    person_id: str = "p_a",
    chat_key: str = CHAT.key,
    now: datetime = NOW,
) -> Claim:
    return await stores.actions.claim(
        token, person_id=person_id, chat_key=chat_key, event_id=event_id, now=now
    )


async def test_the_owners_press_is_granted_with_the_stored_action(stores: Stores) -> None:
    await add(stores, action())

    claim = await press(stores, "t", "press 1")

    assert claim == Claim(
        status=ClaimStatus.GRANTED, action=replace(action(), claimed_by="press 1")
    )
    assert await stores.actions.get("t") == claim.action


async def test_an_unknown_token_is_unknown(stores: Stores) -> None:
    assert await press(stores, "made up", "e") == Claim(status=ClaimStatus.UNKNOWN)
    assert await stores.actions.get("made up") is None


async def test_the_same_event_is_granted_again_even_past_the_expiry(stores: Stores) -> None:
    await add(stores, action())
    first = await press(stores, "t", "press 1")

    assert await press(stores, "t", "press 1") == first
    assert await press(stores, "t", "press 1", now=later(days=3)) == first


async def test_a_claimed_action_is_used_for_every_other_event(stores: Stores) -> None:
    await add(stores, action())
    await press(stores, "t", "press 1")

    again = await press(stores, "t", "press 2")
    assert again.status is ClaimStatus.USED
    assert again.action is not None
    assert again.action.claimed_by == "press 1"
    assert (await press(stores, "t", "press 3", now=later(days=3))).status is ClaimStatus.USED


async def test_of_racing_presses_exactly_one_is_granted(stores: Stores) -> None:
    await add(stores, action())

    claims = await asyncio.gather(*(press(stores, "t", f"press {n}") for n in range(RACERS)))

    statuses = [claim.status for claim in claims]
    assert statuses.count(ClaimStatus.GRANTED) == 1
    assert statuses.count(ClaimStatus.USED) == RACERS - 1


async def test_racing_repeats_of_one_press_are_all_granted(stores: Stores) -> None:
    await add(stores, action())

    claims = await asyncio.gather(*(press(stores, "t", "press 1") for _ in range(RACERS)))

    assert {claim.status for claim in claims} == {ClaimStatus.GRANTED}


async def test_a_claim_uses_up_the_once_actions_of_its_group(stores: Stores) -> None:
    await add(
        stores,
        action("confirm"),
        action("cancel"),
        action("more", uses=Uses.MANY),
        action("elsewhere", group="another"),
    )
    await press(stores, "confirm", "press 1")

    statuses = {
        token: (await press(stores, token, f"press {token}")).status
        for token in ("cancel", "more", "elsewhere")
    }
    assert statuses == {
        "cancel": ClaimStatus.USED,
        "more": ClaimStatus.GRANTED,
        "elsewhere": ClaimStatus.GRANTED,
    }


async def test_of_racing_confirm_and_cancel_exactly_one_is_granted(stores: Stores) -> None:
    tokens = [f"t{n}" for n in range(RACERS)]
    await add(stores, *map(action, tokens))

    claims = await asyncio.gather(*(press(stores, token, f"press {token}") for token in tokens))

    assert [claim.status for claim in claims].count(ClaimStatus.GRANTED) == 1


async def test_actions_without_a_group_do_not_exclude_each_other(stores: Stores) -> None:
    await add(stores, action("t1", group=""), action("t2", group=""))

    assert (await press(stores, "t1", "press 1")).status is ClaimStatus.GRANTED
    assert (await press(stores, "t2", "press 2")).status is ClaimStatus.GRANTED
    assert (await press(stores, "t1", "press 3")).status is ClaimStatus.USED


async def test_a_many_action_is_granted_to_every_event_until_it_expires(stores: Stores) -> None:
    await add(stores, action(uses=Uses.MANY))

    assert (await press(stores, "t", "press 1")).status is ClaimStatus.GRANTED
    assert (await press(stores, "t", "press 2")).status is ClaimStatus.GRANTED
    late = await press(stores, "t", "press 3", now=later(days=2))
    assert late.status is ClaimStatus.EXPIRED


async def test_an_expired_action_is_not_granted(stores: Stores) -> None:
    await add(stores, action())

    claim = await press(stores, "t", "press 1", now=later(days=2))

    assert claim == Claim(status=ClaimStatus.EXPIRED, action=action())
    assert (await press(stores, "t", "press 2", now=NOW)).status is ClaimStatus.GRANTED


async def test_a_foreign_press_consumes_nothing(stores: Stores) -> None:
    await add(stores, action())

    other_person = await press(stores, "t", "press 1", person_id="p_b")
    other_chat = await press(stores, "t", "press 2", chat_key=OTHER_CHAT.key)

    foreign = Claim(status=ClaimStatus.FOREIGN, action=action())
    assert (other_person, other_chat) == (foreign, foreign)
    assert (await press(stores, "t", "press 3")).status is ClaimStatus.GRANTED
    assert (await press(stores, "t", "press 4", person_id="p_b")).status is ClaimStatus.FOREIGN


async def test_a_token_is_stored_once(stores: Stores) -> None:
    await add(stores, action())
    await press(stores, "t", "press 1")
    await stores.turns.commit(
        outcome("again", expected_version=1, actions=(action(owner_id="p_b"),))
    )

    assert await stores.actions.get("t") == replace(action(), claimed_by="press 1")
