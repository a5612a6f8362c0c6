"""What a message says about repetition: a rule, a question, or nothing."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.core.recurrence import Rule, RuleError
from bot.language.cron import CronError, find_cron, parse_cron
from bot.language.limits import Limits
from bot.language.occurrences import next_fire, upcoming
from bot.language.phrases import Phrase, Phrases
from bot.language.reading import read
from bot.language.repeat_days import INTRADAY, Draft
from bot.language.repeats import Reader, is_link
from bot.language.results import Context, Mode, Trouble
from bot.language.rule_building import Doubt, build_rule
from bot.language.slots import Slots
from bot.language.stretches import StretchReader
from bot.language.times import text_hint
from bot.language.workdays import load_calendar

__all__ = ["RecurrenceResult", "next_fire", "resolve_recurrence", "upcoming"]

_SHOWN: Final = 3
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
        official: The official workday arrangement of the next fires is known, where it matters.
    """

    status: Literal["ok", "ask", "none"]
    reason: str = ""
    rule: Rule | None = None
    candidates: tuple[Rule, ...] = ()
    span: tuple[int, int] = (0, 0)
    spans: tuple[tuple[int, int], ...] = field(default=())
    default_time: bool = False
    official: bool = True


def resolve_recurrence(
    text: str, *, now: datetime, tz: ZoneInfo, mode: Mode = "reminder"
) -> RecurrenceResult:
    """What a message says about repetition, seen from `now`.

    In `reminder` mode a rule without a time of day or a day is asked; `range` fills it in.
    """
    message = read(text)
    context = Context(now.astimezone(tz), tz, mode, text_hint(message.text))
    typed = find_cron(message.normal.source)
    if typed is not None:
        return _typed_cron(typed, context)
    signed = any(t.kind in _SIGNS or t.name in _SIGNS for t in message.tokens)
    in_mode = mode == "reminder"
    parts = sum(t.kind == "part" for t in message.tokens) if in_mode else 0
    filled = in_mode and any(t.kind in ("next", "for") for t in message.tokens)
    if not signed and not filled and parts < _PAIR:
        return RecurrenceResult("none")
    words = _Words(message.index, context)
    draft = words.main() if signed else None
    if draft is None and filled:
        draft = words.each_day()
    if draft is None and parts >= _PAIR:
        draft = words.parts_of_day()
    if draft is None:
        return RecurrenceResult("none")
    stretches = sorted([(draft.first, draft.last), *words.bounds])
    spans = tuple(message.span(first, last) for first, last in stretches)
    result = _from_draft(draft, words.limits, context)
    return replace(result, span=message.span(draft.first, draft.last), spans=spans)


def _from_draft(draft: Draft, limits: Limits, context: Context) -> RecurrenceResult:
    try:
        rule, default_time = build_rule(draft, limits, context)
    except Doubt as doubt:
        both = doubt.reason == "bare_hour" and not context.hint
        candidates = _both_halves(draft, limits, context) if both else doubt.candidates
        return RecurrenceResult("ask", doubt.reason, None, candidates)
    except Trouble as trouble:
        return RecurrenceResult("ask", trouble.reason)
    except RuleError:
        return RecurrenceResult("ask", "not_expressible")
    fires = upcoming(rule, context.now, _SHOWN)
    if not fires:
        return RecurrenceResult("ask", "never")
    official = _is_official(rule, fires)
    return RecurrenceResult("ok", "", rule, default_time=default_time, official=official)


def _both_halves(draft: Draft, limits: Limits, context: Context) -> tuple[Rule, ...]:
    """The rule with the hours as said and twelve later; nothing where more is open."""
    try:
        return tuple(
            build_rule(deepcopy(draft), deepcopy(limits), replace(context, hint=half))[0]
            for half in ("am", "pm")
        )
    except (Doubt, Trouble, RuleError):
        return ()


def _is_official(rule: Rule, fires: Sequence[datetime]) -> bool:
    """Whether the official arrangement of all shown fires is known, where the rule needs it."""
    if rule.type not in ("workday", "nth_workday") and not rule.skip_holidays:
        return True
    calendar, zone = load_calendar(), ZoneInfo(rule.tz)
    return all(calendar.is_official(fire.astimezone(zone).year) for fire in fires)


def _typed_cron(typed: tuple[str, int, int], context: Context) -> RecurrenceResult:
    expression, start, end = typed
    span = (start, end)
    try:
        rule = parse_cron(expression, now=context.now, tz=context.tz)
    except CronError as error:
        return RecurrenceResult("ask", error.reason, None, (), span, (span,))
    return RecurrenceResult("ok", "", rule, (), span, (span,))


class _Words:
    """The recurrence words of a text: clusters of them, and what bounds them."""

    def __init__(self, phrases: Phrases, context: Context) -> None:
        self.bounds: list[tuple[int, int]] = []
        self.clusters: list[Draft] = []
        tokens = phrases.tokens
        bounds = StretchReader(phrases, context)
        self.limits = bounds.limits
        self.day_of = bounds.day
        self.today = context.now.date()
        self.phrases = phrases
        self.dated = any(p.slots is not None and p.slots.has_date() for p in phrases.merged())
        self.fills_days = self.doubtful_length = False
        draft = Draft()
        at = 0
        while at < len(tokens):
            after = bounds.read(at)
            if after > at:
                self.bounds.append((at, after))
                self.fills_days = self.fills_days or bounds.fills_days(at)
                if bounds.lasts_days(at):
                    self.fills_days, self.doubtful_length = True, at > 0
            else:
                after = Reader(phrases, draft).read(at)
            if after > at:
                at = after
                continue
            if tokens[at].kind in ("before", "after") and draft.trigger:
                draft.doubt = draft.doubt or "offset_unclear"
            if not is_link(tokens[at]) and draft.first >= 0:
                self.clusters.append(draft)
                draft = Draft()
            at += 1
        if draft.first >= 0:
            self.clusters.append(draft)
        bounds.settle()

    def main(self) -> Draft | None:
        """The cluster that repeats, with a time of day from elsewhere when it has none."""
        found = next((c for c in self.clusters if c.trigger), None)
        if found is None:
            found = next((c for c in self.clusters if _weekly_list(c)), None)
        if found is None or self._only_names_a_thing(found):
            return None
        others = [c for c in self.clusters if c is not found and c.clocks]
        if found.freq in INTRADAY or found.step:
            self._within_one_day(found)
        if not found.clocks and others:
            other = others.pop(0)
            found.clocks, found.window = other.clocks, found.window or other.window
            found.between |= other.between
            self.bounds.append((other.first, other.last))
            if found.freq == "WEEKLY" and not found.byday:
                found.byday = other.byday
            elif other.byday and other.byday != found.byday:
                found.doubt = found.doubt or "which_times"
        if others:
            found.doubt = found.doubt or "which_times"
        return found

    def each_day(self) -> Draft | None:
        """The time of day in days that are counted: 未来三天早上8点, for the next 3 days at 8."""
        found = next((c for c in self.clusters if c.clocks), None) if self.fills_days else None
        if found is None or self.dated_outside(found):
            return None
        if self.doubtful_length:
            found.doubt = found.doubt or "once_or_daily"
        found.set_freq("DAILY")
        return found

    def _only_names_a_thing(self, found: Draft) -> bool:
        """Whether "weekly" belongs to what happens on one day: the weekly meeting tomorrow."""
        days = found.byday or found.bymonthday or found.bymonth or found.kind or found.festival
        after = self.phrases.tokens[found.last : found.last + 1]
        if not after or after[0].kind != "other" or days or found.clocks:
            return False
        if found.freq in INTRADAY and self.phrases.tokens[found.first].kind != "freq":
            return False
        is_english = self.phrases.text[after[0].start].isascii()
        on_a_weekday = any(c.byday and c.clocks and not c.trigger for c in self.clusters)
        return self.dated_outside(found) or (is_english and on_a_weekday)

    def _within_one_day(self, found: Draft) -> None:
        """Bound what repeats in the day to the day that is said: 明天9点到18点每小时.

        Without an hour to begin with, a day to come is asked about.
        """
        days = self._days_outside(found)
        if len(days) != 1 or self.limits.start or self.limits.until:
            return
        day = self.day_of(days[0])
        if day is None:
            return
        self.limits.start = day[0]
        self.limits.until = datetime.combine(day[1], time(0)) - timedelta(seconds=1)
        self.bounds.append((days[0].first, days[0].last))
        if not found.window and day[0] > self.today:
            found.doubt = found.doubt or "which_times"

    def dated_outside(self, found: Draft) -> bool:
        """Whether one certain day is said that neither bounds the repetition nor is part of it."""
        return bool(self._days_outside(found))

    def _days_outside(self, found: Draft) -> list[Phrase]:
        taken = [(found.first, found.last), *self.bounds]
        return [
            phrase
            for phrase in self.phrases.merged()
            if phrase.slots is not None
            and _is_one_day(phrase.slots)
            and not any(first <= phrase.first < last for first, last in taken)
        ]

    def parts_of_day(self) -> Draft | None:
        """The parts of a day that no day is said for: 早晚吃药 may be meant for every day."""
        found = next((c for c in self.clusters if _several_parts(c)), None)
        if found is None or self.dated or found.window is not None:
            return None
        found.set_freq("DAILY")
        found.doubt = found.doubt or "once_or_daily"
        return found


def _is_one_day(slots: Slots) -> bool:
    """Whether a day is meant that comes once; a weekday alone may come every week."""
    if slots.weekday is not None:
        return slots.week_shift is not None
    return slots.day_shift is not None or (slots.month is not None and slots.day is not None)


def _several_parts(draft: Draft) -> bool:
    """Whether it names several parts of a day, and no day."""
    days = draft.byday or draft.bymonthday or draft.bymonth or draft.kind or draft.festival
    parts = {slots.part for slots in draft.clocks}
    return not days and not draft.freq and "" not in parts and len(parts) >= _PAIR


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
