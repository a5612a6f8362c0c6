"""The stretch of days that a repetition fills: 下周每天, 12月10号到15号每天, daily next week."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Final

from bot.language.durations import read_length
from bot.language.limits import LimitReader
from bot.language.phrases import Phrase, Phrases
from bot.language.repeats import is_link
from bot.language.results import Context, Trouble
from bot.language.slots import SECONDS, Slots
from bot.language.spans import shifted

_PERIODS: Final = frozenset({"week", "month", "quarter", "year"})
_OFTEN: Final = frozenset({"every", "freq", "once", "workday", "weekend"})
_LAST_MINUTE: Final = time(23, 59, 59)
_WORDS_BEFORE: Final = 2
"""So many other words may lead a length at the end: ，连吃七天."""


class StretchReader:
    """Reads first and last days that stand beside the word for repetition, and other bounds."""

    def __init__(self, phrases: Phrases, context: Context) -> None:
        self._plain = LimitReader(phrases, context)
        self.phrases = phrases
        self.tokens = phrases.tokens
        self.text = phrases.text
        self.limits = self._plain.limits

    def read(self, at: int) -> int:
        """The index after a bound that begins here."""
        for reader in (
            self.from_day_to_day,
            self.before_a_day,
            self.named_period,
            self.within_a_length,
            self.closing_length,
        ):
            after = reader(at)
            if after > at:
                return after
        return self._plain.read(at)

    def day(self, phrase: Phrase) -> tuple[date, date] | None:
        """The first day and the day after the last of a date phrase."""
        return self._plain.day(phrase)

    def fills_days(self, at: int) -> bool:
        """Whether days to come are counted here: 未来三天, for the next 3 days."""
        phrase = self.phrases.at(at + 1 if self._plain.kind(at) == "for" else at)
        if phrase is None or phrase.slots is None or phrase.slots.window != "rolling":
            return False
        length = phrase.slots.shift
        return phrase.slots.sign > 0 and length is not None and _is_of_days(length.parts)

    def lasts_days(self, at: int) -> bool:
        """Whether it is said here for how many days: 连续3天, for 3 days."""
        if self._plain.kind(at) != "for":
            return False
        length = read_length(self.tokens, at + 1, self.text)
        return length is not None and _is_of_days(length.length.parts)

    def from_day_to_day(self, at: int) -> int:
        """12月10号到15号, 下周一到周三, 明天到周五; plain weekdays repeat every week."""
        here = at + 1 if self._plain.kind(at) == "from" else at
        first = self._plain.date_at(here)
        if (
            first is None
            or self._plain.kind(first.last) not in ("to", "until")
            or not _is_one(first)
        ):
            return at
        last = self._plain.date_at(first.last + 1)
        if last is None or not self._repeats_beside(at, last.last):
            return at
        begin = self._plain.day(first)
        end = (
            self._plain.day(last)
            if begin is None or _is_relative(last)
            else self._day_from(begin, last)
        )
        if begin is None or end is None:
            return at
        if end[1] <= begin[0]:
            self.limits.doubt = "never"
        self.limits.start = begin[0]
        self.limits.until = datetime.combine(end[1] - timedelta(days=1), _LAST_MINUTE)
        return last.last

    def before_a_day(self, at: int) -> int:
        """下周二前每天: the day itself is not among them."""
        phrase = self._plain.date_at(at)
        if phrase is None or phrase.slots is None or not _is_one(phrase):
            return at
        is_bound = phrase.slots.bound.startswith("before")
        last = phrase.last + (self._plain.kind(phrase.last) == "before")
        if not (is_bound or last > phrase.last) or not self._repeats_beside(at, last):
            return at
        days = self._plain.day(replace(phrase, slots=replace(phrase.slots, bound="")))
        if days is None:
            return at
        self.limits.until = datetime.combine(days[0], time(0)) - timedelta(seconds=1)
        return last

    def named_period(self, at: int) -> int:
        """下周每天, 这个月每周五, every day next week."""
        phrase = self.phrases.at(at)
        if phrase is None or phrase.slots is None:
            return at
        slots = phrase.slots
        is_year = slots.year_shift is not None and not slots.month
        is_named = _is_relative(phrase) and (slots.unit in _PERIODS or is_year)
        is_period = is_named or slots.period == "holiday"
        if not is_period or slots.day_given() or not self._repeats_beside(at, phrase.last):
            return at
        days = self._plain.day(phrase)
        if days is None:
            return at
        self.limits.start = days[0]
        self.limits.until = datetime.combine(days[1] - timedelta(days=1), _LAST_MINUTE)
        return phrase.last

    def within_a_length(self, at: int) -> int:
        """三个月内每周五, every friday within three months."""
        phrase = self.phrases.at(at)
        if phrase is None or phrase.slots is None:
            return at
        slots = phrase.slots
        if slots.window != "deadline" or slots.shift is None or not _is_of_days(slots.shift.parts):
            return at
        if phrase.last < len(self.tokens) and not self._repeats_beside(at, phrase.last):
            return at
        self.limits.length = slots.shift
        return phrase.last

    def closing_length(self, at: int) -> int:
        """每天9点吃药，吃七天: days at the end say for how long, when nothing else does."""
        if self._plain.kind(at) != "comma" or self.limits.until or self.limits.length:
            return at
        for here in range(at + 1, at + 2 + _WORDS_BEFORE):
            length = read_length(self.tokens, here, self.text)
            if length is not None:
                if length.end != len(self.tokens) or not _is_of_days(length.length.parts):
                    return at
                self.limits.length = length.length
                return length.end
            if self._plain.kind(here) != "other":
                return at
        return at

    def settle(self) -> None:
        """Count a length from the first day, once all is read: 从明天起连续三天 are three days."""
        limits = self.limits
        if limits.length is None or limits.until is not None:
            return
        now = self._plain.context.now.replace(tzinfo=None)
        days = _is_of_days(limits.length.parts)
        try:
            if limits.start is None or not days:
                limits.until = shifted(now, limits.length, 1)
                return
            end = shifted(datetime.combine(limits.start, time(0)), limits.length, 1)
        except Trouble as trouble:
            limits.doubt = trouble.reason
            return
        limits.until = end - timedelta(seconds=1)

    def _repeats_beside(self, first: int, last: int) -> bool:
        """Whether the word for repetition stands next to these tokens, before or after."""
        after = last
        while after < len(self.tokens) and is_link(self.tokens[after]):
            after += 1
        if self._is_repeating(after):
            return True
        return first > 0 and self._ends_repeating(first - 1)

    def _is_repeating(self, at: int) -> bool:
        if at >= len(self.tokens):
            return False
        token = self.tokens[at]
        return token.kind in _OFTEN or token.name in _OFTEN or self.fills_days(at)

    def _ends_repeating(self, at: int) -> bool:
        """Whether a repetition in English ends here: every day, daily, every monday."""
        if not self._plain.english(at):
            return False
        if self._plain.kind(at) in ("from", "in", "of"):
            at -= 1
        if at < 0:
            return False
        led = any(self._plain.kind(i) == "every" for i in range(max(0, at - 2), at))
        return self._is_repeating(at) or led

    def _day_from(self, begin: tuple[date, date], phrase: Phrase) -> tuple[date, date] | None:
        """The days of a phrase that leaves out what the first day said: 1月20号到25号."""
        own = self._plain.context
        moment = datetime.combine(begin[0], time(0), tzinfo=own.now.tzinfo)
        self._plain.context = replace(own, now=moment)
        try:
            return self._plain.day(phrase)
        finally:
            self._plain.context = own


def _is_of_days(parts: Sequence[tuple[str, object]]) -> bool:
    """Whether a length is one of whole days or longer units."""
    return all(SECONDS[unit] >= SECONDS["day"] for unit, _ in parts)


def _is_one(phrase: Phrase) -> bool:
    """Whether it is one certain day; a weekday alone comes round every week."""
    slots = phrase.slots
    if slots is None or not slots.day_given():
        return False
    return slots.weekday is None or slots.week_shift is not None


def _is_relative(phrase: Phrase) -> bool:
    """Whether a day is counted from today."""
    slots = phrase.slots or Slots()
    counted = (slots.day_shift, slots.week_shift, slots.month_shift, slots.year_shift)
    return any(shift is not None for shift in counted)
