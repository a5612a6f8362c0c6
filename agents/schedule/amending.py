"""Bounds and other days that are said right after a repeated reminder was set."""

from collections.abc import Sequence
from datetime import UTC

from agents.schedule.calls import update_call
from agents.schedule.outcome import changed
from agents.schedule.timing import clocks_of
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.effects import ToolCall
from bot.core.messages import TextBlock
from bot.core.patterns import regex
from bot.core.schedules import ScheduleChange, Schedules
from bot.core.sessions import Pending
from bot.core.words import Verbatim, text
from bot.language.amendments import amended, may_amend, on_some_days
from bot.language.recurrence import next_fire

_MORE = regex(
    r"(?:再|还要?|另外)(?:加|来)?上?(?:一?个|一次)?(?P<clock>[^,，。;；]{2,8}?)(?:的|提醒我?)?[。.!！]?"
    r"|(?P<also>[^,，。;；]{2,8}?)也(?:要|提醒我?|叫我|来一次)[。.!！]?"
)
"""A further time of day: 再加一个晚上8点, 晚上8点也要."""


class ReminderAmending:
    """Changes the rule of what was just set; every write is a tool call."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules

    async def follow(self, turn: Turn, pending: Pending) -> AgentResult | None:
        """Follow 除了周五 or 从下周开始; None for what adds nothing certain to a repetition."""
        zone = zone_of(turn.now)
        more = _MORE.fullmatch(turn.query.strip())
        clocks = clocks_of(more["also"] or more["clock"], turn.now) if more else ()
        if not clocks and not may_amend(turn.query, turn.now, zone):
            return None
        schedule_id = str(pending.state.get("schedule", ""))
        schedule = await self._schedules.get(turn.person.person_id, schedule_id)
        if schedule is None or schedule.cancelled or schedule.rule.type == "once":
            return None
        if (some := on_some_days(schedule.rule, turn.query, turn.now, zone)) is not None:
            words = text(
                "schedule.one_clock",
                days=Verbatim(some.days),
                clock=Verbatim(some.clock),
                what=Verbatim(schedule.what),
            )
            return AgentResult(blocks=(TextBlock(words),), status=Status.CLARIFY, pending=pending)
        rule = amended(schedule.rule, turn.query, turn.now, zone)
        if clocks and schedule.rule.times:
            times = tuple(sorted({*schedule.rule.times, *clocks}))
            rule = schedule.rule.model_copy(update={"times": times})
        if rule is None:
            return None
        fire_at = next_fire(rule, turn.now.astimezone(UTC))

        async def decide() -> Sequence[ToolCall]:
            change = ScheduleChange(rule=rule, next_fire_at=fire_at)
            return [update_call(schedule, change)] if fire_at is not None else []

        return await changed(turn, decide, [schedule], "")
