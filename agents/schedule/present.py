"""Reminders as blocks and buttons; every acceptance shows date, weekday, time and zone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.core.actions import ActionDraft, Uses
from bot.core.agents import Turn
from bot.core.messages import Block, Button, FieldsBlock, TextBlock, Tone
from bot.core.recurrence import Rule
from bot.core.schedules import Schedule
from bot.core.words import Lines, Text, Verbatim, Words, text
from bot.language.recurrence import upcoming
from bot.language.reminder_questions import Window
from bot.language.summary import summarize
from bot.language.workdays import load_calendar
from bot.locales.moments import day_words, moment, moment_with_zone

SHOWN_FIRES = 3
LABEL_LENGTH = 14


def once_rule(local: datetime) -> Rule:
    """Return the rule of one local moment.

    Raises:
        TypeError: the moment is not in a named zone.
    """
    if not isinstance(local.tzinfo, ZoneInfo):
        raise TypeError("the moment has no named zone")
    naive = local.replace(tzinfo=None, microsecond=0)
    return Rule(type="once", tz=local.tzinfo.key, dtstart_local=naive)


def when_words(schedule: Schedule, locale: str) -> str:
    """Return when it fires next, or what its rule says."""
    if schedule.rule.type != "once":
        return summarize(schedule.rule, locale)
    local = fire_local(schedule)
    return moment_with_zone(local, locale) if local else "—"


def fire_local(schedule: Schedule) -> datetime | None:
    """Return the next moment on the wall clock of the reminder's zone."""
    if schedule.next_fire_at is None:
        return None
    return schedule.next_fire_at.astimezone(ZoneInfo(schedule.rule.tz))


def stored_blocks(schedule: Schedule, locale: str, *, key: str) -> tuple[Block, ...]:
    """Return the confirmation from the stored row; a rule shows its next fires."""
    fields: list[tuple[Words, Words]] = [
        (text("schedule.field_what"), Verbatim(schedule.what)),
        (text("schedule.field_when"), Verbatim(when_words(schedule, locale))),
    ]
    if schedule.rule.type != "once" and schedule.next_fire_at is not None:
        zone = ZoneInfo(schedule.rule.tz)
        first = schedule.next_fire_at
        fires = (first, *upcoming(schedule.rule, first, SHOWN_FIRES - 1))
        lines = Lines(tuple(Verbatim(moment(f.astimezone(zone), locale)) for f in fires))
        fields.append((text("schedule.field_next"), text("schedule.next", lines=lines)))
        fields.append((text("schedule.field_zone"), Verbatim(schedule.rule.tz)))
        fields.extend(_unofficial(schedule.rule, [f.astimezone(zone).year for f in fires]))
    return (FieldsBlock(tuple(fields), title=text(key)),)


def _unofficial(rule: Rule, years: Sequence[int]) -> list[tuple[Words, Words]]:
    """Return a note when the official arrangement of a shown year is not known yet."""
    if rule.type not in {"workday", "nth_workday"} and not rule.skip_holidays:
        return []
    unknown = [year for year in dict.fromkeys(years) if not load_calendar().is_official(year)]
    return (
        [(text("schedule.field_note"), text("schedule.unofficial", year=unknown[0]))]
        if unknown
        else []
    )


def stored_buttons(schedule: Schedule) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons under a stored reminder."""
    return ((change_button(schedule), delete_button(schedule)),)


def change_button(schedule: Schedule, *, ordinal: int | None = None) -> Button:
    """Return Change, numbered where several are shown."""
    label: Text = text("schedule.button_change")
    if ordinal is not None:
        name = schedule.what[:LABEL_LENGTH]
        label = text("schedule.button_change_nth", n=ordinal, what=name)
    return Button(
        label=label,
        action=ActionDraft(
            name="change",
            arguments={"schedule": schedule.schedule_id},
            subject=f"schedule:{schedule.schedule_id}",
            revision=schedule.revision,
            uses=Uses.MANY,
        ),
    )


def delete_button(schedule: Schedule) -> Button:
    """Return Delete for one reminder."""
    return Button(
        label=text("schedule.button_delete"),
        tone=Tone.DANGER,
        action=ActionDraft(
            name="delete",
            arguments={"schedule": schedule.schedule_id},
            subject=f"schedule:{schedule.schedule_id}",
            revision=schedule.revision,
        ),
    )


def delete_nth_button(schedule: Schedule, *, ordinal: int) -> Button:
    """Return Delete for one of several reminders, with its number and name."""
    label = text("schedule.button_delete_nth", n=ordinal, what=schedule.what[:LABEL_LENGTH])
    return replace(delete_button(schedule), label=label)


def restore_button(schedules: Sequence[Schedule]) -> Button:
    """Return Undo for cancelled reminders."""
    return Button(
        label=text("schedule.button_undo"),
        action=ActionDraft(
            name="restore", arguments={"schedules": [s.schedule_id for s in schedules]}
        ),
    )


def label(rule: Rule, turn: Turn) -> str:
    """Return a rule as the label of a button."""
    if rule.type != "once":
        return summarize(rule, turn.locale)
    local: datetime = rule.dtstart_local.replace(tzinfo=turn.now.tzinfo)
    return moment(local, turn.locale)


def ask_point(what: str, ahead: timedelta) -> Text:
    """Return the question when something is that a reminder comes ahead of."""
    key = "schedule.ask_when_ahead" if what else "schedule.ask_when_ahead_bare"
    return text(key, what=what, ahead=_length(ahead))


def _length(ahead: timedelta) -> Text:
    minutes = int(ahead.total_seconds()) // 60
    for unit, size in (("days", 24 * 60), ("hours", 60)):
        if minutes and minutes % size == 0:
            return text(f"schedule.{unit}", n=minutes // size)
    return text("schedule.minutes", n=minutes)


def list_block(
    numbered: Sequence[tuple[int, Schedule]], locale: str, *, window: Window | None = None
) -> TextBlock:
    """Return reminders as lines with their numbers, and the window that was asked about."""
    lines = []
    for number, schedule in numbered:
        local = fire_local(schedule)
        lines.append(
            text(
                "schedule.line_once" if schedule.rule.type == "once" else "schedule.line",
                n=number,
                what=Verbatim(schedule.what),
                when=Verbatim(when_words(schedule, locale)),
                next=Verbatim(moment(local, locale) if local else "—"),
            )
        )
    shown = Lines(tuple(lines))
    if window is None:
        return TextBlock(text("schedule.list", lines=shown))
    title = window_words(window, locale)
    return TextBlock(text("schedule.list_of", title=title, lines=shown))


def window_words(window: Window, locale: str) -> Text:
    """Return a window as it was said, with its days."""
    first, last = window.start.date(), (window.end - timedelta(microseconds=1)).date()
    key = "schedule.window_day" if first == last else "schedule.window_days"
    return text(
        key,
        said=Verbatim(window.said),
        since=day_words(first, locale),
        last=day_words(last, locale),
    )


def references(schedules: Sequence[Schedule]) -> tuple[str, ...]:
    """Return reminders as entity references, for links."""
    return tuple(f"schedule:{schedule.schedule_id}" for schedule in schedules)


def skip_button(schedule: Schedule, day: str, *, ordinal: int | None = None) -> Button:
    """Return the button that leaves out the occurrences of a day, the next one without a day."""
    label: Text = text("schedule.button_skip_next")
    if ordinal is not None:
        name = schedule.what[:LABEL_LENGTH]
        label = text("schedule.button_skip_nth", n=ordinal, what=name)
    return Button(
        label=label,
        action=ActionDraft(
            name="skip_on",
            arguments={"schedule": schedule.schedule_id, "day": day},
            subject=f"schedule:{schedule.schedule_id}",
            revision=schedule.revision,
        ),
    )
