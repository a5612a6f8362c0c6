"""A repeated reminder moved to one day: only the next time, or from now on."""

from collections.abc import Sequence
from datetime import UTC, datetime, time

from agents.schedule import present
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.codec import to_json
from bot.core.messages import Button, TextBlock
from bot.core.recurrence import WEEKDAYS, Rule
from bot.core.schedules import Schedule
from bot.core.words import Verbatim, text
from bot.language.recurrence import next_fire
from bot.language.summary import summarize
from bot.language.times import resolve_time
from bot.locales.moments import moment


def is_one_day(schedule: Schedule, rule: Rule | None) -> bool:
    """Whether a rule is to become one moment: never done without asking."""
    return rule is not None and rule.type == "once" and schedule.rule.type != "once"


def ask_scope(turn: Turn, schedule: Schedule, words: str, rule: Rule) -> AgentResult:
    """Ask whether only the next time moves or the rule does."""
    local = _moved_to(turn, schedule, words, rule)
    once = present.once_rule(local.replace(tzinfo=zone_of(turn.now)))
    buttons = [_button("move_once", "schedule.button_move_once", schedule, once, "")]
    kept = _kept(schedule.rule, local)
    if kept is not None and next_fire(kept, turn.now.astimezone(UTC)) is not None:
        summary = summarize(kept, turn.locale)
        buttons.append(_button("move_all", "schedule.button_move_all", schedule, kept, summary))
    question = text(
        "schedule.ask_scope",
        what=Verbatim(schedule.what),
        rule=Verbatim(summarize(schedule.rule, turn.locale)),
        when=Verbatim(moment(local.replace(tzinfo=turn.now.tzinfo), turn.locale)),
    )
    return AgentResult(
        blocks=(TextBlock(question),),
        buttons=_rows(buttons),
        status=Status.CLARIFY,
        entities=present.references([schedule]),
    )


def _moved_to(turn: Turn, schedule: Schedule, words: str, rule: Rule) -> datetime:
    """Return the new moment; without a time of day it is the reminder's own."""
    times = resolve_time(words, now=turn.now, tz=zone_of(turn.now), mode="reminder").times
    if not (times and times[0].default_time and schedule.rule.times):
        return rule.dtstart_local
    hour, minute = (int(part) for part in schedule.rule.times[0].split(":"))
    return datetime.combine(rule.dtstart_local.date(), time(hour, minute))


def _kept(rule: Rule, local: datetime) -> Rule | None:
    """Return the rule on the new day and time; None when that cannot be said of it."""
    if rule.type != "rrule" or not rule.times:
        return None
    parts = dict(part.split("=", 1) for part in rule.rrule.split(";"))
    times = (f"{local:%H:%M}",)
    if parts.get("FREQ") == "DAILY":
        return rule.model_copy(update={"times": times})
    if parts.get("FREQ") != "WEEKLY" or "," in parts.get("BYDAY", ","):
        return None
    parts["BYDAY"] = list(WEEKDAYS)[local.weekday()]
    rrule = ";".join(f"{name}={value}" for name, value in parts.items())
    return rule.model_copy(update={"times": times, "rrule": rrule})


def _button(name: str, key: str, schedule: Schedule, rule: Rule, summary: str) -> Button:
    return Button(
        label=text(key, rule=Verbatim(summary)),
        action=ActionDraft(
            name=name,
            arguments={"schedule": schedule.schedule_id, "rule": to_json(Rule, rule)},
            subject=f"schedule:{schedule.schedule_id}",
            revision=schedule.revision,
        ),
    )


def _rows(buttons: Sequence[Button]) -> tuple[tuple[Button, ...], ...]:
    return tuple((button,) for button in buttons)
