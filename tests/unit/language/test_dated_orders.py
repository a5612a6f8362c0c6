"""Orders that name what is there by its day."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.language.dated_orders import owner_of, parse_dated_order

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("words", "kind", "what", "day", "rest"),
    [
        ("上周五的奶茶删了", "delete", "奶茶", date(2026, 11, 27), ""),
        ("删掉前天的理发", "delete", "理发", date(2026, 11, 29), ""),
        ("把昨晚那笔夜宵去掉吧", "delete", "夜宵", date(2026, 11, 30), ""),
        ("把11月28号的电影改成60", "change", "电影", date(2026, 11, 28), "60"),
        ("昨天的早饭应该是12块", "change", "早饭", date(2026, 11, 30), "12块"),
        ("前天的晚饭分类改成娱乐", "change", "晚饭", date(2026, 11, 29), "娱乐"),
        ("remove the coffee from yesterday", "delete", "coffee", date(2026, 11, 30), ""),
        ("delete last friday's groceries", "delete", "groceries", date(2026, 11, 27), ""),
        ("change yesterday's bus to 3", "change", "bus", date(2026, 11, 30), "3"),
        ("yesterday's dinner should be 48", "change", "dinner", date(2026, 11, 30), "48"),
    ],
)
def test_the_day_and_the_thing_name_what_was_paid(
    words: str, kind: str, what: str, day: date, rest: str
) -> None:
    order = parse_dated_order(words, NOW, ZONE)

    assert order is not None
    assert order.past is not None
    assert (order.kind, order.what, order.past.since, order.rest) == (kind, what, day, rest)
    assert not order.every
    assert owner_of(order, NOW, ZONE) == "entry"


@pytest.mark.parametrize(
    "words",
    [
        "昨天的全删掉",
        "删除前天的所有记录",
        "把上周的奶茶都删了",
        "delete everything from yesterday",
        "remove all of last week's entries",
    ],
)
def test_all_of_a_day_are_told_from_one(words: str) -> None:
    order = parse_dated_order(words, NOW, ZONE)

    assert order is not None
    assert order.every


@pytest.mark.parametrize(
    ("words", "owner"),
    [
        ("删除周五的提醒", "reminder"),
        ("cancel tomorrow's alarm", "reminder"),
        ("周五的火锅删了", "entry"),
        ("把今天的咖啡改成18", "entry"),
        ("把明天的跑步改到10点", ""),
        ("取消周五的聚餐", ""),
        ("今天的会改到3点", ""),
    ],
)
def test_only_what_is_certain_names_an_owner(words: str, owner: str) -> None:
    order = parse_dated_order(words, NOW, ZONE)

    assert order is not None
    assert owner_of(order, NOW, ZONE) == owner


@pytest.mark.parametrize(
    "words",
    [
        "昨天午饭35",
        "昨天的午饭35",
        "yesterday's lunch was 30",
        "删掉午饭",
        "昨天应该是星期一",
        "the meeting tomorrow should be fun",
        "明天取消会议室预订",
        "把午饭改到昨天",
        "上周花了多少",
        "明天提醒我取消",
        "明天9点提醒我体检，提前5分钟",
        "remind me tomorrow to cancel",
        "这个月预算改成5000",
        "把每月5号的改到6号",
    ],
)
def test_new_entries_and_plain_talk_are_no_orders_about_a_day(words: str) -> None:
    assert parse_dated_order(words, NOW, ZONE) is None


@pytest.mark.parametrize(
    ("words", "kind", "what", "rest"),
    [
        ("明天的体检推迟一小时", "later", "体检", "一小时"),
        ("把明天的提醒都提前10分钟", "sooner", "", "10分钟"),
    ],
)
def test_a_day_names_what_is_put_off_or_brought_forward(
    words: str, kind: str, what: str, rest: str
) -> None:
    order = parse_dated_order(words, NOW, ZONE)

    assert order is not None
    assert (order.kind, order.what, order.rest) == (kind, what, rest)
