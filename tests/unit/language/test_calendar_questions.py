"""Questions for the time, a date, a working day: understood whole, and nothing else is."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.language.calendar_questions import CalendarQuestion, parse_calendar_question

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, 0, tzinfo=ZONE)
TODAY = NOW.date()


def asked(words: str) -> CalendarQuestion | None:
    return parse_calendar_question(words, NOW, ZONE)


@pytest.mark.parametrize(
    ("words", "kind", "day"),
    [
        ("今天星期几", "day", TODAY),
        ("请问今天是几号？", "day", TODAY),
        ("下周三是几号", "day", date(2026, 12, 9)),
        ("今年中秋节是哪天", "day", date(2026, 9, 25)),
        ("what day is it today", "day", TODAY),
        ("when is easter?", "day", date(2027, 3, 28)),
        ("今天农历几号", "lunar", TODAY),
        ("今天是农历几月初几", "lunar", TODAY),
        ("明天放假吗", "work", date(2026, 12, 2)),
        ("這週六上班嗎", "work", date(2026, 12, 5)),
        ("明天要不要上班", "work", date(2026, 12, 2)),
        ("国庆节放几天假", "work", date(2027, 10, 1)),
        ("is tomorrow a holiday", "work", date(2026, 12, 2)),
        ("离春节还有几天", "until", date(2027, 2, 6)),
        ("到周五还有多少天", "until", date(2026, 12, 4)),
        ("how many days until christmas", "until", date(2026, 12, 25)),
    ],
)
def test_a_question_names_its_day(words: str, kind: str, day: date) -> None:
    assert asked(words) == CalendarQuestion(kind, day)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("现在几点了", ""),
        ("几点了？", ""),
        ("纽约现在几点", "纽约"),
        ("现在伦敦是几点钟", "伦敦"),
        ("what time is it in london", "london"),
    ],
)
def test_the_time_may_be_asked_for_elsewhere(words: str, place: str) -> None:
    assert asked(words) == CalendarQuestion("now", TODAY, place)


@pytest.mark.parametrize(
    "words",
    [
        "会议几点",
        "明天几点",
        "明天几点开会",
        "开会是几号",
        "今天花了多少",
        "明天有什么安排",
        "我明天休息",
        "明天提醒我放假",
        "什么时候",
        "还有几天",
        "when is my meeting",
        "上次打车是哪天",
        "remind me what day it is tomorrow",
        "",
        "今天" * 30,
    ],
)
def test_what_the_calendar_does_not_know_is_no_question_for_it(words: str) -> None:
    assert asked(words) is None
