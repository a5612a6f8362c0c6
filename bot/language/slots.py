"""What a phrase says about a date and a time of day, each statement in its own slot."""

from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Final

SECONDS: Final = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 7 * 86400,
    "fortnight": 14 * 86400,
    "month": 30 * 86400,
    "quarter": 91 * 86400,
    "year": 365 * 86400,
    "decade": 3652 * 86400,
}
"""The nominal length of each unit; longer first when compared."""


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time by units, as it was said: two hours and thirty minutes."""

    parts: tuple[tuple[str, Decimal], ...]

    def seconds(self) -> int:
        """The nominal length in seconds."""
        return int(sum((SECONDS[unit] * count for unit, count in self.parts), Decimal(0)))

    def grain(self) -> str:
        """The smallest unit that was said."""
        return min((unit for unit, _ in self.parts), key=SECONDS.__getitem__)


@dataclass(frozen=True, slots=True)
class Slots:
    """Statements about a date and a time of day; None and '' are silence.

    Attributes:
        year: The year in full.
        year_shift: Years from this one.
        month: The month, 1-12; a lunar one with `lunar`.
        month_shift: Months from this one.
        day: The day of the month; negative from its end.
        day_shift: Days from today.
        weekday: Monday = 0.
        week_shift: Weeks from this one.
        nth: Which of several, for weekdays in a month; negative from the end.
        festival: The key of a named day.
        lunar: The month and day are lunar ones.
        leap: The lunar month is a leap month.
        period: A part of a longer period, such as `half:1`, `quarter:3`, `tenday:2`;
            `holiday` for the days off around a festival.
        unit: The grain when the phrase names a period as such: 这周, 上个月.
        shift: A distance from now.
        sign: +1 after now, -1 before now.
        window: A count of units from now on (`sign` +1) or up to now (-1), aligned or rolling.
        part: A part of the day.
        hour: The hour as said.
        minute: The minute.
        second: The second.
        meridiem: am or pm.
        digital: The time was written so that it can only be on 24 hours: 09:30, 15:30.
        colon: The time was written with a colon.
        midnight: The word was "midnight".
        zone: A named zone.
        now: The phrase says now.
        bound: `after` or `before` when the phrase only gives a limit.
        english: It was said in English.
        fault: A reason why it can be no time: hour 25, 30 February.
        unsure: A date whose order of day and month is open.
        offset: A distance from the day or time that is said: 春节前三天.
        offset_sign: +1 after it, -1 before it.
        side: -1 when the one before now is meant: last march.
    """

    year: int | None = None
    year_shift: int | None = None
    month: int | None = None
    month_shift: int | None = None
    day: int | None = None
    day_shift: int | None = None
    weekday: int | None = None
    week_shift: int | None = None
    nth: int | None = None
    festival: str = ""
    lunar: bool = False
    leap: bool = False
    period: str = ""
    unit: str = ""
    shift: Length | None = None
    sign: int = 0
    window: str = ""
    part: str = ""
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    meridiem: str = ""
    digital: bool = False
    colon: bool = False
    midnight: bool = False
    zone: str = ""
    now: bool = False
    bound: str = ""
    english: bool = False
    fault: str = ""
    unsure: bool = False
    offset: Length | None = None
    offset_sign: int = 0
    side: int = 0

    def has_clock(self) -> bool:
        """Whether it says a time of day to the hour."""
        return self.hour is not None or self.now or self.midnight

    def has_date(self) -> bool:
        """Whether it says anything about the date."""
        return any(getattr(self, name) not in (None, "") for name in _DATE_SLOTS)

    def day_given(self) -> bool:
        """Whether it comes down to a single day."""
        if self.period == "holiday":
            return False
        return any(
            getattr(self, name) not in (None, "")
            for name in ("day", "day_shift", "weekday", "festival")
        )


_DATE_SLOTS: Final = [
    "year",
    "year_shift",
    "month",
    "month_shift",
    "day",
    "day_shift",
    "weekday",
    "week_shift",
    "festival",
    "period",
    "unit",
    "shift",
]
_SILENT: Final = {f.name: f.default for f in fields(Slots)}
_EXCLUSIVE: Final = (
    ("year", "year_shift"),
    ("month", "month_shift"),
    ("festival", "month"),
    ("festival", "day"),
    ("shift", "window"),
    ("window", "day"),
    ("window", "month"),
    ("shift", "week_shift"),
)
_MERGEABLE: Final = frozenset(
    {"english", "digital", "colon", "lunar", "sign", "unit", "fault", "unsure"}
)


def said(slots: Slots) -> dict[str, object]:
    """The slots that say something."""
    return {name: v for name in _SILENT if (v := getattr(slots, name)) != _SILENT[name]}


def merge(first: Slots, second: Slots) -> Slots | None:
    """Both statements as one, or None when they speak of different things."""
    a, b = said(first), said(second)
    for name in a.keys() & b.keys():
        if name not in _MERGEABLE and a[name] != b[name]:
            return None
        if name not in _MERGEABLE and name in ("hour", "day_shift", "weekday", "festival"):
            return None
    for left, right in _EXCLUSIVE:
        if (left in a and right in b) or (right in a and left in b):
            return None
    if ("now" in a and "hour" in b) or ("now" in b and "hour" in a):
        return None
    if ("window" in a and b.keys() & {"hour", "weekday", "part"}) or (
        "window" in b and a.keys() & {"hour", "weekday", "part"}
    ):
        return None
    return replace(first, **b)  # type: ignore[arg-type]


def day_part(slots: Slots) -> Slots:
    """Only what it says about the date."""
    kept = {name: getattr(slots, name) for name in (*_DATE_SLOTS, "sign", "nth", "lunar", "leap")}
    return Slots(**kept)
