"""The engine of the grammar: the longest phrase at a token, neighbours merged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.language.clock_rules import CLOCK_RULES, english_hour, hour_of
from bot.language.date_rules import DATE_RULES, day_of, month_of
from bot.language.durations import LengthRead, read_length
from bot.language.period_rules import PERIOD_RULES
from bot.language.rules import FOUR_DIGITS, Build, Match, Rule
from bot.language.slots import Length, Slots, merge
from bot.language.tokens import Token
from bot.language.workday_rules import WORKDAY_RULES

RULES: Final[tuple[Rule, ...]] = (*DATE_RULES, *PERIOD_RULES, *WORKDAY_RULES, *CLOCK_RULES)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A stretch of tokens that says one thing about time.

    Attributes:
        first: Index of its first token.
        last: Index after its last token.
        slots: What it says, when it is about a date or a time of day.
        length: What it says, when it is a length of time.
    """

    first: int
    last: int
    slots: Slots | None = None
    length: Length | None = None


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A row of the table.

    Attributes:
        elements: Sign and token kinds of each place: `?` may be missing, `&` is only looked at,
            `!` must not follow.
        build: What the match states.
        order: Its place in the table; the earlier wins among equally long ones.
    """

    elements: tuple[tuple[str, frozenset[str]], ...]
    build: Build
    order: int


def _compile() -> dict[str, dict[str, list[_Pattern]]]:
    """The table by the kind of the first token and, where it is certain, of the second."""
    found: dict[str, dict[str, list[_Pattern]]] = {}
    for order, (text, build) in enumerate(RULES):
        elements = tuple(
            (e[0] if e[0] in "?&!" else "", frozenset(e.lstrip("?&!").split("|")))
            for e in text.split()
        )
        pattern = _Pattern(elements, build, order)
        certain = len(elements) > 1 and not elements[1][0]
        seconds = {kind.partition(".")[0] for kind in elements[1][1]} if certain else {""}
        for first in {kind.partition(".")[0] for kind in elements[0][1]}:
            for second in seconds:
                found.setdefault(first, {}).setdefault(second, []).append(pattern)
    return found


_INDEX: Final = _compile()
_BLOCKING_AFTER_NUMBER: Final = frozenset({"measure", "unit", "times"})


def _fits(token: Token, wanted: frozenset[str]) -> bool:
    return (
        token.kind in wanted
        or f"{token.kind}.{token.name}" in wanted
        or f"{token.kind}.{token.n}" in wanted
    )


def _matches(pattern: _Pattern, tokens: Sequence[Token], at: int) -> tuple[Match, int] | None:
    got: list[Token | None] = []
    for sign, wanted in pattern.elements:
        if at < len(tokens) and _fits(tokens[at], wanted):
            if sign == "!":
                return None
            if sign != "&":
                got.append(tokens[at])
                at += 1
        elif sign == "!":
            continue
        elif sign == "?":
            got.append(None)
        else:
            return None
    return got, at


def _by_table(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    table = _INDEX.get(tokens[at].kind)
    if table is None:
        return None
    patterns = table.get("", ())
    if at + 1 < len(tokens):
        patterns = [*table.get(tokens[at + 1].kind, ()), *patterns]
    best: Phrase | None = None
    order = 0
    for pattern in patterns:
        match = _matches(pattern, tokens, at)
        if match is None:
            continue
        got, end = match
        worse = best is not None and (end, -pattern.order) < (best.last, -order)
        if worse or _counts_something(got[-1], tokens, end):
            continue
        slots = pattern.build(got, text)
        if slots is not None:
            best, order = Phrase(at, end, slots), pattern.order
    return best


def _counts_something(last: Token | None, tokens: Sequence[Token], end: int) -> bool:
    """Whether the number at the end belongs to what follows: 三月五次, 两点五升."""
    if last is None or end >= len(tokens):
        return False
    if last.kind == "dian" and tokens[end].kind == "num":
        last, end = tokens[end], end + 1
    if last.kind != "num" or end >= len(tokens):
        return False
    return tokens[end].kind in _BLOCKING_AFTER_NUMBER


def _around_length(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    """A length with the word before or after it that makes it a distance or a window."""
    length = read_length(tokens, at, text)
    if length is not None:
        return _with_tail(tokens, at, length, text)
    return _with_lead(tokens, at, text)


def _with_tail(tokens: Sequence[Token], at: int, length: LengthRead, text: str) -> Phrase | None:
    """三天后, two weeks ago, a week from tomorrow, an hour before; or the bare length."""
    value, end, certain, _ = length
    if not certain and tokens[end - 1].kind == "yue":
        return None
    bare = Phrase(at, end, length=value) if certain else None
    if end >= len(tokens):
        return bare
    tail = tokens[end]
    word = text[tail.start : tail.end]
    if end + 1 < len(tokens) and _counted_from(tail, tokens[end + 1]):
        fault = "" if tokens[end + 1].kind == "day" else "unclear_distance"
        slots = Slots(shift=value, sign=1, fault=fault, english=True)
    elif word in ("before", "after"):
        slots = Slots(offset=value, offset_sign=-1 if word == "before" else 1, english=True)
    elif word == "within" or tail.kind not in ("after", "before", "within"):
        return bare
    else:
        sign = -1 if tail.kind == "before" else 1
        slots = Slots(shift=value, sign=sign, window="deadline" if tail.kind == "within" else "")
    return Phrase(at, end + 1, slots)


def _with_lead(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    """In three days, 过去一周, 前两个月."""
    lead, begin = tokens[at], at + 1
    if lead.kind not in _LEADS or begin >= len(tokens):
        return None
    if lead.kind == "in" and tokens[begin].kind == "at":
        begin += 1
    if lead.kind == "at" and tokens[begin].kind in ("dir", "ge", "past", "next"):
        lead, begin = tokens[begin], begin + 1
    if begin < len(tokens) and tokens[begin].kind == "de":
        begin += 1
    length = read_length(tokens, begin, text) if begin < len(tokens) else None
    slots = None if length is None else _window(lead, length.length, text[lead.start : lead.end])
    if length is None or slots is None:
        return None
    end = length.end
    follow = tokens[end].kind if end < len(tokens) else ""
    if follow in ("after", "before") and lead.kind != "in":
        return None
    return Phrase(at, end + (lead.kind == "in" and follow in ("after", "within")), slots)


def _counted_from(link: Token, base: Token) -> bool:
    """Whether a length is counted from another day: a week from tomorrow."""
    return link.kind == "from" and base.kind in ("day", "weekday", "date", "month", "festival")


def _bare_end(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    """The first number of 9到11点, 8-10号, 2 to 4 pm: it has the unit of the second."""
    if at + 2 >= len(tokens) or tokens[at].kind != "num" or tokens[at + 2].kind != "num":
        return None
    between = tokens[at - 1].kind == "from" if at else False
    if tokens[at + 1].kind != "to" and not (between and tokens[at + 1].kind == "and"):
        return None
    unit = tokens[at + 3].kind if at + 3 < len(tokens) else ""
    match: Match = [tokens[at]]
    if unit in ("dian", "shi", "ampm", "oclock"):
        slots = hour_of(match, text)
    elif unit in ("hao", "ri"):
        slots = day_of(match, text)
    elif unit == "yue":
        slots = month_of(match, text)
    elif between and unit not in _BLOCKING_AFTER_NUMBER:
        slots = english_hour(match, text)
    else:
        return None
    return None if slots is None or slots.fault else Phrase(at, at + 1, slots)


def _bare_second_end(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    """The 4 of from 2 to 4."""
    kinds = tuple(token.kind for token in tokens[max(0, at - 3) : at + 1])
    if kinds[:1] + kinds[3:] != ("from", "num"):
        return None
    if tokens[at - 2].kind not in ("num", "clock") or tokens[at - 1].kind not in ("to", "and"):
        return None
    if at + 1 < len(tokens) and tokens[at + 1].kind in _BLOCKING_AFTER_NUMBER:
        return None
    slots = english_hour([tokens[at]], text)
    return None if slots is None else Phrase(at, at + 1, slots)


_WINDOWS: Final = {
    "in": (1, ""),
    "within": (1, "deadline"),
    "after": (1, "following"),
    "before": (-1, "aligned"),
    "next": (1, "rolling"),
    "past": (-1, "rolling"),
}
"""Direction and kind of stretch that a word before a length makes of it."""


def _window(lead: Token, value: Length, word: str) -> Slots | None:
    if lead.kind == "dir":
        if not lead.n or value.parts[0][1] < 1:
            return None
        window = "rolling" if word.isascii() else "aligned"
        return Slots(shift=value, sign=1 if lead.n > 0 else -1, window=window)
    if word == "还剩":
        return None if len(value.parts) > 1 else Slots(shift=value, sign=1, window="rolling")
    if lead.kind not in _WINDOWS:
        return None
    sign, window = _WINDOWS[lead.kind]
    return Slots(shift=value, sign=sign, window=window)


class Phrases:
    """The time phrases of a row of tokens, each looked up once."""

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        """Keep the tokens and the text they are from."""
        self.tokens = tokens
        self.text = text
        self._known: dict[int, Phrase | None] = {}

    def at(self, index: int) -> Phrase | None:
        """The longest time phrase that begins at a token; None also past the end."""
        if index >= len(self.tokens):
            return None
        if index not in self._known:
            self._known[index] = _phrase_at(self.tokens, index, self.text)
        return self._known[index]

    def merged(self) -> Iterator[Phrase]:
        """The phrases in order, neighbours that speak of one time merged."""
        return _merged(self)


def _phrase_at(tokens: Sequence[Token], at: int, text: str) -> Phrase | None:
    ends = _bare_end(tokens, at, text)
    if ends is not None:
        return ends
    around = _around_length(tokens, at, text)
    table = _by_table(tokens, at, text)
    if around is None or table is None:
        return around or table or _bare_second_end(tokens, at, text)
    if table.last > around.last or _is_full_date(table, tokens[at], text):
        return table
    if around.length is not None:
        length = read_length(tokens, at, text)
        if table.last == around.last or (length is not None and length.weak):
            return table
    return around


def _is_full_date(table: Phrase, first: Token, text: str) -> bool:
    """Whether it begins with a year in four digits: 2018年之后 is no distance."""
    year = table.slots.year if table.slots is not None else None
    return year is not None and str(year) == text[first.start : first.end][:FOUR_DIGITS]


_LEADS: Final = frozenset({"in", "after", "before", "next", "past", "dir", "within", "at"})
_LINKS: Final = frozenset({"de", "of", "at", "comma", "in", "from"})


def _anchored(base: Phrase, phrase: Phrase, tokens: Sequence[Token]) -> Phrase | None:
    """春节前三天: a length before or after the day that was just said."""
    slots, distance = base.slots, phrase.slots
    if slots is None or distance is None or distance.shift is None or not distance.window:
        return None
    if tokens[phrase.first].kind not in ("before", "after") or slots.shift is not None:
        return None
    if not (slots.day_given() or slots.has_clock()) or base.last != phrase.first:
        return None
    joined = replace(slots, offset=distance.shift, offset_sign=distance.sign)
    return Phrase(base.first, phrase.last, joined)


def _merged(phrases: Phrases) -> Iterator[Phrase]:
    tokens, text = phrases.tokens, phrases.text
    at, open_phrase = 0, None
    while at < len(tokens):
        phrase = phrases.at(at)
        if phrase is not None and open_phrase is not None and phrase.slots is not None:
            phrase = _part_of(open_phrase, phrase, tokens, text)
        if phrase is None:
            if open_phrase is not None and tokens[at].kind not in _LINKS:
                yield open_phrase
                open_phrase = None
            at += 1
            continue
        at = phrase.last
        if open_phrase is not None:
            joined = _anchored(open_phrase, phrase, tokens) or _join(open_phrase, phrase)
            if joined is not None:
                open_phrase = joined
                continue
            yield open_phrase
        open_phrase = phrase
    if open_phrase is not None:
        yield open_phrase


def _part_of(outer: Phrase, phrase: Phrase, tokens: Sequence[Token], text: str) -> Phrase:
    """前两周 after 2021年的 is a part of it, not a stretch before now."""
    longer = outer.slots is not None and (
        outer.slots.year is not None
        or outer.slots.year_shift is not None
        or outer.slots.month is not None
        or outer.slots.month_shift is not None
    )
    if outer.slots is None or outer.slots.day_given():
        return phrase
    if not longer or phrase.slots is None or phrase.slots.shift is None:
        return phrase
    return _by_table(tokens, phrase.first, text) or phrase


def _join(first: Phrase, second: Phrase) -> Phrase | None:
    if first.slots is None or second.slots is None:
        return None
    merged = merge(first.slots, second.slots)
    return None if merged is None else Phrase(first.first, second.last, merged)
