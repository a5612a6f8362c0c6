"""A change of zone: what becomes of reminders that were set in the old one."""

from collections.abc import Sequence
from datetime import UTC
from zoneinfo import ZoneInfo

from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Turn
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.messages import Button, TextBlock, Tone
from bot.core.schedules import Schedule, ScheduleChange, Schedules
from bot.core.words import Lines, Text, Verbatim, text
from bot.language.recurrence import next_fire
from bot.locales.moments import moment_with_zone

LISTED = 20
StoredSchedules = tuple[Schedule, ...]


class ZoneChange:
    """Asks whether the clock time or the instant is kept, and says what moved."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules

    async def question(self, turn: Turn, new: str) -> AgentResult | None:
        """Return the question; None when no reminder is in another zone than the new one."""
        affected = [
            schedule
            for schedule in await self._schedules.upcoming(turn.person.person_id, limit=LISTED)
            if schedule.rule.tz != new
        ]
        if not affected:
            return None
        old = ", ".join(dict.fromkeys(schedule.rule.tz for schedule in affected))
        words = text(
            "onboarding.zone_question",
            n=len(affected),
            old=old,
            new=new,
            lines=_lines(turn, affected),
        )
        ids: list[str] = [schedule.schedule_id for schedule in affected]
        wall = Button(
            label=text("onboarding.zone_keep_wall", new=new),
            tone=Tone.PRIMARY,
            action=ActionDraft(name="zone_wall", arguments={"schedules": [*ids], "zone": new}),
        )
        instant = Button(
            label=text("onboarding.zone_keep_instant"), action=ActionDraft(name="zone_instant")
        )
        return AgentResult(blocks=(TextBlock(words),), buttons=((wall,), (instant,)))

    async def keep_wall(self, turn: Turn, ids: Sequence[str], zone: str) -> AgentResult:
        """Let the reminders ring at the same clock time in the new zone."""

        async def decide() -> Sequence[ToolCall]:
            calls = []
            for schedule_id in ids:
                found = await self._schedules.get(turn.person.person_id, schedule_id)
                if found is None or found.cancelled or found.next_fire_at is None:
                    continue
                rule = found.rule.model_copy(update={"tz": zone})
                fire_at = next_fire(rule, turn.now.astimezone(UTC))
                if fire_at is not None:
                    change = ScheduleChange(rule=rule, next_fire_at=fire_at)
                    calls.append(_update(found, change))
            return calls

        try:
            results = await turn.tools.perform(decide)
        except (ConflictError, NotFoundError):
            return _say(text("schedule.changed_meanwhile"))
        moved = [s for _, stored in results for s in from_json(StoredSchedules, stored)]
        if not moved:
            return _say(text("onboarding.zone_nothing_moved"))
        return _say(text("onboarding.zone_moved", n=len(moved), lines=_lines(turn, moved)))

    @staticmethod
    def keep_instant() -> AgentResult:
        """Leave the reminders at their instants: they keep the zone they were set in."""
        return _say(text("onboarding.zone_kept"))


def _lines(turn: Turn, schedules: Sequence[Schedule]) -> Lines:
    """Return the reminders; of those set elsewhere a group hears only how many there are."""
    shown = [s for s in schedules if not turn.in_group or s.chat.place == turn.chat.place]
    lines = [_line(schedule, turn.locale) for schedule in shown]
    if others := len(schedules) - len(shown):
        lines.append(text("onboarding.zone_others", n=others))
    return Lines(tuple(lines))


def _line(schedule: Schedule, locale: str) -> Text:
    zone = ZoneInfo(schedule.rule.tz)
    fire = schedule.next_fire_at.astimezone(zone) if schedule.next_fire_at else None
    when = moment_with_zone(fire, locale) if fire else "—"
    return text("onboarding.zone_line", what=Verbatim(schedule.what), when=when)


def _update(schedule: Schedule, change: ScheduleChange) -> ToolCall:
    return ToolCall(
        name="schedule_update",
        arguments={
            "schedule_id": schedule.schedule_id,
            "revision": schedule.revision,
            "change": to_json(ScheduleChange, change),
        },
    )


def _say(words: Text) -> AgentResult:
    return AgentResult(blocks=(TextBlock(words),), repaint=True)
