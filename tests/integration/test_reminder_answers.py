"""An answer that says a part of a time keeps what was said before: the days, the repetition."""

import pytest

from bot.core.recurrence import Rule
from tests.stage import Stage


async def rules(hub: Stage) -> list[Rule]:
    """Return the rules of what is to come."""
    owner = (await hub.person()).person_id
    return [s.rule for s in await hub.app.stores.schedules.upcoming(owner, limit=50)]


async def stored(hub: Stage) -> list[tuple[str, tuple[str, ...]]]:
    """Return the days and the times of day of every repetition; "" for what rings once."""
    return [(rule.rrule, rule.times) for rule in await rules(hub)]


@pytest.mark.parametrize(
    ("wish", "clock", "offered"),
    [
        ("每周四6点提醒我练琴", "6点半", ["每周四 06:30", "每周四 18:30"]),
        ("每天5点提醒我喂鱼", "那就5点半吧", ["每天 05:30", "每天 17:30"]),
        ("每天5点提醒我喂鱼", "改成5点半", ["每天 05:30", "每天 17:30"]),
        ("每隔两天提醒我浇花", "9点半", ["每 2 天 09:30", "每 3 天 09:30"]),
        ("周四6点提醒我练琴", "6点半", ["2026-12-03 周四 06:30", "2026-12-03 周四 18:30"]),
        ("remind me every Monday at 6 to run", "6:30", ["每周一 06:30", "每周一 18:30"]),
    ],
)
async def test_a_clock_alone_keeps_the_days_that_were_asked_about(
    hub: Stage, wish: str, clock: str, offered: list[str]
) -> None:
    await hub.say(wish)

    (asked,) = await hub.say(clock)

    assert list(asked.buttons) == [*offered, "取消"]
    assert await stored(hub) == []


@pytest.mark.parametrize("clock", ["早上6点半", "06:30"])
async def test_a_clock_with_its_half_of_the_day_settles_the_question(
    hub: Stage, clock: str
) -> None:
    await hub.say("每天5点提醒我喂鱼")

    await hub.say(clock)

    assert await stored(hub) == [("FREQ=DAILY", ("06:30",))]


@pytest.mark.parametrize(
    ("wish", "day", "offered"),
    [
        ("每两周提醒我换床单", "周四", "每 2 周的周四 09:00"),
        ("每月提醒我还信用卡", "12号", "每月 12 日 09:00"),
        ("每周提醒我倒垃圾", "周四和周日", "每周四、日 09:00"),
        ("每年提醒我体检", "5月3号", "每年 5 月 3 日 09:00"),
        ("remind me every week to water plants", "Thursday", "每周四 09:00"),
    ],
)
async def test_a_day_alone_keeps_the_repetition(
    hub: Stage, wish: str, day: str, offered: str
) -> None:
    await hub.say(wish)

    (asked,) = await hub.say(day)

    assert list(asked.buttons) == [offered, "取消"]


async def test_day_and_clock_may_be_answered_one_after_the_other(hub: Stage) -> None:
    await hub.say("每月提醒我还信用卡")
    (asked,) = await hub.say("10点")
    assert asked.text == "还信用卡：是哪一天？"

    await hub.say("12号")

    assert await stored(hub) == [("FREQ=MONTHLY;BYMONTHDAY=12", ("10:00",))]


async def test_a_consent_that_says_no_time_is_asked_the_same_again(hub: Stage) -> None:
    (first,) = await hub.say("每周四提醒我练琴")

    (again,) = await hub.say("好")

    assert (again.text, list(again.buttons)) == (first.text, list(first.buttons))
    await hub.say("9点半")
    assert await stored(hub) == [("FREQ=WEEKLY;BYDAY=TH", ("09:30",))]


async def test_days_of_the_week_are_counted_and_then_named(hub: Stage) -> None:
    (asked,) = await hub.say("每周三次提醒我健身")
    assert asked.text == "健身：是哪几个时间？"

    await hub.say("周一三五晚上8点")

    assert await stored(hub) == [("FREQ=WEEKLY;BYDAY=MO,WE,FR", ("20:00",))]


async def test_how_many_days_lie_between_is_answered_in_words(hub: Stage) -> None:
    await hub.say("每隔两天8点提醒我浇花")

    await hub.say("每三天")

    assert await stored(hub) == [("FREQ=DAILY;INTERVAL=3", ("08:00",))]


async def test_one_day_for_a_repetition_is_asked_about(hub: Stage) -> None:
    await hub.say("每天提醒我吃药")

    (asked,) = await hub.say("明天8点")

    assert asked.text == "吃药：只这一次，还是每次都这样？"
    assert list(asked.buttons) == ["每天 08:00", "2026-12-02 周三 08:00", "取消"]
    await hub.say("每天")
    assert await stored(hub) == [("FREQ=DAILY", ("08:00",))]


async def test_a_clock_before_the_thing_keeps_the_repetition(hub: Stage) -> None:
    await hub.say("每天9点提醒我")
    await hub.say("9点半")

    await hub.say("吃药")

    assert await stored(hub) == [("FREQ=DAILY", ("09:30",))]


async def test_what_comes_ahead_of_its_point_stays_ahead_at_another_clock(hub: Stage) -> None:
    await hub.say("每周四开会提前10分钟提醒我")

    await hub.say("下午3点")

    assert await stored(hub) == [("FREQ=WEEKLY;BYDAY=TH", ("14:50",))]


@pytest.mark.parametrize("words", ["9点半", "9点半吧", "改成9点半", "那就9点半"])
async def test_a_clock_after_the_confirmation_changes_the_time_only(
    hub: Stage, words: str
) -> None:
    await hub.say("每周四9点提醒我练琴")

    await hub.say(words)

    assert await stored(hub) == [("FREQ=WEEKLY;BYDAY=TH", ("09:30",))]


async def test_one_clock_for_several_asks_which_of_them(hub: Stage) -> None:
    await hub.say("每天8点和20点提醒我吃药")

    (asked,) = await hub.say("9点半")

    assert list(asked.buttons) == ["每天 09:30、20:00", "每天 08:00、09:30", "每天 09:30"]
    await hub.press(asked, "每天 09:30、20:00")
    assert await stored(hub) == [("FREQ=DAILY", ("09:30", "20:00"))]


async def test_an_early_clock_for_what_rings_in_the_evening_is_asked_about(hub: Stage) -> None:
    await hub.say("每天晚上8点提醒我看书")

    (asked,) = await hub.say("改成7点")

    assert list(asked.buttons) == ["每天 07:00", "每天 19:00"]
    await hub.say("晚上")
    assert await stored(hub) == [("FREQ=DAILY", ("19:00",))]


async def test_workdays_without_a_weekday_keep_their_calendar(hub: Stage) -> None:
    (set_now,) = await hub.say("每个工作日9点提醒我打卡，除了周四")

    (rule,) = await rules(hub)
    assert (rule.type, rule.except_weekdays, rule.times) == ("workday", (3,), ("09:00",))
    assert "每个工作日 09:00，周四除外" in set_now.text
    assert "周三 09:00" in set_now.text
    assert "周四 09:00" not in set_now.text


@pytest.mark.parametrize(
    ("wish", "answers", "at"),
    [
        ("下周提醒我开会", ["周四"], "2026-12-10 09:00"),
        ("下周提醒我开会", ["下午3点", "周四"], "2026-12-10 15:00"),
        ("下个月提醒我还款", ["5号上午10点"], "2027-01-05 10:00"),
        ("remind me next week to call Tom", ["Thursday"], "2026-12-10 09:00"),
    ],
)
async def test_a_day_is_of_the_week_or_month_that_was_said(
    hub: Stage, wish: str, answers: list[str], at: str
) -> None:
    await hub.say(wish)

    for words in answers:
        await hub.say(words)

    assert [f"{rule.dtstart_local:%Y-%m-%d %H:%M}" for rule in await rules(hub)] == [at]


async def test_a_day_outside_the_month_that_was_said_is_asked_about(hub: Stage) -> None:
    await hub.say("下个月提醒我还款")

    (asked,) = await hub.say("明天")

    assert list(asked.buttons) == ["2026-12-02 周三 09:00", "取消"]
    assert await stored(hub) == []


async def test_a_clock_does_not_choose_between_days(hub: Stage) -> None:
    await hub.say("周末提醒我洗车")

    (asked,) = await hub.say("下午3点")

    assert list(asked.buttons) == ["2026-12-05 周六 15:00", "2026-12-06 周日 15:00", "取消"]
    assert await stored(hub) == []


async def test_days_left_out_that_nobody_knows_are_asked_about(hub: Stage) -> None:
    (asked,) = await hub.say("每周四18:00提醒我接娃，寒假除外")

    assert "没看懂" in asked.text
    assert await stored(hub) == []


async def test_two_hours_in_english_are_both_kept(hub: Stage) -> None:
    await hub.say("remind me to take pills at 8 and 20 every day")

    assert await stored(hub) == [("FREQ=DAILY", ("08:00", "20:00"))]


@pytest.mark.parametrize("words", ["except Friday", "除了周五"])
async def test_a_bound_alone_sets_nothing(hub: Stage, words: str) -> None:
    await hub.say("每天9点提醒我练琴")

    await hub.say(words)

    assert len(await stored(hub)) == 1


async def test_one_more_has_no_name_of_its_own(hub: Stage) -> None:
    await hub.say("明天8点提醒我吃药")

    (asked,) = await hub.say("再加一个晚上8点的")

    assert asked.text == "到时提醒你什么？"
    assert len(await stored(hub)) == 1


async def test_a_reminder_becomes_one_of_every_other_day_at_its_own_time(hub: Stage) -> None:
    await hub.say("每天8点提醒我吃药")

    await hub.say("吃药改成隔天一次")

    assert await stored(hub) == [("FREQ=DAILY;INTERVAL=2", ("08:00",))]
