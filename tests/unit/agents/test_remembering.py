"""What asks to be remembered, and what is never kept."""

import pytest

from agents.chat.plain import new_note
from agents.talk.grounding import Grounded
from agents.talk.remembering import asks_to_remember
from agents.tool_loop import Verdict
from agents.tools.declare import writing
from agents.tools.memory import WRITE, SaveArguments
from bot.core.effects import ToolCall
from bot.core.tools import ToolContext
from bot.language.secret_words import is_secret


async def unused(_context: ToolContext, _arguments: SaveArguments) -> None:
    """Rulings are made before a tool runs."""


SAVE = writing(WRITE, "memory_save", SaveArguments, unused, "Remember.")


def ruled(query: str, note: str, *earlier: str) -> Verdict:
    arguments = SaveArguments.model_validate({"type": "fact", "text": note})
    call = ToolCall(name="memory_save", arguments=arguments.model_dump(mode="json"))
    return Grounded(query, earlier=earlier)(SAVE, call, ()).verdict


QUESTIONS = [
    ("你记住了什么", "你记住了什么"),
    ("你还记得我什么吗", "还记得我"),
    ("你还记得我对什么过敏吗", "我对什么过敏"),
    ("我的密码是什么，你还记得吗", "我的密码是什么"),
    ("你记得我喜欢什么颜色？", "我喜欢颜色"),
    ("记得我不吃什么吗", "我不吃什么"),
    ("你都记了我的什么", "记了我的"),
    ("我记得你说过喜欢猫", "你说过喜欢猫"),
    ("What do you remember about me?", "remember about me"),
    ("do you remember what I like", "what I like"),
    ("I remember when you liked tea", "you liked tea"),
]
REQUESTS = [
    ("记住我不吃香菜", "我不吃香菜"),
    ("别忘了我不吃香菜", "我不吃香菜"),
    ("你能记住我不吃香菜吗？", "我不吃香菜"),
    ("记住我不吃香菜好吗", "我不吃香菜"),
    ("我对花生过敏，帮我记下来", "我对花生过敏"),
    ("记住我什么都吃", "我什么都吃"),
    ("我不吃辣，以后别推荐辣的。今天几点？", "我不吃辣"),
    ("remember that I like tea", "I like tea"),
    ("can you remember that I like tea?", "I like tea"),
    ("don't forget I am allergic to nuts", "I am allergic to nuts"),
]


@pytest.mark.parametrize(("words", "note"), QUESTIONS)
def test_a_question_saves_nothing_whatever_the_model_says(words: str, note: str) -> None:
    assert not asks_to_remember(words)
    assert ruled(words, note) is Verdict.REFUSE
    assert new_note(words) == ""


@pytest.mark.parametrize(("words", "note"), REQUESTS)
def test_a_request_may_be_saved_in_the_persons_words(words: str, note: str) -> None:
    assert asks_to_remember(words)
    assert ruled(words, note) is Verdict.RUN


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("别忘了我不吃香菜", "我不吃香菜"),
        ("记住：我讨厌早起。", "我讨厌早起"),
        ("don't forget that I hate mornings", "I hate mornings"),
    ],
)
def test_without_a_model_a_plain_request_is_kept(words: str, note: str) -> None:
    assert new_note(words) == note


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("记住：密码是hunter2", "密码是hunter2"),
        ("记住：密码是hunter2", "hunter2"),
        ("记住我的卡号 6222 0200 0000 0000", "卡号 6222 0200 0000 0000"),
        ("记一下 4111 1111 1111 1111", "4111 1111 1111 1111"),
        ("remember my PIN is 4711", "PIN is 4711"),
        ("please remember my password: hunter2", "password: hunter2"),
    ],
)
def test_a_secret_is_never_saved(words: str, note: str) -> None:
    assert is_secret(words)
    assert ruled(words, note) is Verdict.REFUSE
    assert new_note(words) == ""


def test_a_secret_of_an_earlier_message_is_not_saved_by_pointing_at_it() -> None:
    assert ruled("记住它", "hunter2", "密码是hunter2") is Verdict.REFUSE


@pytest.mark.parametrize(
    "words", ["我的密码提示是蓝色", "订单号 1234567890123", "I like spinning", "手机号13800138000"]
)
def test_what_only_looks_like_a_secret_is_none(words: str) -> None:
    assert not is_secret(words)
