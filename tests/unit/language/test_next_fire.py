"""When rules fire: wall time over clock changes, ends, and the plain expansion as the judge."""

import random
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.recurrence import Rule
from bot.language.recurrence import next_fire, upcoming
from bot.language.workdays import load_calendar
from tests.unit.language.brute import fires
from tests.unit.language.random_rules import random_rule

CALENDAR = load_calendar()


def daily(tz: str, at: str, start: str, **extra: object) -> Rule:
    return Rule.from_json(
        {"type": "rrule", "rrule": "FREQ=DAILY", "times": [at], "tz": tz, "dtstart_local": start}
        | extra
    )


@pytest.mark.parametrize(
    ("tz", "start"),
    [
        ("America/New_York", "2027-03-10T00:00:00"),
        ("Europe/Berlin", "2027-03-25T00:00:00"),
        ("Australia/Sydney", "2026-10-01T00:00:00"),
        ("America/New_York", "2026-10-30T00:00:00"),
        ("Europe/Berlin", "2026-10-22T00:00:00"),
    ],
)
def test_a_daily_rule_keeps_its_wall_time_over_a_clock_change(tz: str, start: str) -> None:
    rule = daily(tz, "09:00", start)

    found = upcoming(rule, datetime.fromisoformat(start).replace(tzinfo=UTC), 10)

    assert {f.astimezone(ZoneInfo(tz)).strftime("%H:%M") for f in found} == {"09:00"}
    assert len({f.astimezone(ZoneInfo(tz)).utcoffset() for f in found}) == 2


def test_a_time_in_the_gap_moves_forward_by_the_gap() -> None:
    rule = daily("America/New_York", "02:30", "2027-03-14T00:00:00")

    found = next_fire(rule, datetime(2027, 3, 14, 5, tzinfo=UTC))

    assert found is not None
    assert found.astimezone(ZoneInfo("America/New_York")).strftime("%d %H:%M") == "14 03:30"


def test_a_repeated_hour_fires_once() -> None:
    rule = daily("America/New_York", "01:30", "2026-10-31T00:00:00")

    found = upcoming(rule, datetime(2026, 10, 31, 12, tzinfo=UTC), 2)

    assert found == (
        datetime(2026, 11, 1, 5, 30, tzinfo=UTC),
        datetime(2026, 11, 2, 6, 30, tzinfo=UTC),
    )


def test_elapsed_hours_do_not_jump_with_the_clock() -> None:
    rule = Rule.from_json(
        {
            "type": "rrule",
            "rrule": "FREQ=HOURLY;INTERVAL=3",
            "tz": "America/New_York",
            "dtstart_local": "2027-03-13T22:00:00",
        }
    )

    found = upcoming(rule, datetime(2027, 3, 14, tzinfo=UTC), 6)

    assert {b - a for a, b in pairwise(found)} == {timedelta(hours=3)}


def test_a_rule_without_a_day_to_fire_on_answers_never() -> None:
    rule = Rule.from_json(
        {
            "type": "rrule",
            "rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "times": ["09:00"],
            "tz": "UTC",
            "dtstart_local": "2026-01-01T00:00:00",
            "clamp": False,
        }
    )

    assert next_fire(rule, datetime(2026, 1, 1, tzinfo=UTC)) is None


def test_a_rule_that_has_ended_answers_never() -> None:
    rule = daily("UTC", "09:00", "2026-01-01T00:00:00", until="2026-01-03T09:00:00")

    assert len(upcoming(rule, datetime(2026, 1, 1, tzinfo=UTC), 10)) == 3
    assert next_fire(rule, datetime(2026, 1, 3, 9, tzinfo=UTC)) is None


def test_a_count_counts_from_the_start_not_from_now() -> None:
    rule = daily("UTC", "09:00", "2026-01-01T00:00:00", count=5)

    assert len(upcoming(rule, datetime(2026, 1, 4, tzinfo=UTC), 10)) == 2


def test_excepted_dates_are_left_out() -> None:
    rule = daily("UTC", "09:00", "2026-01-01T00:00:00", except_dates=["2026-01-02"])

    found = upcoming(rule, datetime(2026, 1, 1, tzinfo=UTC), 2)

    assert [f.day for f in found] == [1, 3]


def test_new_years_eve_is_the_last_lunar_day_also_when_it_is_the_29th() -> None:
    rule = Rule.from_json(
        {
            "type": "lunar_yearly",
            "lunar_month": 12,
            "lunar_day": -1,
            "times": ["20:00"],
            "tz": "Asia/Shanghai",
            "dtstart_local": "2026-12-01T00:00:00",
        }
    )

    found = upcoming(rule, datetime(2026, 12, 1, tzinfo=UTC), 3)

    assert [f.date() for f in found] == [date(2027, 2, 5), date(2028, 1, 25), date(2029, 2, 12)]


@pytest.mark.parametrize("seed", range(300))
def test_the_expansion_equals_looking_at_every_day(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311
    rule = random_rule(source)
    begin = (rule.dtstart_local + timedelta(days=source.randrange(-30, 500))).replace(tzinfo=UTC)
    end = begin + timedelta(days=500)

    expected = fires(rule, begin, end, CALENDAR)

    found = upcoming(rule, begin, len(expected) + 1, calendar=CALENDAR)
    assert list(found[: len(expected)]) == expected
    assert all(moment > end for moment in found[len(expected) :])


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=0, max_value=10**6))
def test_fires_increase_strictly(seed: int) -> None:
    rule = random_rule(random.Random(seed))  # noqa: S311

    found = upcoming(rule, datetime(2025, 6, 1, tzinfo=UTC), 12)

    assert all(a < b for a, b in pairwise(found))
    assert all(next_fire(rule, a) == b for a, b in pairwise(found))
