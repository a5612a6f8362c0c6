"""All of what was said is stored or asked about, and nothing else is."""

import pytest

from tests.integration.test_reminder_orders import nexts
from tests.stage import Stage


@pytest.mark.parametrize(
    ("words", "whats"),
    [
        ("提醒我明天取快递，后天还书", ["取快递", "还书"]),
        ("提醒我周三体检，周四打疫苗，周五复查", ["体检", "打疫苗", "复查"]),
        ("提醒我后天买票、周六订酒店", ["买票", "订酒店"]),
        ("提醒我明早浇花，晚上喂猫", ["浇花", "喂猫"]),
    ],
)
async def test_wishes_with_days_of_their_own_are_offered_one_by_one(
    hub: Stage, words: str, whats: list[str]
) -> None:
    (asked,) = await hub.say(words)
    assert not await nexts(hub)

    await hub.press(asked, f"分成 {len(whats)} 个提醒")

    assert [line.split(" ", 2)[2] for line in await nexts(hub)] == whats


@pytest.mark.parametrize(
    "words", ["提醒我明天寄信，顺便买邮票", "提醒我周五买蛋糕，周六是妈妈生日"]
)
async def test_what_belongs_to_one_wish_is_one_reminder(hub: Stage, words: str) -> None:
    await hub.say(words)

    assert len(await nexts(hub)) == 1


@pytest.mark.parametrize(
    ("words", "answer", "first"),
    [
        ("每天8点到10点之间提醒我浇花", "9点", "12-02 09:00 浇花"),
        ("每天13点到15点之间提醒我浇花", "每小时", "12-01 13:00 浇花"),
    ],
)
async def test_some_time_in_a_stretch_is_asked_for(
    hub: Stage, words: str, answer: str, first: str
) -> None:
    await hub.say(words)
    assert not await nexts(hub)

    (done,) = await hub.say(answer)

    assert (await nexts(hub))[0] == first
    assert "每小时" not in done.text, "the hours of the night are not among them"


@pytest.mark.parametrize(("answer", "number"), [("every day", 3), ("only this time", 1)])
async def test_days_named_beside_a_time_of_day_are_asked_about(
    hub: Stage, answer: str, number: int
) -> None:
    await hub.say("remind me to stretch at 8pm for 3 days")
    assert not await nexts(hub)

    await hub.say(answer)

    rung = [message for _ in range(5) for message in await hub.later(days=1) if message.buttons]
    assert len(rung) == number


@pytest.mark.parametrize("words", ["remind me in 20 to stretch", "remind me in 20"])
async def test_a_length_without_its_unit_is_asked_about(hub: Stage, words: str) -> None:
    (asked,) = await hub.say(words)

    assert not await nexts(hub)
    assert any("10:20" in label for label in asked.buttons)


async def test_the_unit_may_be_answered(hub: Stage) -> None:
    await hub.say("remind me in 20 to stretch")

    await hub.say("in 20 minutes")

    assert await nexts(hub) == ["12-01 10:20 stretch"]


async def test_the_event_of_an_earlier_reminder_has_no_particle(hub: Stage) -> None:
    await hub.say("明天提前20分钟提醒我11点的课")

    assert await nexts(hub) == ["12-02 10:40 课"]


@pytest.mark.parametrize(
    "words",
    ["明天下午4点的课，提前20分钟和10分钟各提醒我一次", "12月20日体检，提前一周和提前一天提醒我"],
)
async def test_several_lengths_ahead_are_not_taken_for_the_thing(hub: Stage, words: str) -> None:
    (answer,) = await hub.say(words)

    assert not await nexts(hub)
    assert "分开说" in answer.text


@pytest.mark.parametrize("words", ["周五下班前提醒我交表", "明天下班提醒我买菜"])
async def test_a_habit_of_the_day_is_no_usual_hour(hub: Stage, words: str) -> None:
    (answer,) = await hub.say(words)

    assert not await nexts(hub)
    assert "几点" in answer.text


@pytest.mark.parametrize(
    ("words", "moments"),
    [
        ("后天和周五早上7点提醒我浇花", ["12-03 07:00", "12-04 07:00"]),
        ("明天、后天、大后天晚上7点提醒我浇花", [f"12-0{day} 19:00" for day in (2, 3, 4)]),
        ("下个月3号、8号、9号下午4点提醒我浇花", [f"01-0{day} 16:00" for day in (3, 8, 9)]),
        ("本周四和下周四下午4点提醒我浇花", ["12-03 16:00", "12-10 16:00"]),
    ],
)
async def test_days_in_a_row_share_the_time_of_day_and_the_month(
    hub: Stage, words: str, moments: list[str]
) -> None:
    (asked,) = await hub.say(words)

    await hub.press(asked, f"分成 {len(moments)} 个提醒")

    assert await nexts(hub) == [f"{moment} 浇花" for moment in moments]


@pytest.mark.parametrize("words", ["周5下午4点提醒我浇花", "礼拜5下午4点提醒我浇花"])
async def test_a_weekday_may_be_written_with_a_digit(hub: Stage, words: str) -> None:
    await hub.say(words)

    assert await nexts(hub) == ["12-04 16:00 浇花"]


async def test_the_day_before_my_event_is_a_day_ahead(hub: Stage) -> None:
    await hub.say("remind me the day before my exam on dec 10 at 9am")

    assert [line[:11] for line in await nexts(hub)] == ["12-09 09:00"]
