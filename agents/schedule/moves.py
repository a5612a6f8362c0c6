"""A repeated reminder moved to one day: only the next time, or from now on."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from agents.schedule import present
from agents.schedule.calls import delete_call, leave_out, update_call
from agents.schedule.find import ReminderFinder
from agents.schedule.outcome import changed, say, unclear
from agents.tools.schedules import StoredSchedules
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.codec import from_json, to_json
from bot.core.effects import ToolCall
from bot.core.errors import ConflictError, NotFoundError
from bot.core.messages import Button, TextBlock
from bot.core.outbox import Purpose
from bot.core.recurrence import WEEKDAYS, Rule
from bot.core.schedules import Schedule, ScheduleChange, ScheduleDraft, Schedules
from bot.core.sessions import Expects, Pending
from bot.core.words import Verbatim, Words, text
from bot.language.answers import named_scope
from bot.language.recurrence import next_fire
from bot.language.summary import summarize
from bot.language.times import resolve_time
from bot.locales.moments import day_words, moment

INTENT = "schedule_manager"


class ReminderMoves:
    """What the two buttons do; every write is a tool call."""

    def __init__(self, schedules: Schedules) -> None:
        self._finder = ReminderFinder(schedules)

    async def answered(self, turn: Turn, pending: Pending) -> AgentResult | None:
        """Move as an answer in words says; None when it says neither once nor always."""
        scope = named_scope(turn.query)
        rule = pending.state.get(scope) if scope else None
        if rule is None:
            return None
        schedule_id = str(pending.state.get("schedule", ""))
        if scope == "once":
            day = str(pending.state.get("day") or "")
            return await self.move_once(turn, schedule_id, from_json(Rule, rule), day)
        return await self.move_all(turn, schedule_id, from_json(Rule, rule))

    async def move_all(self, turn: Turn, schedule_id: str, rule: Rule) -> AgentResult:
        """Give a repeated reminder another rule."""
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._finder.meant(turn, [schedule_id], ""))
            fire_at = next_fire(rule, turn.now.astimezone(UTC))
            change = ScheduleChange(rule=rule, next_fire_at=fire_at)
            return [update_call(s, change) for s in candidates if fire_at is not None]

        return await changed(turn, decide, candidates, "")

    async def move_once(
        self, turn: Turn, schedule_id: str, rule: Rule, day: str = ""
    ) -> AgentResult:
        """Move one occurrence: that of ``day``, or the next, is left out; one is set instead."""
        candidates: list[Schedule] = []

        async def decide() -> Sequence[ToolCall]:
            candidates.extend(await self._finder.meant(turn, [schedule_id], ""))
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
            if day:
                return [leave_out(kept, date.fromisoformat(day), turn.now), insert]
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
            return say("schedule.changed_meanwhile", repaint=turn.action is not None)
        if not results:
            return unclear(candidates, "")
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
            repaint=turn.action is not None,
        )


def is_one_day(schedule: Schedule, rule: Rule | None) -> bool:
    """Whether a rule is to become one moment: never done without asking."""
    return rule is not None and rule.type == "once" and schedule.rule.type != "once"


def ask_scope(
    turn: Turn, schedule: Schedule, words: str, rule: Rule, day: date | None = None
) -> AgentResult:
    """Ask whether only the next time, or that of ``day``, moves or the rule does."""
    local = moved_to(turn, schedule, words, rule)
    once = present.once_rule(local.replace(tzinfo=zone_of(turn.now)))
    on = day.isoformat() if day else ""
    said = Verbatim(day_words(day, turn.locale) if day else "")
    only = text("schedule.button_move_day" if day else "schedule.button_move_once", day=said)
    rows = [_button("move_once", only, schedule, once, on)]
    kept = _kept(schedule.rule, local)
    if kept is not None and next_fire(kept, turn.now.astimezone(UTC)) is not None:
        summary = Verbatim(summarize(kept, turn.locale))
        always = text("schedule.button_move_all", rule=summary)
        rows.append(_button("move_all", always, schedule, kept))
    question = text(
        "schedule.ask_scope_day" if day else "schedule.ask_scope",
        day=said,
        what=Verbatim(schedule.what),
        rule=Verbatim(summarize(schedule.rule, turn.locale)),
        when=Verbatim(moment(local.replace(tzinfo=turn.now.tzinfo), turn.locale)),
    )
    return AgentResult(
        blocks=(TextBlock(question),),
        buttons=tuple(rows),
        status=Status.CLARIFY,
        entities=present.references([schedule]),
        pending=Pending(
            agent=INTENT,
            name="scope",
            question=question,
            asked_at=turn.now,
            expects=(Expects.TIME, Expects.CONFIRM),
            state={
                "schedule": schedule.schedule_id,
                "day": on,
                "once": to_json(Rule, once),
                "always": to_json(Rule, kept) if len(rows) > 1 else None,
            },
        ),
    )


def move_all_row(schedule: Schedule, rule: Rule, turn: Turn) -> tuple[Button, ...]:
    """Return the row of the button that gives a reminder another rule."""
    return _button("move_all", Verbatim(present.label(rule, turn)), schedule, rule)


def moved_to(turn: Turn, schedule: Schedule, words: str, rule: Rule) -> datetime:
    """Return the new moment; without a time of day it is the reminder's own."""
    times = resolve_time(words, now=turn.now, tz=zone_of(turn.now), mode="reminder").times
    own = present.fire_local(schedule)
    if not (times and times[0].default_time and own is not None):
        return rule.dtstart_local
    clock = schedule.rule.times[0] if schedule.rule.times else f"{own:%H:%M}"
    return datetime.combine(rule.dtstart_local.date(), time.fromisoformat(clock))


def _kept(rule: Rule, local: datetime) -> Rule | None:
    """Return the rule on the new day and time; None when that cannot be said of it."""
    if not rule.times:
        return None
    times = (f"{local:%H:%M}",)
    if rule.type in {"workday", "nth_workday"}:
        return rule.model_copy(update={"times": times}) if times != rule.times else None
    if rule.type != "rrule":
        return None
    parts = dict(part.split("=", 1) for part in rule.rrule.split(";"))
    if not _on_day(parts, local):
        return None
    rrule = ";".join(f"{name}={value}" for name, value in parts.items())
    return rule.model_copy(update={"times": times, "rrule": rrule})


def _on_day(parts: dict[str, str], local: datetime) -> bool:
    """Put the one day of an RRULE on another; False when it has several, or none of its own."""
    several = any("," in parts.get(name, "") for name in ("BYDAY", "BYMONTHDAY", "BYMONTH"))
    match parts.get("FREQ"):
        case "DAILY":
            return True
        case "WEEKLY" if "BYDAY" in parts and not several:
            parts["BYDAY"] = list(WEEKDAYS)[local.weekday()]
            return True
        case "MONTHLY" if "BYMONTHDAY" in parts and "BYDAY" not in parts and not several:
            parts["BYMONTHDAY"] = str(local.day)
            return True
        case "YEARLY" if {"BYMONTH", "BYMONTHDAY"} <= parts.keys() and not several:
            parts |= {"BYMONTH": str(local.month), "BYMONTHDAY": str(local.day)}
            return True
        case _:
            return False


def _button(
    name: str, label: Words, schedule: Schedule, rule: Rule, day: str = ""
) -> tuple[Button, ...]:
    """Return a row of one button that moves a reminder, or its occurrence of a day."""
    action = ActionDraft(
        name=name,
        arguments={
            "schedule": schedule.schedule_id,
            "rule": to_json(Rule, rule),
            "day": day,
        },
        subject=f"schedule:{schedule.schedule_id}",
        revision=schedule.revision,
    )
    return (Button(label=label, action=action),)
