"""What a message says about repetition: a rule, a question, or nothing."""

from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.core.recurrence import MIN_MINUTES, WEEKDAYS, Rule, RuleError
from bot.language.clocks import DEFAULT_HOUR, PART_HOURS, clock_of
from bot.language.cron import CronError, find_cron, parse_cron
from bot.language.festivals import fixed_day, lunar_day
from bot.language.limits import LimitReader, Limits
from bot.language.occurrences import next_fire, upcoming
from bot.language.phrases import Phrases
from bot.language.reading import read
from bot.language.repeats import INTRADAY, Draft, Reader, is_link
from bot.language.results import Context, Mode, Trouble
from bot.language.slots import Slots
from bot.language.times import text_hint

__all__ = ["RecurrenceResult", "next_fire", "resolve_recurrence", "upcoming"]

_QUARTER_STARTS: Final = [1, 4, 7, 10]
_QUARTER_ENDS: Final = [3, 6, 9, 12]
_OFFICE_UNTIL: Final = 4
_OPEN_HOURS: Final = (5, 6)
_NOON: Final = 12
_DEFAULT_TIME: Final = f"{DEFAULT_HOUR:02d}:00"
_MAX_DAY: Final = 31
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
_MAX_TIMES: Final = 48


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
        rule, default_time = _build(draft, parsed.limits, context)
    except _Doubt as doubt:
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


class _Doubt(Exception):  # noqa: N818
    def __init__(self, reason: str, candidates: tuple[Rule, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.candidates = candidates


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
        if not found.clocks:
            other = next((c for c in self.clusters if c is not found and c.clocks), None)
            if other is not None:
                found.clocks = other.clocks
                self.bounds.append((other.first, other.last))
        return found


def _weekly_list(draft: Draft) -> bool:
    """周一到周五9点: several weekdays with a time of day repeat without a word for it."""
    if draft.kind in ("workday", "freeday"):
        return bool(draft.clocks)
    several = len({day for nth, day in draft.byday if not nth}) > 1
    return several and draft.lists == 1 and bool(draft.clocks) and draft.byday != [(0, 5), (0, 6)]


def _build(draft: Draft, limits: Limits, context: Context) -> tuple[Rule, bool]:
    doubt = draft.doubt or limits.doubt
    if draft.freq == "SECONDLY" or (draft.freq == "MINUTELY" and draft.interval < MIN_MINUTES):
        raise _Doubt("too_frequent")
    if doubt and doubt != "interval_or_gap":
        raise _Doubt(doubt)
    times, late, default_time = _times(draft, context)
    _shape(draft, context)
    if late:
        _move_to_next_day(draft)
    if doubt == "interval_or_gap":
        options = []
        for interval in (draft.interval - 1, draft.interval):
            draft.interval = interval
            options.append(_rule(draft, limits, context, times or [_DEFAULT_TIME]))
        raise _Doubt(doubt, tuple(options))
    if default_time and context.mode == "reminder":
        raise _Doubt("no_time_of_day", (_rule(draft, limits, context, times),))
    return _rule(draft, limits, context, times), default_time


def _times(draft: Draft, context: Context) -> tuple[list[str], bool, bool]:
    """Wall times, whether they fall on the following day, and whether they are the default."""
    if not draft.clocks:
        intraday = draft.freq in INTRADAY
        return ([] if intraday else [_DEFAULT_TIME]), False, not intraday
    if draft.freq in INTRADAY or (draft.step and draft.window):
        return _filled(draft, context), False, False
    found: list[str] = []
    late: set[int] = set()
    part = ""
    for slots in draft.clocks:
        part = slots.part or part
        days, at = _wall_time(slots if slots.part else replace(slots, part=part), context)
        late.add(days)
        found.append(at.strftime("%H:%M"))
    if len(late) > 1 and draft.freq != "DAILY":
        raise _Doubt("times_cross_midnight")
    return found, late == {1}, False


def _filled(draft: Draft, context: Context) -> list[str]:
    """The times of a stretch of the day: 每天9点到18点每小时."""
    if draft.window is None or len(draft.clocks) != 1:
        raise _Doubt("interval_and_time")
    step = draft.step
    if draft.freq in INTRADAY:
        step = draft.interval * (60 if draft.freq == "HOURLY" else 1)
        draft.freq, draft.interval = "DAILY", 1
    _, first = _wall_time(draft.clocks[0], context)
    _, last = _wall_time(draft.window, context)
    begin, end = (at.hour * 60 + at.minute for at in (first, last))
    if end <= begin and last.hour < _NOON:
        end += _NOON * 60
    minutes = range(begin, end + 1, step)
    if end <= begin or step < MIN_MINUTES or len(minutes) > _MAX_TIMES:
        raise _Doubt("too_frequent" if step < MIN_MINUTES else "interval_and_time")
    return [f"{at // 60:02d}:{at % 60:02d}" for at in minutes]


def _wall_time(slots: Slots, context: Context) -> tuple[int, time]:
    clock = clock_of(slots)
    if clock is None:
        if slots.part == "dawn":
            raise _Doubt("which_hour")
        return 0, time(PART_HOURS[slots.part])
    hour = clock.at.hour
    if not clock.open or hour == _NOON:
        return clock.days, clock.at
    if context.hint:
        return 0, clock.at.replace(hour=hour + _NOON if context.hint == "pm" else hour)
    if hour in _OPEN_HOURS and context.mode == "reminder":
        raise _Doubt("bare_hour")
    return 0, clock.at.replace(hour=hour + _NOON if hour <= _OFFICE_UNTIL else hour)


def _shape(draft: Draft, context: Context) -> None:  # noqa: C901
    """Fill in what the words leave to the frequency, or ask."""
    today = context.now.date()
    if draft.kind:
        return
    if draft.festival:
        _festival(draft)
        return
    if draft.bymonth or draft.freq == "YEARLY":
        _yearly(draft, context, today)
    elif draft.quarterly:
        _quarterly(draft)
    elif draft.byday:
        _weekdays(draft)
    elif draft.bymonthday:
        if draft.freq in ("WEEKLY", "HOURLY", "MINUTELY"):
            raise _Doubt("which_day")
        if draft.freq in ("", "DAILY"):
            draft.freq, draft.interval = "MONTHLY", 1
    elif draft.freq == "WEEKLY":
        _need_day(context)
        draft.byday = [(0, today.weekday())]
    elif draft.freq == "MONTHLY":
        _need_day(context)
        draft.bymonthday = [today.day]
    elif not draft.freq:
        if not draft.clocks:
            raise _Doubt("interval_unclear")
        draft.freq = "DAILY"


def _need_day(context: Context) -> None:
    if context.mode == "reminder":
        raise _Doubt("which_day")


def _festival(draft: Draft) -> None:
    fixed = fixed_day(draft.festival)
    lunar = lunar_day(draft.festival)
    if fixed is not None:
        draft.bymonth, draft.bymonthday = [fixed[0]], [fixed[1]]
    elif lunar is not None:
        draft.kind, draft.lunar = "lunar", lunar
    else:
        raise _Doubt("festival_moves")
    draft.freq = "YEARLY"


def _yearly(draft: Draft, context: Context, today: date) -> None:
    if (
        draft.freq in ("", "DAILY", "MONTHLY")
        and draft.bymonth
        and (draft.bymonthday or draft.byday)
    ):
        draft.freq = "YEARLY"
    if draft.freq != "YEARLY":
        draft.freq = draft.freq or "YEARLY"
        return
    if not draft.bymonth and not draft.byday:
        if draft.bymonthday or context.mode == "reminder":
            raise _Doubt("which_month")
        draft.bymonth, draft.bymonthday = [today.month], [today.day]
    if draft.bymonth and not draft.bymonthday and not draft.byday:
        if context.mode == "reminder":
            raise _Doubt("which_day")
        draft.bymonthday = [1]
    if draft.byday and not draft.bymonth:
        raise _Doubt("which_month")


def _quarterly(draft: Draft) -> None:
    if draft.bymonthday == [1]:
        draft.bymonth = _QUARTER_STARTS
    elif draft.bymonthday == [-1]:
        draft.bymonth = _QUARTER_ENDS
    else:
        raise _Doubt("which_day")
    draft.freq, draft.interval = "YEARLY", 1


def _weekdays(draft: Draft) -> None:
    if any(nth for nth, _ in draft.byday):
        if draft.freq not in ("MONTHLY", "YEARLY"):
            draft.freq, draft.interval = "MONTHLY", 1
    elif draft.freq in ("", "DAILY"):
        draft.freq, draft.interval = "WEEKLY", 1 if draft.freq else draft.interval


def _move_to_next_day(draft: Draft) -> None:
    """每周五晚上12点 fires on Saturday at 00:00."""
    if draft.freq == "DAILY":
        return
    if draft.freq == "WEEKLY" and not draft.kind:
        draft.byday = [(nth, (day + 1) % 7) for nth, day in draft.byday]
        return
    raise _Doubt("midnight_of_which_day")


def _rule(draft: Draft, limits: Limits, context: Context, times: list[str]) -> Rule:
    now = context.now.replace(tzinfo=None, second=0, microsecond=0)
    start = datetime.combine(limits.start, time(0)) if limits.start else now
    start = max(start, now)
    kinds = {"workday": "workday", "freeday": "workday", "nth_workday": "nth_workday"}
    kind = "lunar_yearly" if draft.kind == "lunar" else kinds.get(draft.kind, "rrule")
    data: dict[str, object] = {
        "type": kind,
        "times": times,
        "tz": context.tz.key,
        "dtstart_local": start,
        "until": None if limits.count else limits.until,
        "count": limits.count,
        "skip_holidays": limits.skip_holidays,
        "except_dates": limits.dates,
    }
    if kind == "rrule":
        data["rrule"] = _rrule(draft, limits)
    elif limits.weekdays or limits.months:
        raise _Doubt("exception_unclear")
    if draft.kind == "freeday":
        data["free_days"] = True
    if draft.kind == "nth_workday":
        data["nth"] = draft.nth
    if draft.lunar is not None and kind == "lunar_yearly":
        data["lunar_month"], data["lunar_day"] = draft.lunar
    if draft.interval > 1 and kind == "rrule" and draft.freq not in INTRADAY:
        data["dtstart_local"] = _anchor(data, start)
    return Rule.from_json(data)


def _anchor(data: dict[str, object], start: datetime) -> datetime:
    """The start moved to the first fire, so that every second week counts from it."""
    every = str(data["rrule"])
    once = ";".join(part for part in every.split(";") if not part.startswith("INTERVAL"))
    probe = Rule.from_json({**data, "rrule": once, "until": None, "count": None})
    zone = ZoneInfo(probe.tz)
    first = next_fire(probe, start.replace(tzinfo=zone) - timedelta(minutes=1))
    return start if first is None else first.astimezone(zone).replace(tzinfo=None)


def _rrule(draft: Draft, limits: Limits) -> str:
    byday = sorted(set(draft.byday), key=lambda pair: (pair[1], pair[0]))
    freq, months = draft.freq, sorted(set(draft.bymonth))
    if limits.weekdays:
        kept = [d for d in range(7) if d not in limits.weekdays]
        if byday and all(not nth for nth, _ in byday):
            kept = [d for _, d in byday if d not in limits.weekdays]
        elif byday or freq in ("MONTHLY", "YEARLY"):
            raise _Doubt("exception_unclear")
        if freq == "DAILY" and draft.interval == 1:
            freq = "WEEKLY"
        byday = [(0, d) for d in kept]
    if limits.months:
        months = [m for m in months or range(1, 13) if m not in limits.months]
    parts = [f"FREQ={freq}"]
    if draft.interval != 1:
        parts.append(f"INTERVAL={draft.interval}")
    if byday:
        parts.append("BYDAY=" + ",".join(f"{n or ''}{WEEKDAYS[d]}" for n, d in byday))
    if months:
        parts.append("BYMONTH=" + ",".join(map(str, months)))
    if draft.bymonthday:
        days = sorted({d for d in draft.bymonthday if -_MAX_DAY <= d <= _MAX_DAY})
        parts.append("BYMONTHDAY=" + ",".join(map(str, days)))
    return ";".join(parts)
