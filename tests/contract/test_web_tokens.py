"""Promises of `bot.core.transcripts.WebTokens`."""

import pytest

from bot.core.errors import ConflictError
from bot.core.stores import Stores
from bot.core.transcripts import WebAccess
from tests.contract.samples import NOW


def access(token_hash: str, user_id: str = "ann") -> WebAccess:
    return WebAccess(token_hash=token_hash, user_id=user_id, created_at=NOW)


async def test_a_sign_in_is_found_by_its_hash(stores: Stores) -> None:
    await stores.web_tokens.add(access("h1"))

    assert await stores.web_tokens.find("h1") == access("h1")
    assert await stores.web_tokens.find("h2") is None


async def test_a_hash_stays_with_its_first_user(stores: Stores) -> None:
    await stores.web_tokens.add(access("h1", "ann"))
    with pytest.raises(ConflictError):
        await stores.web_tokens.add(access("h1", "bob"))

    assert await stores.web_tokens.find("h1") == access("h1", "ann")


async def test_revoking_deletes_the_sign_ins_of_this_user_only(stores: Stores) -> None:
    for token_hash, user_id in [("h1", "ann"), ("h2", "ann"), ("h3", "bob")]:
        await stores.web_tokens.add(access(token_hash, user_id))

    assert await stores.web_tokens.revoke("ann") == 2
    assert await stores.web_tokens.revoke("ann") == 0
    assert await stores.web_tokens.find("h1") is None
    assert await stores.web_tokens.find("h3") == access("h3", "bob")
