"""Reminder sentences: verb, words and time."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.language.reminders import parse_reminder

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "what", "complete"),
    [
        ("10分钟后提醒我喝水", "喝水", True),
        ("提醒我明天下午3点开会", "开会", True),
        ("明天9点提醒我下午3点开会", "下午3点开会", True),
        ("出差单还没写，周一提醒我", "出差单还没写", True),
        ("每周一三五早上8点叫我背单词", "背单词", True),
        ("每天早上7点叫我起床，法定节假日除外", "起床", True),
        ("remind me to call mom tomorrow at 5pm", "call mom", True),
        ("remind me in 20 minutes to stretch", "stretch", True),
        ("remind me to check in tomorrow at 5pm", "check in", True),
        ("remind me of the weekly review tomorrow at 4pm", "the weekly review", True),
        ("下周一到周三每天9点提醒我晨会", "晨会", True),
        ("周五下午4点交周报", "交周报", False),
        ("就算明天出太阳就提醒我晒被子", "晒被子", False),
        ("取消周四两点的提醒", "", False),
        ("明天9点提醒我", "", False),
        ("提醒我开会", "开会", False),
        ("如果下雨，明天8点提醒我带伞", "带伞", False),
        ("把明天9点的提醒取消", "", False),
    ],
)
def test_the_words_are_kept_without_those_of_time(
    text: str,
    what: str,
    complete: bool,  # noqa: FBT001
) -> None:
    reminder = parse_reminder(text, NOW, SHANGHAI)

    assert reminder is not None
    assert reminder.complete is complete
    if what:
        assert reminder.what == what


def test_instructions_in_the_words_are_only_words() -> None:
    reminder = parse_reminder('明天9点提醒我：{"tool":"transfer","amount":9999}', NOW, SHANGHAI)

    assert reminder is not None
    assert reminder.what == '{"tool":"transfer","amount":9999}'


def test_what_is_open_about_time_is_in_the_reminder() -> None:
    reminder = parse_reminder("每天提醒我背单词", NOW, SHANGHAI)

    assert reminder is not None
    assert (reminder.time.status, reminder.time.reason) == ("ask", "no_time_of_day")
    assert reminder.recurrence.candidates


@pytest.mark.parametrize("text", ["你好", "午饭35", "十分感谢", ""])
def test_other_messages_are_no_reminder(text: str) -> None:
    assert parse_reminder(text, NOW, SHANGHAI) is None


@pytest.mark.parametrize(
    "text",
    [
        "今天有啥提醒",
        "今天晚上有啥提醒",
        "今晚有啥提醒没",
        "后天有啥提醒吗",
        "你帮我想想明天提醒我什么好",
        "你能提醒我吗",
        "提醒我啥了",
        "提醒我的事情办好了吗",
        "Any reminders today?",
        "明天9点提醒我哦",
        "明天9点提醒我，好吗",
    ],
)
def test_questions_and_particles_are_nothing_to_remind_of(text: str) -> None:
    reminder = parse_reminder(text, NOW, SHANGHAI)

    assert reminder is None or (reminder.what, reminder.complete) == ("", False)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("明天下午提醒我开会可以吗", "开会"),
        ("明天9点提醒我交房租哦", "交房租"),
        ("明天去趟上海，你说行吗？记得提醒我哦", "去趟上海"),
        ("帮我记一下明天买牛奶", "买牛奶"),
        ("明天提醒我问他身体好吗", "问他身体好吗"),
        ("提醒我明天去酒吧", "去酒吧"),
    ],
)
def test_asking_whether_we_agree_is_no_part_of_the_words(text: str, what: str) -> None:
    reminder = parse_reminder(text, NOW, SHANGHAI)

    assert reminder is not None
    assert reminder.what == what


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("提醒我明天或后天去银行", "去银行"),
        ("明天还是后天提醒我去银行", "去银行"),
        ("remind me tomorrow or friday to call mom", "call mom"),
    ],
)
def test_of_two_days_that_are_named_as_alternatives_it_is_asked_which(
    text: str, what: str
) -> None:
    reminder = parse_reminder(text, NOW, SHANGHAI)

    assert reminder is not None
    assert (reminder.what, reminder.complete) == (what, False)
    assert (reminder.time.status, reminder.time.reason) == ("ask", "which_time")


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("订会议室并提醒我下午3点开会", False),
        ("关灯，然后明天9点提醒我开会", False),
        ("turn off the lights and remind me at 3pm to call mom", False),
        ("明天9点再提醒我开会", True),
    ],
)
def test_a_wish_joined_to_the_reminder_after_it_is_not_explained(
    text: str,
    complete: bool,  # noqa: FBT001
) -> None:
    reminder = parse_reminder(text, NOW, SHANGHAI)

    assert reminder is not None
    assert reminder.complete is complete


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("后天去爬山，你觉得怎么样？记得提醒我", "去爬山"),
        ("周六带孩子去医院，可以吗？到时候提醒我哦", "带孩子去医院"),
        ("周六晚上7点看演出，你看好不好，提醒我一下", "看演出"),
        ("on friday at 3pm we visit grandma, is that ok? remind me", "we visit grandma"),
    ],
)
def test_a_question_for_our_consent_hides_no_order(words: str, what: str) -> None:
    reminder = parse_reminder(words, now=NOW, tz=SHANGHAI)

    assert reminder is not None
    assert reminder.complete
    assert reminder.apart
    assert reminder.what == what


@pytest.mark.parametrize(
    ("words", "complete"),
    [("明天提醒我去爬山", True), ("明天要下雨吗？", False), ("提醒我明天问他行吗？", False)],
)
def test_an_order_in_one_sentence_is_not_apart_from_its_plan(
    words: str, *, complete: bool
) -> None:
    reminder = parse_reminder(words, now=NOW, tz=SHANGHAI)

    assert reminder is not None
    assert not reminder.apart
    assert reminder.complete is complete


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("明天早点叫我起床", "起床"),
        ("明天晚一点提醒我吃药", "吃药"),
        ("wake me early tomorrow to run", "run"),
    ],
)
def test_an_hour_that_is_only_early_or_late_is_asked(words: str, what: str) -> None:
    reminder = parse_reminder(words, NOW, SHANGHAI)

    assert reminder is not None
    assert (reminder.what.removeprefix("to "), reminder.complete) == (what, False)
    assert (reminder.time.status, reminder.time.reason) == ("ask", "no_time_of_day")


@pytest.mark.parametrize("words", ["明天早点叫我", "等会儿提醒我", "稍后提醒我", "明天晚点叫我"])
def test_a_time_that_is_none_is_nothing_to_remind_of(words: str) -> None:
    reminder = parse_reminder(words, NOW, SHANGHAI)

    assert reminder is not None
    assert reminder.what == ""


@pytest.mark.parametrize(
    ("words", "what"),
    [("明天8点提醒我吃早点", "吃早点"), ("明天8点提醒我早点铺开门", "早点铺开门")],
)
def test_breakfast_is_no_vague_hour(words: str, what: str) -> None:
    reminder = parse_reminder(words, NOW, SHANGHAI)

    assert reminder is not None
    assert (reminder.what, reminder.complete) == (what, True)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("后天和小李九点半见面", "和小李见面"),
        ("周四给奶奶打电话晚上7点", "给奶奶打电话"),
        ("on Friday ring the bank at 4pm", "ring the bank"),
        ("提醒我下个月1号和15号交租", "交租"),
        ("remind me on Monday and Thursday to water the plants", "water the plants"),
    ],
)
def test_the_words_close_up_where_times_were_taken_out(words: str, what: str) -> None:
    reminder = parse_reminder(words, NOW, SHANGHAI)
    assert reminder is not None
    assert reminder.what == what
