"""Corrections that name the entry by its thing."""

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from bot.language.corrections import parse_correction

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("words", "target", "rest"),
    [
        ("晚饭改成42", "晚饭", "42"),
        ("把咖啡的金额改成20块", "咖啡", "20块"),
        ("打车应该是三十", "打车", "三十"),
        ("晚饭记错了，应该是42", "晚饭", "42"),
        ("晚饭不是35是42", "晚饭", "42"),
        ("晚饭是42不是35", "晚饭", "42"),
        ("the dinner should be 42", "dinner", "42"),
        ("dinner was 42, not 35", "dinner", "42"),
        ("change the coffee to 4.5", "change the coffee", "4.5"),
    ],
)
def test_a_known_thing_with_another_amount_is_a_correction(
    words: str, target: str, rest: str
) -> None:
    found = parse_correction(words, NOW, ZONE)

    assert found is not None
    assert found.rest == rest
    assert found.target.endswith(target.rsplit(" ", 1)[-1])


@pytest.mark.parametrize(
    "words",
    [
        "晚饭42",
        "晚饭是42",
        "晚饭改到10点",
        "密码改成1234",
        "密码应该是1234",
        "dinner was 42",
        "the answer should be 42",
        "今天不是周三是周二",
    ],
)
def test_other_sentences_are_no_corrections(words: str) -> None:
    assert parse_correction(words, NOW, ZONE) is None


def test_a_correction_keeps_the_amount_that_it_takes_back() -> None:
    fixed = parse_correction("咖啡不是18是20", NOW, ZONE)

    assert fixed is not None
    assert (fixed.target, fixed.rest, fixed.was) == ("咖啡", "20", Decimal(18))


@pytest.mark.parametrize("words", ["上面的打车是昨天的", "打车改到昨天", "the taxi was yesterday"])
def test_the_day_of_an_entry_may_be_corrected(words: str) -> None:
    fixed = parse_correction(words, NOW, ZONE)

    assert fixed is not None
    assert (fixed.target, fixed.rest) in {("打车", "昨天"), ("taxi", "yesterday")}


def test_an_order_to_change_is_no_part_of_the_name() -> None:
    fixed = parse_correction("change the lunch to 13", NOW, ZONE)

    assert fixed is not None
    assert fixed.target == "lunch"
