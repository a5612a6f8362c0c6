"""Promises of `bot.core.reach.GoneChats`."""

from bot.core.stores import Stores
from tests.contract.samples import NOW, later


async def test_a_chat_is_gone_until_it_is_lifted(stores: Stores) -> None:
    await stores.gone_chats.put("telegram/b/1", reason="blocked", now=NOW)
    await stores.gone_chats.put("telegram/b/2", reason="left", now=NOW)
    assert await stores.gone_chats.all() == {"telegram/b/1": "blocked", "telegram/b/2": "left"}

    await stores.gone_chats.lift("telegram/b/1")
    assert await stores.gone_chats.all() == {"telegram/b/2": "left"}


async def test_the_first_reason_stays_and_lifting_twice_is_lifting_once(stores: Stores) -> None:
    await stores.gone_chats.put("p", reason="blocked", now=NOW)
    await stores.gone_chats.put("p", reason="again", now=later(days=1))
    assert await stores.gone_chats.all() == {"p": "blocked"}

    for _ in range(2):
        await stores.gone_chats.lift("p")
    assert await stores.gone_chats.all() == {}
