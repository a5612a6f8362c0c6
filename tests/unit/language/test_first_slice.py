"""The promises that other parts of the product are built on."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.language.answers import classify_answer
from bot.language.ledger_queries import parse_ledger_query
from bot.language.money import resolve_amounts
from bot.language.recurrence import resolve_recurrence, upcoming
from bot.language.reminders import parse_reminder
from bot.language.summary import summarize
from bot.language.times import resolve_time

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("明天下午三点", "2026-12-02T15:00:00+08:00"),
        ("半小时后", "2026-12-01T10:30:00+08:00"),
        ("下周三上午10点", "2026-12-09T10:00:00+08:00"),
        ("tomorrow at 5pm", "2026-12-02T17:00:00+08:00"),
    ],
)
def test_a_plain_time_is_resolved(text: str, start: str) -> None:
    result = resolve_time(text, now=NOW, tz=SHANGHAI, mode="reminder")

    assert result.status == "ok"
    assert result.times[0].start == datetime.fromisoformat(start)


def test_a_weekday_list_fires_on_those_days_only() -> None:
    result = resolve_recurrence("每周一三五早上8点背单词", now=NOW, tz=SHANGHAI)

    assert result.rule is not None
    fires = upcoming(result.rule, NOW, 3)
    assert [f.astimezone(SHANGHAI).strftime("%a %H:%M") for f in fires] == [
        "Wed 08:00",
        "Fri 08:00",
        "Mon 08:00",
    ]
    assert summarize(result.rule) == "每周一、三、五 08:00"
    assert summarize(result.rule, "en") == "every Mon, Wed, Fri at 08:00"


def test_several_entries_of_one_message_keep_their_own_amounts() -> None:
    result = resolve_amounts("早上地铁5元,中午AA 40,晚上水果35", now=NOW, tz=SHANGHAI)

    assert [(str(e.amount), e.item) for e in result.entries] == [
        ("5.00", "地铁"),
        ("40.00", "AA"),
        ("35.00", "水果"),
    ]


def test_a_reminder_keeps_its_words_without_the_time() -> None:
    reminder = parse_reminder("10分钟后提醒我喝水", NOW, SHANGHAI)

    assert reminder is not None
    assert (reminder.what, reminder.complete) == ("喝水", True)


def test_a_ledger_question_asks_for_local_days() -> None:
    query = parse_ledger_query("上周餐饮花了多少", NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.category) == ("total", "dining")
    assert (str(query.start), str(query.end)) == ("2026-11-23", "2026-11-30")


@pytest.mark.parametrize(
    ("text", "kind", "rest"),
    [
        ("对", "confirm", ""),
        ("不是，是35", "correct", "35"),
        ("yes but 4pm", "correct", "4pm"),
        ("算了", "cancel", ""),
        ("不是", "deny", ""),
        ("对了，明天几点", "none", ""),
        ("不是我不想去", "none", ""),
    ],
)
def test_short_answers_are_told_apart(text: str, kind: str, rest: str) -> None:
    answer = classify_answer(text)

    assert (answer.kind, answer.rest) == (kind, rest)
