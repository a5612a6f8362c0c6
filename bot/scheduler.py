"""Due work: reminders become deliveries and messages; fixed jobs sweep."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.core.actions import Action
from bot.core.errors import StorageError, StorageUnavailableError
from bot.core.events import Chat
from bot.core.failpoints import Failpoint, hit
from bot.core.outbox import OutboxClass, OutboxDraft
from bot.core.people import People, Person
from bot.core.ports import Clock
from bot.core.recurrence import Rule
from bot.core.schedules import Delivery, DeliveryStatus, Firing, Schedule, Schedules
from bot.reminder_message import reminder_message
from bot.reminder_targets import ReminderTargets, placed

BATCH = 50
"""Reminders stored in one transaction; a reply waits for at most one of these."""

POLL_SECONDS = 30
"""Bound on how late a stepped clock or a missed wake-up can make a reminder."""

MOST_MISSED = 2000
"""Missed moments counted in one go; what lies beyond is counted in the next."""

NextFire = Callable[[Rule, datetime], datetime | None]
Job = Callable[[], Awaitable[object]]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedJob:
    """A system job and how often it runs."""

    name: str
    every: timedelta
    run: Job


class Scheduler:
    """Fires what is due. APScheduler holds one date job for the next moment and the fixed jobs."""

    def __init__(
        self,
        *,
        schedules: Schedules,
        people: People,
        targets: ReminderTargets,
        clock: Clock,
        next_fire: NextFire,
        wake: Callable[[str, OutboxClass], None],
        late_after: timedelta,
        jobs: tuple[FixedJob, ...] = (),
    ) -> None:
        self._schedules = schedules
        self._people = people
        self._targets = targets
        self._clock = clock
        self._next_fire = next_fire
        self._wake = wake
        self._late_after = late_after
        self._jobs = jobs
        self._timer = AsyncIOScheduler(timezone=UTC)
        self._lock = asyncio.Lock()
        self._arming = asyncio.Lock()
        self._is_stale = False
        self._rearm: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Fire while the context is open, beginning with what came due while we were down."""
        self._timer.start()
        options = {"max_instances": 1, "coalesce": True, "misfire_grace_time": None}
        self._timer.add_job(self.tick, "interval", seconds=POLL_SECONDS, id="poll", **options)
        for job in self._jobs:
            seconds = int(job.every.total_seconds())
            self._timer.add_job(job.run, "interval", seconds=seconds, id=job.name, **options)
        try:
            await self.tick()
            yield
        finally:
            self._timer.shutdown(wait=False)
            if self._rearm is not None:
                self._rearm.cancel()

    def changed(self) -> None:
        """Note that a schedule was written: the next moment may be another."""
        self._is_stale = True
        if self._timer.running and (self._rearm is None or self._rearm.done()):
            self._rearm = asyncio.get_running_loop().create_task(self._arm_again())

    async def tick(self) -> int:
        """Fire everything that is due now, then wait for the next moment; return how many."""
        fired = 0
        try:
            async with self._lock:
                while due := await self._schedules.due(self._clock.now(), limit=BATCH):
                    stored = await self._fire(due)
                    fired += stored
                    if not stored:  # nothing of it can be stored now: try again at the next poll
                        break
                    await asyncio.sleep(0)
            await self._arm()
        except StorageError as error:
            log.warning("tick_failed", error=type(error).__name__)
        except Exception:  # last resort: the poll tries again, and the rest of the bot goes on
            log.exception("tick_failed")
        return fired

    async def _arm_again(self) -> None:
        """Wait for the next moment; a schedule written meanwhile is looked at once more."""
        while self._is_stale:
            self._is_stale = False
            try:
                await self._arm()
            except StorageError as error:  # the poll arms it
                log.warning("arm_failed", error=type(error).__name__)

    async def _arm(self) -> None:
        async with self._arming:  # what was read last is what is waited for
            moment = await self._schedules.next_due_at()
            if moment is None or not self._timer.running:
                return
            self._timer.add_job(
                self.tick,
                "date",
                run_date=max(moment, self._clock.now()),
                id="due",
                replace_existing=True,
                misfire_grace_time=None,
                max_instances=2,  # a tick arms the next one before it has ended itself
            )

    async def _fire(self, due: tuple[Schedule, ...]) -> int:
        now = self._clock.now()
        people: dict[str, Person | None] = {}
        chats: dict[str, Mapping[str, Chat]] = {}
        firings = []
        for schedule in due:
            owner = schedule.person_id
            if owner not in people:
                people[owner] = await self._people.get(owner)
                chats[owner] = await self._targets.private_chats(owner)
            person = people[owner]
            there = placed(schedule, person.home, chats[owner]) if person else schedule
            firings.append(self._firing_or_skip(there, person, now))
        count = await self._store(firings, now)
        hit(Failpoint.AFTER_FIRE)
        for firing in firings:
            for draft in firing.outbox:
                self._wake(draft.chat.key, draft.outbox_class)
        log.info("reminders_fired", count=count)
        return count

    async def _store(self, firings: list[Firing], now: datetime) -> int:
        """Store the batch; when it fails as a whole, store what can be stored one by one."""
        try:
            return await self._schedules.fire(firings, now=now)
        except StorageUnavailableError:
            raise
        except Exception:  # one bad firing must not hold up the others
            log.exception("batch_failed", size=len(firings))
        count = 0
        for firing in firings:
            try:
                count += await self._schedules.fire([firing], now=now)
            except StorageUnavailableError:
                raise
            except Exception:  # it is left for a later tick; the log says which
                log.exception("firing_failed", schedule=firing.schedule_id)
        return count

    def _firing_or_skip(self, schedule: Schedule, person: Person | None, now: datetime) -> Firing:
        """Return the firing; one that cannot be made is skipped, so that the others go on."""
        try:
            return self._firing(schedule, person, now)
        except Exception:  # last resort: it is the most overdue and would come first for ever
            log.exception("firing_failed", schedule_id=schedule.schedule_id)
        first = schedule.next_fire_at or now
        try:
            following = self._next_fire(schedule.rule, max(first, now))
        except Exception:  # its rule is what cannot be read: there is nothing to come
            log.exception("rule_failed", schedule_id=schedule.schedule_id)
            following = None
        return Firing(
            schedule_id=schedule.schedule_id,
            revision=schedule.revision,
            expected_fire_at=first,
            next_fire_at=following,
            deliveries=(_skipped(schedule, [first], reason="internal error", now=now),),
        )

    def _firing(self, schedule: Schedule, person: Person | None, now: datetime) -> Firing:
        """Return what one schedule's due moments leave behind.

        Of several missed moments the last is delivered (or none, by the person's choice); the
        others are accounted for in one skipped row.
        """
        first = schedule.next_fire_at
        if first is None:
            raise ValueError("not due")
        moments = self._moments(schedule, first, now)
        last = moments[-1]
        following = self._next_fire(schedule.rule, last)
        late = now - last > self._late_after
        deliver = person is not None and not (late and schedule.when_late == "skip")
        missed = moments[:-1] if deliver else moments
        rows: list[Delivery] = []
        if missed:
            reason = "no such person" if person is None else "missed while the bot was down"
            rows.append(_skipped(schedule, missed, reason=reason, now=now))
        outbox: tuple[OutboxDraft, ...] = ()
        actions: tuple[Action, ...] = ()
        if deliver and person is not None:
            row = _pending(schedule, last, late=late)
            rows.append(row)
            draft, actions = reminder_message(
                schedule, person, row, now=now, again=following is not None
            )
            outbox = (draft,)
        return Firing(
            schedule_id=schedule.schedule_id,
            revision=schedule.revision,
            expected_fire_at=first,
            next_fire_at=following,
            deliveries=tuple(rows),
            outbox=outbox,
            actions=actions,
        )

    def _moments(self, schedule: Schedule, first: datetime, now: datetime) -> list[datetime]:
        moments = [first]
        while len(moments) < MOST_MISSED:
            following = self._next_fire(schedule.rule, moments[-1])
            if following is None or following > now:
                break
            moments.append(following)
        return moments


def _pending(schedule: Schedule, due_at: datetime, *, late: bool) -> Delivery:
    return Delivery(
        delivery_id=_delivery_id(schedule, due_at),
        schedule_id=schedule.schedule_id,
        person_id=schedule.person_id,
        due_at=due_at,
        status=DeliveryStatus.PENDING,
        late=late,
    )


def _skipped(
    schedule: Schedule, missed: list[datetime], *, reason: str, now: datetime
) -> Delivery:
    return Delivery(
        delivery_id=_delivery_id(schedule, missed[0]),
        schedule_id=schedule.schedule_id,
        person_id=schedule.person_id,
        due_at=missed[0],
        status=DeliveryStatus.SKIPPED,
        late=True,
        reason=reason,
        covers=len(missed),
        settled_at=now,
    )


def _delivery_id(schedule: Schedule, due_at: datetime) -> str:
    return f"{schedule.schedule_id}:{schedule.revision}:{due_at.isoformat()}"
