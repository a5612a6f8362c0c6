"""Changing, cancelling, restoring reminders, and what the buttons of a due one do."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, timedelta

from pydantic import JsonValue

from agents.reasons import reason_words
from agents.schedule import present
from agents.schedule.moves import ask_scope, is_one_day
from agents.schedule.timing import clocks_of, timing_of
from agents.tools.schedules import StoredSchedules
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.messages import Button, TextBlock, Tone
from bot.core.outbox import Purpose
from bot.core.recurrence import Rule
from bot.core.schedules import Schedule, ScheduleChange, ScheduleDraft, Schedules
from bot.core.sessions import Expects, Pending
from bot.core.words import Verbatim, text
from bot.language.recurrence import next_fire
from bot.language.reminders import parse_reminder
from bot.locales.moments import moment

INTENT = "schedule_manager"
LISTED = 20
OFFERED = 6
MOST_AT_ONCE = 50
"""As many as one call of the tool cancels."""

Decide = Callable[[], Awaitable[Sequence[ToolCall]]]


class ReminderChanges:
    """What the schedule agent does to stored reminders; every write is a tool call."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules

    async def show(self, turn: Turn) -> AgentResult:
        """Return what is to come, the next one first."""
        found = await self._schedules.upcoming(turn.person.person_id, limit=LISTED)
        if not found:
            return _say("schedule.list_empty")
        buttons = [
            present.change_button(schedule, ordinal=i)
            for i, schedule in enumerate(found[:OFFERED], 1)
        ]
        rows = tuple(tuple(buttons[i : i + 2]) for i in range(0, len(buttons), 2))
        return AgentResult(
            blocks=(present.list_block(found, turn.locale),),
            buttons=rows,
            entities=present.references(found[:1]),
        )

    async def by_words(
        self, turn: Turn, words: str, *, ids: Sequence[str] = (), target: str = ""
    ) -> AgentResult:
        """Move the reminder that is meant to the time in ``words``, or change its text."""
        timing = timing_of(words, turn.now)
        clocks = clocks_of(words, turn.now)
        is_doubtful = timing.status in {"ask", "reject"}
        doubt = TextBlock(reason_words(timing.reason))
        if is_doubtful and not clocks:
            return AgentResult(blocks=(doubt,), status=Status.CLARIFY)
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, ids, target))
            if len(candidates) != 1:
                return []
            if clocks and candidates[0].rule.times:
                return [_at_other_times(candidates[0], clocks, turn)]
            if is_doubtful or is_one_day(candidates[0], timing.rule):
                return []
            if timing.rule is None:
                return [update_call(candidates[0], ScheduleChange(what=words.strip()))]
            fire_at = next_fire(timing.rule, turn.now.astimezone(UTC))
            change = ScheduleChange(rule=timing.rule, next_fire_at=fire_at)
            return [] if fire_at is None else [update_call(candidates[0], change)]

        result = await self._changed(turn, decide, candidates, target)
        if timing.rule and len(candidates) == 1 and is_one_day(candidates[0], timing.rule):
            asks = not (clocks and candidates[0].rule.times)
            return ask_scope(turn, candidates[0], words, timing.rule) if asks else result
        if is_doubtful and len(candidates) == 1 and not candidates[0].rule.times:
            return AgentResult(blocks=(doubt,), status=Status.CLARIFY)
        return result

    async def follow_edit(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Make the reminder of an edited message what the message says now."""
        reminder = parse_reminder(turn.query, now=turn.now, tz=zone_of(turn.now))
        timing = timing_of(turn.query, turn.now)
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, ids, ""))
            if not candidates or timing.rule is None:
                return []
            change = ScheduleChange(
                what=(reminder.what if reminder else "") or None,
                rule=timing.rule,
                next_fire_at=next_fire(timing.rule, turn.now.astimezone(UTC)),
            )
            return [update_call(candidates[0], change)] if change.next_fire_at else []

        if timing.status != "ok" and not turn.tools.replaying:
            return _say("schedule.edit_unread", status=Status.CLARIFY)
        return await self._changed(turn, decide, candidates, "")

    async def delete(self, turn: Turn, target: str) -> AgentResult:
        """Cancel the last reminder or the one called ``target``; several are offered."""
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, (), target))
            return [delete_call([candidates[0].schedule_id])] if len(candidates) == 1 else []

        results = await turn.tools.perform(decide)
        if results:
            return self.removed(turn, from_json(StoredSchedules, results[0][1]))
        return self._unclear(candidates, target)

    async def remove(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Cancel the reminders of a press."""

        async def decide() -> Sequence[ToolCall]:
            return [delete_call(ids)]

        try:
            ((_, stored),) = await turn.tools.perform(decide)
        except NotFoundError:
            return _say("schedule.gone", repaint=True)
        removed = from_json(StoredSchedules, stored)
        return self.removed(turn, removed) if removed else _say("schedule.gone", repaint=True)

    async def ask_delete_all(self, turn: Turn) -> AgentResult:
        """Show every reminder and ask before all of them are cancelled."""
        found = await self._schedules.upcoming(turn.person.person_id, limit=MOST_AT_ONCE)
        if not found:
            return _say("schedule.list_empty")
        question = text("schedule.ask_delete_all", n=len(found))
        ids: JsonValue = [schedule.schedule_id for schedule in found]
        yes = Button(
            label=text("schedule.button_delete_all", n=len(found)),
            tone=Tone.DANGER,
            action=ActionDraft(name="delete", arguments={"schedules": ids}),
        )
        no = Button(label=text("schedule.button_keep"), action=ActionDraft(name="keep"))
        return AgentResult(
            blocks=(present.list_block(found, turn.locale), TextBlock(question)),
            buttons=((yes, no),),
            status=Status.CLARIFY,
            pending=Pending(
                agent=INTENT,
                name="delete_all",
                question=question,
                asked_at=turn.now,
                expects=(Expects.CONFIRM,),
                state={"schedules": ids},
            ),
        )

    async def restore(self, turn: Turn, ids: Sequence[str]) -> AgentResult:
        """Bring cancelled reminders back."""

        async def decide() -> Sequence[ToolCall]:
            return [ToolCall(name="schedule_update", arguments={"restore": list(ids)})]

        ((_, stored),) = await turn.tools.perform(decide)
        restored = from_json(StoredSchedules, stored)
        if not restored:
            return _say("schedule.already_back", repaint=True)
        return AgentResult(
            blocks=tuple(
                block
                for schedule in restored
                for block in present.stored_blocks(schedule, turn.locale, key="schedule.restored")
            ),
            buttons=present.stored_buttons(restored[0]),
            entities=present.references(restored),
            repaint=True,
        )

    async def ask(self, turn: Turn, schedule_id: str) -> AgentResult:
        """Ask what a reminder shall become."""
        schedule = await self._schedules.get(turn.person.person_id, schedule_id)
        if schedule is None or schedule.cancelled or schedule.next_fire_at is None:
            return _say("schedule.gone")
        question = text(
            "schedule.ask_change",
            what=Verbatim(schedule.what),
            when=Verbatim(present.when_words(schedule, turn.locale)),
        )
        return AgentResult(
            blocks=(TextBlock(question),),
            buttons=((present.delete_button(schedule),),),
            status=Status.CLARIFY,
            entities=present.references([schedule]),
            pending=Pending(
                agent=INTENT,
                name="change",
                question=question,
                asked_at=turn.now,
                expects=(Expects.TIME, Expects.CONFIRM, Expects.WORDS),
                state={"schedule": schedule_id},
            ),
        )

    async def move_all(self, turn: Turn, schedule_id: str, rule: Rule) -> AgentResult:
        """Give a repeated reminder another rule."""
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, [schedule_id], ""))
            fire_at = next_fire(rule, turn.now.astimezone(UTC))
            change = ScheduleChange(rule=rule, next_fire_at=fire_at)
            return [update_call(s, change) for s in candidates if fire_at is not None]

        return await self._changed(turn, decide, candidates, "")

    async def move_once(self, turn: Turn, schedule_id: str, rule: Rule) -> AgentResult:
        """Move only the next occurrence: it is left out, and one reminder is set instead."""
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, [schedule_id], ""))
            fire_at = next_fire(rule, turn.now.astimezone(UTC))
            if not candidates or fire_at is None or candidates[0].next_fire_at is None:
                return []
            kept = candidates[0]
            draft = ScheduleDraft(
                what=kept.what,
                rule=rule,
                next_fire_at=fire_at,
                chat=kept.chat,
                mention=kept.mention,
            )
            insert = ToolCall(
                name="schedule_insert", arguments={"draft": to_json(ScheduleDraft, draft)}
            )
            following = next_fire(kept.rule, candidates[0].next_fire_at)
            left = (
                delete_call([kept.schedule_id])
                if following is None
                else update_call(kept, ScheduleChange(next_fire_at=following))
            )
            return [left, insert]

        try:
            results = await turn.tools.perform(decide)
        except (ConflictError, NotFoundError):
            return _say("schedule.changed_meanwhile", repaint=True)
        if not results:
            return self._unclear(candidates, "")
        schedules = [s for _, stored in results for s in from_json(StoredSchedules, stored)]
        live = [schedule for schedule in schedules if not schedule.cancelled]
        return AgentResult(
            blocks=tuple(
                block
                for schedule in live
                for block in present.stored_blocks(schedule, turn.locale, key="schedule.changed")
            ),
            buttons=present.stored_buttons(live[-1]),
            entities=present.references(live),
            purpose=Purpose.CONFIRMATION,
            repaint=True,
        )

    # --- the buttons of a due reminder -----------------------------------------------------------

    async def done(self, turn: Turn, delivery_id: str) -> AgentResult:
        """Note that the person did it."""

        async def decide() -> Sequence[ToolCall]:
            return [ToolCall(name="schedule_update", arguments={"done": delivery_id})]

        try:
            await turn.tools.perform(decide)
        except NotFoundError:
            return _say("schedule.gone", repaint=True)
        what = await self._what(turn)
        words = text("schedule.done", what=Verbatim(what))
        return AgentResult(blocks=(TextBlock(words),), repaint=True)

    async def snooze(self, turn: Turn, schedule_id: str, later: timedelta) -> AgentResult:
        """Remind once more after ``later``; the rule itself stays as it is."""
        schedule = await self._schedules.get(turn.person.person_id, schedule_id)
        if schedule is None:
            return _say("schedule.gone", repaint=True)
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
            blocks=(TextBlock(words),), repaint=True, entities=present.references([again])
        )

    async def skip_next(self, turn: Turn, schedule_id: str) -> AgentResult:
        """Leave out the next occurrence of a repeated reminder."""
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._meant(turn, [schedule_id], ""))
            if not candidates or candidates[0].next_fire_at is None:
                return []
            following = next_fire(candidates[0].rule, candidates[0].next_fire_at)
            if following is None:
                return [delete_call([schedule_id])]
            return [update_call(candidates[0], ScheduleChange(next_fire_at=following))]

        return await self._changed(turn, decide, candidates, "", key="schedule.skipped")

    # --- inside ----------------------------------------------------------------------------------

    async def called(self, turn: Turn, target: str) -> list[Schedule]:
        """Return the live reminders with the words ``target``; all of them without any."""
        live = await self._live(turn)
        return [s for s in live if target.lower() in s.what.lower()]

    async def _live(self, turn: Turn) -> list[Schedule]:
        stored = await self._schedules.of_person(turn.person.person_id)
        return [s for s in stored if s.next_fire_at is not None and not s.cancelled]

    async def _meant(self, turn: Turn, ids: Sequence[str], target: str) -> list[Schedule]:
        owner = turn.person.person_id
        if ids:
            found = [await self._schedules.get(owner, schedule_id) for schedule_id in ids]
            return [s for s in found if s is not None and not s.cancelled]
        if not target:
            return (await self._live(turn))[-1:]
        return await self.called(turn, target)

    async def _what(self, turn: Turn) -> str:
        subject = turn.action.subject if turn.action else ""
        schedule_id = subject.removeprefix("schedule:")
        schedule = await self._schedules.get(turn.person.person_id, schedule_id)
        return schedule.what if schedule else ""

    async def _changed(
        self,
        turn: Turn,
        decide: Decide,
        candidates: Sequence[Schedule],
        target: str,
        *,
        key: str = "schedule.changed",
    ) -> AgentResult:
        try:
            results = await turn.tools.perform(decide)
        except (ConflictError, NotFoundError):
            return _say("schedule.changed_meanwhile", repaint=turn.action is not None)
        if not results:
            return self._unclear(candidates, target)
        call, stored = results[0]
        schedules = from_json(StoredSchedules, stored)
        if call.name == "schedule_delete":
            return self.removed(turn, schedules)
        return AgentResult(
            blocks=present.stored_blocks(schedules[0], turn.locale, key=key),
            buttons=present.stored_buttons(schedules[0]),
            entities=present.references(schedules),
            purpose=Purpose.CONFIRMATION,
            repaint=turn.action is not None,
        )

    @staticmethod
    def removed(turn: Turn, schedules: StoredSchedules) -> AgentResult:
        """Return the confirmation of cancelled reminders, with Undo."""
        names = tuple(Verbatim(schedule.what) for schedule in schedules)
        return AgentResult(
            blocks=(TextBlock(text("schedule.removed", what=names)),),
            buttons=((present.restore_button(schedules),),),
            entities=present.references(schedules),
            purpose=Purpose.CONFIRMATION,
            repaint=turn.action is not None,
        )

    @staticmethod
    def _unclear(candidates: Sequence[Schedule], target: str) -> AgentResult:
        if len(candidates) > 1:
            rows = tuple(
                (present.change_button(schedule, ordinal=i),)
                for i, schedule in enumerate(candidates[:OFFERED], 1)
            )
            words = text("schedule.choose", target=target)
            return AgentResult(blocks=(TextBlock(words),), buttons=rows, status=Status.CLARIFY)
        if candidates:
            return _say("schedule.reject_past", status=Status.CLARIFY)
        return _say("schedule.nothing_called" if target else "schedule.list_empty", target=target)


def _at_other_times(schedule: Schedule, clocks: tuple[str, ...], turn: Turn) -> ToolCall:
    """Return the call that keeps the days of a repeated reminder and changes the time of day."""
    rule = schedule.rule.model_copy(update={"times": clocks})
    fire_at = next_fire(rule, turn.now.astimezone(UTC))
    return update_call(schedule, ScheduleChange(rule=rule, next_fire_at=fire_at))


def update_call(schedule: Schedule, change: ScheduleChange) -> ToolCall:
    """Return the call that changes a reminder."""
    arguments: dict[str, JsonValue] = {
        "schedule_id": schedule.schedule_id,
        "revision": schedule.revision,
        "change": to_json(ScheduleChange, change),
    }
    return ToolCall(name="schedule_update", arguments=arguments)


def delete_call(ids: Sequence[str]) -> ToolCall:
    """Return the call that cancels reminders."""
    return ToolCall(name="schedule_delete", arguments={"schedule_ids": list(ids)})


def _say(
    key: str, *, target: str = "", repaint: bool = False, status: Status = Status.COMPLETED
) -> AgentResult:
    return AgentResult(
        blocks=(TextBlock(text(key, target=target)),), repaint=repaint, status=status
    )
