"""The days of a recurrence: weekdays, days of the month, months, workdays, lunar dates."""

from dataclasses import dataclass, field
from typing import Final

from bot.language.phrases import Phrases
from bot.language.slots import Slots

_MARKS: Final = {
    "nian": "year",
    "yue": "month",
    "ri": "day",
    "fen": "minute",
    "miao": "second",
    "shi": "hour",
}
_SEPARATORS: Final = frozenset({"comma", "and", "plus"})
INTRADAY: Final = frozenset({"MINUTELY", "HOURLY"})
_SEVEN: Final = 7
_DAYS: Final = 31
_WEEKDAY_DIGITS: Final = "一二三四五六日"


@dataclass(slots=True)
class Draft:
    """What the words of a recurrence say, before they become a rule.

    Attributes:
        freq: RRULE frequency, "" until one is said.
        interval: Every how many.
        byday: Ordinal and weekday.
        bymonthday: Days of the month.
        bymonth: Months.
        kind: `workday`, `freeday`, `nth_workday`, `lunar` when the calendar is another one.
        nth: Which workday of the month.
        days_a_week: On how many days of the week, when only their number is said; 0 for none.
        quarterly: The months are counted by quarter.
        festival: A named day each year.
        lunar: Lunar month and day.
        clocks: The times of day, as slots.
        trigger: A word that means again and again was there.
        english: It was said in English.
        dated: The weekdays are those of one week: 下周一和周三.
        lists: How many lists of weekdays were read.
        clocked_lists: How many of them stood before the time of day that was read last.
        part: The part of the day of hours that name none: nightly at 11.
        step: Minutes between the times of a day, when a stretch of it is filled.
        window: The last time of that stretch.
        between: Some time in that stretch is meant: 每天8点到10点之间.
        ordinals: Ordinals that still look for their weekday or month.
        first: Index of the first token used.
        last: Index after the last token used.
        doubt: A reason to ask.
    """

    freq: str = ""
    interval: int = 1
    byday: list[tuple[int, int]] = field(default_factory=list)
    bymonthday: list[int] = field(default_factory=list)
    bymonth: list[int] = field(default_factory=list)
    kind: str = ""
    nth: int = 0
    days_a_week: int = 0
    quarterly: bool = False
    festival: str = ""
    lunar: tuple[int, int] | None = None
    clocks: list[Slots] = field(default_factory=list)
    trigger: bool = False
    english: bool = False
    lists: int = 0
    clocked_lists: int = 0
    dated: bool = False
    part: str = ""
    step: int = 0
    window: Slots | None = None
    between: bool = False
    ordinals: list[int] = field(default_factory=list)
    first: int = -1
    last: int = 0
    doubt: str = ""

    def set_freq(self, freq: str, interval: int = 1) -> None:
        """Keep the first frequency that is said; hours and minutes after it are steps in a day."""
        if not self.freq:
            self.freq, self.interval = freq, interval
        elif freq in INTRADAY:
            self.step = interval * (60 if freq == "HOURLY" else 1)


class DayReader:
    """Reads the days of a recurrence; methods return the index after what they took."""

    def __init__(self, phrases: Phrases, draft: Draft) -> None:
        self.phrases = phrases
        self.tokens = phrases.tokens
        self.text = phrases.text
        self.draft = draft

    def kind(self, at: int) -> str:
        """The kind of a token, "" past the end."""
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def word(self, at: int) -> str:
        """The text of a token."""
        if at >= len(self.tokens):
            return ""
        token = self.tokens[at]
        return self.text[token.start : token.end]

    def unit(self, at: int) -> str:
        """The unit a token names."""
        if at >= len(self.tokens):
            return ""
        token = self.tokens[at]
        return token.name if token.kind == "unit" else _MARKS.get(token.kind, "")

    def weekdays(self, at: int) -> int:
        """周一三五, 周一到周五, mon and fri, Tuesdays through Thursdays."""
        here, found = at, list[int]()
        while self.kind(here) == "weekday":
            token = self.tokens[here]
            self.draft.trigger |= token.name == "plural"
            start = token.n
            here += 1
            if self.kind(here) == "to" and self.kind(here + 1) in ("weekday", "num"):
                end = self._weekday_number(here + 1)
                if end is not None:
                    found += [(start + i) % _SEVEN for i in range((end - start) % _SEVEN + 1)]
                    here += 2
                    here = self._separator(here)
                    continue
            found.append(start)
            here = self._digits(here, found)
            here = self._separator(here)
        if not found:
            return at
        nths = self.draft.ordinals or [0]
        self.draft.byday += [(nth, day) for day in found for nth in nths]
        self.draft.lists += 1
        self.draft.dated |= at > 0 and self.kind(at - 1) == "dir"
        self.draft.ordinals = []
        return here

    def _separator(self, here: int) -> int:
        after = here
        while self.kind(after) in _SEPARATORS:
            after += 1
        return after if after > here and self.kind(after) == "weekday" else here

    def _weekday_number(self, at: int) -> int | None:
        token = self.tokens[at]
        if token.kind == "weekday":
            return token.n
        word = self.word(at)
        follows = self.kind(at + 1) in ("dian", "shi", "hao", "ri", "yue")
        return _WEEKDAY_DIGITS.index(word) if word in _WEEKDAY_DIGITS and not follows else None

    def _digits(self, here: int, found: list[int]) -> int:
        """The 三五 of 周一三五, also written 周一、三、五."""
        while True:
            after = here
            if self.kind(after) == "comma":
                after += 1
            word = self.word(after)
            clock = self.kind(after + 1) in ("dian", "shi", "hao", "ri", "yue", "unit", "fen")
            if not word or clock or self.kind(after) not in ("num", "ri"):
                return here
            if any(char not in _WEEKDAY_DIGITS for char in word):
                return here
            found += [_WEEKDAY_DIGITS.index(char) for char in word]
            here = after + 1

    def special_days(self, at: int) -> int:
        """工作日, weekends, 节假日, 第一个工作日."""
        if at and self.kind(at) == "unit" and self.kind(at - 1) in ("num", "ge", "dir"):
            return at
        nth, here = self._place(at)
        unit = self.unit(here)
        if unit not in ("weekend", "workday", "freeday") or (nth and unit != "workday"):
            return at
        word = self.word(here)
        plural = word.isascii() and word.endswith("s")
        if nth:
            self.draft.kind, self.draft.nth = "nth_workday", nth
        elif unit == "weekend":
            self.draft.lists += bool(self.draft.clocks)
            self.draft.byday += [(0, 5), (0, 6)]
            self.draft.trigger |= plural
        elif word.startswith("weekday"):
            self.draft.byday += [(0, day) for day in range(5)]
            self.draft.trigger |= plural
        else:
            self.draft.kind = unit
        return here + 1

    def _place(self, at: int) -> tuple[int, int]:
        """第一个, 最后一个, 倒数第二个, last: the ordinal and the index after it; 0 for none."""
        nth, here = 0, at
        if self.kind(at) in ("di", "fromlast") and self.kind(at + 1) == "num":
            sign = 1 if self.kind(at) == "di" else -1
            nth, here = sign * int(self.tokens[at + 1].number), at + 2
        elif self.kind(at) in ("nth_last", "ordinal"):
            nth, here = self.tokens[at].n, at + 1
        elif self.kind(at) == "dir" and self.tokens[at].n == -1:
            nth, here = -1, at + 1
        return nth, here + (self.kind(here) == "ge")

    def month_days(self, at: int) -> int:
        """15号, 1号和15号, 月底, 最后一天, 第一天."""
        token = self.tokens[at]
        if token.kind == "edge" and token.name.startswith("month"):
            self.draft.bymonthday.append(token.n)
            return at + 1
        if token.kind == "num":
            return self._numbered_day(at)
        nth, here = self._place(at)
        if not nth or token.kind in ("dir", "ordinal") or self.unit(here) != "day":
            return at
        self.draft.bymonthday.append(nth)
        return here + 1

    def _numbered_day(self, at: int) -> int:
        """15号, and the 1 of 1、15号."""
        day = int(self.tokens[at].number)
        if not 1 <= day <= _DAYS:
            return at
        marked = self.kind(at + 1) in ("hao", "ri")
        listed = self.kind(at + 1) == "comma" and self.kind(at + 2) == "num"
        if not marked and not (listed and self.kind(at + 3) in ("hao", "ri")):
            return at
        self.draft.bymonthday.append(day)
        return at + 2

    def english_ordinals(self, at: int) -> int:
        """First, 2nd to last, the 15th; they wait for a weekday, else they are days."""
        if self.kind(at) == "dayend" and self.kind(at + 1) == "of":
            self.draft.bymonthday.append(1)
            return at + 2
        found, here = self._ordinal_list(at)
        if not found:
            return at
        if self.kind(here) == "weekday":
            self.draft.ordinals = found
            return self.weekdays(here)
        if self.unit(here) not in ("day", ""):
            return at
        self.draft.bymonthday += found
        return here + (self.unit(here) == "day")

    def _ordinal_list(self, at: int) -> tuple[list[int], int]:
        found: list[int] = []
        here = at
        while True:
            after = here
            while found and self.kind(after) in _SEPARATORS | {"at"}:
                after += 1
            if self.kind(after) == "ordinal":
                from_end = self.kind(after + 1) == "tolast"
                found.append(-self.tokens[after].n if from_end else self.tokens[after].n)
                here = after + 1 + from_end
            elif self.kind(after) in ("dir", "past") and self.word(after).endswith("last"):
                found.append(-1)
                here = after + 1
            else:
                return found, here

    def months(self, at: int) -> int:
        """5月, july, 农历八月十五, 除夕."""
        token = self.tokens[at]
        if token.kind == "month":
            return self._english_month(at)
        if token.kind in ("lunar", "leap", "lunarmonth"):
            return self._lunar(at)
        phrase = self.phrases.at(at)
        slots = phrase.slots if phrase is not None else None
        if phrase is None or slots is None:
            return at
        if slots.festival:
            self.draft.festival = slots.festival
            self.draft.set_freq("YEARLY")
        elif slots.nth is not None and slots.weekday is not None:
            self.draft.byday.append((slots.nth, slots.weekday))
        elif slots.month and not (slots.has_clock() or slots.lunar or slots.year):
            self._other_date(slots.day)
            self.draft.bymonth.append(slots.month)
            self.draft.bymonthday += [slots.day] if slots.day else []
        else:
            return at
        return phrase.last

    def _english_month(self, at: int) -> int:
        self.draft.bymonth.append(self.tokens[at].n)
        if self.kind(at + 1) not in ("num", "ordinal") or self.kind(at + 2) in ("unit", "ampm"):
            return at + 1
        day = self.tokens[at + 1]
        value = day.n if day.kind == "ordinal" else int(day.number)
        if not 1 <= value <= _DAYS:
            return at + 1
        self._other_date(value, others=1)
        self.draft.bymonthday.append(value)
        return at + 2

    def _other_date(self, day: int | None, *, others: int = 0) -> None:
        """Ask about a date whose day is not that of the one before: 12月25日和1月1日.

        Months and days are multiplied in a rule.
        """
        draft = self.draft
        if day and len(draft.bymonth) > others and draft.bymonthday and draft.bymonthday != [day]:
            draft.doubt = draft.doubt or "which_times"

    def _lunar(self, at: int) -> int:
        here, month, day = at, 0, 0
        while here < len(self.tokens):
            phrase = self.phrases.at(here)
            if phrase is None or phrase.slots is None or phrase.slots.hour is not None:
                break
            if phrase.slots.part or phrase.slots.leap:
                break
            month, day = phrase.slots.month or month, phrase.slots.day or day
            here = phrase.last
            bare = month and not day and self.kind(here) == "num"
            if bare and self.kind(here + 1) not in ("dian", "shi", "yue"):
                day, here = int(self.tokens[here].number), here + 1
        if not month or not day:
            return at
        self.draft.lunar = (month, day)
        self.draft.kind = "lunar"
        return here
