"""Deliveries of reminders in MongoDB; firing makes them, the outbox settles them."""

from collections.abc import Sequence
from datetime import datetime

from bot.core.schedules import Delivery, DeliveryStatus
from storage.instants import (
    from_micros,
    from_micros_or_none,
    to_micros,
    to_micros_or_none,
)
from storage.mongo.decisions import Write, insert, update
from storage.mongo.driver import Row

_OPEN = {"$in": [DeliveryStatus.PENDING.value, DeliveryStatus.RETRYING.value]}


def delivering(deliveries: Sequence[Delivery], first: int) -> Write:
    """Store the deliveries whose id is not there yet, numbered from ``first``."""
    return insert(
        "deliveries",
        *(
            {
                "_id": delivery.delivery_id,
                "sequence": number,
                "schedule_id": delivery.schedule_id,
                "person_id": delivery.person_id,
                "due_at": to_micros(delivery.due_at),
                "status": delivery.status.value,
                "late": delivery.late,
                "reason": delivery.reason,
                "covers": delivery.covers,
                "settled_at": to_micros_or_none(delivery.settled_at),
                "acknowledged": delivery.acknowledged,
            }
            for number, delivery in enumerate(deliveries, first)
        ),
    )


def settling_sent(delivery_id: str, *, now: datetime) -> tuple[Write, ...]:
    """Make an unsettled delivery DELIVERED, or LATE when it was begun late."""
    statuses = ((True, DeliveryStatus.LATE), (False, DeliveryStatus.DELIVERED))
    return tuple(
        update(
            "deliveries",
            {"_id": delivery_id, "status": _OPEN, "late": late},
            {"status": status.value, "settled_at": to_micros(now)},
        )
        for late, status in statuses
    )


def retrying(delivery_id: str) -> Write:
    """Make an unsettled delivery RETRYING."""
    return update(
        "deliveries",
        {"_id": delivery_id, "status": _OPEN},
        {"status": DeliveryStatus.RETRYING.value},
    )


def settling_skipped(delivery_id: str, *, reason: str, now: datetime) -> Write:
    """Make an unsettled delivery SKIPPED."""
    return update(
        "deliveries",
        {"_id": delivery_id, "status": _OPEN},
        {
            "status": DeliveryStatus.SKIPPED.value,
            "reason": reason,
            "settled_at": to_micros(now),
        },
    )


def read_delivery(row: Row) -> Delivery:
    """Return the delivery of a row."""
    return Delivery(
        delivery_id=row["_id"],
        schedule_id=row["schedule_id"],
        person_id=row["person_id"],
        due_at=from_micros(row["due_at"]),
        status=DeliveryStatus(row["status"]),
        late=row["late"],
        reason=row["reason"],
        covers=row["covers"],
        settled_at=from_micros_or_none(row["settled_at"]),
        acknowledged=row["acknowledged"],
    )
