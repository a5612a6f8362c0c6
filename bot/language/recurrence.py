"""What a message says about repetition: a rule, a question, or nothing."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.core.recurrence import Rule, RuleError
from bot.language.cron import CronError, find_cron, parse_cron
from bot.language.limits import LimitReader
from bot.language.occurrences import next_fire, upcoming
from bot.language.phrases import Phrases
from bot.language.reading import read
from bot.language.repeat_days import Draft
from bot.language.repeats import Reader, is_link
from bot.language.results import Context, Mode, Trouble
from bot.language.rule_building import Doubt, build_rule
from bot.language.times import text_hint

__all__ = ["RecurrenceResult", "next_fire", "resolve_recurrence", "upcoming"]

_PAIR: Final = 2
_SIGNS: Final = frozenset(
    {
        "every",
        "apart",
        "freq",
        "once",
        "times",
        "weekday",
        "plural",
        "workday",
        "freeday",
        "weekend",
    }
)
"""Without one of these words nothing repeats."""


@dataclass(frozen=True, slots=True)
class RecurrenceResult:
    """What a message says about repetition.

    Attributes:
        status: `ok` with a rule, `ask` with a reason, `none`.
        reason: A stable key that says why it asks.
        rule: The rule, when ok.
        candidates: Rules to offer, when it asks.
        span: Where the words stand in the text, half-open.
        spans: All stretches that belong to it, times and limits included.
        default_time: The time of day was not said and is this product's default.
    """

    status: Literal["ok", "ask", "none"]
    reason: str = ""
    rule: Rule | None = None
    candidates: tuple[Rule, ...] = ()
    span: tuple[int, int] = (0, 0)
    spans: tuple[tuple[int, int], ...] = field(default=())
    default_time: bool = False


def resolve_recurrence(  # noqa: PLR0911
    text: str, *, now: datetime, tz: ZoneInfo, mode: Mode = "reminder"
) -> RecurrenceResult:
    """What a message says about repetition, seen from `now`.

    In `reminder` mode a rule without a time of day or a day is asked; `range` fills it in.
    """
    message = read(text)
    normal, tokens = message.normal, message.tokens
    context = Context(now.astimezone(tz), tz, mode, text_hint(normal.text))
    typed = find_cron(normal.source)
    if typed is not None:
        return _typed_cron(typed, context)
    if not any(t.kind in _SIGNS or t.name in _SIGNS for t in tokens):
        return RecurrenceResult("none")
    parsed = _Reading(message.index, context)
    draft = parsed.main()
    if draft is None:
        return RecurrenceResult("none")
    stretches = sorted([(draft.first, draft.last), *parsed.bounds])
    spans = tuple(normal.span(tokens[a].start, tokens[b - 1].end) for a, b in stretches)
    span = normal.span(tokens[draft.first].start, tokens[draft.last - 1].end)
    try:
        rule, default_time = build_rule(draft, parsed.limits, context)
    except Doubt as doubt:
        return RecurrenceResult("ask", doubt.reason, None, doubt.candidates, span, spans)
    except (Trouble, RuleError) as trouble:
        reason = trouble.reason if isinstance(trouble, Trouble) else "not_expressible"
        return RecurrenceResult("ask", reason, None, (), span, spans)
    if next_fire(rule, now) is None:
        return RecurrenceResult("ask", "never", None, (), span, spans)
    return RecurrenceResult("ok", "", rule, (), span, spans, default_time)


def _typed_cron(typed: tuple[str, int, int], context: Context) -> RecurrenceResult:
    expression, start, end = typed
    span = (start, end)
    try:
        rule = parse_cron(expression, now=context.now, tz=context.tz)
    except CronError as error:
        return RecurrenceResult("ask", error.reason, None, (), span, (span,))
    return RecurrenceResult("ok", "", rule, (), span, (span,))


class _Reading:
    """The recurrence words of a text: clusters of them, and what bounds them."""

    def __init__(self, phrases: Phrases, context: Context) -> None:
        self.bounds: list[tuple[int, int]] = []
        self.clusters: list[Draft] = []
        tokens = phrases.tokens
        bounds = LimitReader(phrases, context)
        self.limits = bounds.limits
        draft = Draft()
        at = 0
        while at < len(tokens):
            after = bounds.read(at)
            if after > at:
                self.bounds.append((at, after))
            else:
                after = Reader(phrases, draft).read(at)
            if after > at:
                at = after
                continue
            if not is_link(tokens[at]) and draft.first >= 0:
                self.clusters.append(draft)
                draft = Draft()
            at += 1
        if draft.first >= 0:
            self.clusters.append(draft)

    def main(self) -> Draft | None:
        """The cluster that repeats, with a time of day from elsewhere when it has none."""
        found = next((c for c in self.clusters if c.trigger), None)
        if found is None:
            found = next((c for c in self.clusters if _weekly_list(c)), None)
        if found is None:
            return None
        others = [c for c in self.clusters if c is not found and c.clocks]
        if not found.clocks and others:
            other = others.pop(0)
            found.clocks = other.clocks
            self.bounds.append((other.first, other.last))
        if others:
            found.doubt = found.doubt or "which_times"
        return found


def _weekly_list(draft: Draft) -> bool:
    """周一到周五9点: several weekdays with a time of day repeat without a word for it."""
    if draft.kind in ("workday", "freeday"):
        return bool(draft.clocks)
    days = {day for nth, day in draft.byday if not nth}
    if len(days) <= 1 or draft.lists != 1 or draft.dated or not draft.clocks:
        return False
    if len(days) == _PAIR:
        draft.doubt = "once_or_weekly"
    return draft.byday != [(0, 5), (0, 6)]
