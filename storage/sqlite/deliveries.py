"""Deliveries of reminders in SQLite; firing makes them, the outbox settles them."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime

from bot.core.schedules import Delivery, DeliveryStatus
from storage.instants import (
    from_micros,
    from_micros_or_none,
    to_micros,
    to_micros_or_none,
)


def add_deliveries(connection: sqlite3.Connection, deliveries: Iterable[Delivery]) -> None:
    """Store the deliveries whose id is not there yet."""
    connection.executemany(
        "INSERT INTO deliveries (delivery_id, schedule_id, person_id, due_at, status, late,"
        " reason, covers, settled_at, acknowledged) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (delivery_id) DO NOTHING",
        [
            (
                delivery.delivery_id,
                delivery.schedule_id,
                delivery.person_id,
                to_micros(delivery.due_at),
                delivery.status,
                delivery.late,
                delivery.reason,
                delivery.covers,
                to_micros_or_none(delivery.settled_at),
                delivery.acknowledged,
            )
            for delivery in deliveries
        ],
    )


def settle_sent(connection: sqlite3.Connection, delivery_id: str, *, now: datetime) -> None:
    """Make an unsettled delivery DELIVERED, or LATE when it was begun late."""
    connection.execute(
        "UPDATE deliveries SET status = CASE late WHEN 1 THEN 'late' ELSE 'delivered' END,"
        " settled_at = ?"
        " WHERE delivery_id = ? AND status IN ('pending', 'retrying')",
        (to_micros(now), delivery_id),
    )


def mark_retrying(connection: sqlite3.Connection, delivery_id: str) -> None:
    """Make an unsettled delivery RETRYING."""
    connection.execute(
        "UPDATE deliveries SET status = 'retrying'"
        " WHERE delivery_id = ? AND status IN ('pending', 'retrying')",
        (delivery_id,),
    )


def settle_skipped(
    connection: sqlite3.Connection, delivery_id: str, *, reason: str, now: datetime
) -> None:
    """Make an unsettled delivery SKIPPED."""
    connection.execute(
        "UPDATE deliveries SET status = 'skipped', reason = ?, settled_at = ?"
        " WHERE delivery_id = ? AND status IN ('pending', 'retrying')",
        (reason, to_micros(now), delivery_id),
    )


def read_delivery(row: sqlite3.Row) -> Delivery:
    """Return the delivery of a row."""
    return Delivery(
        delivery_id=row["delivery_id"],
        schedule_id=row["schedule_id"],
        person_id=row["person_id"],
        due_at=from_micros(row["due_at"]),
        status=DeliveryStatus(row["status"]),
        late=bool(row["late"]),
        reason=row["reason"],
        covers=row["covers"],
        settled_at=from_micros_or_none(row["settled_at"]),
        acknowledged=bool(row["acknowledged"]),
    )
