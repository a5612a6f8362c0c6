"""The words of a recurrence, gathered from a row of tokens into a draft."""

from decimal import Decimal
from typing import Final

from bot.core.patterns import regex
from bot.language.durations import read_length
from bot.language.repeat_days import DayReader
from bot.language.slots import Slots
from bot.language.tokens import Token

_FREQ: Final = {
    "minute": "MINUTELY",
    "hour": "HOURLY",
    "day": "DAILY",
    "week": "WEEKLY",
    "fortnight": "WEEKLY",
    "month": "MONTHLY",
    "quarter": "MONTHLY",
    "year": "YEARLY",
    "second": "SECONDLY",
}
_LINKS: Final = frozenset({"comma", "and", "plus", "at", "of", "in", "de", "ge", "a"})
_AFTER_EVERY: Final = frozenset(
    {
        "weekday",
        "month",
        "ordinal",
        "part",
        "festival",
        "num",
        "lunar",
        "lunarmonth",
        "edge",
        "dir",
    }
    | {"nth_last", "fromlast", "di", "day", "freq", "clock", "noon", "midnight", "dayend"}
)
_MINUTES: Final = {"day": 1440, "hour": 60, "minute": 1}
_MONTHS: Final = 12
_HALF_A_YEAR: Final = (("year", Decimal("0.5")),)
_COUNTS: Final = frozenset({"num", "ban", "a", "half"})
_FIVE: Final = 5
_HOURS: Final = 24
_TURNS: Final = frozenset({"次", "回", "遍"})
_BETWEEN: Final = regex(r"\s*(?:之间|中间)")
"""After the second end of a stretch: some time in it is meant, and not its begin."""


class Reader(DayReader):
    """Reads recurrence words into a draft; methods return the index after what they took."""

    def read(self, at: int) -> int:
        """The index after whatever recurrence word stands here; `at` when there is none."""
        for reader in (
            self.every,
            self.apart,
            self.frequency,
            self.once_a,
            self.weekdays,
            self.special_days,
            self.month_days,
            self.english_ordinals,
            self.months,
            self.clock,
        ):
            after = reader(at)
            if after > at:
                if self.draft.first < 0:
                    self.draft.first = at
                self.draft.last = after
                return after
        return at

    def every(self, at: int) -> int:
        """每两周, every other day, every 3rd month, 每半小时."""
        if self.kind(at) != "every":
            return at
        here, interval = at + 1, 1
        if self.kind(here) == "ge":
            here += 1
        if self.kind(here) == "other_one":
            here, interval = here + 1, 2
        if self.word(at) == "每一个" and self.kind(here) == "ban":
            self.draft.doubt = "interval_unclear"  # an hour and a half, or each half hour
        after = self._times_a_week(here) or self._counted_unit(here, interval)
        if not after and self.kind(here) not in _AFTER_EVERY:
            return at
        self.draft.trigger = True
        self.draft.english = self.word(at).isascii()
        return after or at + 1

    def _times_a_week(self, here: int) -> int:
        """The index after 每周三次, which counts and names no Wednesday; 0 for anything else."""
        if self.kind(here) != "weekday" or self.word(here + 1) not in _TURNS:
            return 0
        self.draft.set_freq("WEEKLY")
        self.draft.days_a_week = self.tokens[here].n + 1
        return here + 2

    def _counted_unit(self, here: int, interval: int) -> int:
        """The count and unit after 每 or every; 0 when there is none."""
        kind = self.kind(here)
        if kind == "weekday" and interval > 1:
            self.draft.set_freq("WEEKLY", interval)
            return self.weekdays(here)
        if kind == "ordinal" and self.kind(here + 1) == "weekday":
            return self._nth_or_every(here + 1, self.tokens[here].n)
        if kind == "ordinal" and self.unit(here + 1):
            return self._single_unit(here + 1, self.tokens[here].n)
        length = read_length(self.tokens, here, self.text) if kind in _COUNTS else None
        if length is not None:
            return self._set_length(length.length.parts, length.end)
        if kind == "num" and self.unit(here + 1):
            return self._single_unit(here + 1, int(self.tokens[here].number))
        return self._single_unit(here, interval)

    def _single_unit(self, here: int, interval: int) -> int:
        """Day, week, quarter, weekend, workday; 0 for anything else."""
        unit = "quarter" if self.kind(here) == "quarterhour" else self.unit(here)
        if unit in ("weekend", "workday", "freeday"):
            if interval > 1:
                self.draft.set_freq("WEEKLY", interval)
            return self.special_days(here)
        if unit not in _FREQ:
            return 0
        self._set_unit(unit, interval)
        return here + 1

    def _nth_or_every(self, here: int, nth: int) -> int:
        """Every first monday is one of the month; every 2nd friday may be every other one."""
        after = self.weekdays(here)
        if nth == 1 or self.kind(after) in ("of", "in"):
            self.draft.byday = [(nth, day) for _, day in self.draft.byday]
            self.draft.set_freq("MONTHLY")
            return after
        if nth < _FIVE:
            self.draft.doubt = "interval_or_nth"
        self.draft.set_freq("WEEKLY", nth)
        return after

    def _set_length(self, parts: tuple[tuple[str, Decimal], ...], after: int) -> int:
        unit, count = parts[0]
        if len(parts) == 1 and count == int(count):
            self._set_unit(unit, int(count))
        elif parts == _HALF_A_YEAR:
            self._set_unit("month", _MONTHS // 2)
        else:
            self._set_minutes(parts)
        return after

    def _set_minutes(self, parts: tuple[tuple[str, Decimal], ...]) -> None:
        """每一个半小时, 每半天; what is no number of minutes is asked: 每半个月."""
        minutes = sum((count * _MINUTES.get(unit, 0) for unit, count in parts), Decimal(0))
        if minutes and minutes == int(minutes):
            hours, rest = divmod(int(minutes), 60)
            self.draft.set_freq("MINUTELY" if rest else "HOURLY", int(minutes) if rest else hours)
            return
        self.draft.doubt = "interval_unclear"
        self.draft.set_freq("MONTHLY")

    def _set_unit(self, unit: str, interval: int) -> None:
        factor = {"fortnight": 2, "quarter": 3}.get(unit, 1)
        self.draft.quarterly |= unit == "quarter" and interval == 1
        self.draft.set_freq(_FREQ.get(unit, ""), interval * factor)

    def apart(self, at: int) -> int:
        """每隔一天 is every second day; 每隔两天 is asked; 每隔两小时 is every two hours."""
        if self.kind(at) != "apart":
            return at
        length = read_length(self.tokens, at + 1, self.text)
        if length is None:
            unit = self.unit(at + 1)
            if unit not in ("day", "week", "month", "year"):
                return at
            self.draft.trigger = True
            self.draft.set_freq(_FREQ[unit], 2)
            return at + 2
        self.draft.trigger = True
        unit, count = length[0].parts[0]
        if unit in ("day", "week", "month", "year"):
            if count > 1:
                self.draft.doubt = "interval_or_gap"
            self.draft.set_freq(_FREQ[unit], int(count) + 1)
            return length[1]
        return self._set_length(length[0].parts, length[1])

    def frequency(self, at: int) -> int:
        """Daily, weekly, 天天."""
        if self.kind(at) != "freq":
            return at
        token = self.tokens[at]
        self.draft.trigger = True
        self.draft.set_freq(token.name, token.n)
        if self.word(at) == "nightly":
            self.draft.part = "evening"
        if self.word(at) == "单周":
            self.draft.doubt = "start_unclear"
        return at + 1

    def once_a(self, at: int) -> int:
        """Once a week, 两小时一次."""
        if self.kind(at) == "once" and self.kind(at + 1) in ("a", "every") and self.unit(at + 2):
            self.draft.trigger = True
            if self.tokens[at].n > 1:
                self.draft.doubt = "which_times"
            self._set_unit(self.unit(at + 2), 1)
            return at + 3
        several = self.kind(at) == "num" and self.kind(at + 1) == "times"
        if several and self.kind(at + 2) in ("a", "every") and self.unit(at + 3):
            self.draft.trigger, self.draft.doubt = True, "which_times"
            self._set_unit(self.unit(at + 3), 1)
            return at + 4
        length = read_length(self.tokens, at, self.text)
        if length is None:
            return at
        after = length[1]
        if (
            self.kind(after) == "num"
            and self.tokens[after].number == 1
            and self.kind(after + 1) in ("times", "measure")
            and self.word(after + 1) in _TURNS
        ):
            self.draft.trigger = True
            self._set_length(length[0].parts, after)
            return after + 2
        return at

    def _stretch(self, at: int, *, between: bool = False) -> int:
        """The second end of 9点到18点, of between 8 and 10."""
        if self.kind(at) != ("and" if between else "to"):
            return at
        phrase = self.phrases.at(at + 1)
        if phrase is None or phrase.slots is None:
            return at
        part = phrase.slots.part
        if part and not phrase.slots.has_clock():
            phrase = self.phrases.at(phrase.last)
        if phrase is None or phrase.slots is None or not phrase.slots.has_clock():
            return at
        if phrase.slots.has_date():
            return at
        self.draft.window = _with_part(phrase.slots, part or phrase.slots.part)
        here = phrase.last
        closing = _BETWEEN.match(self.text, self.tokens[here - 1].end)
        self.draft.between |= closing is not None or between
        while closing and here < len(self.tokens) and self.tokens[here].end <= closing.end():
            here += 1
        return here

    def _phrase(self, at: int) -> bool:
        return self.phrases.at(at) is not None

    def clock(self, at: int) -> int:
        """A time of day: 早上8点, at 9am, 晚上."""
        part = ""
        here = at
        while (phrase := self.phrases.at(here)) is not None:
            slots = phrase.slots
            if slots is None or slots.has_date() or slots.now or slots.zone:
                break
            if slots.has_clock():
                here = phrase.last
                merged = slots if slots.part else _with_part(slots, part)
                follow = self.phrases.at(here)
                if follow is not None and follow.slots is not None and not merged.part:
                    extra = follow.slots
                    if extra.part and not extra.has_clock() and not extra.has_date():
                        merged, here = _with_part(merged, extra.part), follow.last
                self._add_clock(merged)
                if at and self.word(at - 1) == "between" and self.kind(here) == "and":
                    return self._stretch(here, between=True)
                return self._hours_after(here) or self._stretch(here)
            if slots.part and not part:
                part, here = slots.part, phrase.last
                while self.kind(here) in ("de", "at") and not self._phrase(here):
                    here += 1
                continue
            break
        if not part:
            return at
        self._add_clock(Slots(part=part))
        return here

    def _hours_after(self, here: int) -> int:
        """The index after bare hours joined to a time of day: at 8 and 20; 0 without one."""
        at = here
        while self.word(at) == "and" and self.kind(at + 1) == "num" and not self.unit(at + 2):
            hour = self.tokens[at + 1].number
            if hour != int(hour) or hour >= _HOURS or self._phrase(at + 1):
                break
            self._add_clock(Slots(hour=int(hour)))
            at += 2
        return at if at > here else 0

    def _add_clock(self, slots: Slots) -> None:
        """Keep a time of day; one for later days only, 周一8点周五9点, is no one rule."""
        draft = self.draft
        if draft.clocks and draft.clocked_lists < draft.lists and slots not in draft.clocks:
            draft.doubt = draft.doubt or "which_times"
        draft.clocked_lists = draft.lists
        draft.clocks.append(slots)


def _with_part(slots: Slots, part: str) -> Slots:
    if not part:
        return slots
    return Slots(
        hour=slots.hour,
        minute=slots.minute,
        second=slots.second,
        meridiem=slots.meridiem,
        digital=slots.digital,
        midnight=slots.midnight,
        part=part,
    )


def is_link(token: Token) -> bool:
    """Whether a token only connects the words of a recurrence."""
    return token.kind in _LINKS
