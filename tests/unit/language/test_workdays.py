"""The official calendar, and files that are not in order."""

import json
from datetime import date
from pathlib import Path

import pytest

from bot.language.workdays import PACKAGED, check_year, load_calendar


@pytest.mark.parametrize(
    ("day", "worked"),
    [
        ("2026-09-20", True),
        ("2026-10-10", True),
        ("2026-10-01", False),
        ("2026-12-05", False),
        ("2026-12-01", True),
        ("2025-01-26", True),
        ("2024-02-18", True),
    ],
)
def test_make_up_days_are_worked_and_holidays_are_not(day: str, worked: bool) -> None:  # noqa: FBT001
    assert load_calendar().is_workday(date.fromisoformat(day)) is worked


def test_a_year_without_its_notice_says_so() -> None:
    calendar = load_calendar()

    assert calendar.is_official(2026)
    assert not calendar.is_official(2027)
    assert not calendar.is_workday(date(2027, 2, 8))


@pytest.mark.parametrize("path", sorted(PACKAGED.glob("holidays-*.json")), ids=lambda p: p.stem)
def test_the_packaged_years_are_in_order(path: Path) -> None:
    assert check_year(json.loads(path.read_text(encoding="utf-8"))) == []


def test_an_operators_file_replaces_the_year(tmp_path: Path) -> None:
    data = {
        "year": 2027,
        "source": "test",
        "official": True,
        "holidays": [{"date": "2027-03-01", "name": "x"}],
        "workdays": ["2027-03-06"],
    }
    (tmp_path / "holidays-2027.json").write_text(json.dumps(data), encoding="utf-8")

    calendar = load_calendar(tmp_path)

    assert not calendar.is_workday(date(2027, 3, 1))
    assert calendar.is_workday(date(2027, 3, 6))
    assert calendar.is_workday(date(2027, 2, 5))
    assert calendar.is_official(2027)
    assert not calendar.is_workday(date(2026, 10, 1))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"year": None}, "year is missing"),
        ({"source": ""}, "source is missing"),
        ({"official": "yes"}, "official must be true or false"),
        ({"workdays": ["2027-03-01"]}, "2027-03-01 is worked anyway"),
        ({"workdays": ["2026-03-07"]}, "2026-03-07 is not in 2027"),
        ({"workdays": ["soon"]}, "workdays: 'soon' is not a date"),
        ({"holidays": "none"}, "holidays must be a list"),
        ({"workdays": ["2027-03-06", "2027-03-06"]}, "workdays has a day twice"),
    ],
)
def test_a_file_that_is_not_in_order_is_described(change: dict[str, object], problem: str) -> None:
    data = {"year": 2027, "source": "x", "official": True, "holidays": [], "workdays": []}

    assert problem in check_year(data | change)


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "holidays-2027.json").write_text("[]", encoding="utf-8")

    with pytest.raises(ValueError, match="not an object"):
        load_calendar(tmp_path)
