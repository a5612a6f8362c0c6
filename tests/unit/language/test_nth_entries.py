"""Orders about a row by its number, and answers about how often."""

import pytest

from bot.language.answers import named_scope
from bot.language.nth_entries import NthOrder, parse_nth_order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("第二笔改成50", NthOrder("change", 2, "entry", "50")),
        ("把第3条改为交通", NthOrder("change", 3, "", "交通")),
        ("第十二笔是40", NthOrder("change", 12, "entry", "40")),
        ("the second one should be 40", NthOrder("change", 2, "", "40")),
        ("删掉第二笔", NthOrder("delete", 2, "entry")),
        ("请把第2笔删除吧", NthOrder("delete", 2, "entry")),
        ("第三个提醒不要了", NthOrder("delete", 3, "reminder")),
        ("delete entry 4", NthOrder("delete", 4, "entry")),
        ("please remove the 2nd expense", NthOrder("delete", 2, "entry")),
        ("cancel #3", NthOrder("delete", 3, "")),
        ("delete the eleventh reminder", NthOrder("delete", 11, "reminder")),
    ],
)
def test_the_number_the_kind_of_row_and_the_new_value_are_read(text: str, order: NthOrder) -> None:
    assert parse_nth_order(text) == order


@pytest.mark.parametrize(
    "text", ["删掉第二杯咖啡", "第二天改成9点", "午饭35", "the second world war", "第零笔改成3"]
)
def test_other_messages_are_no_order_by_number(text: str) -> None:
    assert parse_nth_order(text) is None


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("每天", "always"),
        ("以后都改", "always"),
        ("都改吧", "always"),
        ("from now on", "always"),
        ("就这一次", "once"),
        ("只改下次", "once"),
        ("only this time", "once"),
        ("明天9点", ""),
        ("一次性纸杯", ""),
        ("今天", "once"),
    ],
)
def test_every_time_and_only_once_are_told_apart(text: str, scope: str) -> None:
    assert named_scope(text) == scope
