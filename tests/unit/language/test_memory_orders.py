"""Orders about what is remembered, as whole messages in both languages."""

import pytest

from bot.language.memory_orders import MemoryOrder, parse_memory_order


@pytest.mark.parametrize(
    "words",
    [
        "你记住了什么",
        "你都记得我什么？",
        "你现在记了我哪些事情",
        "看看你记住了我的哪些事",
        "列出你的记忆",
        "你的长期记忆里都有什么",
        "你有哪些关于我的记忆？",
        "你還記得什麼",
        "What do you remember about me?",
        "what have you saved about me",
        "show my memories",
        "What's in your memory?",
    ],
)
def test_a_question_for_all_notes_is_the_list(words: str) -> None:
    assert parse_memory_order(words) == MemoryOrder("list")


@pytest.mark.parametrize(
    ("words", "n"),
    [
        ("忘掉第2条", 2),
        ("请把第三条忘掉吧", 3),
        ("删除第2条记忆", 2),
        ("把第十条记忆删了", 10),
        ("forget number 2", 2),
        ("please forget #4", 4),
        ("delete memory 2", 2),
        ("delete note number 3", 3),
        ("forget the second one", 2),
        ("remove the first memory", 1),
    ],
)
def test_a_note_is_forgotten_by_its_number(words: str, n: int) -> None:
    assert parse_memory_order(words) == MemoryOrder("forget", n)


@pytest.mark.parametrize(
    "words",
    [
        "记住我不吃香菜",
        "你还记得我对什么过敏吗",
        "你记得我喜欢什么颜色",
        "删掉第2条",
        "删掉第二笔",
        "第二条提醒删掉",
        "delete number 2",
        "delete the second one",
        "我记得什么来着，好像是周三",
        "别忘了第二节课要交作业",
        "什么是长期记忆",
        "forget it",
        "what do you remember about the war of 1812",
        "",
    ],
)
def test_anything_else_is_no_such_order(words: str) -> None:
    assert parse_memory_order(words) is None
