"""When something happens again and again: the stored rule and its checked RRULE subset."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from bot.core.patterns import regex

Frequency = Literal["MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MAX_INTERVAL = 366
MIN_MINUTES = 5
MAX_COUNT = 1000
MAX_RRULE = 400
_FREQUENCIES: dict[str, Frequency] = {
    "MINUTELY": "MINUTELY",
    "HOURLY": "HOURLY",
    "DAILY": "DAILY",
    "WEEKLY": "WEEKLY",
    "MONTHLY": "MONTHLY",
    "YEARLY": "YEARLY",
}
_BYDAY = regex(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_CLOCK = regex(r"([01]\d|2[0-3]):([0-5]\d)")
_UNTIL = regex(r"(\d{8})(?:T(\d{6})(Z?))?")
_ORDINALS = range(-5, 6)
_RANGES: dict[str, tuple[int, int]] = {
    "BYMONTH": (1, 12),
    "BYMONTHDAY": (-31, 31),
    "BYSETPOS": (-366, 366),
    "BYHOUR": (0, 23),
    "BYMINUTE": (0, 59),
}
_ZERO_MEANS_SOMETHING = frozenset({"BYHOUR", "BYMINUTE"})


class RuleError(ValueError):
    """A recurrence that is not stored: out of range, not in the subset, or contradictory."""


@dataclass(frozen=True, slots=True)
class RRule:
    """The parts of an RRULE that are understood, each checked.

    Attributes:
        freq: How often the period comes round.
        interval: Every how many periods.
        byday: Pairs of ordinal (0 = every one) and weekday (Monday = 0).
        bymonth: Months 1-12.
        bymonthday: Days 1-31, or -1 for the last, -2 for the last but one.
        bysetpos: Which of the days of a period, 1 = the first, -1 = the last.
        byhour: Hours, when they are not given as times of the rule.
        byminute: Minutes, when they are not given as times of the rule.
        count: How many times in all.
        until: The last moment, as written.
    """

    freq: Frequency
    interval: int = 1
    byday: tuple[tuple[int, int], ...] = ()
    bymonth: tuple[int, ...] = ()
    bymonthday: tuple[int, ...] = ()
    bysetpos: tuple[int, ...] = ()
    byhour: tuple[int, ...] = ()
    byminute: tuple[int, ...] = ()
    count: int | None = None
    until: str = ""

    def text(self) -> str:
        """The rule in RFC 5545 notation, without COUNT and UNTIL."""
        parts = [f"FREQ={self.freq}"]
        if self.interval != 1:
            parts.append(f"INTERVAL={self.interval}")
        if self.byday:
            days = (f"{n or ''}{WEEKDAYS[day]}" for n, day in self.byday)
            parts.append(f"BYDAY={','.join(days)}")
        for name in _RANGES:
            values: tuple[int, ...] = getattr(self, name.lower())
            if values:
                parts.append(f"{name}={','.join(map(str, values))}")
        return ";".join(parts)


@dataclass(slots=True)
class _Parts:
    """The name=value pairs of an RRULE while they are checked."""

    values: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Self:
        parts = cls()
        for part in text.strip().removeprefix("RRULE:").split(";"):
            name, equals, value = part.partition("=")
            if not equals or not value or name in parts.values:
                raise RuleError(f"not a part of a rule: {part[:40]!r}")
            parts.values[name] = value
        return parts

    def number(self, name: str, low: int, high: int, default: int) -> int:
        text = self.values.pop(name, "")
        return default if not text else _whole(name, text, low, high)

    def list(self, name: str) -> tuple[int, ...]:
        text = self.values.pop(name, "")
        low, high = _RANGES[name]
        found = tuple(_whole(name, item, low, high) for item in text.split(",")) if text else ()
        if 0 in found and name not in _ZERO_MEANS_SOMETHING:
            raise RuleError(f"{name} has no 0")
        return tuple(sorted(set(found)))

    def days(self, *, ordinals: bool) -> tuple[tuple[int, int], ...]:
        text = self.values.pop("BYDAY", "")
        found: set[tuple[int, int]] = set()
        for item in text.split(",") if text else ():
            match = _BYDAY.fullmatch(item)
            if match is None:
                raise RuleError(f"not a weekday: {item[:20]!r}")
            nth = int(match.group(1) or 0)
            if nth not in _ORDINALS or (match.group(1) and (not nth or not ordinals)):
                raise RuleError(f"no such weekday: {item[:20]!r}")
            found.add((nth, WEEKDAYS.index(match.group(2))))
        return tuple(sorted(found, key=lambda pair: (pair[1], pair[0])))


def _whole(name: str, text: str, low: int, high: int) -> int:
    try:
        value = int(text)
    except ValueError:
        raise RuleError(f"{name} is not a number: {text[:20]!r}") from None
    if not low <= value <= high:
        raise RuleError(f"{name} must be {low} to {high}, not {value}")
    return value


@lru_cache(maxsize=512)
def parse_rrule(text: str) -> RRule:
    """The parts of an RRULE in the subset this product keeps.

    Raises:
        RuleError: It is outside the subset or out of range; the message says what.
    """
    if len(text) > MAX_RRULE:
        raise RuleError("the rule is too long")
    parts = _Parts.read(text.upper())
    freq = _FREQUENCIES.get(parts.values.pop("FREQ", ""))
    if freq is None:
        raise RuleError("FREQ must be MINUTELY to YEARLY")
    until = parts.values.pop("UNTIL", "")
    if until and _UNTIL.fullmatch(until) is None:
        raise RuleError(f"UNTIL is not a date: {until[:20]!r}")
    count = parts.number("COUNT", 1, MAX_COUNT, 0) or None
    if count and until:
        raise RuleError("COUNT and UNTIL exclude each other")
    rule = RRule(
        freq=freq,
        interval=parts.number("INTERVAL", 1, MAX_INTERVAL, 1),
        byday=parts.days(ordinals=freq in ("MONTHLY", "YEARLY")),
        bymonth=parts.list("BYMONTH"),
        bymonthday=parts.list("BYMONTHDAY"),
        bysetpos=parts.list("BYSETPOS"),
        byhour=parts.list("BYHOUR"),
        byminute=parts.list("BYMINUTE"),
        count=count,
        until=until,
    )
    if parts.values:
        raise RuleError(f"not supported: {', '.join(sorted(parts.values))[:60]}")
    if freq == "MINUTELY" and rule.interval < MIN_MINUTES:
        raise RuleError(f"at least {MIN_MINUTES} minutes apart")
    if freq == "WEEKLY" and rule.bymonthday:
        raise RuleError("a weekly rule has no day of the month")
    return rule


class Rule(BaseModel):
    """A stored recurrence in local wall time; `next_fire` turns it into moments.

    Attributes:
        type: `once`, `rrule`, `workday` (the official calendar), `nth_workday` (of each month)
            or `lunar_yearly`.
        rrule: The RRULE subset, without COUNT and UNTIL, for `type` rrule.
        times: Wall times "HH:MM"; every one of them on each day of the rule.
        tz: The zone of the wall times.
        dtstart_local: From when on, naive local time; nothing fires before it.
        until: The last moment, naive local time, inclusive.
        count: How many times in all, from `dtstart_local`.
        clamp: A day that a month lacks means its last day; otherwise the month is left out.
        skip_holidays: Leave out the days of the official holidays.
        free_days: For `workday`: the days off instead.
        nth: For `nth_workday`: 1 = the first workday of the month, -1 = the last.
        lunar_month: For `lunar_yearly`: the lunar month.
        lunar_day: For `lunar_yearly`: the lunar day; -1 = the last of the month.
        except_dates: Local dates that are left out.
        except_weekdays: For `workday`: weekdays that are left out, Monday = 0.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["once", "rrule", "workday", "nth_workday", "lunar_yearly"]
    rrule: str = ""
    times: tuple[str, ...] = Field(default=(), max_length=48)
    tz: str
    dtstart_local: datetime
    until: datetime | None = None
    count: int | None = Field(default=None, ge=1, le=MAX_COUNT)
    clamp: bool = True
    skip_holidays: bool = False
    free_days: bool = False
    nth: int | None = Field(default=None, ge=-23, le=23)
    lunar_month: int | None = Field(default=None, ge=1, le=12)
    lunar_day: int | None = Field(default=None, ge=-1, le=30)
    except_dates: tuple[date, ...] = Field(default=(), max_length=100)
    except_weekdays: tuple[Annotated[int, Field(ge=0, le=6)], ...] = Field(
        default=(), max_length=6
    )

    @field_validator("tz")
    @classmethod
    def _zone_exists(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError):
            raise ValueError(f"no such zone: {value[:40]!r}") from None
        return value

    @field_validator("times")
    @classmethod
    def _clock_times(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if wrong := [item for item in value if _CLOCK.fullmatch(item) is None]:
            raise ValueError(f"not a wall time: {wrong[0][:20]!r}")
        return tuple(sorted(set(value)))

    @field_validator("dtstart_local", "until")
    @classmethod
    def _wall_time(cls, value: datetime | None) -> datetime | None:
        if value is not None and value.tzinfo is not None:
            raise ValueError("wall times carry no zone: it is in `tz`")
        return value

    @model_validator(mode="after")
    def _fits_its_type(self) -> Self:
        if (self.type == "rrule") != bool(self.rrule):
            raise ValueError("exactly the type rrule has a rule text")
        if (self.type == "nth_workday") != bool(self.nth):
            raise ValueError("exactly the type nth_workday counts workdays")
        lunar = bool(self.lunar_month and self.lunar_day)
        if (self.type == "lunar_yearly") != lunar:
            raise ValueError("exactly the type lunar_yearly has a lunar month and day")
        if self.except_weekdays and self.type != "workday":
            raise ValueError("only the type workday leaves out weekdays: a rule names its own")
        if self.until is not None and self.count is not None:
            raise ValueError("until and count exclude each other")
        if self.rrule:
            inner = parse_rrule(self.rrule)
            if inner.count or inner.until:
                raise ValueError("COUNT and UNTIL are fields of the rule: use from_rrule")
        return self

    def parsed(self) -> RRule:
        """The checked parts of the rule text.

        Raises:
            RuleError: The type has none.
        """
        return parse_rrule(self.rrule)

    def to_json(self) -> dict[str, object]:
        """The rule as plain JSON values, without what is left at its default."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> "Rule":
        """The rule of `to_json`.

        Raises:
            RuleError: The data is no valid rule.
        """
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            first = error.errors()[0]
            raise RuleError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None

    @classmethod
    def from_rrule(
        cls, text: str, *, dtstart_local: datetime, tz: str, times: tuple[str, ...] = ()
    ) -> "Rule":
        """A rule from RRULE text; COUNT and UNTIL move into their fields.

        Raises:
            RuleError: The text is outside the subset.
        """
        parsed = parse_rrule(text)
        return cls.from_json(
            {
                "type": "rrule",
                "rrule": parsed.text(),
                "times": times,
                "tz": tz,
                "dtstart_local": dtstart_local,
                "count": parsed.count,
                "until": _until_local(parsed.until, tz) if parsed.until else None,
            }
        )


def _until_local(text: str, tz: str) -> datetime:
    match = _UNTIL.fullmatch(text)
    if match is None:
        raise RuleError(f"UNTIL is not a date: {text[:20]!r}")
    day, clock, zulu = match.groups()
    try:
        moment = datetime.strptime(day + (clock or "235959"), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        raise RuleError(f"UNTIL is not a date: {text[:20]!r}") from None
    return (moment.astimezone(ZoneInfo(tz)) if zulu else moment).replace(tzinfo=None)
