"""From when, until when and except when: what bounds a recurrence."""

from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Final

from bot.core.patterns import regex
from bot.language.dates import days_of
from bot.language.durations import read_length
from bot.language.phrases import Phrase, Phrases
from bot.language.repeat_days import Draft
from bot.language.repeats import Reader
from bot.language.results import Context, Trouble
from bot.language.slots import SECONDS, Length, Slots, merge
from bot.language.spans import add_months, shifted

_SKIPPED: Final = frozenset({"at", "de", "in", "of", "next", "for"})
_SEPARATORS: Final = frozenset({"comma", "and", "plus", "at", "in"})
_TO: Final = frozenset({"to", "until"})
_MOST_DAYS: Final = 31
_CLOSING: Final = frozenset({"comma", "and", "plus", "except"})
_OUTSIDE: Final = frozenset({"外", "之外", "以外"})
_REFUSED: Final = regex(r"\s*(?:就|都|也)?不.{0,4}[。.!！)]{0,2}")
"""What ends a message after a weekday that is no day of the repetition: 周三不用, 周日不跑."""

_LAST_MINUTE: Final = time(23, 59, 59)


@dataclass(slots=True)
class Limits:
    """What bounds a recurrence.

    Attributes:
        start: The first day.
        until: The last moment, naive local.
        length: For how long, from the first day or from now.
        count: How many times.
        in_all: The count was said to be the total: 共3次, for 3 times.
        skip_holidays: Without the official holidays.
        weekdays: Weekdays left out.
        months: Months left out.
        dates: Days left out.
        doubt: A reason to ask.
    """

    start: date | None = None
    until: datetime | None = None
    length: Length | None = None
    count: int | None = None
    in_all: bool = False
    skip_holidays: bool = False
    weekdays: set[int] = field(default_factory=set)
    months: set[int] = field(default_factory=set)
    dates: list[date] = field(default_factory=list)
    doubt: str = ""


class LimitReader:
    """Reads bounds; every method returns the index after what it took, or where it began."""

    def __init__(self, phrases: Phrases, context: Context) -> None:
        self.phrases = phrases
        self.tokens = phrases.tokens
        self.text = phrases.text
        self.context = replace(context, mode="range")
        self.limits = Limits()

    def kind(self, at: int) -> str:
        """The kind of a token, "" past the end."""
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def _word(self, at: int) -> str:
        if at >= len(self.tokens):
            return ""
        return self.text[self.tokens[at].start : self.tokens[at].end]

    def english(self, at: int) -> bool:
        """Whether a token is written in latin letters."""
        return self.text[self.tokens[at].start].isascii()

    def read(self, at: int) -> int:
        """The index after a bound that begins here."""
        for reader in (
            self.starts,
            self.ends,
            self.lasts,
            self.counts,
            self.excepts,
            self.excluded,
        ):
            after = reader(at)
            if after > at:
                return after
        return at

    def date_at(self, at: int) -> Phrase | None:
        """The date phrase at a token, with what follows it merged in."""
        whole: Phrase | None = None
        here = at
        while here < len(self.tokens):
            phrase = self.phrases.at(here)
            if phrase is None or phrase.slots is None or phrase.slots.has_clock():
                break
            given = whole is not None and whole.slots is not None and whole.slots.day_given()
            if given and phrase.slots.month is None and phrase.slots.year is None:
                break
            joined = phrase.slots if whole is None else merge(whole.slots or Slots(), phrase.slots)
            if joined is None:
                break
            whole = Phrase(at, phrase.last, joined)
            here = phrase.last
            while self.kind(here) in ("de", "of", "comma"):
                here += 1
        return whole if whole is not None and whole.slots and whole.slots.has_date() else None

    def day(self, phrase: Phrase) -> tuple[date, date] | None:
        """The first day and the day after the last of a date phrase."""
        try:
            found = days_of(phrase.slots or Slots(), self.context)
            if found is None and phrase.slots is not None and phrase.slots.shift is not None:
                now = self.context.now.replace(tzinfo=None)
                moment = shifted(now, phrase.slots.shift, phrase.slots.sign)
                return moment.date(), moment.date() + timedelta(days=1)
        except Trouble as trouble:
            self.limits.doubt = trouble.reason
            return None
        return None if found is None else (found.start, found.end)

    def starts(self, at: int) -> int:
        """从下周一开始, starting march 3rd, 明天起."""
        here = at + 1 if self.kind(at) in ("from", "start") else at
        led = here > at
        while led and self.kind(here) in ("at", "in", "of") and self.date_at(here) is None:
            here += 1
        phrase = self.date_at(here)
        if phrase is None:
            if self.kind(at) == "start" and self.english(at):
                self.limits.doubt = "start_unclear"
            return at
        followed = self.kind(phrase.last) == "start" and not self.english(phrase.last)
        if not led and not followed:
            return at
        if (
            self.kind(at) == "from"
            and not followed
            and self.kind(phrase.last) not in ("to", "until")
        ):
            return at
        days = self.day(phrase)
        if days is None:
            return phrase.last
        length = phrase.slots.shift if phrase.slots is not None else None
        if length is not None and any(SECONDS[unit] < SECONDS["day"] for unit, _ in length.parts):
            self.limits.doubt = "start_unclear"  # an hour is no first day: 半小时后开始每10分钟
        self.limits.start = days[0]
        return phrase.last + (1 if followed else 0)

    def ends(self, at: int) -> int:
        """直到年底, until november."""
        if self.kind(at) not in ("to", "until"):
            return at
        here = at + 1
        while self.kind(here) in ("at", "of"):
            here += 1
        phrase = self.date_at(here)
        if phrase is None:
            return at
        days = self.day(phrase)
        if days is None:
            return phrase.last
        if self.limits.start is not None and days[1] <= self.limits.start:
            days = (add_months(days[0], 12), add_months(days[1], 12))
        english = self.english(at)
        coarse = (days[1] - days[0]).days > 1
        last = days[0] if english and coarse else days[1] - timedelta(days=1)
        self.limits.until = datetime.combine(last, _LAST_MINUTE)
        if self.kind(phrase.last) == "before":
            return phrase.last + 1
        return phrase.last

    def lasts(self, at: int) -> int:
        """For two months, 连续7天, for the next six weeks."""
        if self.kind(at) not in ("for", "next"):
            return at
        here = at + 1
        while self.kind(here) in ("at", "next", "dir", "for"):
            here += 1
        length = read_length(self.tokens, here, self.text)
        if length is None:
            phrase = self.date_at(here - 1)
            days = self.day(phrase) if phrase is not None and here - 1 > at else None
            if phrase is None or days is None:
                return at
            self.limits.until = datetime.combine(days[1] - timedelta(days=1), _LAST_MINUTE)
            return phrase.last
        self.limits.length = length.length
        return length.end

    def counts(self, at: int) -> int:
        """For 5 occurrences, 共10次, twice."""
        here = at + 1 if self.kind(at) == "for" else at
        if self.kind(here) == "num" and self.kind(here + 1) == "times":
            if here == at and (
                self.tokens[here].number == 1 or self.kind(here + 2) in ("a", "every")
            ):
                return at
            self.limits.count = int(self.tokens[here].number)
            self.limits.in_all = here > at
            return here + 2
        if self.kind(at) == "once" and self.tokens[at].n > 1 and self.kind(at + 1) != "a":
            self.limits.count = self.tokens[at].n
            return at + 1
        return at

    def excepts(self, at: int) -> int:
        """Except on weekends, except in july and sept, 除了周日, 除周日外."""
        if self.kind(at) != "except":
            return at
        bare = self._word(at) == "除"
        here = at + 1
        while here < len(self.tokens):
            item = here
            while self.kind(item) in _SEPARATORS | _SKIPPED:
                item += 1
            after = self._item(item)
            if after == item:
                break
            here = after
        if bare and (here == at + 1 or self._word(here) not in _OUTSIDE):
            return at
        if here == at + 1:
            self.limits.doubt = self.limits.doubt or "exception_unclear"
        if self._word(here) == "外":
            here += 1
        while self.kind(here) in _CLOSING:
            here += 1
        return max(here, at + 1)

    def excluded(self, at: int) -> int:
        """法定节假日除外, 周末不响, 明天不用: the exception stands before its word."""
        kind = self.kind(at)
        if kind not in ("unit", "weekday"):
            return self._excluded_days(at)
        probe = Draft()
        reader = Reader(self.phrases, probe)
        after = reader.weekdays(at) if kind == "weekday" else reader.special_days(at)
        end = self._after_exception(at, after) if after > at else at
        if end > at:
            self._exclude(probe)
        return end

    def _excluded_days(self, at: int) -> int:
        """Days or a week before the word for leaving out: 明天和后天除外, 下周不提醒."""
        dates: list[date] = []
        here, following, doubt = at, at, self.limits.doubt
        while self.kind(following) not in ("", "except", *_SEPARATORS):
            here, first, last = self._first_and_last(following)
            if here == following or not 0 < (last - first).days <= _MOST_DAYS:
                self.limits.doubt = doubt  # a day that nothing leaves out is none of ours
                return at
            dates += [first + timedelta(days=i) for i in range((last - first).days)]
            following = here
            while self.kind(following) in _SEPARATORS:
                following += 1
            if following == here:
                break
        end = self._after_exception(at, here) if dates else at
        if end > at:
            self.limits.dates += dates
        else:
            self.limits.doubt = doubt
        return end

    def _first_and_last(self, at: int) -> tuple[int, date, date]:
        """The index after a day or a stretch of days, its first day and the one after it."""
        phrase = self.date_at(at)
        days = self.day(phrase) if phrase is not None else None
        if phrase is None or days is None:
            return at, date.min, date.min
        closing = self.date_at(phrase.last + 1) if self.kind(phrase.last) in _TO else None
        ends = self.day(closing) if closing is not None else None
        if closing is None or ends is None:
            return phrase.last, days[0], days[1]
        return closing.last, days[0], ends[1]

    def _after_exception(self, at: int, after: int) -> int:
        """The index after the word that leaves out what stands before it; `at` without one."""
        if self.kind(after) == "except":
            return after + 1
        led = at > 0 and (self.kind(at - 1) == "comma" or self._word(at - 1).endswith("("))
        if led and _REFUSED.fullmatch(self.text, self.tokens[after - 1].end):
            return len(self.tokens)
        return at

    def _exclude(self, probe: Draft) -> None:
        if probe.kind == "freeday":
            self.limits.skip_holidays = True
        elif probe.kind:
            self.limits.doubt = "exception_unclear"
        self.limits.weekdays |= {day for _, day in probe.byday}

    def _item(self, at: int) -> int:
        """One thing that is left out."""
        if at >= len(self.tokens):
            return at
        probe = Draft()
        reader = Reader(self.phrases, probe)
        if self.kind(at) in ("unit", "weekday"):
            after = reader.special_days(at) if self.kind(at) == "unit" else reader.weekdays(at)
            if after > at:
                self._exclude(probe)
            return after
        phrase = self.date_at(at)
        if phrase is None or phrase.slots is None:
            return at
        slots = phrase.slots
        if slots.month is not None and not slots.day_given() and slots.nth is None:
            self.limits.months.add(slots.month)
            return phrase.last
        days = self.day(phrase)
        if days is not None:
            self.limits.dates.append(days[0])
            tail = self.phrases.at(phrase.last) if phrase.last < len(self.tokens) else None
            following = self.tokens[phrase.last].kind if phrase.last < len(self.tokens) else ""
            if following == "at" or (tail and tail.slots and tail.slots.has_clock()):
                self.limits.doubt = "exception_unclear"
        return phrase.last
