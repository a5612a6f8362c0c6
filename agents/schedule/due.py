"""What the buttons of a due reminder do: Done, Snooze, Skip next."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, timedelta

from agents.schedule import present
from agents.schedule.calls import delete_call, update_call
from agents.schedule.find import ReminderFinder
from agents.schedule.outcome import changed, just_stored, say
from agents.tools.schedules import StoredSchedules
from bot.core.agents import AgentResult, Turn
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.errors import NotFoundError
from bot.core.messages import TextBlock
from bot.core.schedules import Delivery, Schedule, ScheduleChange, ScheduleDraft, Schedules
from bot.core.sessions import Pending
from bot.core.words import Verbatim, text
from bot.language.recurrence import next_fire
from bot.locales.moments import moment

PUT_OFF = "put_off"
"""In what is kept of the reminder set last: it was put off, "10 more minutes" moves it."""

RECENT = timedelta(hours=1)
"""So long after it rang, "later" without a name means that one."""


class DueButtons:
    """Presses on a reminder that rang; every write is a tool call."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules
        self._finder = ReminderFinder(schedules)

    async def done(self, turn: Turn, delivery_id: str) -> AgentResult:
        """Note that the person did what was delivered."""

        async def decide() -> Sequence[ToolCall]:
            return [ToolCall(name="schedule_update", arguments={"done": delivery_id})]

        try:
            await turn.tools.perform(decide)
        except NotFoundError:
            return say("schedule.gone", repaint=True)
        what = await self._what(turn, delivery_id)
        words = text("schedule.done", what=Verbatim(what))
        return AgentResult(blocks=(TextBlock(words),), repaint=True)

    async def just_rang(self, turn: Turn) -> Delivery | None:
        """Return the delivery that rang last and was not called done; None for none of late.

        One that was set or changed after it rang is spoken of before it; in a group only what
        rang there is, so that nothing private is shown.
        """
        last = await self._schedules.deliveries(turn.person.person_id, limit=1)
        if not last or last[0].acknowledged or turn.now - last[0].due_at > RECENT:
            return None
        if turn.pending is not None and turn.pending.asked_at > last[0].due_at:
            return None
        schedule = await self._schedules.get(turn.person.person_id, last[0].schedule_id)
        is_private = turn.in_group and schedule is not None and schedule.chat != turn.chat
        return None if schedule is None or is_private else last[0]

    async def snooze(self, turn: Turn, schedule_id: str, later: timedelta) -> AgentResult:
        """Remind once more after ``later``; the rule itself stays as it is."""
        schedule = await self._schedules.get(turn.person.person_id, schedule_id)
        if schedule is None:
            return say("schedule.gone", repaint=True)
        rule = present.once_rule(turn.now + later)
        draft = ScheduleDraft(
            what=schedule.what,
            rule=rule,
            next_fire_at=(turn.now + later).astimezone(UTC),
            chat=schedule.chat,
            mention=schedule.mention,
        )

        async def decide() -> Sequence[ToolCall]:
            arguments = {"draft": to_json(ScheduleDraft, draft)}
            return [ToolCall(name="schedule_insert", arguments=arguments)]

        ((_, stored),) = await turn.tools.perform(decide)
        (again,) = from_json(StoredSchedules, stored)
        local = present.fire_local(again) or turn.now
        words = text(
            "schedule.snoozed",
            what=Verbatim(again.what),
            when=Verbatim(moment(local.astimezone(turn.now.tzinfo), turn.locale)),
        )
        return AgentResult(
            blocks=(TextBlock(words),),
            repaint=True,
            entities=present.references([again]),
            pending=_put_off(just_stored(turn, [again])),
        )

    async def skip_next(self, turn: Turn, schedule_id: str) -> AgentResult:
        """Leave out the next occurrence of a repeated reminder."""
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._finder.meant(turn, [schedule_id], ""))
            if not candidates or candidates[0].next_fire_at is None:
                return []
            following = next_fire(candidates[0].rule, candidates[0].next_fire_at)
            if following is None:
                return [delete_call([schedule_id])]
            return [update_call(candidates[0], ScheduleChange(next_fire_at=following))]

        return await changed(turn, decide, candidates, "", key="schedule.skipped")

    async def _what(self, turn: Turn, delivery_id: str) -> str:
        owner = turn.person.person_id
        of_press = turn.action.subject.removeprefix("schedule:") if turn.action else ""
        last = () if of_press else await self._schedules.deliveries(owner)
        rang = next((d.schedule_id for d in last if d.delivery_id == delivery_id), of_press)
        schedule = await self._schedules.get(owner, rang)
        return schedule.what if schedule else ""


def _put_off(pending: Pending) -> Pending:
    return replace(pending, state={**pending.state, PUT_OFF: True})
