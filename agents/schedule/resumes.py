"""Letting paused reminders ring again, at once or from a day on."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from agents.schedule import present
from agents.schedule.calls import update_call
from agents.schedule.outcome import changed, say
from agents.schedule.pause_buttons import choose, resume_button, say_of
from bot.core.agents import AgentResult, Turn
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.messages import TextBlock
from bot.core.recurrence import Rule
from bot.core.schedules import Schedule, ScheduleChange
from bot.core.words import Verbatim, text
from bot.language.recurrence import next_fire


async def resume(
    turn: Turn, found: Sequence[Schedule], start: datetime | None = None
) -> AgentResult:
    """Let the one that is paused ring again at its own next time, or ask which."""
    held: list[Schedule] = []

    async def decide() -> Sequence[ToolCall]:
        held.extend(s for s in found if _is_held(s, turn.now))
        return [_call(held[0], turn, start)] if len(held) == 1 else []

    done = await changed(turn, decide, held, "", key="schedule.resumed")
    if done.buttons and len(held) <= 1:
        return done
    if held:
        ordered = enumerate(held, 1)
        return choose("resume", [resume_button(s, ordinal=i, start=start) for i, s in ordered])
    if len(found) > 1:
        return say("schedule.none_paused")
    what, when = found[0].what, Verbatim(present.when_words(found[0], turn.locale))
    return say_of(found[0], text("schedule.not_paused", what=Verbatim(what), when=when))


async def resume_all(
    turn: Turn, found: Sequence[Schedule], start: datetime | None = None
) -> AgentResult:
    """Let every paused reminder ring again."""

    async def decide() -> Sequence[ToolCall]:
        return [_call(s, turn, start) for s in found if _is_held(s, turn.now)]

    try:
        results = await turn.tools.perform(decide)
    except (ConflictError, NotFoundError):
        return say("schedule.changed_meanwhile")
    if not results:
        return say("schedule.none_paused")
    return AgentResult(blocks=(TextBlock(text("schedule.resumed_all", n=len(results))),))


def _call(schedule: Schedule, turn: Turn, start: datetime | None) -> ToolCall:
    """Return the call that ends a pause: days that were left out ring again as well."""
    begin = max(turn.now, start or turn.now)
    rule = _without_gaps(schedule.rule, begin)
    at = begin.astimezone(UTC)
    fire = next_fire(rule, at - timedelta(seconds=1) if start else at)
    return update_call(schedule, ScheduleChange(rule=rule, next_fire_at=fire))


def _without_gaps(rule: Rule, begin: datetime) -> Rule:
    kept = tuple(day for day in rule.except_dates if day < begin.date())
    return rule.model_copy(update={"except_dates": kept})


def _is_held(schedule: Schedule, now: datetime) -> bool:
    """Whether it does not ring when its rule alone would."""
    rule = _without_gaps(schedule.rule, now)
    return rule != schedule.rule or next_fire(rule, now.astimezone(UTC)) != schedule.next_fire_at
