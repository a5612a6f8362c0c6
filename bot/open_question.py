"""Whether a text answers the question that is open."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.core.routing import RoutingContext
from bot.core.sessions import Expects, Pending
from bot.fast_path import ROWS
from bot.language.amendments import may_amend
from bot.language.answers import classify_answer, named_scope
from bot.language.last_thing import LastThing, parse_last_thing
from bot.language.money import resolve_amounts
from bot.language.money_words import QUESTION
from bot.language.nth_entries import parse_nth_order
from bot.language.recurrence import resolve_recurrence
from bot.language.times import resolve_time
from bot.language.undo_words import brings_back

BESIDE = 12
"""Characters that may stand beside the time that answers a question for one."""

SHORT_ANSWER = 60
"""Characters up to which a text may be the answer to an open question in free words."""


def answers(pending: Pending, context: RoutingContext, *, other: str | None) -> str:
    """Return why the text answers the open question, empty when it is a new wish."""
    words = context.text.strip()
    kind = classify_answer(words).kind
    last = None if pending.soft else parse_last_thing(words)
    if kind == "cancel" or _is_about_it(last, "undo"):
        return "cancelled"
    if pending.agent == "ledger_manager" and _is_about_it(last, "wrong"):
        return "answered: correct"
    if kind != "none" and Expects.CONFIRM in pending.expects:
        return f"answered: {kind}"
    if pending.soft and _of_rows(pending, words):
        return "rows that were shown"
    if value := _as_value(pending, context, words, kind, other=other):
        return value
    if pending.soft and _bounds_what_was_set(pending, context, words):
        return "a bound"
    return "in own words" if other is None and _in_own_words(pending, words) else ""


def _as_value(
    pending: Pending, context: RoutingContext, words: str, kind: str, *, other: str | None
) -> str:
    """Return which kind of value the words give that is asked for, empty when none."""
    zone = context.now.tzinfo
    if isinstance(zone, ZoneInfo):
        if Expects.AMOUNT in pending.expects:
            amounts = resolve_amounts(words, now=context.now, tz=zone, locale=context.locale)
            if amounts.status != "none" and (kind == "correct" or _bare(words)):
                return "an amount"
        if Expects.TIME in pending.expects:
            times = resolve_time(words, now=context.now, tz=zone, mode="reminder")
            says_when = bool(times.spans) and times.status != "none" and other is None
            if named_scope(words) or (says_when and _is_mostly(words, times.spans)):
                return "a time"
            if other is None and not says_when and _repeats(words, context.now, zone):
                return "a repetition"
    return ""


def _is_about_it(last: LastThing | None, kind: str) -> bool:
    """Whether the open question's subject is undone or put right, and nothing else is named."""
    if last is None or last.kind != kind or last.noun:
        return False
    return kind == "undo" or bool(last.rest)


def _of_rows(pending: Pending, words: str) -> bool:
    """Whether words bring back what was undone, or name one of the rows that were shown."""
    if pending.agent == "ledger_manager" and brings_back(words):
        return True
    order = parse_nth_order(words)
    return order is not None and ROWS.get(order.noun, pending.agent) == pending.agent


def _bounds_what_was_set(pending: Pending, context: RoutingContext, words: str) -> bool:
    """Whether a bound or other days are added to the one reminder just set: 除了周五."""
    zone = context.now.tzinfo
    if pending.agent != "schedule_manager" or Expects.TIME not in pending.expects:
        return False
    return isinstance(zone, ZoneInfo) and may_amend(words, context.now, zone)


def _in_own_words(pending: Pending, words: str) -> bool:
    """Whether words may answer a question for words; no entry is called by a question."""
    if Expects.WORDS not in pending.expects or len(words) > SHORT_ANSWER:
        return False
    return pending.agent != "ledger_manager" or not QUESTION.search(words)


def _repeats(words: str, now: datetime, zone: ZoneInfo) -> bool:
    """Whether a short text says how often, and little besides: 每两天."""
    if len(words) > SHORT_ANSWER // 2:
        return False
    found = resolve_recurrence(words, now=now, tz=zone)
    return found.status != "none" and _is_mostly(words, found.spans)


def _is_mostly(words: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether little is said besides: a story with a time in it answers no question for one."""
    return len(words) - sum(end - start for start, end in spans) <= BESIDE


def _bare(words: str) -> bool:
    return len(words) <= SHORT_ANSWER // 4
