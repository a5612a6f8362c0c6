"""Links from messages to entities in MongoDB; turns and the outbox both write them."""

from collections.abc import Sequence

from bot.core.ids import derived_id
from bot.core.turns import Link
from storage.mongo.database import Database
from storage.mongo.decisions import Write, insert


def linking(links: Sequence[Link], first: int) -> Write:
    """Store the links that are not there yet, numbered in their order from ``first``."""
    named: dict[str, Link] = {}
    for link in links:
        named.setdefault(link_key(link.chat_key, link.message_id, link.entity), link)
    return insert(
        "links",
        *(
            {
                "_id": key,
                "sequence": number,
                "chat_key": link.chat_key,
                "message_id": link.message_id,
                "entity": link.entity,
                "event_id": link.event_id,
            }
            for number, (key, link) in enumerate(named.items(), first)
        ),
    )


async def linked_entities(database: Database, chat_key: str, message_id: str) -> tuple[str, ...]:
    """Return what the message stands for, in the order it was linked."""
    rows = await database.rows("links").many(
        {"chat_key": chat_key, "message_id": message_id}, sort=[("sequence", 1)]
    )
    return tuple(row["entity"] for row in rows)


def link_key(chat_key: str, message_id: str, entity: str) -> str:
    """Return the key of a link."""
    return derived_id("l", chat_key, message_id, entity)
