"""Links from messages to entities in SQLite; turns and the outbox both write them."""

import sqlite3
from collections.abc import Iterable

from bot.core.turns import Link


def add_links(connection: sqlite3.Connection, links: Iterable[Link]) -> None:
    """Store the links that are not there yet."""
    connection.executemany(
        "INSERT INTO links (chat_key, message_id, entity, event_id) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (chat_key, message_id, entity) DO NOTHING",
        [(link.chat_key, link.message_id, link.entity, link.event_id) for link in links],
    )


def linked_entities(
    connection: sqlite3.Connection, chat_key: str, message_id: str
) -> tuple[str, ...]:
    """Return what the message stands for, in the order it was linked."""
    rows = connection.execute(
        "SELECT entity FROM links WHERE chat_key = ? AND message_id = ? ORDER BY sequence",
        (chat_key, message_id),
    )
    return tuple(row["entity"] for row in rows)
