"""Orders to hold a reminder or go on with it, by name alone, or about several at once."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.language.answers import says_done
from bot.language.named_orders import is_called, parse_named_order
from bot.language.pauses import parse_pause
from bot.language.shifts import parse_shift
from bot.language.skips import parse_skip

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "target", "until", "named"),
    [
        ("把晨跑暂停两周", "晨跑", "12-15 10:00", False),
        ("晨跑先停三天吧", "晨跑", "12-04 10:00", False),
        ("这周晨跑先停了", "晨跑", "12-07 00:00", False),
        ("晨跑提醒停到下周三", "晨跑", "12-09 00:00", True),
        ("暂停晨跑到12月18号", "晨跑", "12-18 00:00", False),
        ("暂停晨跑提醒", "晨跑", "", True),
        ("pause the yoga reminder for 2 weeks", "yoga", "12-15 10:00", True),
        ("pause yoga until thursday", "yoga", "12-03 00:00", False),
    ],
)
def test_a_pause_says_what_and_how_long(text: str, target: str, until: str, named: bool) -> None:  # noqa: FBT001
    pause = parse_pause(text, NOW, SHANGHAI)

    assert pause is not None
    said = pause.until.strftime("%m-%d %H:%M") if pause.until else ""
    assert (pause.kind, pause.target, said, pause.named) == ("pause", target, until, named)


@pytest.mark.parametrize(
    "text", ["晨跑停了三天了", "晨跑暂停一周了", "晨跑已经停了2个月", "晨跑停了快半个月"]
)
def test_how_long_something_has_stood_still_is_no_order(text: str) -> None:
    assert parse_pause(text, NOW, SHANGHAI) is None


@pytest.mark.parametrize("text", ["晨跑明天停一天", "晨跑明天先休息一天吧"])
def test_a_stop_for_one_named_day_leaves_out_that_day(text: str) -> None:
    skip = parse_skip(text, NOW, SHANGHAI)

    assert skip is not None
    assert (skip.target, skip.day) == ("晨跑", (NOW + timedelta(days=1)).date())
    assert not skip.complete


@pytest.mark.parametrize(
    "text",
    [
        "恢复晨跑",
        "晨跑恢复吧",
        "晨跑的提醒可以恢复了",
        "晨跑不暂停了",
        "别暂停晨跑了",
        "取消晨跑的暂停",
        "继续提醒我晨跑",
        "don't pause 晨跑 any more",
        "unpause 晨跑",
    ],
)
def test_a_pause_is_ended_by_words(text: str) -> None:
    pause = parse_pause(text, NOW, SHANGHAI)

    assert pause is not None
    assert (pause.kind, pause.target) == ("resume", "晨跑")


@pytest.mark.parametrize("text", ["停车费20", "继续", "工厂停产了", "午饭35"])
def test_what_stops_otherwise_is_no_pause(text: str) -> None:
    assert parse_pause(text, NOW, SHANGHAI) is None


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("取消晨跑", "cancel", "晨跑"),
        ("把晨跑删了吧", "cancel", "晨跑"),
        ("晨跑不要了", "cancel", "晨跑"),
        ("cancel my yoga", "cancel", "yoga"),
        ("晨跑不去了", "off", "晨跑"),
        ("晨跑暂停一周", "pause", "晨跑"),
    ],
)
def test_an_order_may_name_only_the_thing(text: str, kind: str, name: str) -> None:
    order = parse_named_order(text, NOW, SHANGHAI)

    assert order is not None
    assert (order.kind, order.name) == (kind, name)


def test_a_single_sign_names_only_what_is_called_just_so() -> None:
    assert is_called("去晨跑", "晨跑")
    assert is_called("跑", "跑")
    assert not is_called("晨跑", "跑")


@pytest.mark.parametrize(
    ("text", "target", "minutes"),
    [
        ("都推迟半小时", "", 30),
        ("明天的提醒全部提前一小时", "明天", -60),
        ("所有提醒延后2天", "", 2880),
        ("push everything tomorrow back by 2 hours", "tomorrow", 120),
        ("bring forward all my reminders by 10 minutes", "", -10),
    ],
)
def test_several_are_moved_by_one_length(text: str, target: str, minutes: int) -> None:
    shift = parse_shift(text)

    assert shift is not None
    assert (shift.target, shift.distance) == (target, timedelta(minutes=minutes))


@pytest.mark.parametrize("text", ["开会推迟半小时", "都推迟了", "推迟10分钟"])
def test_one_that_is_moved_is_not_several(text: str) -> None:
    assert parse_shift(text) is None


@pytest.mark.parametrize("text", ["完成了", "已完成", "做完啦", "吃过了", "done", "I took it!"])
def test_short_words_say_that_it_is_done(text: str) -> None:
    assert says_done(text)


@pytest.mark.parametrize("text", ["完成不了", "完成什么", "吃了饭35", "done deal", "我完成了作业"])
def test_other_words_do_not(text: str) -> None:
    assert not says_done(text)


@pytest.mark.parametrize("text", ["明天游泳不去了", "游泳明天不做了", "明天不游泳了"])
def test_what_is_called_off_keeps_its_name_wherever_its_verb_stands(text: str) -> None:
    skip = parse_skip(text, NOW, SHANGHAI)

    assert skip is not None
    assert skip.target == "游泳"


@pytest.mark.parametrize(
    "text", ["不暂停了", "那就别暂停了吧", "取消暂停", "暂停解除", "unpause it", "end the pause"]
)
def test_a_pause_is_ended_without_its_name(text: str) -> None:
    pause = parse_pause(text, NOW, SHANGHAI)

    assert pause is not None
    assert (pause.kind, pause.target, pause.named) == ("resume", "", True)
    assert parse_named_order(text, NOW, SHANGHAI) is not None


@pytest.mark.parametrize(
    "text",
    ["周四恢复晨跑", "从周四起恢复晨跑", "晨跑周四再恢复", "resume 晨跑 on Thursday"],
)
def test_a_pause_may_end_on_a_day(text: str) -> None:
    pause = parse_pause(text, NOW, SHANGHAI)

    assert pause is not None
    assert (pause.kind, pause.target) == ("resume", "晨跑")
    assert pause.start == datetime(2026, 12, 3, tzinfo=SHANGHAI)


@pytest.mark.parametrize("text", ["下周一到周三暂停晨跑", "晨跑下周一到下周三暂停"])
def test_a_stretch_of_a_pause_has_two_ends(text: str) -> None:
    pause = parse_pause(text, NOW, SHANGHAI)

    assert pause is not None
    assert (pause.target, pause.start, pause.until) == (
        "晨跑",
        datetime(2026, 12, 7, tzinfo=SHANGHAI),
        datetime(2026, 12, 10, tzinfo=SHANGHAI),
    )
