"""What is told or asked with a time in it is no order for a reminder; a plan is."""

import pytest

from bot.language.answers import classify_answer
from bot.language.tellings import telling
from bot.language.wishes import is_to_be_heard


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("后天会冷吗", "会冷吗"),
        ("周末去哪里玩", "去哪里玩"),
        ("后天是星期几", "是星期几"),
        ("大后天几号", "几号"),
        ("刚才两点散会的", "刚才 散会的"),
        ("晚上11点了，困死了", "了，困死了"),
        ("今天晚到了两小时", "到了两小时"),
        ("what is on tomorrow", "what is on"),
        ("are we free tonight", "are we free"),
        ("catch you on friday", "catch you"),
    ],
)
def test_a_question_and_what_has_happened_are_talk(text: str, what: str) -> None:
    assert telling(text, what) == "talk"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("明天懒得出门", "懒得出门"),
        ("后天不想加班", "不想加班"),
        ("周六就考完了", "就考完了"),
        ("I won't cook tonight", "I won't cook"),
        ("i'll be home tomorrow", "i'll be home"),
        # What others do.
        ("她周六7点回来", "她 回来"),
        ("明天我爸过来", "我爸过来"),
        ("领导周四出差", "领导 出差"),
        ("my sister is coming on friday", "my sister is coming"),
        # What comes about by itself.
        ("包裹后天到", "包裹 到"),
        ("超市9点开门", "超市 开门"),
        ("晚上8点比赛开始", "比赛开始"),
        ("the concert starts at 8", "the concert starts"),
        # Weather.
        ("周末有暴雨", "有暴雨"),
        ("后天很冷", "很冷"),
        ("it will snow on friday", "it will snow"),
        # How things are.
        ("周四放假", "放假"),
        ("下午2点我在开会", "开会"),
        ("明天我在公司", "公司"),
        ("后天恢复游泳", "恢复游泳"),
        ("i'm at work at 3pm", "i'm at work"),
    ],
)
def test_a_refusal_and_a_state_leave_it_in_doubt(text: str, what: str) -> None:
    assert telling(text, what) == "doubt"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("明早8点见房东", "见房东"),
        ("周六见几个同学", "见几个同学"),
        ("周日要退房了", "要退房了"),
        ("后天7点接了人再去车站", "接了人再去车站"),
        ("明天9点签约，可以吗", "签约"),
        ("周六下午别迟到", "别迟到"),
        ("明天去机场接我爸", "去机场接我爸"),
        ("周五给她打电话", "给她打电话"),
        ("周六在公司加班赶稿", "公司加班赶稿"),
        ("周四等包裹到", "等包裹到"),
        ("后天出发", "出发"),
        ("start the dishwasher at 8", "start the dishwasher"),
        ("do the dishes at 9pm", "do the dishes"),
        ("plumber tomorrow at 3", "plumber"),
    ],
)
def test_a_plan_is_neither(text: str, what: str) -> None:
    assert telling(text, what) == ""


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("等等，后天", "后天"),
        ("等一下，下午4点吧", "下午4点"),
        ("哦不，奶茶是21", "奶茶是21"),
        ("wait, 11am", "11am"),
        ("算了，还是周六", "周六"),
        ("还是28块吧", "28块"),
        ("是28", "28"),
        ("不对不对，4点半", "4点半"),
        ("不不，后天", "后天"),
    ],
)
def test_a_change_of_mind_puts_right_what_was_said(text: str, rest: str) -> None:
    answer = classify_answer(text)

    assert (answer.kind, answer.rest) == ("correct", rest)


@pytest.mark.parametrize(
    "text", ["等等，晚饭30", "啊，打车20", "等等，我4点开会", "还是一个人好", "还是打车22吧"]
)
def test_another_thing_after_a_word_to_be_heard_puts_nothing_right(text: str) -> None:
    assert classify_answer(text).kind == "none"


@pytest.mark.parametrize(
    ("part", "leads"),
    [("等等", True), ("哎呀", True), ("hold on", True), ("等等我", False), ("午饭30", False)],
)
def test_words_to_be_heard_are_no_wish_of_their_own(part: str, leads: bool) -> None:  # noqa: FBT001
    assert is_to_be_heard(part) is leads
