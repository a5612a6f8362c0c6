"""Schedules, their deliveries, and the one atomic firing of a due moment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal, Protocol

from bot.core.actions import Action
from bot.core.effects import Effect
from bot.core.events import Chat
from bot.core.outbox import OutboxDraft
from bot.core.recurrence import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleDraft:
    """A reminder to be stored.

    Attributes:
        what: the reminder's text, verbatim.
        next_fire_at: aware UTC, computed from the rule by `bot.language`.
        chat: where it is delivered.
        mention: account id to notify when that chat is a group.
        when_late: what to do with a moment that passed while we were down.
    """

    what: str
    rule: Rule
    next_fire_at: datetime
    chat: Chat
    mention: str | None = None
    when_late: Literal["once", "skip"] = "once"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A stored reminder.

    Attributes:
        next_fire_at: aware UTC; None when there is nothing to come.
        revision: rises with every change by the person, not with firing.
    """

    schedule_id: str
    person_id: str
    what: str
    rule: Rule
    next_fire_at: datetime | None
    chat: Chat
    mention: str | None
    when_late: Literal["once", "skip"]
    created_at: datetime
    revision: int = 1
    cancelled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleChange:
    """What to change of a reminder; None leaves a field."""

    what: str | None = None
    rule: Rule | None = None
    next_fire_at: datetime | None = None


class DeliveryStatus(StrEnum):
    """How an occurrence ended, or that it is still tried."""

    PENDING = "pending"
    DELIVERED = "delivered"
    LATE = "late"
    RETRYING = "retrying"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One occurrence of a reminder.

    Attributes:
        delivery_id: schedule, revision and due moment in one string; unique.
        late: it was begun late enough to say so.
        reason: why it was skipped; empty otherwise.
        covers: how many occurrences this row accounts for (more than one only when skipped).
        acknowledged: the person pressed Done.
    """

    delivery_id: str
    schedule_id: str
    person_id: str
    due_at: datetime
    status: DeliveryStatus
    late: bool = False
    reason: str = ""
    covers: int = 1
    settled_at: datetime | None = None
    acknowledged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """What one due moment leaves behind; stored whole or not at all.

    Attributes:
        expected_fire_at: the `next_fire_at` that was read; a changed one voids the firing.
        next_fire_at: the moment after, None when the rule has ended.
    """

    schedule_id: str
    revision: int
    expected_fire_at: datetime
    next_fire_at: datetime | None
    deliveries: tuple[Delivery, ...]
    outbox: tuple[OutboxDraft, ...] = ()
    actions: tuple[Action, ...] = field(default_factory=tuple)

    @property
    def person_id(self) -> str | None:
        """Whose moment was read (None without deliveries); another owner voids the firing."""
        return self.deliveries[0].person_id if self.deliveries else None


class Schedules(Protocol):
    """Reminders by person, and what is due."""

    async def insert(self, person_id: str, draft: ScheduleDraft, *, effect: Effect) -> Schedule:
        """Store a reminder."""
        ...

    async def update(
        self,
        person_id: str,
        schedule_id: str,
        *,
        revision: int,
        change: ScheduleChange,
        effect: Effect,
    ) -> Schedule:
        """Change a reminder.

        Raises:
            ConflictError: it is not in this revision any more.
            NotFoundError: no such live reminder of this person.
        """
        ...

    async def cancel(
        self, person_id: str, schedule_ids: Sequence[str], *, effect: Effect
    ) -> tuple[Schedule, ...]:
        """Cancel reminders; return those that were live.

        Raises:
            NotFoundError: an id is not a reminder of this person.
        """
        ...

    async def restore(
        self, person_id: str, schedule_ids: Sequence[str], *, effect: Effect
    ) -> tuple[Schedule, ...]:
        """Undo `cancel`; return those that had been cancelled.

        Raises:
            NotFoundError: an id is not a reminder of this person.
        """
        ...

    async def get(self, person_id: str, schedule_id: str) -> Schedule | None:
        """Return the reminder, cancelled or not."""
        ...

    async def upcoming(self, person_id: str, *, limit: int) -> tuple[Schedule, ...]:
        """Return live reminders with something to come, the next one first."""
        ...

    async def of_person(self, person_id: str) -> tuple[Schedule, ...]:
        """Return all reminders of a person, oldest first (for export)."""
        ...

    async def next_due_at(self) -> datetime | None:
        """Return the earliest moment that is still to come or overdue."""
        ...

    async def due(self, now: datetime, *, limit: int) -> tuple[Schedule, ...]:
        """Return live reminders whose moment has come, the most overdue first."""
        ...

    async def fire(self, firings: Sequence[Firing], *, now: datetime) -> int:
        """Store firings, each whole or not at all; return how many were.

        A firing whose schedule changed meanwhile (revision or moment) is left out. Delivery and
        outbox ids are unique, so the same moment is never stored twice.
        """
        ...

    async def acknowledge(self, person_id: str, delivery_id: str, *, effect: Effect) -> Delivery:
        """Record that the person pressed Done.

        Raises:
            NotFoundError: no such delivery of this person.
        """
        ...

    async def deliveries(self, person_id: str, *, limit: int = 100) -> tuple[Delivery, ...]:
        """Return the person's deliveries, newest due moment first."""
        ...

    async def delivery_counts(self) -> Mapping[str, int]:
        """Return how many deliveries there are by status."""
        ...
