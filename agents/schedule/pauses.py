"""Holding repeated reminders for a while, and letting them ring again."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from agents.schedule import present
from agents.schedule.calls import update_call
from agents.schedule.find import ReminderFinder
from agents.schedule.outcome import OFFERED, changed, say
from agents.schedule.pause_buttons import choose, pause_button, resume_button, say_of
from agents.schedule.presses import Press
from agents.schedule.resumes import resume, resume_all
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.messages import Button, TextBlock
from bot.core.schedules import Schedule, ScheduleChange, Schedules
from bot.core.words import Verbatim, text
from bot.language.named_orders import is_called
from bot.language.pauses import Pause, parse_pause
from bot.language.recurrence import next_fire
from bot.locales.moments import moment

ALL = frozenset({"所有", "所有的", "全部", "全部的", "all", "all my", "every"})
OFFERED_DAYS = (7, 30)
LONGEST_RANGE = timedelta(days=62)


class ReminderPauses:
    """Follows orders to pause and to resume; every write is a tool call."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules
        self._finder = ReminderFinder(schedules)

    async def order(self, turn: Turn, pause: Pause) -> AgentResult:
        """Do what the order says with the one reminder it means, or ask which or how long."""
        target = "" if pause.target in ALL else pause.target
        found = await self._finder.called(turn, target)
        if not found:
            return say(
                "schedule.nothing_called" if target else "schedule.list_empty", target=target
            )
        repeated = [s for s in found if s.rule.type != "once"]
        if not repeated:
            return _rings_once(turn, found[0])
        if pause.kind == "resume":
            whole = resume_all if pause.target in ALL else resume
            return await whole(turn, repeated, pause.start)
        if pause.start is not None and pause.start > turn.now and pause.until is not None:
            return await self._days(turn, repeated, pause.start, pause.until)
        if pause.target in ALL and pause.until is not None:
            return await self._all(turn, repeated, pause.until)
        return await self._one(turn, repeated, pause.until)

    async def instead(self, turn: Turn, schedule_id: str, words: str) -> AgentResult | None:
        """Pause the one that was just spoken of as words without its name say; None for others."""
        schedule = await self._schedules.get(turn.person.person_id, schedule_id)
        if schedule is None or schedule.cancelled:
            return None
        pause = parse_pause(f"{schedule.what}{words}", turn.now, zone_of(turn.now))
        if pause is None or pause.kind != "pause" or pause.target != schedule.what.lower():
            return None
        return await self._one(turn, [schedule], pause.until)

    async def knows(self, turn: Turn, target: str) -> bool:
        """Say whether a live reminder goes by that name."""
        return any(is_called(s.what, target) for s in await self._finder.listed(turn))

    async def call_off(self, turn: Turn, target: str) -> AgentResult | None:
        """Ask whether only the next time or all of what is called off; None without one."""
        found = await self._finder.called(turn, target)
        if not found:
            return None
        rows = [
            _row(schedule, ordinal=i if len(found) > 1 else None)
            for i, schedule in enumerate(found[:OFFERED], 1)
        ]
        what = Verbatim(found[0].what if len(found) == 1 else target)
        return AgentResult(
            blocks=(TextBlock(text("schedule.ask_call_off", what=what)),),
            buttons=tuple(rows),
            entities=present.references(found) if len(found) == 1 else (),
            status=Status.CLARIFY,
        )

    async def pressed(self, turn: Turn, press: Press) -> AgentResult:
        """Pause by a button: over the stretch that was said, or for so many days; none resumes."""
        schedule = await self._schedules.get(turn.person.person_id, press.text("schedule"))
        if schedule is None or schedule.cancelled:
            return say("schedule.gone", repaint=True)
        start, until = press.moment("start"), press.moment("until")
        days = press.number("days")
        if not days:
            return await resume(turn, [schedule], start)
        if start is not None and until is not None:
            return await self._days(turn, [schedule], start, until)
        return await self.pause(turn, schedule, until or turn.now + timedelta(days=days))

    async def pause(self, turn: Turn, schedule: Schedule, until: datetime) -> AgentResult:
        """Let the next time be the first one after the pause."""
        fire = next_fire(schedule.rule, until.astimezone(UTC) - timedelta(seconds=1))
        if not turn.tools.replaying and fire is None:
            return _never_again(schedule)
        if not turn.tools.replaying and fire == schedule.next_fire_at:
            return _idle(turn, schedule)
        candidates = [schedule]

        async def decide() -> Sequence[ToolCall]:
            return [update_call(schedule, ScheduleChange(next_fire_at=fire))]

        done = await changed(turn, decide, candidates, "", key="schedule.paused")
        buttons = ((resume_button(schedule), present.delete_button(schedule)),)
        return replace(done, buttons=buttons) if done.buttons else done

    async def _one(
        self, turn: Turn, found: Sequence[Schedule], until: datetime | None
    ) -> AgentResult:
        if len(found) > 1:
            return _choose(turn, found, None, until)
        if until is None:
            return _ask_how_long(found[0])
        return await self.pause(turn, found[0], until)

    async def _all(self, turn: Turn, found: Sequence[Schedule], until: datetime) -> AgentResult:
        """Pause every repeated reminder; none that is silent for longer already rings earlier."""
        fires = [
            (s, next_fire(s.rule, until.astimezone(UTC) - timedelta(seconds=1))) for s in found
        ]
        calls = [
            update_call(s, ScheduleChange(next_fire_at=fire))
            for s, fire in fires
            if fire is not None and s.next_fire_at is not None and fire > s.next_fire_at
        ]

        async def decide() -> Sequence[ToolCall]:
            return calls

        try:
            results = await turn.tools.perform(decide)
        except (ConflictError, NotFoundError):
            return say("schedule.changed_meanwhile")
        when = Verbatim(moment(until.astimezone(turn.now.tzinfo), turn.locale))
        words = text("schedule.paused_all", n=len(results), when=when)
        return AgentResult(blocks=(TextBlock(words),))

    async def _days(
        self, turn: Turn, found: Sequence[Schedule], start: datetime, until: datetime
    ) -> AgentResult:
        """Leave out the days of a stretch to come."""
        if len(found) > 1:
            return _choose(turn, found, start, until)
        schedule = found[0]
        days = _fire_days(schedule, start, min(until, start + LONGEST_RANGE), turn.now)
        if not turn.tools.replaying and not days:
            return _idle(turn, schedule)
        left_out = (d for d in schedule.rule.except_dates if d >= turn.now.date())
        rule = schedule.rule.model_copy(update={"except_dates": (*left_out, *days)})
        fire = next_fire(rule, turn.now.astimezone(UTC))
        if not turn.tools.replaying and fire is None:
            return _never_again(schedule)

        async def decide() -> Sequence[ToolCall]:
            return [update_call(schedule, ScheduleChange(rule=rule, next_fire_at=fire))]

        return await changed(turn, decide, [schedule], "", key="schedule.paused")


def _choose(
    turn: Turn, found: Sequence[Schedule], start: datetime | None, until: datetime | None
) -> AgentResult:
    """Ask which one to pause; its button holds the stretch that was said."""
    days = _whole_days(turn, until)
    return choose(
        "pause",
        [
            pause_button(schedule, days, ordinal=i, start=start, until=until)
            for i, schedule in enumerate(found, 1)
        ],
    )


def _row(schedule: Schedule, *, ordinal: int | None) -> tuple[Button, ...]:
    if schedule.rule.type == "once":
        return (
            present.delete_button(schedule)
            if ordinal is None
            else present.delete_nth_button(schedule, ordinal=ordinal),
        )
    if ordinal is None:
        return (present.skip_button(schedule, ""), present.delete_button(schedule))
    return (
        present.skip_button(schedule, "", ordinal=ordinal),
        present.delete_nth_button(schedule, ordinal=ordinal),
    )


def _ask_how_long(schedule: Schedule) -> AgentResult:
    """Ask for how long, with some lengths."""
    lengths = tuple(pause_button(schedule, days) for days in OFFERED_DAYS)
    others = (present.skip_button(schedule, ""), present.delete_button(schedule))
    return AgentResult(
        blocks=(TextBlock(text("schedule.ask_pause", what=Verbatim(schedule.what))),),
        buttons=(lengths, others),
        entities=present.references([schedule]),
        status=Status.CLARIFY,
    )


def _rings_once(turn: Turn, schedule: Schedule) -> AgentResult:
    when = Verbatim(present.when_words(schedule, turn.locale))
    words = text("schedule.pause_once", what=Verbatim(schedule.what), when=when)
    return say_of(schedule, words)


def _idle(turn: Turn, schedule: Schedule) -> AgentResult:
    local = present.fire_local(schedule) or turn.now
    when = Verbatim(moment(local, turn.locale))
    return say_of(schedule, text("schedule.pause_idle", what=Verbatim(schedule.what), when=when))


def _never_again(schedule: Schedule) -> AgentResult:
    return say_of(schedule, text("schedule.pause_never", what=Verbatim(schedule.what)))


def _whole_days(turn: Turn, until: datetime | None) -> int:
    if until is None:
        return OFFERED_DAYS[0]
    return max(1, round((until - turn.now) / timedelta(days=1)))


def _fire_days(
    schedule: Schedule, start: datetime, until: datetime, now: datetime
) -> tuple[date, ...]:
    """Return the local days in a stretch on which it rings."""
    zone, days = ZoneInfo(schedule.rule.tz), list[date]()
    after = max(start, now).astimezone(UTC) - timedelta(seconds=1)
    while (fire := next_fire(schedule.rule, after)) is not None and fire < until:
        days.append(fire.astimezone(zone).date())
        after = fire
    return tuple(dict.fromkeys(days))
