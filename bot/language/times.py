"""What a message says about time: one answer, a question, or a refusal."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.patterns import regex
from bot.language.apart import Together, day_and_hour
from bot.language.lists import in_its_list
from bot.language.moments import moment_of
from bot.language.normalize import Normal
from bot.language.phrases import Phrase
from bot.language.ranges import range_of
from bot.language.reading import Reading, read
from bot.language.results import Context, Mode, ResolvedTime, TimeResult, Trouble
from bot.language.slots import Slots
from bot.language.tokens import Token
from bot.language.wall_times import localize

HORIZON_YEARS: Final = 5
_YEAR_DAYS: Final = 366
_AM_WORDS: Final = regex(r"起床|起身|早起|晨跑|wake|get up|sunrise")
_PM_WORDS: Final = regex(r"下班|晚饭|晚餐|睡觉|夜宵|dinner|supper|bedtime")
_VERBS: Final = regex(
    r"(?:到时候?)?(?:提醒|叫我|叫醒我|喊我|通知我|闹钟|别忘)我?"
    r"|(?:remind|wake|ping|alert) me(?: to)?|alarm"
)
_LIKE_A_MONTH: Final = regex(r"\s*\d{1,2}年\d{1,2}个月[\s。.]*")
"""A length that is written nearly like a year and a month of it (1年2月)."""

_LOOSE: Final = " ,，、的在就请:：要去 at on in by"


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
    message = read(text)
    normal, tokens, phrases = message.normal, message.tokens, message.phrases
    context = Context(now.astimezone(tz), tz, mode, text_hint(normal.text))
    together = day_and_hour(phrases, tokens, normal.text) if mode == "reminder" else None
    found: list[ResolvedTime] = []
    spans: list[tuple[int, int]] = []
    try:
        if together is not None and together.certain:
            spans += [_span(phrase, phrase, tokens, normal) for phrase in phrases]
            one = moment_of(together.slots, context)
            found += _for_reminder([replace(one, span=spans[-1])] if one else [], context, normal)
        else:
            _read_each(message, context, found, spans)
            if mode == "reminder":
                found = _for_reminder(found, context, normal, together)
                spans = [item.span for item in found]
            elif mode == "ledger":
                _check_ledger(found, context)
    except Trouble as trouble:
        candidates = tuple(localize(c, context.tz) for c in trouble.candidates)
        return TimeResult(trouble.status, trouble.reason, (), candidates, tuple(spans))
    if mode != "ledger" and _LIKE_A_MONTH.fullmatch(normal.text):
        return replace(_without_time(phrases, context), spans=tuple(spans))
    if not found:
        if mode == "reminder" and _VERBS.search(normal.text):
            return _without_time(phrases, context)
        return TimeResult("none")
    return TimeResult("ok", "", tuple(found), (), tuple(spans))


def _read_each(
    message: Reading,
    context: Context,
    found: list[ResolvedTime],
    spans: list[tuple[int, int]],
) -> None:
    """Add the time of each phrase, and where it stands: also of the one that raises."""
    phrases, tokens, normal = message.phrases, message.tokens, message.normal
    index = 0
    while index < len(phrases):
        spans.append(_span(phrases[index], phrases[index], tokens, normal))
        used, resolved = _next_time(phrases, index, tokens, context, normal)
        spans[-1] = _span(phrases[index], phrases[index + used - 1], tokens, normal)
        if resolved is not None:
            found.append(replace(resolved, span=spans[-1]))
        else:
            spans.pop()
        index += used


def _without_time(phrases: Sequence[Phrase], context: Context) -> TimeResult:
    """The question when there is no time; a bare length is offered as a time from now."""
    length = next((p.length for p in phrases if p.length is not None), None)
    if length is None:
        return TimeResult("ask", "no_time")
    later = moment_of(Slots(shift=length, sign=1), context)
    options = (later.start,) if later is not None and later.start is not None else ()
    return TimeResult("ask", "length_only", (), options)


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
    beside = tokens[phrase.first : phrase.last + 1]
    vague = any(token.name == "vague" for token in beside)
    if vague and context.mode == "reminder":
        raise Trouble("approximate")
    follow = phrases[index + 1] if index + 1 < len(phrases) else None
    if follow is not None and _linked(phrase, follow, tokens):
        if phrase.slots is not None and phrase.slots.has_clock() and follow.slots is None:
            raise Trouble("range_unclear")
        both = (
            range_of(phrase.slots, follow.slots, context)
            if phrase.slots is not None and follow.slots is not None
            else None
        )
        if both is not None:
            return 2, both
    if phrase.slots is None:
        return 1, _length(phrase, context)
    slots = _bounded(phrase, tokens, normal.text)
    return 1, moment_of(in_its_list(slots, phrases, index, tokens), context)


def _linked(first: Phrase, second: Phrase, tokens: Sequence[Token]) -> bool:
    between = tokens[first.last : second.first]
    if not between or any(t.kind not in ("to", "at", "and") for t in between):
        return False
    lead = tokens[first.first - 1].kind if first.first else ""
    return between[0].kind == "to" or (between[0].kind == "and" and lead == "from")


def _length(phrase: Phrase, context: Context) -> ResolvedTime | None:
    if phrase.length is None or context.mode == "reminder":
        return None
    seconds = phrase.length.seconds()
    return ResolvedTime("duration", None, None, seconds, phrase.length.grain(), (0, 0))


_ALTERNATIVE: Final = regex(r"\s*(?:或者?|还是|or)\s*(?:on |at |in )?", re.IGNORECASE)
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


def _for_reminder(
    found: list[ResolvedTime],
    context: Context,
    normal: Normal,
    together: Together | None = None,
) -> list[ResolvedTime]:
    """The times at which to remind; several unrelated ones are asked, or whether they are one."""
    chosen = _beside_verb(found, normal)
    starts = {item.start for item in chosen if item.start is not None}
    if len(starts) > 1 and not _listed(chosen, normal.source):
        one = moment_of(together.slots, context) if together is not None else None
        if one is not None and one.start is not None:
            starts = {one.start, *(t.start for t in chosen if t.start and not t.default_time)}
        raise Trouble("which_time", candidates=tuple(sorted(starts)))
    in_order = [item.start for item in chosen if item.start is not None]
    if in_order != sorted(in_order):
        raise Trouble("which_time", candidates=tuple(sorted(starts)))
    for item in chosen:
        if item.start is None:
            continue
        if item.bound != "exact":
            raise Trouble("only_a_limit", candidates=(item.start,))
        _check_future(item, context)
    return chosen


def _beside_verb(found: list[ResolvedTime], normal: Normal) -> list[ResolvedTime]:
    """Only the time that stands at the reminding verb, when one does: the rest is content."""
    verb = _VERBS.search(normal.text)
    if verb is None or len(found) <= 1:
        return found
    begin, end = normal.span(verb.start(), verb.end())
    before = [t for t in found if t.span[1] <= begin]
    if len(before) == 1 and len(normal.source[before[0].span[1] : begin].strip(_LOOSE)) == 0:
        return before
    after = [t for t in found if t.span[0] >= end]
    if not before and normal.source[end : after[0].span[0]].strip(_LOOSE) == "":
        return after if _in_a_row(after, normal.source) else _or_else(after, normal.source)
    return found


def _or_else(times: list[ResolvedTime], source: str) -> list[ResolvedTime]:
    """The first time, with those that are named as alternatives to it: 明天或后天."""
    end = 1
    while end < len(times) and _ALTERNATIVE.fullmatch(
        source, times[end - 1].span[1], times[end].span[0]
    ):
        end += 1
    return times[:end]


def _listed(found: list[ResolvedTime], source: str) -> bool:
    """Whether the times are one list: 上午9点和下午3点."""
    return _in_a_row(found, source) and not any(item.default_time for item in found)


def _in_a_row(found: list[ResolvedTime], source: str) -> bool:
    """Whether nothing but words that join stands between the times: 1号和15号."""
    between = [source[a.span[1] : b.span[0]] for a, b in pairwise(found)]
    return all(
        text.strip() in ("和", "及", "、", "and", "与", "跟", "还有", ",", "，")
        for text in between
    )


def _check_future(item: ResolvedTime, context: Context) -> None:
    if item.start is None:
        return
    latest = context.now + timedelta(days=_YEAR_DAYS * HORIZON_YEARS)
    if item.start > latest:
        raise Trouble("too_far", status="reject")
    slack = timedelta(seconds=59) if item.grain == "second" else timedelta(0)
    at_once = item.default_time and item.start == context.now
    if item.start + slack < context.now or at_once:
        tomorrow = item.start.replace(tzinfo=None) + timedelta(days=1)
        later = localize(tomorrow, context.tz)
        raise Trouble("past", candidates=(later,) if later > context.now else ())


def _check_ledger(found: list[ResolvedTime], context: Context) -> None:
    for item in found:
        if item.start is not None and item.start.date() > context.now.date():
            raise Trouble("future", candidates=(item.start,))
