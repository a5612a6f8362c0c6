"""Questions to the ledger, by local calendar days."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.language.ledger_queries import parse_ledger_query

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "what", "category", "start", "end", "grain"),
    [
        ("这个月花了多少", "total", "", "2026-12-01", "2027-01-01", "month"),
        ("上周餐饮花了多少", "total", "dining", "2026-11-23", "2026-11-30", "week"),
        ("昨天花了多少钱", "total", "", "2026-11-30", "2026-12-01", "day"),
        ("今年花了多少", "total", "", "2026-01-01", "2027-01-01", "year"),
        ("今天的账单", "list", "", "2026-12-01", "2026-12-02", "day"),
        ("这个月各类花了多少", "by_category", "", "2026-12-01", "2027-01-01", "month"),
        ("上个月打车花了多少", "total", "transport", "2026-11-01", "2026-12-01", "month"),
        ("最近7天花了多少", "total", "", "2026-11-25", "2026-12-02", "range"),
        ("三月到五月花了多少", "total", "", "2026-03-01", "2026-06-01", "range"),
        ("how much did I spend this week", "total", "", "2026-11-30", "2026-12-07", "week"),
        (
            "how much did i spend on taxis this month",
            "total",
            "transport",
            "2026-12-01",
            "2027-01-01",
            "month",
        ),
    ],
)
def test_a_question_names_its_days_and_its_category(  # noqa: PLR0917
    text: str, what: str, category: str, start: str, end: str, grain: str
) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.category) == (what, category)
    assert (str(query.start), str(query.end), query.grain) == (start, end, grain)
    assert query.complete


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("交通花了多少", "transport"),
        ("吃饭花了多少", "dining"),
        ("how much did I spend on transport", "transport"),
        ("how much did I spend on groceries", "groceries"),
        ("how much on food this month", "dining"),
    ],
)
def test_a_category_is_asked_as_a_whole_and_not_as_an_entry_of_that_name(
    text: str, category: str
) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.category, query.item, query.complete) == (category, "", True)


def test_t51_last_week_asked_on_monday_ten_past_midnight_is_the_local_week_before() -> None:
    monday = datetime(2026, 12, 7, 0, 10, tzinfo=SHANGHAI)

    query = parse_ledger_query("上周花了多少", monday, SHANGHAI)

    assert query is not None
    assert (str(query.start), str(query.end)) == ("2026-11-30", "2026-12-07")


def test_the_item_is_the_known_word_of_the_question() -> None:
    query = parse_ledger_query("how much did i blow on takeout this week", NOW, SHANGHAI)

    assert query is not None
    assert (query.item, query.category) == ("takeout", "dining")


def test_a_list_has_its_length() -> None:
    query = parse_ledger_query("最近5笔", NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.limit, query.start) == ("list", 5, None)


@pytest.mark.parametrize("text", ["午饭35", "明天9点提醒我", "你好", ""])
def test_other_messages_are_no_question_to_the_ledger(text: str) -> None:
    assert parse_ledger_query(text, NOW, SHANGHAI) is None


@pytest.mark.parametrize(
    "text",
    ["这个月花了多少，顺便提醒我还钱", "我这个月超预算了吗花了多少", "上周给小王那个花了多少"],
)
def test_a_question_with_more_in_it_is_not_complete(text: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert not query.complete


@pytest.mark.parametrize(
    ("text", "later", "earlier", "complete"),
    [
        ("这个月比上个月多花了多少", "2026-12-01", "2026-11-01", True),
        ("跟上周比花得多吗", "2026-11-30", "2026-11-23", True),
        ("这个月比上个月少花了多少", "2026-12-01", "2026-11-01", True),
        ("今年和去年的支出对比", "2026-01-01", "2025-01-01", True),
        ("did I spend more than last month", "2026-12-01", "2026-11-01", True),
        ("compare this month to last month", "2026-12-01", "2026-11-01", False),
        ("这个月和上个月比怎么样", "2026-12-01", "2026-11-01", False),
    ],
)
def test_two_stretches_of_days_are_held_against_each_other(
    text: str,
    later: str,
    earlier: str,
    complete: bool,  # noqa: FBT001
) -> None:
    """Without a word for money it may be about other figures: others decide whose it is."""
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert query.what == "compare"
    assert (str(query.start), str(query.against and query.against[0])) == (later, earlier)
    assert query.complete is complete


@pytest.mark.parametrize("text", ["苹果比香蕉贵", "这家比较好吃", "打车20，比如昨天那种"])
def test_a_comparison_of_other_things_is_none(text: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is None or query.what != "compare"


@pytest.mark.parametrize(
    "text",
    [
        "还剩多少钱",
        "这个月结余多少",
        "收支情况",
        "what's my balance",
        "how much money do I have left",
    ],
)
def test_what_is_left_is_income_less_spending(text: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.complete) == ("balance", True)


@pytest.mark.parametrize("text", ["最近一笔是什么", "上一笔多少", "最后一笔"])
def test_the_last_entry_can_be_asked_for(text: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.limit, query.complete) == ("list", 1, True)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("午饭比打车多花多少", "午饭", "打车"),
        ("晚飯比計程車多花了多少", "晚飯", "計程車"),
        ("餐饮比交通多花多少", "dining", "transport"),
        ("加油和高铁哪个花得多", "加油", "高铁"),
        ("did I spend more on lunch than taxi", "lunch", "taxi"),
        ("上个月餐饮比交通少花多少", "dining", "transport"),
    ],
)
def test_two_things_are_held_against_each_other_and_no_word_is_torn(
    text: str, first: str, second: str
) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    (other,) = query.beside
    assert (query.what, query.item or query.category) == ("compare", first)
    assert (other.item or other.category) == second
    assert query.complete


def test_each_side_of_a_comparison_may_have_its_own_thing_and_its_own_days() -> None:
    query = parse_ledger_query("今天午饭比昨天打车多花多少", NOW, SHANGHAI)

    assert query is not None
    assert query.against is not None
    (other,) = query.beside
    assert (query.item, str(query.start)) == ("午饭", "2026-12-01")
    assert (other.item, str(query.against[0])) == ("打车", "2026-11-30")


@pytest.mark.parametrize("text", ["今天比今天多花多少", "打车比打车多花了多少"])
def test_both_sides_may_be_the_same(text: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.beside) == ("compare", ())
    assert query.against == ((query.start, query.end) if query.start else None)


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("午饭和打车一共花了多少", ["午饭", "打车"]),
        ("加油、停车和洗车各花了多少", ["加油", "停车", "洗车"]),
        ("餐饮跟交通加起来花了多少钱", ["dining", "transport"]),
        ("how much did I spend on coffee and taxi this week", ["coffee", "taxi"]),
        ("昨天和今天午饭花了多少", ["午饭"]),
        ("午饭打车咖啡一共花了多少", ["午饭", "打车", "咖啡"]),
        ("和同事吃饭花了多少", ["吃饭"]),
    ],
)
def test_things_named_beside_each_other_are_all_asked_about(text: str, things: list[str]) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert [query.item or query.category, *(t.item or t.category for t in query.beside)] == things


@pytest.mark.parametrize("text", ["苹果比香蕉好吃吗", "打车比地铁快多少", "比如午饭"])
def test_things_that_are_compared_without_money_are_no_question_to_the_ledger(text: str) -> None:
    assert parse_ledger_query(text, NOW, SHANGHAI) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0年花了多少", "no_such_period"),
        ("13月花了多少", "no_such_period"),
        ("零月餐饮花了多少", "no_such_period"),
        ("第五季度花了多少", "no_such_period"),
        ("how much did I spend in month 13", "no_such_period"),
        ("三年花了多少", "which_period"),
        ("一周花了多少", "which_period"),
        ("今天早上比今天晚上多花多少", "hours_not_kept"),
    ],
)
def test_a_period_that_is_none_is_never_all_of_time(text: str, reason: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.time.status, query.time.reason) == ("ask", reason)
    assert query.complete


@pytest.mark.parametrize(
    ("text", "item"),
    [("午飯花了多少", "午飯"), ("看电影花了多少", "看电影"), ("日用品花了多少", "日用品")],
)
def test_a_thing_is_asked_for_as_it_was_written(text: str, item: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert query.item == item


@pytest.mark.parametrize(
    ("text", "what", "direction"),
    [
        ("老张欠我多少", "total", "lend"),
        ("老张还欠我多少", "total", "lend"),
        ("老张还欠多少", "total", "lend"),
        ("谁欠我钱", "list", "lend"),
        ("我一共欠多少钱", "total", "borrow"),
        ("这个月退款多少", "total", "refund"),
        ("信用卡还了多少", "total", "transfer"),
        ("上个月工资多少", "total", "income"),
        ("今天记了几笔", "total", ""),
        ("how much do I owe", "total", "borrow"),
        ("who owes me money", "list", "lend"),
        ("收入和支出各多少", "balance", ""),
        ("这个月哪类花得最多", "by_category", "expense"),
        ("what did I spend the most on", "by_category", "expense"),
    ],
)
def test_a_question_says_which_way_the_money_went(text: str, what: str, direction: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.direction) == (what, direction)


@pytest.mark.parametrize("text", ["上次加油花了多少", "上次加油是什么时候"])
def test_the_last_time_is_one_entry_and_not_the_sum_of_all(text: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.limit, query.item) == ("list", 1, "加油")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("今年前三季度花了多少", "2026-01-01", "2026-10-01"),
        ("去年前两个月花了多少", "2025-01-01", "2025-03-01"),
        ("从10月到现在花了多少", "2026-10-01", "2026-12-02"),
        ("how much did I spend since October", "2026-10-01", "2026-12-02"),
        ("十月花了多少", "2026-10-01", "2026-11-01"),
    ],
)
def test_a_period_may_be_the_first_months_of_a_year_or_go_on_until_now(
    text: str, start: str, end: str
) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (str(query.start), str(query.end)) == (start, end)


@pytest.mark.parametrize(
    ("text", "item"), [("昨天买了什么", ""), ("房租交了吗", "房租"), ("水费什么时候交的", "水费")]
)
def test_what_was_bought_or_paid_is_answered_by_the_entries(text: str, item: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.item) == ("list", item)


def test_one_of_two_things_that_are_compared_may_be_unknown() -> None:
    query = parse_ledger_query("午饭比仙草多花多少", NOW, SHANGHAI)

    assert query is not None
    (other,) = query.beside
    assert (query.what, query.item, other.item, query.complete) == (
        "compare",
        "午饭",
        "仙草",
        False,
    )


@pytest.mark.parametrize(
    ("text", "grain", "item", "start"),
    [
        ("今年每个月花了多少", "month", "", "2026-01-01"),
        ("每個月花多少", "month", "", "None"),
        ("这周每天花了多少", "day", "", "2026-11-30"),
        ("每周打车花了多少", "week", "打车", "None"),
        ("按月统计", "month", "", "None"),
        ("今年每月支出", "month", "", "2026-01-01"),
        ("by month this year", "month", "", "2026-01-01"),
        ("how much did i spend on taxi each week", "week", "taxi", "None"),
        ("monthly spending", "month", "", "None"),
    ],
)
def test_a_sum_may_be_asked_for_day_by_day_or_month_by_month(
    text: str, grain: str, item: str, start: str
) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.each, query.item) == ("by_period", grain, item)
    assert str(query.start) == start
    assert query.complete


@pytest.mark.parametrize(
    "text",
    [
        "平均每天花多少",
        "每月房租3000",
        "每天提醒我喝水",
        "每个月10号提醒我交房租",
        "每周五吃饭花了多少",
    ],
)
def test_words_of_repeating_do_not_always_ask_for_a_table(text: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is None or query.each is None


@pytest.mark.parametrize(
    ("text", "item", "also"),
    [
        ("今年孩子学费花了多少", "学费", ("孩子",)),
        ("给我妈买的衣服花了多少", "衣服", ("妈",)),
        ("跟同事聚餐花了多少", "聚餐", ("同事",)),
        ("打车去机场花了多少", "打车", ("机场",)),
        ("how much on mom's clothes", "clothes", ("mom",)),
        ("how much did i spend on coffee at starbucks", "starbucks", ("coffee",)),
        ("我这个月打车一共花了多少钱呀", "打车", ()),
        ("想知道这个月所有打车花了多少", "打车", ()),
        ("宠物医院花了多少", "宠物医院", ()),
    ],
)
def test_what_stands_beside_the_thing_narrows_it(
    text: str, item: str, also: tuple[str, ...]
) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.item, query.also) == (item, also)


@pytest.mark.parametrize(
    ("text", "item", "limit", "smallest", "complete"),
    [
        ("哪笔最贵", "", 1, False, True),
        ("最贵的是哪一笔", "", 1, False, True),
        ("今天最貴的三筆是什麼", "", 3, False, True),
        ("这个月哪笔支出最大", "", 1, False, True),
        ("what's my biggest expense this month", "", 1, False, True),
        ("top 3 expenses this month", "", 3, False, True),
        ("哪个最贵", "", 1, False, False),
        ("三样哪个最便宜", "", 1, True, False),
        ("which was the cheapest", "", 1, True, False),
        ("这个月打车最贵的一次", "打车", 1, False, False),
        ("哪个手机最贵", "手机", 1, False, False),
    ],
)
def test_the_largest_or_smallest_entries_are_asked_for(
    text: str, item: str, limit: int, *, smallest: bool, complete: bool
) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.item, query.limit) == ("ranking", item, limit)
    assert (query.smallest, query.complete) == (smallest, complete)


@pytest.mark.parametrize(
    "text", ["哪天花得最多", "哪个分类花得最多", "哪家店最便宜", "我最大的愿望", "你最喜欢什么"]
)
def test_other_ends_are_no_question_for_the_largest_entries(text: str) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is None or query.what != "ranking"


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("这个月午饭占餐饮多少", ("dining", "午饭"), ("dining", "")),
        ("这个月午饭占总支出的百分之几", ("dining", "午饭"), ("", "")),
        ("这个月餐饮占比是多少", ("dining", ""), ("", "")),
        ("what share of my spending is taxi this month", ("transport", "taxi"), ("", "")),
        ("how much of dining was lunch this month", ("dining", "lunch"), ("dining", "")),
    ],
)
def test_the_share_of_one_thing_in_another_is_asked_for(
    text: str, part: tuple[str, str], whole: tuple[str, str]
) -> None:
    query = parse_ledger_query(text, NOW, SHANGHAI)

    assert query is not None
    assert (query.what, query.grain, query.complete) == ("share", "month", True)
    assert (query.category, query.item) == part
    assert [(topic.category, topic.item) for topic in query.beside] == [whole]
