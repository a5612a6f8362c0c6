"""What a message says about time: one answer, a question, or a refusal."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.language.clocks import DEFAULT_HOUR, PART_HOURS, PART_RANGES, Clock, clock_of, on, settle
from bot.language.dates import Days, add_months, days_of, one_day, shifted
from bot.language.normalize import Normal, normalize
from bot.language.phrases import Phrase, read_phrases
from bot.language.results import Bound, Context, Mode, ResolvedTime, TimeResult, Trouble
from bot.language.slots import SECONDS, Length, Slots
from bot.language.tokens import Token, tokenize

HORIZON_YEARS: Final = 5
_YEAR_DAYS: Final = 366
_DAY_SECONDS: Final = 86400
_AM_WORDS: Final = re.compile(r"起床|起身|早起|晨跑|wake|get up|sunrise")
_PM_WORDS: Final = re.compile(r"下班|晚饭|晚餐|睡觉|夜宵|dinner|supper|bedtime")
_VERBS: Final = re.compile(r"提醒|叫我|喊我|remind|alarm|闹钟|别忘")
_COARSE: Final = frozenset({"week", "month", "quarter", "year", "decade"})
_SAFE_YEARS: Final = range(2, 9990)


def resolve_time(text: str, *, now: datetime, tz: ZoneInfo, mode: Mode) -> TimeResult:
    """What a message says about time, seen from `now`.

    In `reminder` mode only a future moment is ok, and a day without an hour stands for
    09:00 (`default_time`); in `ledger` mode nothing in the future is; `range` takes all.

    Args:
        text: The message as written.
        now: The aware moment it was written.
        tz: The person's zone.
        mode: What the time is for.
    """
    normal = normalize(text)
    return resolve_tokens(normal, tokenize(normal.text), now=now, tz=tz, mode=mode)


def resolve_tokens(
    normal: Normal, tokens: Sequence[Token], *, now: datetime, tz: ZoneInfo, mode: Mode
) -> TimeResult:
    """As `resolve_time`, for a text already read into tokens."""
    context = Context(now.astimezone(tz), tz, mode, text_hint(normal.text))
    phrases = list(read_phrases(tokens, normal.text))
    found: list[ResolvedTime] = []
    spans: list[tuple[int, int]] = []
    try:
        index = 0
        while index < len(phrases):
            used, resolved = _next_time(phrases, index, tokens, context, normal)
            spans.append(_span(phrases[index], phrases[index + used - 1], tokens, normal))
            if resolved is not None:
                found.append(replace(resolved, span=spans[-1]))
            else:
                spans.pop()
            index += used
        if mode == "reminder":
            _check_reminder(found, context, normal.text)
        elif mode == "ledger":
            _check_ledger(found, context)
    except Trouble as trouble:
        candidates = tuple(_local(c, context, "") for c in trouble.candidates)
        return TimeResult(trouble.status, trouble.reason, (), candidates, tuple(spans))
    if not found:
        if mode == "reminder" and _VERBS.search(normal.text):
            return TimeResult("ask", "no_time")
        return TimeResult("none")
    return TimeResult("ok", "", tuple(found), (), tuple(spans))


def text_hint(text: str) -> str:
    """`am` when a text speaks of getting up, `pm` when of dinner or going home."""
    if _AM_WORDS.search(text):
        return "am"
    return "pm" if _PM_WORDS.search(text) else ""


def _span(first: Phrase, last: Phrase, tokens: Sequence[Token], normal: Normal) -> tuple[int, int]:
    return normal.span(tokens[first.first].start, tokens[last.last - 1].end)


def _next_time(
    phrases: Sequence[Phrase],
    index: int,
    tokens: Sequence[Token],
    context: Context,
    normal: Normal,
) -> tuple[int, ResolvedTime | None]:
    """How many phrases make the next time, and the time."""
    phrase = phrases[index]
    follow = phrases[index + 1] if index + 1 < len(phrases) else None
    if follow is not None and _linked(phrase, follow, tokens):
        if phrase.slots is not None and phrase.slots.has_clock() and follow.slots is None:
            raise Trouble("range_unclear")
        both = _range(phrase, follow, context)
        if both is not None:
            return 2, both
    if phrase.slots is None:
        return 1, _length(phrase, context)
    slots = _bounded(phrase, tokens, normal.text)
    return 1, _one(slots, context)


def _linked(first: Phrase, second: Phrase, tokens: Sequence[Token]) -> bool:
    between = tokens[first.last : second.first]
    return (
        bool(between) and between[0].kind == "to" and all(t.kind in ("to", "at") for t in between)
    )


def _length(phrase: Phrase, context: Context) -> ResolvedTime | None:
    if phrase.length is None or context.mode == "reminder":
        return None
    seconds = phrase.length.seconds()
    return ResolvedTime("duration", None, None, seconds, phrase.length.grain(), (0, 0))


_BOUNDS: Final = {
    "after": "after",
    "orafter": "since",
    "start": "since",
    "before": "before",
    "orbefore": "before",
}


def _bounded(phrase: Phrase, tokens: Sequence[Token], text: str) -> Slots:
    """The slots with the limit that the words around them make of them."""
    slots = phrase.slots or Slots()
    if slots.shift is not None:
        return slots
    tail = tokens[phrase.last] if phrase.last < len(tokens) else None
    lead = tokens[phrase.first - 1] if phrase.first else None
    if tail is not None and tail.kind in ("de", "at") and phrase.last + 1 < len(tokens):
        tail = tokens[phrase.last + 1] if tokens[phrase.last + 1].kind in _BOUNDS else tail
    bound = ""
    if tail is not None and not text[tail.start].isascii():
        bound = _BOUNDS.get(tail.kind, "")
    if not bound and lead is not None:
        word = text[lead.start : lead.end]
        if word in ("since", "自从", "自", "starting"):
            bound = "since"
        elif word == "after":
            bound = "after"
        elif lead.kind in ("until", "before") or word in ("by", "截止到", "截至"):
            bound = "before"
    inclusive = tail is not None and tail.kind.startswith("or") and not slots.day_given()
    return replace(slots, bound=bound + ("!" if inclusive else "")) if bound else slots


def _one(slots: Slots, context: Context) -> ResolvedTime | None:  # noqa: PLR0911
    context = _in_zone(slots, context)
    if slots.shift is not None:
        return _distance(slots, context)
    if slots.now and not slots.has_date():
        moment = context.now
        return ResolvedTime("point", moment, None, None, "second", (0, 0))
    clock = clock_of(slots)
    days = days_of(slots, context)
    if clock is None and days is None:
        return _part_only(slots, context)
    if slots.unsure:
        _ask_order(slots, context)
    if clock is not None or slots.now:
        return _at_clock(slots, clock, days, context)
    if days is None:
        return None
    if slots.part and days.grain == "day" and not days.ranged:
        return _part_of_day(slots, days.start, context)
    return _whole_days(slots, days, context)


def _in_zone(slots: Slots, context: Context) -> Context:
    if not slots.zone:
        return context
    zone = ZoneInfo(slots.zone)
    return replace(context, now=context.now.astimezone(zone), tz=zone)


def _ask_order(slots: Slots, context: Context) -> None:
    year, month, day = slots.year or context.now.year, slots.month or 1, slots.day or 1
    options = tuple(datetime(year, m, d) for m, d in ((month, day), (day, month)))  # noqa: DTZ001
    raise Trouble("day_or_month_first", candidates=options)


def _distance(slots: Slots, context: Context) -> ResolvedTime:  # noqa: C901, PLR0911
    length = slots.shift or Length(())
    if slots.window and slots.window != "deadline":
        return _window(slots, length, context)
    elapsed = all(SECONDS[unit] < _DAY_SECONDS for unit, _ in length.parts)
    grain = length.grain()
    if elapsed:
        try:
            moment = context.now + timedelta(0)
            utc = moment.astimezone(UTC) + slots.sign * timedelta(seconds=length.seconds())
        except OverflowError:
            raise Trouble("too_far", status="reject") from None
        return ResolvedTime("point", utc.astimezone(context.tz), None, None, grain, (0, 0))
    naive = shifted(context.now.replace(tzinfo=None), length, slots.sign)
    if naive.year not in _SAFE_YEARS:
        raise Trouble("too_far", status="reject")
    rest = replace(slots, shift=None, sign=0, window="")
    if rest.month is not None or rest.day is not None:
        year = naive.year
        rest = replace(rest, year=year if rest.year is None else rest.year)
        return _one(rest, context) or _never()
    day = naive.date()
    if rest.weekday is not None:
        day += timedelta(days=rest.weekday - day.weekday())
    if rest.day_shift is not None:
        day += timedelta(days=rest.day_shift)
    clock = clock_of(rest)
    if clock is not None:
        return _moment(settle(clock, day, rest, context), rest, context)
    if rest.part:
        return _part_of_day(rest, day, context)
    if rest.weekday is not None or rest.day_shift is not None:
        return _whole_days(rest, one_day(day), context)
    unit = "day" if SECONDS[grain] >= _DAY_SECONDS else grain
    bounded = slots.window == "deadline"
    start = _local(naive, context, "")
    adjusted = grain in ("month", "year", "quarter") and naive.day != context.now.day
    if bounded and context.mode == "reminder":
        raise Trouble("only_a_limit", candidates=(start,))
    return ResolvedTime("point", start, None, None, unit, (0, 0), adjusted=adjusted)


def _never() -> ResolvedTime:
    raise Trouble("no_such_date", status="reject")


def _window(slots: Slots, length: Length, context: Context) -> ResolvedTime:
    now = context.now.replace(tzinfo=None, microsecond=0)
    unit, count = length.parts[0][0], int(length.parts[0][1])
    today = now.date()
    if context.mode == "reminder":
        raise Trouble("which_day")
    if SECONDS[unit] < _DAY_SECONDS:
        other = shifted(now, length, slots.sign)
        start, end = (now, other) if slots.sign > 0 else (other, now)
        return _stretch(start, end, unit, context)
    start_day, end_day = _window_days(unit, count, slots, today, length, now)
    return _stretch(
        datetime.combine(start_day, time(0)), datetime.combine(end_day, time(0)), unit, context
    )


def _window_days(  # noqa: PLR0917
    unit: str, count: int, slots: Slots, today: date, length: Length, now: datetime
) -> tuple[date, date]:
    aligned = slots.window == "aligned"
    if aligned and unit in ("week", "month", "year"):
        begin = {
            "week": today - timedelta(days=today.weekday()),
            "month": today.replace(day=1),
            "year": today.replace(month=1, day=1),
        }[unit]
        if slots.sign > 0:
            begin = _step(begin, unit, 1)
            return begin, _step(begin, unit, count)
        return _step(begin, unit, -count), begin
    if unit == "year" and slots.sign > 0:
        begin = today.replace(month=1, day=1)
        return begin, _step(begin, unit, count)
    other = shifted(datetime.combine(today, now.time()), length, slots.sign).date()
    if slots.sign > 0:
        return today, other
    return (other, today) if aligned else (other + timedelta(days=1), today + timedelta(days=1))


def _step(day: date, unit: str, count: int) -> date:
    if unit == "week":
        return day + timedelta(weeks=count)
    return add_months(day, count * (12 if unit == "year" else 1))


def _stretch(start: datetime, end: datetime, grain: str, context: Context) -> ResolvedTime:
    return ResolvedTime(
        "range", _local(start, context, ""), _local(end, context, ""), None, grain, (0, 0)
    )


def _local(naive: datetime, context: Context, zone: str) -> datetime:
    """The aware local moment of a wall time; a time in a gap is moved forward by the gap."""
    del zone
    if naive.tzinfo is not None:
        return naive
    if naive.year not in _SAFE_YEARS:
        raise Trouble("too_far", status="reject")
    return naive.replace(tzinfo=context.tz).astimezone(UTC).astimezone(context.tz)


def _part_only(slots: Slots, context: Context) -> ResolvedTime | None:
    if not slots.part:
        return None
    return _part_of_day(slots, context.now.date(), context)


def _part_of_day(slots: Slots, day: date, context: Context) -> ResolvedTime:
    if context.mode != "reminder":
        low, high = PART_RANGES[slots.part]
        midnight = datetime.combine(day, time(0))
        return _stretch(
            midnight + timedelta(hours=low), midnight + timedelta(hours=high), "hour", context
        )
    if slots.part == "dawn":
        raise Trouble("which_hour")
    start = _local(datetime.combine(day, time(PART_HOURS[slots.part])), context, "")
    return ResolvedTime("point", start, None, None, "hour", (0, 0), default_time=True)


def _at_clock(
    slots: Slots, clock: Clock | None, days: Days | None, context: Context
) -> ResolvedTime:
    if days is not None and (days.grain != "day" or days.ranged):
        if days.ranged and days.grain == "day" and clock is not None:
            options = [days.start + timedelta(days=d) for d in range((days.end - days.start).days)]
            raise Trouble(
                "which_day",
                candidates=tuple(settle(clock, d, slots, context) for d in options[:3]),
            )
        raise Trouble("which_day")
    if clock is None:
        naive = datetime.combine(
            days.start if days else context.now.date(), context.now.time().replace(microsecond=0)
        )
        return ResolvedTime("point", _local(naive, context, ""), None, None, "second", (0, 0))
    naive = settle(clock, days.start if days else None, slots, context)
    now = context.now.replace(tzinfo=None)
    bare_weekday = slots.weekday is not None and slots.week_shift is None and slots.day is None
    if bare_weekday and naive <= now and context.mode == "reminder" and slots.nth is None:
        naive += timedelta(days=7)
    if slots.day is not None and slots.month is None and slots.month_shift is None:  # noqa: SIM102
        if naive <= now and context.mode == "reminder" and slots.year is None:
            naive = datetime.combine(add_months(naive.date(), 1), naive.time())
    return _moment(naive, slots, context)


def _moment(naive: datetime, slots: Slots, context: Context) -> ResolvedTime:
    start = _local(naive, context, "")
    grain = "second" if slots.second is not None else "minute" if slots.minute else "hour"
    moved = start.replace(tzinfo=None) != naive
    return ResolvedTime(
        "point", start, None, None, grain, (0, 0), bound=_bound(slots), adjusted=moved
    )


def _bound(slots: Slots) -> Bound:
    if slots.bound.startswith(("after", "since")):
        return "after"
    return "before" if slots.bound.startswith("before") else "exact"


def _whole_days(slots: Slots, days: Days, context: Context) -> ResolvedTime:
    grain, start, end = days.grain, days.start, days.end
    bound = _bound(slots)
    if (
        bound == "after"
        and grain in _COARSE
        and slots.bound == "after"
        and context.mode == "range"
    ):
        start = end if _excludes(slots) else start
    if bound == "before" and slots.bound.endswith("!"):
        start = end
    if context.mode == "reminder":
        return _reminder_day(days, slots, context)
    point = not days.ranged and bound == "exact"
    first = _local(datetime.combine(start, time(0)), context, "")
    last = _local(datetime.combine(end, time(0)), context, "") if bound == "exact" else None
    kind = "point" if point or bound != "exact" else "range"
    return ResolvedTime(
        "range" if kind == "range" else "point", first, last, None, grain, (0, 0), bound=bound
    )


def _excludes(slots: Slots) -> bool:
    return slots.bound == "after" and not slots.day_given()


def _reminder_day(days: Days, slots: Slots, context: Context) -> ResolvedTime:
    if days.grain != "day" or days.ranged:
        raise Trouble("which_day")
    start = _local(datetime.combine(days.start, time(DEFAULT_HOUR)), context, "")
    return ResolvedTime(
        "point", start, None, None, "day", (0, 0), bound=_bound(slots), default_time=True
    )


def _range(first: Phrase, second: Phrase, context: Context) -> ResolvedTime | None:
    """The stretch from one time to another; None when they are no stretch."""
    a, b = first.slots, second.slots
    if a is None or b is None or a.window or b.window:
        return None
    context = _in_zone(replace(a, zone=a.zone or b.zone), context)
    if a.has_clock() and b.has_clock():
        return _clock_range(a, b, context)
    if a.has_clock() or b.has_clock():
        return None
    return _day_range(a, b, context)


_DATE_FIELDS: Final = ("year", "year_shift", "month", "month_shift", "day", "day_shift", "lunar")


def _inherit(a: Slots, b: Slots) -> Slots:
    """The second end with the larger units of the first where it is silent."""
    if b.day_shift is not None or b.festival or b.weekday is not None:
        return b
    values: dict[str, int | None] = {}
    if b.day is not None and b.month is None and b.month_shift is None:
        values = {"month": a.month, "month_shift": a.month_shift}
    if b.year is None and b.year_shift is None:
        values |= {"year": a.year, "year_shift": a.year_shift}
    return replace(b, **values, lunar=a.lunar or b.lunar)  # type: ignore[arg-type]


def _day_range(a: Slots, b: Slots, context: Context) -> ResolvedTime | None:
    if a.year_shift is None and a.year is None and a.has_date() is False:
        return None
    if a.unsure or b.unsure:
        _ask_order(a, context)
    start = days_of(a, context)
    end = days_of(_inherit(a, b), context)
    if start is None or end is None:
        return None
    if a.day is not None and b.day is None and end.grain != "day":
        raise Trouble("range_unclear")
    if end.start < start.start:
        end = _later_end(b, start, end)
    if end.end <= start.start:
        raise Trouble("end_before_start")
    if context.mode == "reminder":
        raise Trouble("which_day")
    grain = end.grain if end.grain == start.grain else "day"
    return _stretch(
        datetime.combine(start.start, time(0)), datetime.combine(end.end, time(0)), grain, context
    )


def _later_end(b: Slots, start: Days, end: Days) -> Days:
    """The end moved past the start, when it was said without week or year."""
    if b.weekday is not None and b.week_shift is None:
        days = (b.weekday - start.start.weekday()) % 7
        return one_day(start.start + timedelta(days=days))
    if b.month is not None and b.year is None and b.year_shift is None:
        return Days(add_months(end.start, 12), add_months(end.end, 12), end.grain)
    return end


def _clock_range(a: Slots, b: Slots, context: Context) -> ResolvedTime | None:
    if b.meridiem and not a.meridiem and not a.part:
        a = replace(a, meridiem=b.meridiem) if _fits_meridiem(a, b) else a
    if not b.part and not b.meridiem and not b.has_date():
        b = replace(b, part="" if a.part in ("evening", "noon") else a.part, meridiem="")
    if not a.has_date() and b.has_date() and b.day_shift is None:
        a = replace(a, year=b.year, month=b.month, day=b.day, weekday=b.weekday)
    relaxed = replace(context, mode="range") if context.mode == "reminder" else context
    days_a, days_b = days_of(a, context), days_of(b, context)
    clock_a, clock_b = clock_of(a), clock_of(b)
    if clock_a is None or clock_b is None:
        return None
    start = settle(clock_a, days_a.start if days_a else None, a, relaxed)
    if days_b is not None:
        end = settle(clock_b, days_b.start, b, relaxed)
        if end <= start:
            raise Trouble("end_before_start")
    else:
        end = _end_after(start, clock_b, a, b)
    return _stretch(start, end, "minute" if start.minute or end.minute else "hour", context)


def _fits_meridiem(a: Slots, b: Slots) -> bool:
    return (a.hour or 0) % 12 <= (b.hour or 0) % 12


def _end_after(start: datetime, clock: Clock, a: Slots, b: Slots) -> datetime:
    """The first occurrence of the end's clock face after the start that makes sense."""
    day = start.date()
    if not clock.open and not b.part:
        end = on(day, clock)
        return end if end > start else end + timedelta(days=1)
    if not clock.open:
        end = on(day, clock)
        if end > start:
            return end
        if b.part == "dawn" or clock.at.hour == 0:
            return end + timedelta(days=1)
        raise Trouble("end_before_start")
    faces = [
        datetime.combine(day + timedelta(days=d), clock.at.replace(hour=clock.at.hour % 12 + h))
        for d in (0, 1)
        for h in (0, 12)
    ]
    end = next(face for face in faces if face > start)
    if (a.part == "evening" and clock.at.hour % 12 >= 5) and end.date() > day:  # noqa: PLR2004
        raise Trouble("end_before_start", candidates=(start,))
    return end


def _check_reminder(found: list[ResolvedTime], context: Context, text: str) -> None:
    if len([t for t in found if t.kind != "duration"]) > 1 and not _VERBS.search(text):
        distinct = {t.start for t in found}
        if len(distinct) > 1:
            raise Trouble(
                "which_time", candidates=tuple(t.start for t in found if t.start is not None)
            )
    for item in found:
        if item.start is None:
            continue
        if item.bound != "exact":
            raise Trouble("only_a_limit", candidates=(item.start,))
        _check_future(item, context)


def _check_future(item: ResolvedTime, context: Context) -> None:
    if item.start is None:
        return
    latest = context.now + timedelta(days=_YEAR_DAYS * HORIZON_YEARS)
    if item.start > latest:
        raise Trouble("too_far", status="reject")
    slack = timedelta(seconds=59) if item.grain == "second" else timedelta(0)
    if item.start + slack < context.now:
        tomorrow = item.start.replace(tzinfo=None) + timedelta(days=1)
        later = _local(tomorrow, context, "")
        raise Trouble("past", candidates=(later,) if later > context.now else ())


def _check_ledger(found: list[ResolvedTime], context: Context) -> None:
    for item in found:
        if item.start is not None and item.start.date() > context.now.date():
            raise Trouble("future", candidates=(item.start,))
