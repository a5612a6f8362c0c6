"""One answer, a question or a refusal for what a message says about time."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.language.results import Mode, TimeResult
from bot.language.times import resolve_time

SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")
TUESDAY = "2026-12-01T10:00"


def resolve(
    text: str, now: str = TUESDAY, mode: Mode = "reminder", tz: ZoneInfo = SHANGHAI
) -> TimeResult:
    return resolve_time(text, now=datetime.fromisoformat(now).replace(tzinfo=tz), tz=tz, mode=mode)


def first(result: TimeResult) -> str:
    assert result.status == "ok", result
    start = result.times[0].start
    assert start is not None
    return start.strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("下周三上午9点", "2026-12-09 09:00"),
        ("下下周二上午10点", "2026-12-15 10:00"),
        ("周二晚上8点", "2026-12-01 20:00"),
        ("周二早上8点", "2026-12-08 08:00"),
        ("下个月15号上午10点", "2027-01-15 10:00"),
        ("下个月底上午10点", "2027-01-31 10:00"),
        ("10月底上午10点", "2027-10-31 10:00"),
        ("明年1月的第一个周五上午9点", "2027-01-01 09:00"),
        ("三个工作日后上午9点", "2026-12-04 09:00"),
        ("除夕晚上8点", "2027-02-05 20:00"),
        ("农历八月十五晚上7点", "2027-09-15 19:00"),
        ("初八早上8点", "2026-12-16 08:00"),
        ("差五分三点", "2026-12-01 14:55"),
        ("一个半小时后", "2026-12-01 11:30"),
        ("一周后的周四下午2点", "2026-12-10 14:00"),
        ("a week from tomorrow at 9am", "2026-12-09 09:00"),
        ("on the 15th at 9am", "2026-12-15 09:00"),
        ("quarter past 7 tomorrow morning", "2026-12-02 07:15"),
        ("last day of the month at 5pm", "2026-12-31 17:00"),
        ("春节前三天上午9点", "2027-02-03 09:00"),
        ("后天下午三点前一小时", "2026-12-03 14:00"),
        ("two days before christmas at 9am", "2026-12-23 09:00"),
        ("15 minutes before 3pm tomorrow", "2026-12-02 14:45"),
        ("12-24 19:00", "2026-12-24 19:00"),
        ("明天半夜12点", "2026-12-03 00:00"),
        ("timer 20 min", "2026-12-01 10:20"),
        ("lunch 12.30 tomorrow", "2026-12-02 12:30"),
        ("first monday of next month at 9am", "2027-01-04 09:00"),
        ("明天 3pm", "2026-12-02 15:00"),
        ("後天早上八點", "2026-12-03 08:00"),
    ],
)
def test_a_phrase_means_one_moment(text: str, expected: str) -> None:
    assert first(resolve(text)) == expected


@pytest.mark.parametrize(
    ("text", "now", "expected"),
    [
        ("8点叫我", "2026-12-01T21:00", "2026-12-02 08:00"),
        ("3点提醒我", "2026-12-01T10:00", "2026-12-01 15:00"),
        ("今晚12点", "2026-12-01T10:00", "2026-12-02 00:00"),
        ("明天零点", "2026-12-01T10:00", "2026-12-02 00:00"),
        ("明晚12点", "2026-12-01T10:00", "2026-12-03 00:00"),
        ("明天5点叫我起床", "2026-12-01T10:00", "2026-12-02 05:00"),
        ("7点半叫我起床", "2026-12-01T10:00", "2026-12-02 07:30"),
        ("15号上午9点", "2026-12-20T10:00", "2027-01-15 09:00"),
    ],
)
def test_an_hour_is_the_next_one_that_fits(text: str, now: str, expected: str) -> None:
    assert first(resolve(text, now)) == expected


@pytest.mark.parametrize(
    ("text", "now", "reason"),
    [
        ("3点提醒我开会", "2026-12-01T16:00", "bare_hour"),
        ("明天6点提醒我", "2026-12-01T10:00", "bare_hour"),
        ("9:30提醒我", "2026-12-01T10:00", "bare_hour"),
        ("15:00提醒我", "2026-12-01T16:00", "past_today"),
        ("昨天下午3点提醒我", "2026-12-01T10:00", "past"),
        ("今天早上8点提醒我", "2026-12-01T10:00", "past"),
        ("周末早上10点叫我", "2026-12-01T10:00", "which_day"),
        ("下周提醒我", "2026-12-01T10:00", "which_day"),
        ("明天凌晨提醒我", "2026-12-01T10:00", "which_hour"),
        ("明天12月5号下午3点", "2026-12-01T10:00", "contradiction"),
        ("12月5号周五上午9点", "2026-12-01T10:00", "weekday_mismatch"),
        ("31号提醒我", "2027-02-10T10:00", "no_such_day_this_month"),
        ("两三天后提醒我", "2026-12-01T10:00", "approximate"),
        ("周五之前提醒我", "2026-12-01T10:00", "only_a_limit"),
        ("明天9点或10点提醒我", "2026-12-01T10:00", "which_time"),
        ("提醒我开会", "2026-12-01T10:00", "no_time"),
        ("1/2/2027提醒我", "2026-12-01T10:00", "day_or_month_first"),
        ("a week from friday", "2026-12-01T10:00", "range_unclear"),
        ("国庆节后第三天", "2026-12-01T10:00", "range_unclear"),
        ("半小时内提醒我", "2026-12-01T10:00", "only_a_limit"),
        ("10分钟提醒我", "2026-12-01T10:00", "length_only"),
        ("早上15点", "2026-12-01T10:00", "contradiction"),
        ("过几天提醒我", "2026-12-01T10:00", "approximate"),
        ("9点、10点、11点提醒我喝水", "2026-12-01T10:00", "which_time"),
    ],
)
def test_what_is_open_is_asked_with_a_reason(text: str, now: str, reason: str) -> None:
    result = resolve(text, now)

    assert (result.status, result.reason) == ("ask", reason)
    assert not result.times


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("明天25点提醒我", "no_such_hour"),
        ("11点70分提醒我", "no_such_hour"),
        ("2月30号提醒我", "no_such_date"),
        ("13月5号提醒我", "no_such_date"),
        ("9999年12月31日提醒我", "too_far"),
        ("2032年12月2日9点提醒我", "too_far"),
        ("remind me on feb 30", "no_such_date"),
        ("remind me at 25:00", "no_such_hour"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(text: str, reason: str) -> None:
    result = resolve(text)

    assert (result.status, result.reason) == ("reject", reason)


@pytest.mark.parametrize(
    "text",
    [
        "十分感谢你的帮助",
        "买两点五升的可乐",
        "他三天两头迟到",
        "may i ask you something",
        "the second time",
        "今日头条不错",
    ],
)
def test_words_that_only_look_like_time_are_none(text: str) -> None:
    assert resolve(text).status == "none"


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("明天两点到四点", "2026-12-02 14:00", "2026-12-02 16:00"),
        ("明天下午三点到6点", "2026-12-02 15:00", "2026-12-02 18:00"),
        ("今晚11点到1点", "2026-12-01 23:00", "2026-12-02 01:00"),
        ("明天9-11点", "2026-12-02 09:00", "2026-12-02 11:00"),
        ("周三到周五", "2026-12-02 00:00", "2026-12-05 00:00"),
        ("本月三号到下月5号", "2026-12-03 00:00", "2027-01-06 00:00"),
        ("这周末", "2026-12-05 00:00", "2026-12-07 00:00"),
        ("上个月", "2026-11-01 00:00", "2026-12-01 00:00"),
        ("from 2 to 4 tomorrow", "2026-12-02 14:00", "2026-12-02 16:00"),
        ("tomorrow from 2pm to 4pm", "2026-12-02 14:00", "2026-12-02 16:00"),
    ],
)
def test_a_stretch_has_an_exclusive_end(text: str, start: str, end: str) -> None:
    result = resolve(text, mode="range")

    assert first(result) == start
    assert result.times[0].end is not None
    assert result.times[0].end.strftime("%Y-%m-%d %H:%M") == end


def test_an_end_before_its_start_is_asked() -> None:
    result = resolve("明天晚上8点到7点开会")

    assert (result.status, result.reason) == ("ask", "end_before_start")


def test_t34_local_days_are_those_of_the_person_whatever_the_server_zone() -> None:
    late = datetime.fromisoformat("2026-12-01T15:30:00+00:00")

    result = resolve_time("明天早上8点", now=late, tz=SHANGHAI, mode="reminder")

    assert result.times[0].start == datetime.fromisoformat("2026-12-02T00:00:00+00:00")


def test_t34_tomorrow_said_after_midnight_is_asked() -> None:
    result = resolve("明天8点", "2026-12-02T00:30")

    assert (result.status, result.reason) == ("ask", "which_tomorrow")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("半小时后", "2026-12-01 15:30"),
        ("下周三", "2026-12-09 09:00"),
        ("月底", "2026-12-31 09:00"),
    ],
)
def test_t36_relative_words_are_resolved_at_15(text: str, expected: str) -> None:
    assert first(resolve(text, "2026-12-01T15:00")) == expected


def test_t36_an_hour_that_has_just_come_is_never_stored_in_the_past() -> None:
    result = resolve("3点提醒我", "2026-12-01T15:00")

    assert result.status == "ask"
    assert all(c > datetime.fromisoformat("2026-12-01T15:00+08:00") for c in result.candidates)


def test_a_day_without_an_hour_says_that_its_time_is_the_default() -> None:
    result = resolve("明天提醒我交电费")

    assert result.times[0].default_time
    assert first(result) == "2026-12-02 09:00"


def test_a_named_zone_wins_over_the_persons_own() -> None:
    result = resolve("北京时间今晚8点", "2026-12-01T05:00", tz=NEW_YORK)

    assert result.times[0].start == datetime.fromisoformat("2026-12-01T20:00+08:00")


def test_a_time_in_the_gap_is_moved_and_said_to_be() -> None:
    result = resolve("tomorrow at 2:30am", "2027-03-13T10:00", tz=NEW_YORK)

    assert first(result) == "2027-03-14 03:30"
    assert result.times[0].adjusted


def test_a_day_the_month_lacks_is_clamped_and_said_to_be() -> None:
    result = resolve("一个月后提醒我复查", "2027-01-31T10:00")

    assert first(result) == "2027-02-28 10:00"
    assert result.times[0].adjusted


def test_several_times_in_a_list_share_their_day() -> None:
    result = resolve("提醒我明天上午9点和下午3点吃药")

    assert [t.start.strftime("%d %H:%M") for t in result.times if t.start] == [
        "02 09:00",
        "02 15:00",
    ]


def test_the_time_beside_the_verb_is_when_and_the_other_is_what() -> None:
    result = resolve("明天9点提醒我下午3点开会")

    assert [t.start.strftime("%d %H:%M") for t in result.times if t.start] == ["02 09:00"]


def test_the_ledger_reads_a_bare_weekday_backwards() -> None:
    assert first(resolve("周五", mode="ledger"))[:10] == "2026-11-27"


def test_the_ledger_asks_about_the_future() -> None:
    result = resolve("12月25号", mode="ledger")

    assert (result.status, result.reason) == ("ask", "future")


def test_spans_point_into_the_text_as_written() -> None:
    text = "请在 明 天 下午 3 點 提醒我"

    result = resolve(text)

    assert text[slice(*result.times[0].span)] == "明 天 下午 3 點"


@pytest.mark.parametrize("mode", ["reminder", "range"])
def test_a_bare_length_written_like_a_month_of_a_year_is_asked(mode: Mode) -> None:
    """3年2个月 is one stroke away from 3年2月, and says neither from when nor until when."""
    now = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)

    found = resolve_time("3年2个月", now=now, tz=SHANGHAI, mode=mode)

    assert (found.status, found.reason, found.times) == ("ask", "length_only", ())
    assert resolve_time("3年2个月后", now=now, tz=SHANGHAI, mode=mode).status == "ok"


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("国庆期间", "2026-10-01", "2026-10-08"),
        ("去年国庆假期", "2025-10-01", "2025-10-09"),
        ("国庆", "2026-10-01", "2026-10-02"),
        ("圣诞假期", "2025-12-25", "2025-12-26"),
    ],
)
def test_the_days_off_around_a_festival_are_a_stretch(text: str, first: str, after: str) -> None:
    noon = datetime(2026, 10, 5, 12, tzinfo=SHANGHAI)

    (found,) = resolve_time(text, now=noon, tz=SHANGHAI, mode="ledger").times

    assert found.start is not None
    assert found.start.date().isoformat() == first
    assert found.end is not None
    assert found.end.date().isoformat() == after


@pytest.mark.parametrize("text", ["中秋礼金500", "端午粽子30", "圣诞礼物300", "春节红包200"])
def test_what_is_given_at_a_festival_names_no_day(text: str) -> None:
    assert resolve(text, mode="ledger").status == "none"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("后天和小李九点半见面", "2026-12-03 09:30"),
        ("12月9日表姐的婚礼上午11点", "2026-12-09 11:00"),
        ("下周二给奶奶打电话晚上7点", "2026-12-08 19:00"),
        ("明天下午和房东三点碰头", "2026-12-02 15:00"),
        ("on Friday ring the bank at 4pm", "2026-12-04 16:00"),
        ("at 7pm pick up the kids on Thursday", "2026-12-03 19:00"),
    ],
)
def test_a_day_and_an_hour_in_one_clause_are_one_time(text: str, expected: str) -> None:
    assert first(resolve(text)) == expected


def test_an_hour_in_the_next_clause_may_be_one_of_today_so_both_are_offered() -> None:
    for text in ("周五去体检，八点提醒我", "周五的体检八点提醒我"):
        asked = resolve(text)
        assert asked.reason == "which_time", text
        assert [f"{c:%m-%d %H:%M}" for c in asked.candidates] == ["12-01 20:00", "12-04 08:00"]


def test_an_hour_that_names_a_thing_is_not_when_to_remind() -> None:
    assert first(resolve("明天提醒我看8点的比赛")) == "2026-12-02 09:00"
    assert first(resolve("提醒我9点交明天的报告")) == "2026-12-01 21:00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("明天这个时候", "2026-12-02 10:00"),
        ("下周这个时候", "2026-12-08 10:00"),
        ("same time tomorrow", "2026-12-02 10:00"),
        ("this time next month", "2027-01-01 10:00"),
        ("下周今天上午9点", "2026-12-08 09:00"),
        ("friday week at 2pm", "2026-12-11 14:00"),
        ("下个月最后一个工作日上午9点", "2027-01-29 09:00"),
        ("明年第一个工作日上午9点", "2027-01-04 09:00"),
        ("last business day of the month at 5pm", "2026-12-31 17:00"),
        ("second working day of next month at 9am", "2027-01-05 09:00"),
        ("季度末下午3点", "2026-12-31 15:00"),
        ("明年一季度末上午9点", "2027-03-31 09:00"),
        ("翌日上午10点", "2026-12-02 10:00"),
        ("俩小时后", "2026-12-01 12:00"),
        ("in 2h30m", "2026-12-01 12:30"),
        ("in a quarter of an hour", "2026-12-01 10:15"),
        ("in three quarters of an hour", "2026-12-01 10:45"),
    ],
)
def test_days_and_hours_counted_from_now_or_within_a_month(text: str, expected: str) -> None:
    assert first(resolve(text)) == expected


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("今明两天", "2026-12-01", "2026-12-03"),
        ("昨今两天", "2026-11-30", "2026-12-02"),
        ("周六日", "2026-12-05", "2026-12-07"),
        ("下周六日", "2026-12-12", "2026-12-14"),
        ("去年同期", "2025-01-01", "2025-12-02"),
    ],
)
def test_words_for_some_days_are_all_of_them(text: str, start: str, end: str) -> None:
    time = resolve(text, mode="range").times[0]
    assert time.start is not None
    assert time.end is not None
    assert (f"{time.start:%Y-%m-%d}", f"{time.end:%Y-%m-%d}") == (start, end)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("三五天后", "approximate"),
        ("第二天上午9点", "which_month"),
        ("最后一个工作日", "which_month"),
        ("公元前221年", "no_such_date"),
    ],
)
def test_what_leaves_the_day_open_is_never_a_day(text: str, reason: str) -> None:
    result = resolve(text)
    assert result.status in ("ask", "reject")
    assert (result.reason, result.times) == (reason, ())


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("提醒我下个月1号和15号交租", ["2027-01-01", "2027-01-15"]),
        ("提醒我下周二和周四交表", ["2026-12-08", "2026-12-10"]),
        ("12月20号、25号和28号", ["2026-12-20", "2026-12-25", "2026-12-28"]),
        ("明年1月5号和8号", ["2027-01-05", "2027-01-08"]),
        ("remind me on Monday and Thursday to water the plants", ["2026-12-03", "2026-12-07"]),
    ],
)
def test_days_in_a_row_are_all_offered_and_share_their_month_or_week(
    text: str, days: list[str]
) -> None:
    asked = resolve(text)
    assert asked.reason == "which_time"
    assert [f"{candidate:%Y-%m-%d}" for candidate in asked.candidates] == days
