"""What a message says about repetition."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.language.recurrence import RecurrenceResult, resolve_recurrence, upcoming
from bot.language.summary import summarize

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)


def resolve(text: str, now: datetime = NOW) -> RecurrenceResult:
    return resolve_recurrence(text, now=now, tz=SHANGHAI)


def fires(text: str, count: int, now: datetime = NOW) -> list[str]:
    result = resolve(text, now)
    assert result.rule is not None, result
    found = upcoming(result.rule, now, count)
    return [f.astimezone(SHANGHAI).strftime("%a %m-%d %H:%M") for f in found]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("周一到周五9点", ["Wed", "Thu", "Fri", "Mon", "Tue"]),
        ("每周日9点", ["Sun", "Sun"]),
        ("0 9 * * 0", ["Sun", "Sun"]),
        ("0 9 * * 7", ["Sun", "Sun"]),
        ("0 9 * * 0-4", ["Wed", "Thu", "Sun", "Mon", "Tue"]),
        ("0 9 * * 5-7", ["Fri", "Sat", "Sun", "Fri"]),
        ("0 9 * * 1-5", ["Wed", "Thu", "Fri", "Mon", "Tue"]),
        ("0 9 * * sun-thu", ["Wed", "Thu", "Sun", "Mon", "Tue"]),
    ],
)
def test_t33_weekday_numbers_mean_the_days_people_mean(text: str, days: list[str]) -> None:
    assert [fire[:3] for fire in fires(text, len(days))] == days


def test_t33_workdays_follow_the_official_calendar_with_make_up_days() -> None:
    september = datetime(2026, 9, 17, 10, tzinfo=SHANGHAI)

    assert fires("工作日9点", 8, september) == [
        "Fri 09-18 09:00",
        "Sun 09-20 09:00",
        "Mon 09-21 09:00",
        "Tue 09-22 09:00",
        "Wed 09-23 09:00",
        "Thu 09-24 09:00",
        "Mon 09-28 09:00",
        "Tue 09-29 09:00",
    ]


@pytest.mark.parametrize(
    "text", ["每个工作日9点打卡，除了周二和周四", "工作日9点打卡，周二、周四除外"]
)
def test_workdays_without_weekdays_keep_the_make_up_days(text: str) -> None:
    september = datetime(2026, 9, 17, 10, tzinfo=SHANGHAI)

    assert fires(text, 4, september) == [
        "Fri 09-18 09:00",
        "Sun 09-20 09:00",
        "Mon 09-21 09:00",
        "Wed 09-23 09:00",
    ]


@pytest.mark.parametrize(
    ("text", "rrule"),
    [
        ("每天7点跑步，周日不跑", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA"),
        ("周一到周五9点打卡，周四不用", "FREQ=WEEKLY;BYDAY=MO,TU,WE,FR"),
        ("every weekday except Friday at 9", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH"),
    ],
)
def test_days_left_out_leave_the_time_of_day(text: str, rrule: str) -> None:
    rule = resolve(text).rule

    assert rule is not None
    assert rule.rrule == rrule
    assert rule.times in {("09:00",), ("07:00",)}


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("每天9点练琴，明天除外", ["2026-12-02"]),
        ("每天9点练琴，后天不用", ["2026-12-03"]),
        ("每天9点练琴，明天和后天不提醒", ["2026-12-02", "2026-12-03"]),
        ("每天9点练琴，12月10号到12号除外", ["2026-12-10", "2026-12-11", "2026-12-12"]),
    ],
)
def test_days_before_the_word_for_leaving_out_are_left_out(text: str, left_out: list[str]) -> None:
    rule = resolve(text).rule

    assert rule is not None
    assert [day.isoformat() for day in rule.except_dates] == left_out
    assert rule.until is None


def test_a_week_is_left_out_whole() -> None:
    rule = resolve("每天9点练琴，下周除外").rule

    assert rule is not None
    assert [day.day for day in rule.except_dates] == [7, 8, 9, 10, 11, 12, 13]


@pytest.mark.parametrize(
    ("text", "reason"), [("每周三次", "which_times"), ("每周一次", "which_day")]
)
def test_a_number_of_days_a_week_is_no_weekday(text: str, reason: str) -> None:
    found = resolve(text)

    assert (found.status, found.reason, found.candidates) == ("ask", reason, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("每周一三五早上8点背单词", ["Wed 12-02 08:00", "Fri 12-04 08:00", "Mon 12-07 08:00"]),
        ("每周一、三、五下午6点", ["Wed 12-02 18:00", "Fri 12-04 18:00"]),
        ("每两周周五下午3点", ["Fri 12-04 15:00", "Fri 12-18 15:00"]),
        ("隔天早上8点", ["Wed 12-02 08:00", "Fri 12-04 08:00"]),
        ("每月底晚上8点", ["Thu 12-31 20:00", "Sun 01-31 20:00", "Sun 02-28 20:00"]),
        ("每月31号上午9点", ["Thu 12-31 09:00", "Sun 01-31 09:00", "Sun 02-28 09:00"]),
        ("每月最后一个工作日下午4点", ["Thu 12-31 16:00", "Fri 01-29 16:00"]),
        ("每年除夕晚上8点", ["Fri 02-05 20:00"]),
        ("每半小时提醒我喝水", ["Tue 12-01 10:30", "Tue 12-01 11:00"]),
        ("每周五晚上12点", ["Sat 12-05 00:00", "Sat 12-12 00:00"]),
        ("每天9点到12点每小时提醒我", ["Tue 12-01 11:00", "Tue 12-01 12:00", "Wed 12-02 09:00"]),
        ("每天早上8点，周末除外", ["Wed 12-02 08:00", "Thu 12-03 08:00", "Fri 12-04 08:00"]),
        ("从下周一开始每天早上6点半跑步", ["Mon 12-07 06:30", "Tue 12-08 06:30"]),
        ("每天提醒我8点起床", ["Wed 12-02 08:00"]),
        ("every other day at 8pm", ["Tue 12-01 20:00", "Thu 12-03 20:00"]),
        ("every first monday at 9am", ["Mon 12-07 09:00", "Mon 01-04 09:00"]),
        ("daily at 7am except weekends", ["Wed 12-02 07:00", "Thu 12-03 07:00"]),
        ("bi-weekly on monday at 9", ["Mon 12-07 09:00", "Mon 12-21 09:00"]),
        ("every other friday at 9am", ["Fri 12-04 09:00", "Fri 12-18 09:00"]),
        ("every month on the last day at 9am", ["Thu 12-31 09:00", "Sun 01-31 09:00"]),
        (
            "the second and fourth monday of each month at 9am",
            ["Mon 12-14 09:00", "Mon 12-28 09:00"],
        ),
        ("every day at 7pm", ["Tue 12-01 19:00"]),
        ("mondays and thursdays at 6pm", ["Thu 12-03 18:00", "Mon 12-07 18:00"]),
    ],
)
def test_a_rule_fires_when_people_expect_it(text: str, expected: list[str]) -> None:
    assert fires(text, len(expected)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("下周每天8点半做操", ["Mon 12-07 08:30", "Tue 12-08 08:30", 4, "Sun 12-13 08:30"]),
        ("这周每天晚上9点写日记", ["Tue 12-01 21:00", "Wed 12-02 21:00", 3, "Sun 12-06 21:00"]),
        ("下个月每周二上午10点", ["Tue 01-05 10:00", "Tue 01-12 10:00", 1, "Tue 01-26 10:00"]),
        ("下周二到周四每天7点", ["Tue 12-08 07:00", "Wed 12-09 07:00", "Thu 12-10 07:00"]),
        ("12月20号到22号每天8点", ["Sun 12-20 08:00", "Mon 12-21 08:00", "Tue 12-22 08:00"]),
        ("1月30号到2月1号每天8点", ["Sat 01-30 08:00", "Sun 01-31 08:00", "Mon 02-01 08:00"]),
        ("后天到周六每晚8点", ["Thu 12-03 20:00", "Fri 12-04 20:00", "Sat 12-05 20:00"]),
        ("从明天起连续两天每晚11点", ["Wed 12-02 23:00", "Thu 12-03 23:00"]),
        ("未来两天早上7点", ["Wed 12-02 07:00", "Thu 12-03 07:00"]),
        ("每天中午12点吃药，连吃三天", ["Tue 12-01 12:00", "Wed 12-02 12:00", "Thu 12-03 12:00"]),
        (
            "every day next week at 7am",
            ["Mon 12-07 07:00", "Tue 12-08 07:00", 4, "Sun 12-13 07:00"],
        ),
        ("every monday this month at 8am", ["Mon 12-07 08:00", 2, "Mon 12-28 08:00"]),
        ("for the next 2 days at 7am", ["Wed 12-02 07:00", "Thu 12-03 07:00"]),
    ],
)
def test_days_that_are_bounded_end_with_the_last_of_them(
    text: str, expected: list[str | int]
) -> None:
    """A number stands for so many that are left out between."""
    gap = next((item for item in expected if isinstance(item, int)), 0)
    shown = [item for item in expected if isinstance(item, str)]

    found = fires(text, 20)

    assert len(found) == len(shown) + gap
    assert [*found[: len(shown) - 1], found[-1]] == shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("周二到周四每天7点", "FREQ=WEEKLY;BYDAY=TU,WE,TH"),
        ("每天8点提醒我准备下周的课", "FREQ=DAILY"),
        ("每天8点提醒我后天要出差", "FREQ=DAILY"),
    ],
)
def test_what_bounds_nothing_leaves_a_rule_without_an_end(text: str, expected: str) -> None:
    rule = resolve(text).rule

    assert rule is not None
    assert (rule.rrule, rule.until) == (expected, None)


def test_days_that_are_over_are_never() -> None:
    late = datetime(2026, 12, 6, 22, tzinfo=SHANGHAI)

    assert resolve("这周每天晚上9点", late).reason == "never"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("每隔两天晚上9点吃药", "interval_or_gap"),
        ("每天提醒我背单词", "no_time_of_day"),
        ("每天6点", "bare_hour"),
        ("每周", "which_day"),
        ("每10秒提醒我", "too_frequent"),
        ("*/2 * * * *", "too_frequent"),
        ("0 9 1 * 1", "cron_day_and_weekday"),
        ("0 25 * * *", "cron_range"),
        ("every 2nd friday at 9am", "interval_or_nth"),
        ("three times a week", "which_times"),
        ("每天凌晨", "which_hour"),
        ("每2小时提醒我，早上9点", "interval_and_time"),
        ("周二和周四晚上7点健身", "once_or_weekly"),
        ("每天提醒我早上8点吃药晚上9点吃药", "which_times"),
        ("daily starting sometime", "start_unclear"),
        ("every one", "interval_unclear"),
    ],
)
def test_what_is_open_is_asked(text: str, reason: str) -> None:
    result = resolve(text)

    assert (result.status, result.reason) == ("ask", reason)


def test_both_readings_of_a_gap_are_offered() -> None:
    result = resolve("每隔两天晚上9点吃药")

    assert [rule.rrule for rule in result.candidates] == [
        "FREQ=DAILY;INTERVAL=2",
        "FREQ=DAILY;INTERVAL=3",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "明天9点提醒我",
        "周三到周五出差",
        "每个公园的平均年龄",
        "下个工作日9点",
        "后天下午2点开每周例会",
        "remind me of the monthly review tomorrow at 4pm",
        "remind me about the weekly report on Friday at 5pm",
    ],
)
def test_a_single_time_is_no_recurrence(text: str) -> None:
    assert resolve(text).status == "none"


def test_holidays_are_left_out_on_request() -> None:
    september = datetime(2026, 9, 29, 10, tzinfo=SHANGHAI)

    assert fires("每天早上7点叫我，法定节假日除外", 3, september) == [
        "Wed 09-30 07:00",
        "Thu 10-08 07:00",
        "Fri 10-09 07:00",
    ]


def test_an_end_is_kept() -> None:
    result = resolve("每周日晚上10点复盘，直到年底")

    assert result.rule is not None
    assert result.rule.until == datetime.fromisoformat("2026-12-31T23:59:59")
    assert len(upcoming(result.rule, NOW, 10)) == 4


@pytest.mark.parametrize(
    ("text", "chinese", "english"),
    [
        ("每周一三五8点", "每周一、三、五 08:00", "every Mon, Wed, Fri at 08:00"),
        ("周一到周五9点", "每周一至周五 09:00", "every Mon to Fri at 09:00"),
        ("工作日9点", "每个工作日 09:00", "every working day (China) at 09:00"),
        ("隔天早上8点", "每 2 天 08:00", "every 2 days at 08:00"),
        (
            "每月1号和15号9点",
            "每月 1 日、 15 日 09:00",
            "every month on the 1st and 15th at 09:00",
        ),
        (
            "每月最后一个周五9点",
            "每月最后一个周五 09:00",
            "every month on the last Fri at 09:00",
        ),
        (
            "每年农历八月十五中午12点",
            "每年农历八月十五 12:00",
            "every year on day 15 of lunar month 8 at 12:00",
        ),
        ("每年5月20号早上9点", "每年 5 月 20 日 09:00", "every year on the 20th in May at 09:00"),
        ("每2小时提醒我喝水", "每 2 小时", "every 2 hours"),
        (
            "每天早上7点，法定节假日除外",
            "每天 07:00，法定节假日除外",
            "every day at 07:00, not on public holidays",
        ),
    ],
)
def test_a_rule_is_said_in_one_line(text: str, chinese: str, english: str) -> None:
    rule = resolve(text).rule

    assert rule is not None
    assert summarize(rule) == chinese
    assert summarize(rule, "en") == english


def test_workdays_of_a_year_without_its_notice_say_so() -> None:
    december = datetime(2026, 12, 30, 10, tzinfo=SHANGHAI)

    assert resolve("工作日9点").official
    assert not resolve("工作日9点", december).official
    assert resolve("每天9点", december).official


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("除周末外每天7点跑步", "每周一至周五 07:00"),
        ("除周一、周二以外每天9点", "每周三、四、五、六、日 09:00"),
        ("每天7点（周末不用）", "每周一至周五 07:00"),
        ("除12月25日外每天9点", "每天 09:00，除 2026-12-25 周五"),
        ("每半年1号9点", "每 6 个月 1 日 09:00"),
        ("每半天", "每 12 小时"),
        ("nightly at 11", "每天 23:00"),
        ("三个月内每周五9点", "每周五 09:00，到 2027-03-01 周一 为止"),
        ("every friday at 9 within three months", "每周五 09:00，到 2027-03-01 周一 为止"),
        ("每月第二个工作日上午10点", "每月第 2 个工作日 10:00"),
    ],
)
def test_exceptions_halves_and_ends_are_part_of_the_rule(text: str, summary: str) -> None:
    result = resolve(text)
    assert result.rule is not None, result
    assert summarize(result.rule, "zh-CN") == summary


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("每年第一个工作日9点", "not_expressible"),
        ("每半个月9点", "interval_unclear"),
        ("每一个半小时", "interval_unclear"),
        ("单周周一9点", "start_unclear"),
        ("每半年体检一次", "which_day"),
    ],
)
def test_what_the_rule_cannot_say_or_what_is_open_is_asked(text: str, reason: str) -> None:
    result = resolve(text)
    assert (result.status, result.reason) == ("ask", reason)


@pytest.mark.parametrize("text", ["每天9点除草", "每天9点删除垃圾邮件"])
def test_a_verb_that_ends_like_the_word_for_except_leaves_nothing_out(text: str) -> None:
    result = resolve(text)
    assert result.rule is not None
    assert summarize(result.rule, "zh-CN") == "每天 09:00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("未来两天每天早上9点跑步", ["Wed 12-02 09:00", "Thu 12-03 09:00"]),
        ("连续两天晚上7点提醒我浇花", ["Tue 12-01 19:00", "Wed 12-02 19:00"]),
        ("for 2 days remind me at 7pm", ["Tue 12-01 19:00", "Wed 12-02 19:00"]),
        ("明天14点到16点每小时提醒我浇花", [f"Wed 12-02 {at}:00" for at in (14, 15, 16)]),
        ("每周提醒我周四9点开会", ["Thu 12-03 09:00", "Thu 12-10 09:00"]),
        ("每季度第二个月10号9点提醒我报表", ["Wed 02-10 09:00", "Mon 05-10 09:00"]),
    ],
)
def test_a_repetition_keeps_the_days_that_were_said(text: str, expected: list[str]) -> None:
    assert fires(text, len(expected)) == expected


def test_days_that_are_counted_end() -> None:
    rule = resolve("连续两天晚上7点提醒我浇花").rule

    assert rule is not None
    assert len(upcoming(rule, NOW, 5)) == len(["today", "tomorrow"])


@pytest.mark.parametrize(
    "text",
    [
        "每天14点到16点之间提醒我浇花",
        "every day between 2 and 4pm remind me to stretch",
        "每周四或周五9点提醒我",
        "每天8点和周末10点提醒我起床",
        "明天每小时提醒我喝水",
        "remind me at 7pm for 2 days to stretch",
        "周六14点到16点每小时提醒我浇花",
        "12月20日14点到16点每小时提醒我浇花",
        "每年12月24日和2月14日9点提醒我",
        "remind me every dec 24 and feb 14 at 9",
        "半小时后开始每20分钟提醒我",
    ],
)
def test_what_is_no_one_rule_for_certain_is_asked(text: str) -> None:
    assert resolve(text).status == "ask"


@pytest.mark.parametrize("text", ["每天14点到16点开会", "每天14点到16点之间每小时提醒我浇花"])
def test_a_stretch_that_is_filled_or_of_a_thing_begins_at_its_first_hour(text: str) -> None:
    rule = resolve(text).rule

    assert rule is not None
    assert rule.times[0] == "14:00"


def test_now_is_not_the_first_of_so_many_times() -> None:
    rule = resolve("每隔30分钟提醒我翻面，共3次").rule

    assert rule is not None
    found = [f.astimezone(SHANGHAI).strftime("%H:%M") for f in upcoming(rule, NOW, 5)]
    assert found == ["10:30", "11:00", "11:30"]
