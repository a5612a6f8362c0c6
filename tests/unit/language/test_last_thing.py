"""What is said about the last thing that was done."""

import pytest

from bot.language.last_thing import parse_last_few, parse_last_thing, removes_it
from bot.language.undo_words import brings_back


@pytest.mark.parametrize(
    ("words", "noun"),
    [
        ("撤销", ""),
        ("撤回一下吧", ""),
        ("撤销上一步", ""),
        ("undo", ""),
        ("please undo that", ""),
        ("撤销刚才那笔", "entry"),
        ("把刚才设的提醒撤销", "reminder"),
        ("undo the last reminder", "reminder"),
    ],
)
def test_an_undo_may_name_the_kind_of_thing(words: str, noun: str) -> None:
    last = parse_last_thing(words)

    assert last is not None
    assert (last.kind, last.noun) == ("undo", noun)


@pytest.mark.parametrize(
    ("words", "noun", "rest"),
    [
        ("刚刚那笔写错了", "entry", ""),
        ("上一笔有问题", "entry", ""),
        ("最后那条提醒时间不对", "reminder", ""),
        ("记错了", "", ""),
        ("刚才的不对，是30", "", "30"),
        ("上一笔金额不对，应该是45", "entry", "45"),
        ("the last entry is wrong", "entry", ""),
        ("that was a mistake", "", ""),
        ("that's wrong, it should be 40", "", "40"),
    ],
)
def test_a_mistake_may_say_what_is_right(words: str, noun: str, rest: str) -> None:
    last = parse_last_thing(words)

    assert last is not None
    assert (last.kind, last.noun, last.rest) == ("wrong", noun, rest)


@pytest.mark.parametrize(
    "words",
    [
        "上一道菜不对味",
        "那不对劲",
        "上个月花了多少",
        "那个人不对",
        "取消",
        "错了",
        "午饭35",
        "不对，是45",
    ],
)
def test_other_sentences_are_not_about_the_last_thing(words: str) -> None:
    assert parse_last_thing(words) is None


@pytest.mark.parametrize(
    ("words", "rest"),
    [
        ("刚才那笔是昨天的", "昨天"),
        ("这笔应该算交通", "交通"),
        ("that was yesterday", "yesterday"),
        ("put it under transport", "transport"),
    ],
)
def test_a_day_or_category_is_told_from_a_name(words: str, rest: str) -> None:
    last = parse_last_thing(words)

    assert last is not None
    assert (last.rest, last.belongs) == (rest, True)


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("最近两笔删掉", 2),
        ("删掉最后3笔", 3),
        ("delete the last two entries", 2),
        ("删掉第二笔", 0),
    ],
)
def test_the_last_few_are_counted(words: str, number: int) -> None:
    assert parse_last_few(words) == number


@pytest.mark.parametrize(
    ("words", "removes"),
    [
        ("删了吧", True),
        ("把它删掉", True),
        ("delete it", True),
        ("删掉午饭", False),
        ("取消", False),
    ],
)
def test_only_a_bare_removal_is_about_what_was_spoken_of(words: str, *, removes: bool) -> None:
    assert removes_it(words) is removes


@pytest.mark.parametrize(
    ("words", "times"), [("撤销两次", 2), ("撤销 3", 3), ("undo the last two", 2), ("撤销", 1)]
)
def test_an_undo_may_say_how_many_steps(words: str, times: int) -> None:
    last = parse_last_thing(words)

    assert last is not None
    assert (last.kind, last.times) == ("undo", times)


@pytest.mark.parametrize("words", ["撤销第2笔", "撤销2号的提醒", "恢复出厂设置", "红包20撤销"])
def test_words_about_other_things_are_no_number_of_steps(words: str) -> None:
    last = parse_last_thing(words)

    assert last is None or last.times == 1
    assert not brings_back(words)
