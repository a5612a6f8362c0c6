"""Short answers to a pending question, and messages that only begin like one."""

import pytest

from bot.language.answers import classify_answer


@pytest.mark.parametrize(
    "text",
    [
        "对",
        "对的",
        "好的",
        "好的谢谢",
        "是的。",
        "嗯嗯",
        "没问题",
        "可以",
        "yes",
        "ok",
        "OK!",
        "yep",
        "sure, thanks",
        "👍",
    ],
)
def test_agreement_confirms(text: str) -> None:
    assert classify_answer(text).kind == "confirm"


@pytest.mark.parametrize("text", ["不是", "不对", "不", "no", "nope", "错了"])
def test_a_bare_no_denies(text: str) -> None:
    assert classify_answer(text).kind == "deny"


@pytest.mark.parametrize(
    "text",
    ["算了", "取消", "不用了", "算了，不记了", "never mind", "cancel", "forget it", "不，算了"],
)
def test_giving_up_cancels(text: str) -> None:
    assert classify_answer(text).kind == "cancel"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("不是，是35", "35"),
        ("不是,是35", "35"),
        ("不对，是下午三点", "下午三点"),
        ("不是35，是38", "38"),
        ("改成下午", "下午"),
        ("改成 3 点", "3 点"),
        ("应该是周五", "周五"),
        ("yes but 4pm", "4pm"),
        ("no, 40", "40"),
        ("make it 5pm", "5pm"),
        ("好的，改成明天", "明天"),
    ],
)
def test_a_correction_carries_what_it_should_be(text: str, rest: str) -> None:
    answer = classify_answer(text)

    assert (answer.kind, answer.rest) == ("correct", rest)
    assert text[slice(*answer.span)] == rest


@pytest.mark.parametrize(
    "text",
    [
        "对了，明天几点开会",
        "对不起",
        "不对劲啊",
        "算一下这个月花了多少",
        "不是我不想去",
        "取消下周例会",
        "好吃的餐厅推荐一下",
        "是不是该睡了",
        "行程单发我",
        "no idea what that means",
        "yesterday was fun",
        "午饭35",
        "",
        "   ",
    ],
)
def test_a_new_request_is_no_answer(text: str) -> None:
    assert classify_answer(text).kind == "none"
