"""Promises of `bot.core.spaces.GroupSpaces`."""

from bot.core.stores import Stores


async def test_a_group_is_where_it_was_said_last_until_it_is_taken_back(stores: Stores) -> None:
    await stores.group_spaces.put("feishu/b/1", "305")
    await stores.group_spaces.put("feishu/b/2", "3F")
    await stores.group_spaces.put("feishu/b/1", "306")
    assert await stores.group_spaces.get("feishu/b/1") == "306"

    for _ in range(2):
        await stores.group_spaces.put("feishu/b/1", "")
    assert await stores.group_spaces.get("feishu/b/1") == ""
    assert await stores.group_spaces.get("feishu/b/2") == "3F"
