"""Typed cron in, iCalendar out."""

from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr

from bot.core.recurrence import Rule
from bot.language.cron import CronError, parse_cron
from bot.language.ics import to_ics
from bot.language.recurrence import resolve_recurrence, upcoming

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "rrule", "times"),
    [
        ("0 9 * * 1-5", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", ("09:00",)),
        ("30 8,20 * * *", "FREQ=DAILY", ("08:30", "20:30")),
        ("0 9-11 * * *", "FREQ=DAILY", ("09:00", "10:00", "11:00")),
        ("0 0 1 1 *", "FREQ=MONTHLY;BYMONTH=1;BYMONTHDAY=1", ("00:00",)),
        ("0 9 31 * *", "FREQ=MONTHLY;BYMONTHDAY=31", ("09:00",)),
        ("*/15 * * * *", "FREQ=MINUTELY;INTERVAL=15", ()),
    ],
)
def test_a_cron_expression_becomes_a_rule(text: str, rrule: str, times: tuple[str, ...]) -> None:
    rule = parse_cron(text, now=NOW, tz=SHANGHAI)

    assert (rule.parsed().text(), rule.times) == (rrule, times)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0 9 * *", "cron_fields"),
        ("60 9 * * *", "cron_range"),
        ("0 9 * * 8", "cron_range"),
        ("0 9 0 * *", "cron_range"),
        ("x 9 * * *", "cron_range"),
        ("*/0 9 * * *", "cron_range"),
        ("0 9 1 * 1", "cron_day_and_weekday"),
        ("* * * * *", "too_frequent"),
        ("* 9 * * *", "too_frequent"),
        ("*/7 * * * *", "cron_too_many_times"),
    ],
)
def test_what_no_rule_says_exactly_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(CronError) as caught:
        parse_cron(text, now=NOW, tz=SHANGHAI)

    assert caught.value.reason == reason


def test_the_31st_in_cron_is_no_other_day() -> None:
    rule = parse_cron("0 9 31 * *", now=NOW, tz=SHANGHAI)

    assert [f.month for f in upcoming(rule, NOW, 3)] == [12, 1, 3]


@pytest.mark.parametrize(
    "text",
    [
        "每周一三五早上8点",
        "隔周周三上午9点",
        "每月最后一个周五下午5点",
        "每月31号上午9点",
        "every year on dec 25 at 9am",
    ],
)
def test_an_exported_rule_fires_like_the_stored_one(text: str) -> None:
    rule = resolve_recurrence(text, now=NOW, tz=SHANGHAI).rule
    assert rule is not None

    exported = to_ics(rule, "背单词", "1@switchboard", now=NOW)

    assert exported is not None
    lines = exported.replace("\r\n ", "").split("\r\n")
    start = next(line.partition(":")[2] for line in lines if line.startswith("DTSTART"))
    text = next(line.removeprefix("RRULE:") for line in lines if line.startswith("RRULE"))
    expansion = rrulestr(text, dtstart=datetime.strptime(start, "%Y%m%dT%H%M%S"))  # noqa: DTZ007
    expected = [f.astimezone(SHANGHAI).replace(tzinfo=None) for f in upcoming(rule, NOW, 6)]
    assert list(islice(expansion, 6)) == expected


@pytest.mark.parametrize(
    "text",
    ["工作日9点", "每年除夕晚上8点", "每月第一个工作日上午9点", "每天早上7点，法定节假日除外"],
)
def test_what_the_format_cannot_say_is_not_exported(text: str) -> None:
    rule = resolve_recurrence(text, now=NOW, tz=SHANGHAI).rule

    assert rule is not None
    assert to_ics(rule, "x", "1", now=NOW) is None


def test_text_is_escaped_and_lines_are_short() -> None:
    rule = Rule.from_json(
        {"type": "once", "tz": "UTC", "dtstart_local": "2026-12-05T09:00:00", "times": ["09:00"]}
    )

    exported = to_ics(rule, "a,b;c\nBEGIN:VALARM" + "长" * 60, "1", now=datetime.now(UTC))

    assert exported is not None
    assert "\\nBEGIN:VALARM" in exported.replace("\r\n ", "")
    assert all(len(line.encode()) <= 75 for line in exported.split("\r\n"))
