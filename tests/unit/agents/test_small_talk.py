"""Small talk without a model: a friendly word for each kind; facts about the assistant."""

import pytest

from agents.about import about
from agents.chat.kindness import kind_words
from bot.core.words import Text


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("你好", "greeting"),
        ("大家好！", "greeting"),
        ("hello there", "greeting"),
        ("谢谢你", "thanks"),
        ("再见", "bye"),
        ("哈哈哈哈", "laughter"),
        ("lol", "laughter"),
        ("你真笨", "insult"),
        ("滚", "insult"),
        ("你是个垃圾", "insult"),
        ("You're so stupid!", "insult"),
        ("shut up", "insult"),
        ("我好累", "tired"),
        ("今天好累啊", "tired"),
        ("I’m so tired", "tired"),
    ],
)
def test_small_talk_is_told_apart(words: str, kind: str) -> None:
    assert kind_words(words) == f"chat.{kind}"


@pytest.mark.parametrize(
    "words",
    [
        "滚筒洗衣机",
        "早餐吃什么",
        "我好累，明天几点开会",
        "这个笨办法行吗",
        "哈尔滨",
        "垃圾分类",
        "hi-fi",
        "tired",
    ],
)
def test_what_only_sounds_like_it_is_no_small_talk(words: str) -> None:
    assert kind_words(words) == ""


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("你是谁", "help.who"),
        ("你叫什么名字？", "help.who"),
        ("你是机器人吗", "help.who"),
        ("Who are you?", "help.who"),
        ("what’s your name", "help.who"),
        ("我的数据存在哪", "help.data"),
        ("我的数据都存在哪里？", "help.data"),
        ("where is my data stored?", "help.data"),
        ("你会忘记我说的吗", "help.forget"),
        ("你会忘记我吗？", "help.forget"),
        ("Will you forget what I told you?", "help.forget"),
    ],
)
def test_questions_about_the_assistant_have_an_answer(words: str, key: str) -> None:
    found = about(words)

    assert isinstance(found, Text)
    assert found.key == key


@pytest.mark.parametrize(
    "words",
    ["我是谁", "你是我的朋友", "数据线在哪", "会忘的事怎么办", "我忘了", "where is my phone"],
)
def test_other_questions_are_left_to_others(words: str) -> None:
    assert about(words) is None
