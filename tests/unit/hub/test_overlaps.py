"""Rules between labels, follow-ups, and several wishes in one message."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.core.routing import Classification, RoutingContext, Source, Wish
from bot.follow_ups import FollowUps
from bot.language.wishes import split_wishes
from bot.overlaps import settle
from bot.router import StationRouter
from bot.rules import RuleClassifier, labels

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
CONTEXT = RoutingContext(text="", now=NOW, locale="zh-CN")
ALL = frozenset(labels())


def settled(words: str, label: str, *, without: str = "", last: str | None = None) -> str:
    context = replace(CONTEXT, text=words, last_agent=last)
    return settle(context, label, enabled=ALL - {without})[0]


@pytest.mark.parametrize(
    "words", ["你好", "嗨！", "谢谢你", "hello", "good morning", "在吗？", "ok"]
)
@pytest.mark.parametrize("label", ["unknown", "complex_task"])
def test_small_talk_is_never_a_task(words: str, label: str) -> None:
    assert settled(words, label) == "chat_manager"
    assert settled(words, label, without="chat_manager") == "QA"


def test_what_only_begins_like_small_talk_is_left_alone() -> None:
    assert settled("你好，如果明天下雨就取消聚餐", "complex_task") == "complex_task"


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("会议室能坐几个人", "QA"),
        ("这栋楼什么时候盖的", "QA"),
        ("305本周利用率", "DATA"),
        ("看下告警趋势", "DATA"),
        ("上个月销售额多少", "DATA"),
        ("本季度营收怎么样", "DATA"),
        ("哪个楼层能耗最高", "DATA"),
        ("how many visitors came last week", "DATA"),
    ],
)
def test_figures_need_evidence_whoever_decided(words: str, label: str) -> None:
    """Seed 002, 2.2: what cannot be shown to be a figure that can be queried is QA."""
    assert settled(words, "DATA") == label


@pytest.mark.parametrize(
    "words",
    [
        "修改日程",
        "我想调整一下我的日程",
        "帮我改行程安排吧",
        "change my schedule",
        "edit my calendar",
    ],
)
@pytest.mark.parametrize(
    ("keepers", "label"),
    [
        ((), "MEETING"),
        (("schedule_manager",), "schedule_manager"),
        (("MEETING",), "MEETING"),
        (("MEETING", "schedule_manager"), "unknown"),
    ],
)
@pytest.mark.parametrize("said", ["MEETING", "schedule_manager"])
def test_a_date_of_no_kind_is_of_the_agent_that_keeps_one_and_both_are_asked(
    words: str, keepers: tuple[str, ...], label: str, said: str
) -> None:
    context = replace(CONTEXT, text=words, keepers=frozenset(keepers))
    assert settle(context, said, enabled=ALL)[0] == label


def test_a_date_whose_kind_is_said_is_left_alone() -> None:
    assert settled("把明天的提醒改到9点", "schedule_manager") == "schedule_manager"
    assert settled("修改日程提醒", "schedule_manager") == "schedule_manager"


def test_a_follow_up_of_figures_needs_no_evidence_of_its_own() -> None:
    assert settled("上个月呢", "DATA", last="DATA") == "DATA"


@pytest.mark.parametrize(
    "words",
    [
        "如果明天下雨就取消爬山的提醒",
        "先订会议室再通知大家",
        "if it rains tomorrow, cancel my run",
        "first book the room, then remind everyone",
    ],
)
def test_a_condition_or_an_order_makes_a_task(words: str) -> None:
    assert settled(words, "MEETING") == "complex_task"
    assert settled(words, "MEETING", without="complex_task") == "MEETING"


@pytest.mark.parametrize("words", ["如果你是老板会怎么做", "what would you do if you were me"])
def test_what_is_asked_as_a_thought_is_no_condition(words: str) -> None:
    assert settled(words, "chat_manager") == "chat_manager"


@pytest.mark.parametrize("words", ["帮助", "help", "帮帮我！"])
def test_the_bare_word_asks_for_help(words: str) -> None:
    assert settled(words, "unknown") == "help_center"


# --- follow-ups ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("上个月呢", "DATA"),
        ("那三楼呢？", "DATA"),
        ("再订一个", "MEETING"),
        ("再来一条", "schedule_manager"),
        ("换成下午三点", "MEETING"),
        ("and last month?", "DATA"),
        ("another one", "MEETING"),
        ("what about Friday", "MEETING"),
        ("继续", "chat_manager"),
    ],
)
async def test_a_message_that_goes_on_belongs_to_who_answered_last(words: str, last: str) -> None:
    context = replace(CONTEXT, text=words, last_agent=last)

    found = await FollowUps(ALL).classify(context)

    assert found is not None
    assert found.ranked[0][0] == last
    assert await FollowUps(ALL).classify(replace(context, last_agent=None)) is None
    assert await FollowUps(ALL - {last}).classify(context) is None


@pytest.mark.parametrize("words", ["会议室的灯关一下呢", "明天8点提醒我开会", "午饭35"])
async def test_a_wish_of_its_own_is_no_follow_up(words: str) -> None:
    context = replace(CONTEXT, text=words, last_agent="DATA")

    assert await FollowUps(ALL).classify(context) is None


# --- several wishes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "wishes"),
    [
        ("关灯并且上个月电费多少", ("关灯", "上个月电费多少")),
        ("帮我把灯关了，顺便订个会议室", ("帮我把灯关了", "订个会议室")),
        ("投影仪坏了。另外停车费怎么收？", ("投影仪坏了", "停车费怎么收？")),
        (
            "turn off the lights, also book a room for 3pm",
            ("turn off the lights", "book a room for 3pm"),
        ),
        ("订个会议室", ("订个会议室",)),
        ("先订会议室，然后顺便关灯", ("先订会议室，然后顺便关灯",)),
        ("如果下雨就关窗，顺便叫车", ("如果下雨就关窗，顺便叫车",)),
        ("顺便", ("顺便",)),
    ],
)
def test_wishes_are_told_apart_unless_one_depends_on_another(
    words: str, wishes: tuple[str, ...]
) -> None:
    assert split_wishes(words) == wishes


class Oracle:
    """A model that sees a second wish."""

    source = Source.LLM

    async def classify(self, context: RoutingContext) -> Classification | None:
        del context
        return Classification(ranked=(("IOT", 0.9),), secondary=("DATA", "chat_manager"))


async def test_the_most_certain_wish_is_served_and_the_others_are_named() -> None:
    """Seed 002, 4.5; T39."""
    router = StationRouter(
        enabled=labels(),
        classifiers=[RuleClassifier(labels())],
        fallback="QA",
        unknown="complex_task",
    )

    decision = await router.route(replace(CONTEXT, text="把灯关掉并且上个月电费多少"))

    assert (decision.intent, decision.focus) == ("IOT", "把灯关掉")
    assert decision.secondary == (Wish("DATA", "上个月电费多少"),)


async def test_wishes_that_the_model_sees_are_named_if_they_are_switched_on() -> None:
    enabled = [label for label in labels() if label != "chat_manager"]
    router = StationRouter(
        enabled=enabled, classifiers=[Oracle()], fallback="QA", unknown="complex_task"
    )

    decision = await router.route(replace(CONTEXT, text="帮我弄一下那个和那个"))

    assert decision.intent == "IOT"
    assert decision.secondary == (Wish("DATA", "帮我弄一下那个和那个"),)
