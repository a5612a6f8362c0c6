"""The stored rule: only what is checked gets in, and it comes back unchanged."""

import random

import pytest

from bot.core.recurrence import Rule, RuleError, parse_rrule
from tests.unit.language.random_rules import random_rule

BASE = {"tz": "Asia/Shanghai", "dtstart_local": "2026-12-01T10:00:00", "times": ["09:00"]}


@pytest.mark.parametrize(
    "text",
    [
        "FREQ=DAILY",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR",
        "FREQ=MONTHLY;BYDAY=-1FR",
        "FREQ=MONTHLY;BYMONTHDAY=-1",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=MINUTELY;INTERVAL=5",
        "RRULE:FREQ=DAILY;COUNT=10",
        "freq=daily;until=20261231T235959Z",
    ],
)
def test_the_subset_is_read(text: str) -> None:
    assert parse_rrule(text).freq


@pytest.mark.parametrize(
    "text",
    [
        "",
        "FREQ=SECONDLY",
        "FREQ=MINUTELY",
        "FREQ=MINUTELY;INTERVAL=4",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=367",
        "FREQ=DAILY;INTERVAL=1e9",
        "FREQ=DAILY;COUNT=1001",
        "FREQ=DAILY;COUNT=5;UNTIL=20270101",
        "FREQ=DAILY;UNTIL=soon",
        "FREQ=DAILY;BYHOUR=24",
        "FREQ=DAILY;BYWEEKNO=3",
        "FREQ=DAILY;FREQ=WEEKLY",
        "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=WEEKLY;BYMONTHDAY=1",
        "FREQ=DAILY;" + "BYDAY=MO," * 100,
    ],
)
def test_what_is_outside_the_subset_is_refused(text: str) -> None:
    with pytest.raises(RuleError):
        parse_rrule(text)


@pytest.mark.parametrize(
    "change",
    [
        {"type": "rrule"},
        {"type": "workday", "rrule": "FREQ=DAILY"},
        {"type": "nth_workday"},
        {"type": "lunar_yearly", "lunar_month": 13, "lunar_day": 1},
        {"type": "workday", "tz": "Mars/Olympus"},
        {"type": "workday", "tz": "../../etc/passwd"},
        {"type": "workday", "times": ["25:00"]},
        {"type": "workday", "dtstart_local": "2026-12-01T10:00:00+08:00"},
        {"type": "workday", "count": 3, "until": "2027-01-01T00:00:00"},
        {"type": "workday", "surprise": 1},
        {"type": "rrule", "rrule": "FREQ=DAILY;COUNT=3"},
    ],
)
def test_a_contradictory_rule_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(RuleError):
        Rule.from_json(BASE | change)


@pytest.mark.parametrize("seed", range(50))
def test_a_rule_survives_storage(seed: int) -> None:
    rule = random_rule(random.Random(seed))  # noqa: S311

    assert Rule.from_json(rule.to_json()) == rule


def test_count_and_until_of_a_text_move_into_their_fields() -> None:
    first = Rule.from_json(BASE | {"type": "rrule", "rrule": "FREQ=DAILY"}).dtstart_local

    counted = Rule.from_rrule("FREQ=DAILY;COUNT=3", dtstart_local=first, tz="Asia/Shanghai")
    ending = Rule.from_rrule(
        "FREQ=DAILY;UNTIL=20261231T160000Z", dtstart_local=first, tz="Asia/Shanghai"
    )

    assert (counted.rrule, counted.count) == ("FREQ=DAILY", 3)
    assert ending.until is not None
    assert ending.until.isoformat() == "2027-01-01T00:00:00"


@pytest.mark.parametrize("days", [[7], [-1], [0, 1, 2, 3, 4, 5, 6]])
def test_weekdays_left_out_are_days_and_not_all_of_them(days: list[int]) -> None:
    with pytest.raises(RuleError):
        Rule.from_json({**BASE, "type": "workday", "except_weekdays": days})


def test_only_workdays_leave_out_weekdays() -> None:
    with pytest.raises(RuleError):
        Rule.from_json({**BASE, "type": "rrule", "rrule": "FREQ=DAILY", "except_weekdays": [2]})
