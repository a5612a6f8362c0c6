"""Which stored reminders are meant: by id, by their words, by when they ring, by number."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from agents.schedule import present
from agents.schedule.timing import clocks_of, says_part
from bot.core.agents import Turn, zone_of
from bot.core.recurrence import Rule
from bot.core.schedules import Schedule, Schedules
from bot.language.named_orders import is_called
from bot.language.normalize import normalize
from bot.language.recurrence import next_fire, resolve_recurrence
from bot.language.times import resolve_time

LISTED = 20
MOST_TO_COME = 1000
_HALF = 12
_EDGE = (" one", " ones", "那个", "的", "那条")


class ReminderFinder:
    """Reads the reminders of the person of a turn."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules

    async def listed(self, turn: Turn, limit: int = LISTED) -> list[Schedule]:
        """Return what is to come, in the order and with the numbers of the list.

        In a group these are the ones that were set there.
        """
        owner = turn.person.person_id
        if not turn.in_group:
            return list(await self._schedules.upcoming(owner, limit=limit))
        return [s for s in await self._to_come(turn) if s.chat.place == turn.chat.place][:limit]

    async def elsewhere(self, turn: Turn) -> int:
        """Return how many are to come that a group does not get to see."""
        if not turn.in_group:
            return 0
        return sum(s.chat.place != turn.chat.place for s in await self._to_come(turn))

    async def called(self, turn: Turn, target: str) -> list[Schedule]:
        """Return the live reminders that ``target`` names or says when they ring; all without."""
        live = await self._live(turn)
        if not target:
            return _of_group(turn, live)
        said = normalize(target).text
        named = [s for s in live if said in normalize(s.what).text or is_called(s.what, target)]
        return named or [s for s in _of_group(turn, live) if _rings(s, target, turn.now)]

    async def meant(self, turn: Turn, ids: Sequence[str], target: str) -> list[Schedule]:
        """Return the live ones of ``ids``, else those called ``target``, else the last set."""
        owner = turn.person.person_id
        if ids:
            found = [await self._schedules.get(owner, schedule_id) for schedule_id in ids]
            return [s for s in found if s is not None and not s.cancelled]
        if not target:
            return _of_group(turn, await self._live(turn))[-1:]
        return await self.called(turn, target)

    async def _to_come(self, turn: Turn) -> tuple[Schedule, ...]:
        return await self._schedules.upcoming(turn.person.person_id, limit=MOST_TO_COME)

    async def _live(self, turn: Turn) -> list[Schedule]:
        stored = await self._schedules.of_person(turn.person.person_id)
        return [s for s in stored if s.next_fire_at is not None and not s.cancelled]


def _of_group(turn: Turn, live: list[Schedule]) -> list[Schedule]:
    """Keep what was set in this group: there, words without a name mean nothing private."""
    return [s for s in live if s.chat == turn.chat] if turn.in_group else live


def rings_within(schedule: Schedule, start: datetime, end: datetime) -> bool:
    """Whether a live reminder rings at or after ``start`` and before ``end``."""
    coming = schedule.next_fire_at
    if coming is None or coming >= end:
        return False
    if coming >= start:
        return True
    just_before = start.astimezone(UTC) - timedelta(seconds=1)
    later = next_fire(schedule.rule, just_before)
    return later is not None and later < end


def _rings(schedule: Schedule, target: str, now: datetime) -> bool:
    """Whether the words say when it rings: 每月5号, 工作日, Friday, 明天8点."""
    words = target.strip()
    for edge in _EDGE:
        words = words.removesuffix(edge).strip()
    clocks = clocks_of(words, now)
    local_fire = present.fire_local(schedule)
    if len(clocks) == 1 and local_fire is not None:
        return _same_clock(local_fire, clocks[0], words)
    if schedule.rule.type != "once":
        return any(_same_days(schedule.rule, said, now) for said in _as_rules(words))
    found = resolve_time(words, now=now, tz=zone_of(now), mode="range")
    first = found.times[0] if len(found.times) == 1 else None
    if first is None or first.start is None or found.spans != ((0, len(words)),):
        return False
    if schedule.next_fire_at is None:
        return False
    local = schedule.next_fire_at.astimezone(ZoneInfo(schedule.rule.tz))
    if first.end is not None:
        return first.start <= local < first.end
    return first.start == local


def _same_clock(local: datetime, clock: str, words: str) -> bool:
    """Whether a time of day is the reminder's; without a part of the day, of either half."""
    said = datetime.combine(local.date(), time.fromisoformat(clock))
    if says_part(words):
        return (local.hour, local.minute) == (said.hour, said.minute)
    return (local.hour % _HALF, local.minute) == (said.hour % _HALF, said.minute)


def _as_rules(words: str) -> tuple[str, ...]:
    return (words, f"每{words}", f"every {words}", f"每月{words}", f"the {words} of every month")


def _same_days(rule: Rule, words: str, now: datetime) -> bool:
    """Whether words give the days of a rule, and its times where they name any."""
    found = resolve_recurrence(words, now=now, tz=zone_of(now), mode="range")
    other = found.rule
    if found.status != "ok" or other is None or found.spans != ((0, len(words)),):
        return False
    if not found.default_time and other.times != rule.times:
        return False
    return _days_of(other) == _days_of(rule)


def _days_of(rule: Rule) -> tuple[object, ...]:
    return rule.type, rule.rrule, rule.nth, rule.free_days, rule.except_weekdays
