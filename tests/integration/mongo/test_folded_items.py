"""Names of entries that were written before are found in every spelling, too."""

from typing import Any

from pymongo import AsyncMongoClient

from bot.core.ledger import EntryFilter
from storage.mongo.schema import STEPS, prepare
from storage.mongo.stores import open_stores
from tests.contract.samples import effect, entry


async def test_the_names_of_before_are_found_in_other_characters(uri: str) -> None:
    async with open_stores(uri) as stores:
        drafts = [entry(item="午飯"), entry(item="午饭"), entry(item="Café")]
        await stores.ledger.append("p_a", drafts, effect=effect("add"))
    async with AsyncMongoClient[dict[str, Any]](uri, tz_aware=True) as client:
        database = client.get_default_database()
        for item in ("午飯", "午饭", "Café"):
            folded = {"$set": {"item_folded": item.casefold()}}
            await database["entries"].update_one({"item": item}, folded)
        before = {"$set": {"version": len(STEPS) - 1}}
        await database["schema"].update_one({"_id": "schema"}, before)

        await prepare(database)
        await prepare(database)

    async with open_stores(uri) as stores:
        for spelling in ("午饭", "午飯"):
            found = await stores.ledger.find("p_a", EntryFilter(item=spelling), limit=9)
            assert {item.item for item in found} == {"午飯", "午饭"}
        assert len(await stores.ledger.find("p_a", EntryFilter(item="CAFÉ"), limit=9)) == 1
