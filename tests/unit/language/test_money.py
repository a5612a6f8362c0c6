"""Sums and entries: exact, complete, and asked where they are open."""

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.language.categories import DEFAULT, category_keys, category_name
from bot.language.money import AmountsResult, resolve_amounts

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)


def resolve(text: str, locale: str = "zh-CN") -> AmountsResult:
    return resolve_amounts(text, now=NOW, tz=SHANGHAI, locale=locale)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("1,234.56", "1234.56", "CNY"),
        ("1,000,000", "1000000", "CNY"),
        ("1,234", "1234", "CNY"),
        ("1.2万", "12000", "CNY"),
        ("3k", "3000", "CNY"),
        ("三百二", "320", "CNY"),
        ("一万二", "12000", "CNY"),
        ("35块5", "35.5", "CNY"),
        ("两毛五", "0.25", "CNY"),
        ("三块零五", "3.05", "CNY"),
        ("3块零5分", "3.05", "CNY"),
        ("¥35", "35", "CNY"),
        ("￥１，２３４．５０", "1234.5", "CNY"),
        ("$20", "20", "USD"),
        ("HK$88", "88", "HKD"),
        ("20 dollars 43 cents", "20.43", "USD"),
        ("12:30 午饭 35", "35", "CNY"),
        ("买2杯咖啡每杯18", "36", "CNY"),
        ("咖啡15*2", "30", "CNY"),
        ("水果23.5元/斤买了3斤", "70.5", "CNY"),
        ("停车2小时10块", "10", "CNY"),
        ("3号线地铁5元", "5", "CNY"),
        ("3w5", "35000", "CNY"),
        ("每斤12买了2.5斤", "30", "CNY"),
        ("买3送1花30", "30", "CNY"),
        ("话费充100送20", "100", "CNY"),
    ],
)
def test_t46_an_amount_is_exact_and_has_its_currency(
    text: str, amount: str, currency: str
) -> None:
    result = resolve(text)

    assert result.status == "ok", result
    assert [(e.amount, e.currency) for e in result.entries] == [(Decimal(amount), currency)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1.234,56", "decimal_comma"),
        ("106,70", "decimal_comma"),
        ("-35", "negative_amount"),
        ("0", "zero_amount"),
        ("花了一百来块", "approximate"),
        ("花了四五百", "approximate"),
        ("十七八块", "approximate"),
        ("几十块", "approximate"),
        ("上百块", "approximate"),
        ("不到500", "approximate"),
        ("百八十块", "approximate"),
        ("三十到四十块", "range"),
        ("四个人吃饭320，AA", "share_or_total"),
        ("午饭35元，其中饮料5元", "part_of_total"),
        ("买了个包", "no_amount"),
        ("12月25号买礼物200", "future_date"),
        ("我想买个2000的手机", "not_spent"),
        ("上个月电费我交了286", "which_day"),
        ("paid forty two fifty for the dry cleaning", "approximate"),
        ("前几天买菜50", "approximate"),
        ("2 coffees 9", "count_or_amount"),
        ("split dinner 90 with two friends", "share_or_total"),
    ],
)
def test_t46_what_is_open_is_asked(text: str, reason: str) -> None:
    result = resolve(text)

    assert (result.status, result.reason) == ("ask", reason)


def test_t46_the_decimal_comma_is_read_where_it_is_usual() -> None:
    assert resolve("1.234,56 Hotel", "de").entries[0].amount == Decimal("1234.56")


@pytest.mark.parametrize(
    "text",
    [
        "我想买35号的鞋",
        "iPhone 15",
        "验证码123456",
        "考了100分",
        "跑了5公里",
        "25杯咖啡",
        "电话13800138000",
    ],
)
def test_a_number_that_counts_something_else_is_no_amount(text: str) -> None:
    assert resolve(text).entries == ()


def test_t47_one_message_gives_one_entry_for_each_thing() -> None:
    result = resolve("早上地铁5元,中午AA 40,晚上水果35")

    assert [(str(e.amount), e.item, e.category) for e in result.entries] == [
        ("5.00", "地铁", "transport"),
        ("40.00", "AA", "dining"),
        ("35.00", "水果", "groceries"),
    ]
    assert result.complete


def test_a_meal_after_an_amount_is_no_count_of_evenings() -> None:
    result = resolve("早餐八块 午餐二十五 晚餐四十")

    assert [f"{e.item} {e.amount}" for e in result.entries] == [
        "早餐 8.00",
        "午餐 25.00",
        "晚餐 40.00",
    ]


def test_t47_there_is_a_cap_on_the_entries_of_one_message() -> None:
    result = resolve("，".join(f"午饭{n}元" for n in range(1, 30)))

    assert (result.status, result.reason) == ("reject", "too_many_entries")


def test_a_corrected_slip_is_one_entry_with_the_right_sum() -> None:
    for said in ("打车30，不对，是35", "打车30元，错了，35元", "打车30，说错了，35"):
        (entry,) = resolve(said).entries
        assert (entry.item, entry.amount) == ("打车", Decimal("35.00"))
    (taxi,) = resolve("taxi 30, no wait, 35").entries
    assert (taxi.item, taxi.amount) == ("taxi", Decimal("35.00"))


def test_a_stated_total_is_no_entry_beside_its_parts() -> None:
    assert [e.amount for e in resolve("一共35，午饭20，饮料15").entries] == [20, 15]


def test_parts_that_do_not_add_up_are_asked() -> None:
    assert resolve("一共40，午饭20，饮料15").reason == "parts_and_total_differ"


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("午饭35", "expense"),
        ("工资到账12000", "income"),
        ("妈妈给我转了1000", "income"),
        ("给妈妈转了2000", "expense"),
        ("淘宝退款59.9", "refund"),
        ("淘宝那件外套退了，回来59.9", "refund"),
        ("信用卡还款3000", "transfer"),
        ("借给小王500", "lend"),
        ("老周又借了300", "lend"),
        ("老周还了300", "transfer"),
        ("同事还了80", "transfer"),
        ("我跟老周借了300", "borrow"),
        ("跟老王借了2000", "borrow"),
        ("小李还我500", "transfer"),
        ("got paid 5000", "income"),
        ("lent john 50", "lend"),
        ("公司报销320", "income"),
        ("退押金5000", "refund"),
        ("抢红包1.5", "income"),
        ("发红包88", "expense"),
        ("got 200 from mom", "income"),
    ],
)
def test_words_set_the_direction(text: str, direction: str) -> None:
    assert [e.direction for e in resolve(text).entries] == [direction]


def test_a_day_applies_to_the_entries_after_it() -> None:
    result = resolve("昨天午饭35，今天早饭10")

    assert [e.occurred_on and e.occurred_on.isoformat() for e in result.entries] == [
        "2026-11-30",
        "2026-12-01",
    ]


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("午饭35", True),
        ("coffee 4.5", True),
        ("昨天打车23", True),
        ("早餐6元 午餐18元 晚餐25元", True),
        ("记一下，芒果28", True),
        ("Netflix 又扣了我 68", True),
        ("我想买35号的鞋", False),
        ("午饭多少钱", False),
        ("午饭35吗", False),
        ("dinner was 120, three of us, I covered it all", False),
        ("提醒我明天还300块", False),
        ("午饭35，帮我看看这个月花了多少", False),
    ],
)
def test_only_messages_explained_to_the_last_word_are_complete(
    text: str,
    complete: bool,  # noqa: FBT001
) -> None:
    assert resolve(text).complete is complete


def test_a_persons_corrections_win_over_the_packaged_words() -> None:
    own = DEFAULT.with_overlay({"咖啡": "gifts"})

    result = resolve_amounts("咖啡25", now=NOW, tz=SHANGHAI, lexicon=own)

    assert result.entries[0].category == "gifts"


def test_every_category_has_a_name_in_both_languages() -> None:
    names = [(category_name(k, "zh-CN"), category_name(k, "en")) for k in category_keys()]

    assert all(zh and en and zh != en for zh, en in names)
    assert category_name("dining", "zh-CN") == "餐饮"


@given(st.integers(min_value=1, max_value=10**11))
def test_an_amount_survives_being_written_and_read(cents: int) -> None:
    amount = Decimal(cents) / 100

    for written in (f"午饭{amount:.2f}元", f"午饭 ¥{amount:,.2f}", f"lunch ${amount:,.2f}"):
        assert [e.amount for e in resolve(written).entries] == [amount]


_DIGITS = "零一二三四五六七八九"


def _chinese(value: int) -> str:
    """A number below ten million in plain Chinese."""
    if value >= 10_000:
        high, low = divmod(value, 10_000)
        gap = "零" if 0 < low < 1000 else ""
        return f"{_chinese(high)}万{gap}{_chinese(low) if low else ''}"
    parts = ""
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // unit % 10
        if digit:
            parts += _DIGITS[digit] + name
        elif parts and not parts.endswith("零") and value % unit:
            parts += "零"
    return parts


@given(st.integers(min_value=1, max_value=9_999_999))
def test_a_chinese_number_survives_being_written_and_read(value: int) -> None:
    assert [e.amount for e in resolve(f"午饭{_chinese(value)}元").entries] == [value]


@pytest.mark.parametrize(
    ("text", "status", "amount"),
    [
        ("油费 234.567", "ask", "234.57"),
        ("1,234.567元", "ok", "1234.57"),
        ("换汇汇率1.0753美元", "ok", "1.0753"),
        ("10日元5銭", "ok", "10.05"),
        ("3.5戈比", "ask", "0.04"),
    ],
)
def test_more_decimals_than_are_paid_are_asked_unless_the_point_is_certain(
    text: str, status: str, amount: str
) -> None:
    result = resolve(text)

    assert (result.status, result.entries[0].amount) == (status, Decimal(amount))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("昨天打车23.5，晚上跟同事吃火锅人均120", ["2026-11-30", "2026-11-30"]),
        ("昨天早上地铁3，中午饭20，晚上火锅100", ["2026-11-30"] * 3),
        ("前天晚上打车30，早上早饭10", ["2026-11-29", "2026-11-29"]),
        ("昨晚打车30，今天早饭10", ["2026-11-30", "2026-12-01"]),
        ("早上地铁5元，昨天打车20", ["2026-12-01", "2026-11-30"]),
    ],
)
def test_a_bare_part_of_the_day_belongs_to_the_day_named_before_it(
    text: str, days: list[str]
) -> None:
    assert [str(entry.occurred_on) for entry in resolve(text).entries] == days


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("买了30块的菜和20块的水果", [("菜", "30", "CNY"), ("水果", "20", "CNY")]),
        (
            "i paid 30 bucks for gas and 12 for a sandwich",
            [("gas", "30", "USD"), ("sandwich", "12", "USD")],
        ),
    ],
)
def test_of_joined_sums_with_their_things_after_them_each_has_its_own(
    text: str, entries: list[tuple[str, str, str]]
) -> None:
    found = [(e.item, e.amount, e.currency) for e in resolve(text).entries]

    assert found == [(item, Decimal(amount), currency) for item, amount, currency in entries]


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("买了件衣服200", "衣服"),
        ("买了个汉堡30", "汉堡"),
        ("买了包子5", "包子"),
        ("买了盒饭15", "盒饭"),
    ],
)
def test_the_measure_word_of_one_thing_is_no_part_of_its_name(text: str, item: str) -> None:
    assert [entry.item for entry in resolve(text).entries] == [item]


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("欠小李100", "borrow"),
        ("I owe Tom 20", "borrow"),
        ("小李欠我100", "lend"),
        ("Tom owes me 20", "lend"),
        ("手机欠费50", "expense"),
    ],
)
def test_what_is_owed_is_no_expense(text: str, direction: str) -> None:
    assert [entry.direction for entry in resolve(text).entries] == [direction]


@pytest.mark.parametrize("words", ["晚饭-42", "-42 晚饭", "晚饭 -42", "dinner -42", "dinner -$42"])
def test_a_minus_sign_is_asked_about_and_the_sentence_is_otherwise_clear(words: str) -> None:
    found = resolve_amounts(words, now=NOW, tz=SHANGHAI)

    assert (found.status, found.reason, found.complete) == ("ask", "negative_amount", True)
    assert [entry.amount for entry in found.entries] == [Decimal(42)]


@pytest.mark.parametrize(
    "words", ["晚饭 - 42", "晚饭——42", "晚饭：42", "dinner - 42", "dinner — 42"]
)
def test_a_dash_between_thing_and_amount_is_no_sign(words: str) -> None:
    found = resolve_amounts(words, now=NOW, tz=SHANGHAI)

    assert found.status == "ok"
    assert [entry.amount for entry in found.entries] == [Decimal(42)]


@pytest.mark.parametrize(
    ("words", "booked", "unpriced"),
    [
        ("晚饭四十块还有一瓶可乐", ["晚饭"], ("可乐",)),
        ("晚饭40，还有咖啡", ["晚饭"], ("咖啡",)),
        ("晚饭40和咖啡", ["晚饭"], ("咖啡",)),
        ("晚饭40，咖啡，打车20", ["晚饭", "打车"], ("咖啡",)),
        ("dinner 40 and a coffee", ["dinner"], ("coffee",)),
        ("dinner 40, coffee, taxi", ["dinner"], ("coffee", "taxi")),
    ],
)
def test_a_thing_told_without_its_price_is_named_beside_the_entries(
    words: str, booked: list[str], unpriced: tuple[str, ...]
) -> None:
    found = resolve_amounts(words, now=NOW, tz=SHANGHAI)

    assert (found.status, found.complete) == ("ok", True)
    assert [entry.item for entry in found.entries] == booked
    assert found.unpriced == unpriced


@pytest.mark.parametrize(
    "words",
    ["晚饭和咖啡40", "晚饭40，咖啡12", "晚饭40，好贵", "晚饭40，跟同事", "30块的菜和20块的水果"],
)
def test_words_about_an_entry_are_no_further_things(words: str) -> None:
    assert resolve_amounts(words, now=NOW, tz=SHANGHAI).unpriced == ()


@pytest.mark.parametrize(
    "text", ["帮我看看 http://museum.example:41469/35", "https://shop.example/item/99 这个怎么样"]
)
def test_numbers_in_an_address_are_no_amounts(text: str) -> None:
    assert resolve_amounts(text, now=NOW, tz=SHANGHAI, locale="zh-CN").status == "none"


def test_an_amount_beside_an_address_is_one() -> None:
    found = resolve_amounts("午饭35 https://shop.example/99", now=NOW, tz=SHANGHAI, locale="zh-CN")
    assert [entry.amount for entry in found.entries] == [35]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("split lunch 90 with 2 friends", "share_or_total"),
        ("lunch 90 split 3 ways", "share_or_total"),
        ("i spent between 40 and 50 on books", "range"),
        ("lunch 14 and 6", "count_or_amount"),
        ("预计花400", "not_spent"),
        ("每天奶茶15", "not_spent"),
    ],
)
def test_people_ranges_and_plans_are_asked_about_and_no_entries(words: str, reason: str) -> None:
    found = resolve_amounts(words, now=NOW, tz=SHANGHAI)

    assert (found.status, found.reason) == ("ask", reason)


@pytest.mark.parametrize(
    ("words", "items"),
    [
        ("补记：周日看展览45", ["看展览"]),
        ("补一笔昨天的打车33", ["打车"]),
        ("买了两斤苹果和三斤梨，一共花了45", ["苹果和梨"]),
        ("午饭12加咖啡8", ["午饭", "咖啡"]),
        ("lunch 12 + coffee 4", ["lunch", "coffee"]),
        ("加油300", ["加油"]),
        ("补牙500", ["补牙"]),
        ("打车去公园30，回来40", ["打车去公园", "回来"]),
    ],
)
def test_names_lose_the_words_around_them_and_keep_their_own(words: str, items: list[str]) -> None:
    found = resolve_amounts(words, now=NOW, tz=SHANGHAI)

    assert [entry.item for entry in found.entries] == items


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        ("午饭35元，AA每人17.5", [("午饭", "17.5")]),
        ("火锅300，三个人AA，每人100", [("火锅", "100")]),
        ("烧烤100，三人平摊每人33.33", [("烧烤", "33.33")]),
        ("聚餐600，我出250", [("聚餐", "250")]),
        ("晚饭200，AA一人100，打车30", [("晚饭", "100"), ("打车", "30")]),
        ("dinner 90 split three ways, my share 30", [("dinner", "30")]),
        ("午饭35，打车17.5", [("午饭", "35"), ("打车", "17.5")]),
    ],
)
def test_a_whole_and_ones_own_share_of_it_are_one_entry_of_the_share(
    words: str, entries: list[tuple[str, str]]
) -> None:
    result = resolve(words)

    assert (result.status, result.complete) == ("ok", True)
    assert [(e.item, e.amount) for e in result.entries] == [(i, Decimal(a)) for i, a in entries]


def test_a_share_that_no_number_of_people_makes_of_the_whole_is_asked_about() -> None:
    result = resolve("聚餐600，每人170")

    assert (result.status, result.reason) == ("ask", "share_or_total")


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        ("花了50买书和30买菜", [("买书", "50"), ("买菜", "30")]),
        ("用100买衣服和50吃饭", [("买衣服", "100"), ("吃饭", "50")]),
        ("50买书，30买菜", [("买书", "50"), ("买菜", "30")]),
        ("35元午饭，20元打车，18元咖啡", [("午饭", "35"), ("打车", "20"), ("咖啡", "18")]),
        ("花了20打车，午饭35", [("打车", "20"), ("午饭", "35")]),
        ("打车20，午饭，35", [("打车", "20"), ("午饭", "35")]),
        ("35，午饭", [("午饭", "35")]),
        ("花了35，谢谢", [("", "35")]),
    ],
)
def test_a_thing_told_behind_its_sum_names_that_sum_and_no_other(
    words: str, entries: list[tuple[str, str]]
) -> None:
    result = resolve(words)

    assert result.status == "ok"
    assert [(e.item, e.amount) for e in result.entries] == [(i, Decimal(a)) for i, a in entries]


@pytest.mark.parametrize(
    ("words", "amounts"),
    [
        ("iPhone 5999", ["5999"]),
        ("PS5 3899", ["3899"]),
        ("iPhone 15 5999", ["5999"]),
        ("小米手机1999", ["1999"]),
        ("iPhone 15", []),
        ("小米14", []),
        ("MacBook 2024", []),
        ("RTX 4090", []),
        ("房间号5999", []),
    ],
)
def test_a_number_behind_a_product_is_its_price_only_when_no_model_is_so_large(
    words: str, amounts: list[str]
) -> None:
    assert [entry.amount for entry in resolve(words).entries] == [Decimal(a) for a in amounts]


@pytest.mark.parametrize(
    ("words", "direction"),
    [
        ("京东白条还了800", "transfer"),
        ("transfer 500 to savings", "transfer"),
        ("收房租4500", "income"),
        ("签收房租3000", "expense"),
        ("公司发了补贴500", "income"),
        ("退税1500", "refund"),
    ],
)
def test_more_words_set_the_direction(words: str, direction: str) -> None:
    assert [entry.direction for entry in resolve(words).entries] == [direction]


@pytest.mark.parametrize(
    "words",
    [
        "差点花了100买彩票",
        "忘了付20块停车费",
        "I almost bought a $500 bag",
        "Netflix 15.99 monthly",
    ],
)
def test_what_was_nearly_spent_or_comes_again_and_again_is_asked_about(words: str) -> None:
    result = resolve(words)

    assert (result.status, result.reason) == ("ask", "not_spent")


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        ("3 beers at $6 each", [("beers", "18")]),
        ("bought 2 books for 15 each", [("books", "30")]),
        ("beers 6 each", [("beers", "6")]),
        ("昨天95号汽油加了350", [("汽油加", "350")]),
        ("加92汽油200", [("汽油", "200")]),
        ("给车加了200的油", [("给车加油", "200")]),
        ("午饭35+奶茶12", [("午饭", "35"), ("奶茶", "12")]),
    ],
)
def test_counts_and_kinds_of_petrol_are_no_sums(
    words: str, entries: list[tuple[str, str]]
) -> None:
    result = resolve(words)

    assert result.status == "ok"
    assert [(e.item, e.amount) for e in result.entries] == [(i, Decimal(a)) for i, a in entries]


def test_petrol_keeps_the_day_that_is_said_beside_it() -> None:
    (entry,) = resolve("昨天95号汽油加了350").entries

    assert str(entry.occurred_on) == "2026-11-30"


def test_a_bill_that_several_share_is_asked_about_in_english_too() -> None:
    assert resolve("dinner for four 120, split evenly").reason == "share_or_total"


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        ("团购券89抵100", [("团购券", "89")]),
        ("原价599现价399的外套", [("外套", "399")]),
        ("鲜花99，西兰花8", [("鲜花", "99"), ("西兰花", "8")]),
        ("昨天的晚饭忘记记了，58块", [("晚饭", "58")]),
    ],
)
def test_what_was_not_paid_is_no_entry_and_a_name_keeps_its_last_character(
    words: str, entries: list[tuple[str, str]]
) -> None:
    assert [(e.item, e.amount) for e in resolve(words).entries] == [
        (item, Decimal(amount)) for item, amount in entries
    ]


@pytest.mark.parametrize("words", ["我昨天花了35吗", "did I spend 35 yesterday"])
def test_a_sum_in_a_question_is_asked_about_and_never_booked(words: str) -> None:
    result = resolve(words)

    assert (result.status, result.reason) == ("ask", "asked_or_told")


def test_a_shared_bill_is_understood_whole_and_asked_about() -> None:
    result = resolve("三个人吃火锅花了360，AA")

    assert (result.status, result.reason, result.complete) == ("ask", "share_or_total", True)


def test_what_is_paid_after_a_reimbursement_is_an_expense() -> None:
    (entry,) = resolve("医保报销后自付230").entries

    assert (entry.direction, entry.category) == ("expense", "other")


@pytest.mark.parametrize(
    ("words", "item"),
    [
        ("的士 85 蚊", "的士"),
        ("記帳：晚餐 320", "晚餐"),
        ("補記：前天晚餐 200", "晚餐"),
        ("幫我記一筆午餐 120 元", "午餐"),
        ("買了件衣服 299", "衣服"),
    ],
)
def test_a_name_in_traditional_characters_loses_the_words_around_it_too(
    words: str, item: str
) -> None:
    assert [entry.item for entry in resolve(words).entries] == [item]


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("停车10块/小时停了3小时", "30"),
        ("停车每小时10块停了3小时", "30"),
        ("停车10块一小时", "10"),
        ("停车2小时10块", "10"),
    ],
)
def test_a_rate_is_multiplied_by_what_was_used_of_it(words: str, amount: str) -> None:
    (entry,) = resolve(words).entries

    assert entry.amount == Decimal(amount)


def test_a_total_that_is_told_first_is_no_part_of_a_name() -> None:
    result = resolve("一共花了5.5：白菜3.5，萝卜2")

    assert [entry.item for entry in result.entries] == ["白菜", "萝卜"]


@pytest.mark.parametrize(
    ("words", "item"),
    [
        ("买花花了30", "买花"),
        ("昨天给妈妈买花花掉30", "给妈妈买花"),
        ("鲜花花了30", "鲜花"),
        ("买鲜花用了30", "买鲜花"),
        ("棉花花了30", "棉花"),
        ("买了花30", "花"),
        ("买了束花30", "花"),
        ("买花生花了30", "买花生"),
        ("打车花30", "打车"),
        ("午饭花了30", "午饭"),
    ],
)
def test_a_flower_is_no_word_of_spending(words: str, item: str) -> None:
    assert [entry.item for entry in resolve(words).entries] == [item]


@pytest.mark.parametrize(
    "words",
    [
        "体检650公司报销",
        "体检650，公司报销",
        "体检650可报销",
        "体检650（能报销）",
        "体检650要报销",
        "体检650医保报",
        "checkup 650, company will reimburse",
        "checkup 650 reimbursable",
    ],
)
def test_what_is_to_be_paid_back_is_still_an_expense(words: str) -> None:
    result = resolve(words)

    assert (result.status, result.unpriced) == ("ok", ())
    assert [(str(e.amount), e.direction) for e in result.entries] == [("650.00", "expense")]
    assert result.entries[0].category == "health" or "checkup" in words


@pytest.mark.parametrize(
    "words",
    [
        "体检650公司报销了",
        "体检650，已报销",
        "体检650医保给报了",
        "团建300公司出",
        "lunch 35 reimbursed",
        "hotel 200 paid by the company",
    ],
)
def test_what_was_paid_back_or_by_somebody_else_is_asked_about(words: str) -> None:
    result = resolve(words)

    assert (result.status, result.reason) == ("ask", "paid_back")


@pytest.mark.parametrize(
    "words", ["报销到账650", "差旅报销650到账", "公司报销650", "got reimbursed 650"]
)
def test_a_reimbursement_that_came_is_income(words: str) -> None:
    assert [entry.direction for entry in resolve(words).entries] == ["income"]


@pytest.mark.parametrize(
    ("words", "directions"),
    [
        ("打车30公司报销，午饭20", ["expense", "expense"]),
        ("午饭20，打车30公司报销", ["expense", "expense"]),
        ("药费120，医保报销了80", ["expense", "income"]),
        ("药费120医保报销80", ["expense", "income"]),
    ],
)
def test_what_is_paid_back_says_nothing_of_the_sum_after_it(
    words: str, directions: list[str]
) -> None:
    assert [entry.direction for entry in resolve(words).entries] == directions


@pytest.mark.parametrize(
    "words",
    [
        "奶茶15 分类算娱乐",
        "奶茶15，算娱乐",
        "奶茶15归到娱乐",
        "奶茶15 娱乐类",
        "奶茶15（娱乐）",
        "奶茶15 分类：娱樂",
        "milk tea 15 category entertainment",
        "milk tea 15, file it under entertainment",
    ],
)
def test_an_entry_is_filed_under_the_category_that_is_said_with_it(words: str) -> None:
    result = resolve(words)

    assert (result.status, result.complete) == ("ok", True)
    assert [(e.item, e.category) for e in result.entries] in (
        [("奶茶", "entertainment")],
        [("milk tea", "entertainment")],
    )


@pytest.mark.parametrize(
    "words", ["午饭20，打车30 算娱乐", "工资5000 算餐饮", "奶茶15 娱乐", "衣服类200"]
)
def test_a_category_that_fits_not_one_entry_alone_files_none(words: str) -> None:
    assert all(entry.category != "entertainment" for entry in resolve(words).entries)
    assert "娱乐" not in {entry.item for entry in resolve(words).entries}


@pytest.mark.parametrize(
    ("words", "amounts"),
    [
        ("停车费5+10", ["15.00"]),
        ("停车费五块加十块", ["15.00"]),
        ("停车费 5 + 10 + 3", ["18.00"]),
        ("parking $5 + $10", ["15.00"]),
        ("午饭20+5，打车30", ["25.00", "30.00"]),
        ("午饭35+打车20", ["35.00", "20.00"]),
        ("打车20+5小费", ["20.00", "5.00"]),
        ("午饭$5+¥10", ["5.00", "10.00"]),
    ],
)
def test_sums_added_up_for_one_thing_are_one_amount(words: str, amounts: list[str]) -> None:
    assert [str(entry.amount) for entry in resolve(words).entries] == amounts


@pytest.mark.parametrize("words", ["1+1", "3加4"])
def test_a_piece_of_arithmetic_is_no_certain_amount(words: str) -> None:
    result = resolve(words)

    assert result.status != "ok" or not result.complete


@pytest.mark.parametrize("words", ["午饭占总支出的百分之几", "打车占几成", "餐饮占了多少"])
def test_a_question_for_a_share_books_nothing(words: str) -> None:
    assert resolve(words).status != "ok"


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        ("午饭25打车20块", [("午饭", "25.00"), ("打车", "20.00")]),
        ("早餐8午餐25晚餐40元", [("早餐", "8.00"), ("午餐", "25.00"), ("晚餐", "40.00")]),
        ("停车费10过路费20元", [("停车费", "10.00"), ("过路费", "20.00")]),
        ("门票2张100元", [("门票", "100.00")]),
        ("牛肉3斤120块", [("牛肉", "120.00")]),
        ("小米14手机4000元", [("小米14手机", "4000.00")]),
    ],
)
def test_a_bare_price_of_a_known_thing_is_no_count_beside_one_with_its_unit(
    words: str, entries: list[tuple[str, str]]
) -> None:
    result = resolve(words)

    assert result.status == "ok"
    assert [(entry.item, str(entry.amount)) for entry in result.entries] == entries


@pytest.mark.parametrize("words", ["可乐2薯条15元", "理发38小费2块"])
def test_a_number_that_may_be_a_price_or_a_count_is_asked_about(words: str) -> None:
    result = resolve(words)

    assert (result.status, result.reason) == ("ask", "count_or_amount")
    assert len(result.entries) == 2


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("外卖25减5实付20", "20.00"),
        ("外卖25，优惠5块，实付20", "20.00"),
        ("外卖30打八折到手24", "24.00"),
        ("外卖25，用券后实付20", "20.00"),
        ("外卖45优惠10块", "45.00"),
        ("充值100送20元", "100.00"),
    ],
)
def test_what_was_taken_off_is_no_entry_and_what_was_paid_counts(words: str, amount: str) -> None:
    assert [str(entry.amount) for entry in resolve(words).entries] == [amount]


def test_what_was_saved_was_not_spent() -> None:
    assert resolve("今天省了50块").entries == ()


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("抢了个红包3.5", "income"),
        ("理财收益56.8", "income"),
        ("卖旧手机得了800", "income"),
        ("公积金提取20000", "transfer"),
        ("存银行5000", "transfer"),
        ("returned the shoes, got 89.99 back", "refund"),
        ("发了个红包88", "expense"),
        ("存储卡50", "expense"),
        ("back massage 50", "expense"),
    ],
)
def test_money_that_came_or_was_put_by_is_not_spent(text: str, direction: str) -> None:
    assert [e.direction for e in resolve(text).entries] == [direction]


def test_a_taxi_keeps_its_name() -> None:
    (entry,) = resolve("昨天打的20").entries

    assert (entry.item, entry.category) == ("打的", "transport")


@pytest.mark.parametrize(
    ("words", "items"),
    [
        ("早饭、午饭各15", ["早饭", "午饭"]),
        ("咖啡和面包各花了15", ["咖啡", "面包"]),
        ("午饭奶茶各15", ["午饭", "奶茶"]),
        ("breakfast and lunch 15 each", ["breakfast", "lunch"]),
        ("breakfast, lunch and coffee 15 each", ["breakfast", "lunch", "coffee"]),
    ],
)
def test_of_things_that_cost_the_same_each_has_an_entry(words: str, items: list[str]) -> None:
    found = resolve(words)

    assert found.status == "ok"
    assert [(e.item, str(e.amount)) for e in found.entries] == [(i, "15.00") for i in items]


def test_a_price_for_each_says_nothing_of_the_entries_beside_it() -> None:
    found = resolve("打车20，早饭和午饭各15，电影40")

    assert [(e.item, int(e.amount)) for e in found.entries] == [
        ("打车", 20),
        ("早饭", 15),
        ("午饭", 15),
        ("电影", 40),
    ]


@pytest.mark.parametrize(
    "words", ["给爸妈各转了600", "昨天和前天打车各18", "西瓜、某某果各12", "三杯奶茶和面包各9"]
)
def test_a_price_for_each_of_what_cannot_be_told_apart_is_asked_about(words: str) -> None:
    found = resolve(words)

    assert (found.status, found.reason) == ("ask", "each_or_all")


@pytest.mark.parametrize(
    "words",
    [
        "split 90 among 3",
        "split 90 between 3",
        "90 split 3 ways",
        "dinner 90 divided by 3",
        "聚餐300我和小李一人一半",
    ],
)
def test_how_many_share_a_bill_is_no_amount_and_the_share_is_asked_about(words: str) -> None:
    found = resolve(words)

    assert (found.status, found.reason) == ("ask", "share_or_total")
    assert len(found.entries) == 1


@pytest.mark.parametrize(
    "words",
    [
        "火锅180 老李请客",
        "火锅花了180，没带卡小张付的",
        "火锅180，张三买的单",
        "火锅180朋友付的钱",
        "他花了180买菜",
        "hotpot 80, anna paid",
        "anna paid 80 for dinner",
        "dinner 80 paid by anna",
        "my husband paid 80 for dinner",
    ],
)
def test_what_somebody_else_paid_is_asked_about(words: str) -> None:
    found = resolve(words)

    assert (found.status, found.reason) == ("ask", "others_paid")


@pytest.mark.parametrize(
    "words",
    [
        "请老李吃火锅180",
        "和老李吃火锅180，我付的",
        "跟小张吃火锅付了180",
        "火锅180我请客",
        "火锅微信付了180",
        "给老婆买了包180",
        "paid anna 80 for dinner",
        "dinner 80 paid by card",
        "taxi paid 80",
        "dinner 80, my treat",
    ],
)
def test_what_was_paid_for_others_is_an_expense(words: str) -> None:
    found = resolve(words)

    assert [(found.status, e.direction) for e in found.entries] == [("ok", "expense")]


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("一斤橘子6块，买了4斤", "24.00"),
        ("橘子6块一斤，买了4斤", "24.00"),
        ("一瓶可乐3块，喝了2瓶", "6.00"),
        ("一个西瓜30，吃了3个橘子", "30.00"),
        ("公交2块来回4块", "4.00"),
        ("奶茶12两杯24", "24.00"),
        ("鞋子200打8折160", "160.00"),
        ("鞋子200打八五折后170", "170.00"),
        ("淘宝9块9包邮", "9.90"),
    ],
)
def test_a_price_and_what_it_comes_to_are_one_entry(words: str, amount: str) -> None:
    found = resolve(words)

    assert [(found.status, str(e.amount)) for e in found.entries] == [("ok", amount)]


def test_every_product_of_a_message_is_an_amount() -> None:
    found = resolve("酒店800 门票60x2 奶茶15x3")

    assert [int(e.amount) for e in found.entries] == [800, 120, 45]


def test_the_price_of_each_thing_is_multiplied_by_its_own_count() -> None:
    found = resolve("橘子5块一斤买了2斤，梨3块一斤买了4斤")

    assert [int(e.amount) for e in found.entries] == [10, 12]


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("外卖30减8", "22.00"),
        ("外套300打8折", "240.00"),
        ("jacket 100 with 20% off", "80.00"),
        ("dinner 60 + 15% tip", "69.00"),
    ],
)
def test_a_price_that_was_changed_is_asked_about_with_what_it_comes_to(
    words: str, amount: str
) -> None:
    found = resolve(words)

    assert (found.status, found.reason) == ("ask", "final_price")
    assert [str(e.amount) for e in found.entries] == [amount]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("晚饭80贵不贵", "asked_or_told"),
        ("我卡里还有800块", "not_spent"),
        ("i have 80 left", "not_spent"),
    ],
)
def test_what_is_asked_or_left_is_not_spent(words: str, reason: str) -> None:
    assert resolve(words).reason == reason


@pytest.mark.parametrize("words", ["打牌赢了80", "anna paid me 80"])
def test_money_that_was_won_or_paid_to_one_is_income(words: str) -> None:
    (entry,) = resolve(words).entries

    assert entry.direction == "income"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("聚餐240他出一半", "share_or_total"),
        ("三个人打车90平分", "share_or_total"),
        ("奶茶16，老李已经转给我了", "paid_back"),
        ("taxi 18 each way", "each_or_all"),
        ("往返车票各88", "each_or_all"),
        ("工资9000扣了社保900到手8100", "part_of_total"),
        ("换了500美元花了3600人民币", "part_of_total"),
        ("借了小张600", "lent_or_borrowed"),
        ("奶茶好像16", "approximate"),
        ("4 tickets at 15", "count_or_amount"),
    ],
)
def test_what_only_the_person_can_say_is_asked_about(words: str, reason: str) -> None:
    found = resolve(words)

    assert (found.status, found.reason) == ("ask", reason)


@pytest.mark.parametrize(
    ("words", "directions"),
    [
        ("聚餐240，收回160", ["expense", "refund"]),
        ("房东退我押金1800", ["refund"]),
        ("卖旧电脑900", ["income"]),
        ("卖菜阿姨那买菜19", ["expense"]),
        ("加班费260", ["income"]),
        ("充值200到账230", ["expense"]),
        ("小张借我600", ["borrow"]),
        ("小张借给我600", ["borrow"]),
        ("借给小张600", ["lend"]),
        ("换汇500美元", ["transfer"]),
        ("owe anna 16 for lunch", ["borrow"]),
        ("anna lent me 90", ["borrow"]),
        ("anna gave me 90", ["income"]),
        ("i paid anna back 90", ["transfer"]),
        ("收份子钱900", ["income"]),
        ("修车700，保险赔了600", ["expense", "income"]),
        ("聚餐700，AA回来420", ["expense", "refund"]),
        ("余额宝收益2.5", ["income"]),
    ],
)
def test_the_side_from_which_money_comes_is_read_with_its_words(
    words: str, directions: list[str]
) -> None:
    found = resolve(words)

    assert found.status == "ok"
    assert [entry.direction for entry in found.entries] == directions


def test_half_a_measure_counts() -> None:
    (entry,) = resolve("排骨30一斤，称了2斤半").entries

    assert str(entry.amount) == "75.00"


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        ("打车30，奶茶16，不对，奶茶是18", [("打车", 30), ("奶茶", 18)]),
        ("taxi 30, wait, taxi was 32", [("taxi", 32)]),
        ("taxi was 30 not 32", [("taxi", 30)]),
        ("打车花了30，而不是32", [("打车", 30)]),
    ],
)
def test_an_entry_that_is_said_once_more_has_its_last_sum(
    words: str, entries: list[tuple[str, int]]
) -> None:
    assert [(e.item, int(e.amount)) for e in resolve(words).entries] == entries


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("uber 15 yesterday, milk 8", ["2026-11-30", "None"]),
        ("打车30昨天的，午饭20", ["2026-11-30", "None"]),
        ("昨天打车30，午饭20", ["2026-11-30", "2026-11-30"]),
        ("打车30，午饭20，都是昨天的", ["2026-11-30", "2026-11-30"]),
        ("咖啡12.5", ["None"]),
        ("12.5", ["None"]),
    ],
)
def test_a_day_behind_one_amount_is_not_that_of_the_next(text: str, days: list[str]) -> None:
    assert [str(entry.occurred_on) for entry in resolve(text).entries] == days
