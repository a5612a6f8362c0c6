"""Buttons and words for reminders that are paused, or are to be."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from agents.schedule import present
from agents.schedule.outcome import OFFERED
from bot.core.actions import ActionDraft, Uses
from bot.core.agents import AgentResult, Status
from bot.core.messages import Button, TextBlock
from bot.core.schedules import Schedule
from bot.core.words import Text, text


def resume_button(
    schedule: Schedule, *, ordinal: int | None = None, start: datetime | None = None
) -> Button:
    """Return the button that lets a paused reminder ring again, from ``start`` on."""
    button = pause_button(schedule, 0, ordinal=ordinal, start=start)
    return button if ordinal is not None else replace(button, label=text("schedule.button_resume"))


def pause_button(
    schedule: Schedule,
    days: int,
    *,
    ordinal: int | None = None,
    start: datetime | None = None,
    until: datetime | None = None,
) -> Button:
    """Return the button that pauses for so many days, or over the stretch that was said."""
    label: Text = text("schedule.button_pause", n=days)
    if ordinal is not None:
        name = schedule.what[: present.LABEL_LENGTH]
        label = text("schedule.button_nth", n=ordinal, what=name)
    return Button(
        label=label,
        action=ActionDraft(
            name="pause",
            arguments={
                "schedule": schedule.schedule_id,
                "days": days,
                "start": start.isoformat() if start else "",
                "until": until.isoformat() if until else "",
            },
            subject=f"schedule:{schedule.schedule_id}",
            uses=Uses.MANY,
        ),
    )


def choose(kind: str, buttons: Sequence[Button]) -> AgentResult:
    """Ask which one to pause or to resume."""
    rows = tuple((button,) for button in buttons[:OFFERED])
    question = TextBlock(text(f"schedule.choose_{kind}"))
    return AgentResult(blocks=(question,), buttons=rows, status=Status.CLARIFY)


def say_of(schedule: Schedule, words: Text) -> AgentResult:
    """Return words about a reminder, with what can be done with it."""
    return AgentResult(
        blocks=(TextBlock(words),),
        buttons=present.stored_buttons(schedule),
        entities=present.references([schedule]),
    )
