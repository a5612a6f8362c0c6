"""Questions about a reminder that is to be set, with the readings to choose from as buttons."""

import re
from dataclasses import replace
from datetime import timedelta

from pydantic import JsonValue

from agents.reasons import reason_words
from agents.schedule import habits, present
from agents.schedule.choices import KEPT
from agents.schedule.outcome import INTENT
from agents.schedule.several import Wanted
from agents.schedule.timing import Timing
from bot.core.actions import ActionDraft
from bot.core.agents import AgentResult, Status, Turn, zone_of
from bot.core.codec import to_json
from bot.core.messages import Button, TextBlock
from bot.core.patterns import regex
from bot.core.recurrence import Rule
from bot.core.sessions import Expects, Pending
from bot.core.words import Lines, Text, Verbatim, text
from bot.language.reminders import parse_reminder

Rules = tuple[Rule, ...]
Several = tuple[Wanted, ...]
MOST_CANDIDATES = 6
WHICH_TIMES = "which_times"
TOLD = "only_told"
_BOTH = regex(r"[和与跟及、]|还有|\band\b", re.IGNORECASE)
"""Joins times that may all be meant."""

POINT_UNKNOWN = frozenset({"", "no_time", "length_only"})
"""Reasons that only say that no point was named."""


def ask(
    turn: Turn,
    name: str,
    what: str,
    question: Text,
    *,
    rule: JsonValue = None,
    ahead: timedelta = timedelta(0),
) -> AgentResult:
    """Ask for what is missing, the time or what to remind of; the rest is held."""
    missing = [Expects.WORDS] if name == "what" else [Expects.TIME]
    if name == "when" and not what:
        missing.append(Expects.WORDS)
    expects = (*missing, Expects.CONFIRM)
    return AgentResult(
        blocks=(TextBlock(question),),
        status=Status.CLARIFY,
        pending=Pending(
            agent=INTENT,
            name=name,
            question=question,
            asked_at=turn.now,
            expects=expects,
            state={"what": what, "rule": rule, "ahead": int(ahead.total_seconds())},
        ),
    )


def ask_between(turn: Turn, what: str, rules: Rules) -> AgentResult:
    """Ask which of several readings of one message is meant."""
    timing = Timing("ask", candidates=rules, reason="which_time")
    return ask_which(turn, what, timing, timedelta(0))


def ask_whether(turn: Turn, what: str, rule: Rule) -> AgentResult:
    """Ask whether what was told is to be reminded of; talk may go past the question."""
    asked = ask_which(turn, what, Timing("ask", candidates=(rule,), reason=TOLD), timedelta(0))
    pending = asked.pending and replace(asked.pending, soft=True)
    return replace(asked, pending=pending)


def ask_which(turn: Turn, what: str, timing: Timing, ahead: timedelta) -> AgentResult:
    """Ask which time is meant, with a button for each reading that is offered."""
    reason = reason_words(timing.reason)
    question = text("schedule.ask_which", what=what, reason=reason) if what else reason
    if ahead and timing.reason in POINT_UNKNOWN:
        question = present.ask_point(what, ahead)
    result = ask(turn, "when", what, question, ahead=ahead)
    if result.pending is not None and (timing.candidates or timing.said):
        kept = to_json(Rules, timing.candidates)
        told: dict[str, JsonValue] = {"asked": timing.reason, "said": timing.said}
        state = {**result.pending.state, **told, "candidates": kept}
        if (name := KEPT.get(timing.reason)) is not None:
            state[name] = kept
        result = replace(result, pending=replace(result.pending, state=state))
    is_habit = timing.reason == habits.REASON and not turn.in_group
    habit: JsonValue = to_json(Rules, timing.candidates) if is_habit else None
    rows = tuple(
        (
            Button(
                label=Verbatim(present.label(rule, turn)),
                action=ActionDraft(
                    name="pick",
                    arguments={"what": what, "rule": to_json(Rule, rule), "habit": habit},
                ),
            ),
        )
        for rule in timing.candidates[:MOST_CANDIDATES]
        if timing.reason != WHICH_TIMES
    )
    if what and timing.reason == "which_time" and _BOTH.search(turn.query):
        rows = (*rows, (_all_button(what, timing.candidates),))
    cancel = Button(label=text("schedule.button_cancel"), action=ActionDraft(name="cancel"))
    return AgentResult(
        blocks=result.blocks,
        buttons=(*rows, (cancel,)),
        status=Status.CLARIFY,
        pending=result.pending,
    )


def ask_several(turn: Turn, words: str, wanted: Several) -> AgentResult:
    """Ask whether a clause is a reminder of its own."""
    first = parse_reminder(words, now=turn.now, tz=zone_of(turn.now))
    rows: list[tuple[Button, ...]] = [
        (
            Button(
                label=text("schedule.button_each", n=len(wanted)),
                action=ActionDraft(
                    name="pick_all", arguments={"wanted": to_json(Several, wanted)}
                ),
            ),
        )
    ]
    if first is not None and first.what:
        arguments = {"what": first.what, "rule": to_json(Rule, wanted[0].rule)}
        action = ActionDraft(name="pick", arguments=arguments)
        rows.append((Button(label=text("schedule.button_single"), action=action),))
    lines = tuple(Verbatim(f"{present.label(w.rule, turn)} — {w.what}") for w in wanted)
    question = text("schedule.ask_several", lines=Lines(lines))
    return AgentResult(blocks=(TextBlock(question),), buttons=tuple(rows), status=Status.CLARIFY)


def _all_button(what: str, rules: Rules) -> Button:
    """Return the button that sets a reminder for each of the times."""
    wanted = tuple(Wanted(what, rule) for rule in rules)
    action = ActionDraft(name="pick_all", arguments={"wanted": to_json(Several, wanted)})
    return Button(label=text("schedule.button_each", n=len(rules)), action=action)
