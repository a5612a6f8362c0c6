"""Working days by the official calendar: one data file a year, replaceable by the operator."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final

PACKAGED: Final = Path(__file__).parent / "data"
_SATURDAY: Final = 5
_MAX_HOLIDAYS: Final = 60


@dataclass(frozen=True, slots=True)
class WorkdayCalendar:
    """Which days are worked.

    Attributes:
        holidays: Days off of the official arrangement, weekends inside it included.
        workdays: Weekend days that are worked to make up for it.
        official_years: Years whose arrangement has been published.
        names: What a day off is for, in Chinese.
    """

    holidays: frozenset[date]
    workdays: frozenset[date]
    official_years: frozenset[int]
    names: Mapping[date, str] = field(default_factory=dict, hash=False)

    def is_workday(self, day: date) -> bool:
        """Whether a day is worked; Monday to Friday where no arrangement is known."""
        if day in self.workdays:
            return True
        return day.weekday() < _SATURDAY and day not in self.holidays

    def is_holiday(self, day: date) -> bool:
        """Whether a day belongs to an official holiday."""
        return day in self.holidays

    def holiday_of(self, day: date) -> tuple[date, date]:
        """The first and the last day of the holiday that a day off belongs to."""
        first = last = day
        name = self.names.get(day)
        while (
            self.is_holiday(first - timedelta(1)) and self.names.get(first - timedelta(1)) == name
        ):
            first -= timedelta(1)
        while self.is_holiday(last + timedelta(1)) and self.names.get(last + timedelta(1)) == name:
            last += timedelta(1)
        return first, last

    def is_official(self, year: int) -> bool:
        """Whether the official arrangement of a year is known."""
        return year in self.official_years


def load_calendar(folder: Path | None = None) -> WorkdayCalendar:
    """The calendar of a folder's `holidays-YYYY.json` files; the packaged ones by default.

    A year that the folder lacks is taken from the packaged files.

    Raises:
        ValueError: A file is not in order; the message lists what is wrong.
    """
    return _load(folder or _default.folder)


@dataclass(slots=True)
class _Default:
    """The folder that is read when none is named."""

    folder: Path | None = None


_default: Final = _Default()


def use_folder(folder: Path | None) -> WorkdayCalendar:
    """Read this folder from now on where none is named; the process does it once, at its start.

    Raises:
        ValueError: A file is not in order; nothing is changed then.
    """
    calendar = _load(folder)
    _default.folder = folder
    return calendar


@lru_cache(maxsize=4)
def _load(folder: Path | None) -> WorkdayCalendar:
    files = {path.name: path for path in sorted(PACKAGED.glob("holidays-*.json"))}
    if folder is not None:
        files |= {path.name: path for path in sorted(folder.glob("holidays-*.json"))}
    holidays: set[date] = set()
    workdays: set[date] = set()
    official: set[int] = set()
    names: dict[date, str] = {}
    for path in files.values():
        data: object = json.loads(path.read_text(encoding="utf-8"))
        problems = check_year(data)
        if problems or not isinstance(data, dict):
            raise ValueError(f"{path.name}: {'; '.join(problems)}")
        off = {date.fromisoformat(item["date"]): item.get("name", "") for item in data["holidays"]}
        holidays |= off.keys()
        names |= off
        workdays |= {date.fromisoformat(item) for item in data["workdays"]}
        if data["official"]:
            official.add(data["year"])
    return WorkdayCalendar(frozenset(holidays), frozenset(workdays), frozenset(official), names)


def check_year(data: object) -> list[str]:
    """What is wrong with the data of one year; empty when it can be used."""
    if not isinstance(data, Mapping):
        return ["not an object"]
    year = data.get("year")
    if not isinstance(year, int):
        return ["year is missing"]
    problems = [] if isinstance(data.get("official"), bool) else ["official must be true or false"]
    if not data.get("source"):
        problems.append("source is missing")
    off = _dates(data.get("holidays"), "holidays", "date", problems)
    worked = _dates(data.get("workdays"), "workdays", "", problems)
    problems += [f"{d} is both off and worked" for d in sorted(set(off) & set(worked))]
    problems += [f"{d} is not in {year}" for d in off + worked if d.year != year]
    problems += [f"{d} is worked anyway" for d in worked if d.weekday() < _SATURDAY]
    if len(off) > _MAX_HOLIDAYS:
        problems.append(f"{len(off)} days off are too many")
    return problems


def _dates(items: object, name: str, key: str, problems: list[str]) -> list[date]:
    if not isinstance(items, list):
        problems.append(f"{name} must be a list")
        return []
    found: list[date] = []
    for item in items:
        text = item.get(key) if key and isinstance(item, Mapping) else item
        try:
            found.append(date.fromisoformat(str(text)))
        except ValueError:
            problems.append(f"{name}: {str(text)[:20]!r} is not a date")
    if len(set(found)) != len(found):
        problems.append(f"{name} has a day twice")
    return found
