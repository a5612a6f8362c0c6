"""Reminders that the grammar does not read by itself: the model points, the grammar computes."""

import re
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel

from agents.orders import parse_order
from agents.schedule.questions import ask_between
from agents.schedule.setting import ReminderSetting
from agents.schedule.timing import timing_of
from agents.talk.remembering import is_about_memory
from agents.verbatim import in_language, stands_in
from bot.core.agents import AgentResult, Turn, zone_of
from bot.core.patterns import regex
from bot.language.ahead import split_ahead
from bot.language.clauses import split_clauses
from bot.language.reminder_questions import parse_reminder_question
from bot.language.reminders import parse_reminder
from bot.language.skips import parse_skip, refuses_reminder
from bot.language.stored_orders import names_stored_rows

REMINDER_WRITES = frozenset({"schedule_insert", "schedule_update", "schedule_delete"})
"""Tools that the grammar calls: a model points at words, and never hands over a time."""

_SAYS_CHANGE = regex(
    r"改|挪|推|提前|换|延|\bmove|\bchange|reschedul|postpone|\bpush\b|\bshift", re.IGNORECASE
)
_SAYS_DELETE = regex(
    r"删|取消|去掉|不用|不要|撤|\bdelete|\bcancel|\bremove|\bdrop\b|no longer", re.IGNORECASE
)


class ReminderSpans(BaseModel):
    """What the model points at."""

    kind: Literal["create", "change", "delete", "list", "talk", "none"]
    what: str = ""
    when: str = ""


class ReminderReading:
    """`agents.verbatim.Reading` of the schedule agent."""

    def __init__(self, setting: ReminderSetting) -> None:
        """Take what asks which of two readings is meant."""
        self._setting = setting

    def needs_model(self, turn: Turn) -> bool:
        """Whether the grammar neither explains the message whole nor asks about it."""
        now, zone = turn.now, zone_of(turn.now)
        skip = parse_skip(turn.query, now, zone)
        if (skip is not None and skip.complete) or parse_order("schedule", turn.query):
            return False
        if parse_reminder_question(turn.query, now, zone) is not None:
            return False
        if names_stored_rows(turn.query, now, zone) or refuses_reminder(turn.query):
            return False
        if split_ahead(turn.query) or len(split_clauses(turn.query, now, zone).reminders) > 1:
            return False
        reminder = parse_reminder(turn.query, now=now, tz=zone)
        if reminder is not None and reminder.complete:
            return False
        timing = timing_of(turn.query, now)
        is_open = timing.status in ("none", "ok") or timing.reason == "no_time"
        return is_open or is_about_memory(turn.query)

    def reread(self, turn: Turn, spans: ReminderSpans) -> Turn | AgentResult | None:
        """Return the turn in words that the grammar reads; a question when the two differ."""
        said = turn.query
        what = spans.what.strip() if stands_in(spans.what, said) else ""
        when = spans.when.strip() if stands_in(spans.when, said) else ""
        match spans.kind:
            case "create" if what and when:
                return self._created(turn, what, when)
            case "change" if what and when and _SAYS_CHANGE.search(said):
                zh, en = f"把{what}的提醒改到{when}", f"move the {what} reminder to {when}"
            case "delete" if what and _SAYS_DELETE.search(said):
                zh, en = f"取消{what}的提醒", f"cancel the {what} reminder"
            case "list":
                zh, en = "我有哪些提醒", "my reminders"
            case _:
                return None
        return replace(turn, query=in_language(said, zh, en))

    def is_talk(self, turn: Turn, spans: ReminderSpans) -> bool:
        """Whether no time is said, or the message is about what is remembered."""
        if spans.kind != "talk":
            return False
        return is_about_memory(turn.query) or timing_of(turn.query, turn.now).status == "none"

    def _created(self, turn: Turn, what: str, when: str) -> Turn | AgentResult | None:
        now = turn.now
        ours, theirs = timing_of(turn.query, now), timing_of(when, now)
        if theirs.status == "none" or (ours.rule is not None and theirs.rule is None):
            return None
        if ours.rule is None or theirs.rule is None:
            words = in_language(turn.query, f"{when}提醒我{what}", f"remind me {when} to {what}")
            return replace(turn, query=words)
        if ours.rule == theirs.rule:
            return None
        return ask_between(turn, what, (ours.rule, theirs.rule))
