"""Orders about reminders that ring, pause, move together or go by their names."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.stage import Stage


async def nexts(hub: Stage) -> list[str]:
    """Return what is to come: local moment and words."""
    owner = (await hub.person()).person_id
    found = await hub.app.stores.schedules.upcoming(owner, limit=50)
    zone = ZoneInfo((await hub.person()).zone)
    return [
        f"{s.next_fire_at.astimezone(zone):%m-%d %H:%M} {s.what}"
        for s in found
        if s.next_fire_at is not None
    ]


async def ringing(hub: Stage) -> None:
    await hub.say("10分钟后提醒我浇花")
    await hub.later(minutes=11)


@pytest.mark.parametrize("words", ["完成", "做完了", "done"])
async def test_what_rang_is_called_done_in_words(hub: Stage, words: str) -> None:
    await ringing(hub)

    (answer,) = await hub.say(words)

    assert answer.text == "✓ 浇花"
    owner = (await hub.person()).person_id
    (delivery,) = await hub.app.stores.schedules.deliveries(owner)
    assert delivery.acknowledged


async def test_done_means_nothing_where_nothing_rang(hub: Stage) -> None:
    await hub.say("明早8点提醒我浇花")

    (answer,) = await hub.say("完成了")

    assert "浇花" not in answer.text
    assert await hub.app.stores.schedules.deliveries((await hub.person()).person_id) == ()


@pytest.mark.parametrize(
    "words", ["再过10分钟", "晚10分钟", "10分钟后再叫我", "remind me again in 10 minutes"]
)
async def test_what_rang_is_put_off_in_words(hub: Stage, words: str) -> None:
    await ringing(hub)

    (answer,) = await hub.say(words)

    assert "10:21" in answer.text
    assert len(await nexts(hub)) == 1


async def test_putting_off_twice_rings_once(hub: Stage) -> None:
    await ringing(hub)
    await hub.say("推迟10分钟")

    (answer,) = await hub.say("20分钟后再提醒我")

    assert "10:31" in answer.text
    assert len(await nexts(hub)) == 1


async def test_minutes_after_a_fresh_reminder_do_not_move_it(hub: Stage) -> None:
    await hub.say("明天下午5点提醒我浇花")

    (answer,) = await hub.say("再过10分钟")

    assert answer.text == "到时提醒你什么？"
    assert await nexts(hub) == ["12-02 17:00 浇花"]


async def test_a_reminder_is_cancelled_by_its_name_alone(hub: Stage) -> None:
    await hub.say("每周一晚上7点提醒我晨跑")

    (gone,) = await hub.say("取消晨跑")

    assert gone.text == "已删除提醒：晨跑"
    (back,) = await hub.press(gone, "撤销")
    assert "提醒已恢复" in back.text


async def test_a_name_goes_to_whoever_keeps_it(hub: Stage) -> None:
    await hub.say("每周一晚上7点提醒我晨跑")
    await hub.say("奶茶18")

    (entry,) = await hub.say("取消奶茶")
    (reminder,) = await hub.say("删掉晨跑")

    assert entry.text.startswith("已删除：奶茶")
    assert reminder.text == "已删除提醒：晨跑"


async def test_what_was_paid_is_not_called_off(hub: Stage) -> None:
    await hub.say("奶茶18")

    (answer,) = await hub.say("奶茶不喝了，暂停一周")

    assert "已删除" not in answer.text
    assert await hub.items() == ["奶茶 18.00"]


async def test_a_name_that_nobody_keeps_cancels_nothing(hub: Stage) -> None:
    await hub.say("每周一晚上7点提醒我晨跑")

    (answer,) = await hub.say("取消会议室")

    assert "已删除" not in answer.text
    assert len(await nexts(hub)) == 1


async def test_what_is_not_done_any_more_asks_once_or_always(hub: Stage) -> None:
    await hub.say("每天晚上7点提醒我晨跑")

    (asked,) = await hub.say("晨跑不去了")

    assert list(asked.buttons) == ["跳过下次", "删除"]
    (skipped,) = await hub.press(asked, "跳过下次")
    assert "2026-12-02 周三 19:00" in skipped.text


async def test_a_pause_leaves_out_what_is_in_it_and_can_be_ended(hub: Stage) -> None:
    await hub.say("每天9点提醒我晨跑")

    (paused,) = await hub.say("把晨跑暂停一周")
    assert "已暂停" in paused.text
    assert "2026-12-09 周三 09:00" in paused.text
    assert await hub.later(days=5) == []

    (resumed,) = await hub.say("恢复晨跑")
    assert "2026-12-07 周一 09:00" in resumed.text


async def test_a_pause_without_a_length_asks_for_one(hub: Stage) -> None:
    await hub.say("每天9点提醒我晨跑")

    (asked,) = await hub.say("暂停晨跑提醒")
    assert list(asked.buttons) == ["停 7 天", "停 30 天", "跳过下次", "删除"]
    (paused,) = await hub.press(asked, "停 7 天")

    assert "2026-12-09 周三 09:00" in paused.text
    (again,) = await hub.say("恢复晨跑")
    assert "2026-12-02 周三 09:00" in again.text
    (nothing,) = await hub.say("恢复晨跑")
    assert "没有暂停" in nothing.text


async def test_a_week_to_come_is_left_out_and_the_days_before_it_ring(hub: Stage) -> None:
    await hub.say("每天9点提醒我晨跑")

    (paused,) = await hub.say("下周晨跑先停一下")

    assert "2026-12-02 周三 09:00" in paused.text
    rung = [await hub.later(days=1) for _ in range(14)]
    assert [len(sent) for sent in rung] == [1, 1, 1, 1, 1, *[0] * 7, 1, 1]


async def test_what_rings_once_or_not_at_all_then_is_not_paused(hub: Stage) -> None:
    await hub.say("明天9点提醒我打针")
    await hub.say("每月20号9点提醒我还款")

    (once,) = await hub.say("暂停打针提醒")
    (idle,) = await hub.say("还款暂停三天")

    assert "只响一次" in once.text
    assert "那段时间不响" in idle.text


async def test_all_that_repeat_are_paused_together_and_resumed_one_by_one(hub: Stage) -> None:
    await hub.say("每天9点提醒我晨跑")
    await hub.say("每天9点半提醒我喝水")
    await hub.say("明天8点提醒我打针")

    (paused,) = await hub.say("把所有提醒暂停三天")
    assert paused.text.startswith("已暂停 2 个")
    assert await nexts(hub) == ["12-02 08:00 打针", "12-05 09:00 晨跑", "12-05 09:30 喝水"]

    (asked,) = await hub.say("恢复提醒")
    assert list(asked.buttons) == ["1 晨跑", "2 喝水"]
    (resumed,) = await hub.press(asked, "2 喝水")
    assert "2026-12-02 周三 09:30" in resumed.text


async def test_several_are_moved_together_after_a_look(hub: Stage) -> None:
    await hub.say("明天下午3点提醒我开会")
    await hub.say("明天下午5点提醒我接孩子")
    await hub.say("每天9点提醒我晨跑")

    (asked,) = await hub.say("都推迟一小时")
    assert "开会：2026-12-02 周三 15:00 → 2026-12-02 周三 16:00" in asked.text
    assert "另外 1 个" in asked.text

    (moved,) = await hub.press(asked, "改这 2 个")
    assert "接孩子 — 2026-12-02 周三 18:00" in moved.text


async def test_a_look_that_is_declined_moves_nothing(hub: Stage) -> None:
    await hub.say("明天下午3点提醒我开会")

    (asked,) = await hub.say("明天的提醒都提前半小时")
    (kept,) = await hub.press(asked, "保留")

    assert kept.text == "好的，没有改动。"
    assert "15:00" in (await hub.say("我的提醒"))[0].text


@pytest.mark.parametrize("words", ["我的提醒", "看看我的提醒", "提醒列表", "my reminders"])
async def test_the_list_is_asked_for_in_short_words(hub: Stage, words: str) -> None:
    await hub.say("明天下午3点提醒我开会")

    (shown,) = await hub.say(words)

    assert "开会 — 2026-12-02 周三 15:00" in shown.text


@pytest.mark.parametrize(("half", "clock"), [("下午", "18:00"), ("早上吧", "06:00")])
async def test_half_a_day_answers_which_one_an_hour_is_of(
    hub: Stage, half: str, clock: str
) -> None:
    (asked,) = await hub.say("每天6点提醒我浇花")
    assert list(asked.buttons) == ["每天 06:00", "每天 18:00", "取消"]

    (stored,) = await hub.say(half)

    assert f"每天 {clock}" in stored.text


async def test_a_bare_hour_keeps_the_day_and_the_half_of_what_it_moves(hub: Stage) -> None:
    await hub.say("明天下午3点提醒我开会")

    (moved,) = await hub.say("改到5点")

    assert "2026-12-02 周三 17:00" in moved.text


async def test_a_bare_hour_asks_where_the_half_is_open(hub: Stage) -> None:
    await hub.say("明天上午10点提醒我开会")

    (asked,) = await hub.say("改到6点")
    assert list(asked.buttons) == ["2026-12-02 周三 06:00", "2026-12-02 周三 18:00"]
    (moved,) = await hub.say("下午")

    assert "2026-12-02 周三 18:00" in moved.text


async def test_a_new_day_with_a_bare_hour_offers_both(hub: Stage) -> None:
    await hub.say("明天上午10点提醒我开会")

    (asked,) = await hub.say("改到后天6点")

    (moved,) = await hub.press(asked, "2026-12-03 周四 06:00")
    assert "2026-12-03 周四 06:00" in moved.text


async def test_days_of_a_weekend_are_offered(hub: Stage) -> None:
    (asked,) = await hub.say("周末提醒我洗车")

    assert list(asked.buttons) == ["2026-12-05 周六 09:00", "2026-12-06 周日 09:00", "取消"]


async def test_two_times_may_both_be_meant(hub: Stage) -> None:
    (asked,) = await hub.say("下周三上午10点和下午3点提醒我开会")

    await hub.press(asked, "分成 2 个提醒")

    assert await nexts(hub) == ["12-09 10:00 开会", "12-09 15:00 开会"]


async def test_every_day_is_kept_while_what_and_when_are_asked(hub: Stage) -> None:
    await hub.say("每天提醒我")
    await hub.say("浇花")

    (stored,) = await hub.say("早上8点")

    assert "每天 08:00" in stored.text


async def test_another_day_is_asked_about_in_short_and_stores_nothing(hub: Stage) -> None:
    await hub.say("明天下午3点提醒我开会")
    await hub.say("明天有什么提醒")

    (other,) = await hub.say("后天呢")
    assert "没有提醒" in other.text
    (same,) = await hub.say("明天呢")

    assert "开会 — 2026-12-02 周三 15:00" in same.text
    assert len(await nexts(hub)) == 1


@pytest.mark.parametrize("words", ["改名叫周会", "把开会提醒的名字改成周会", "rename it to 周会"])
async def test_a_reminder_gets_another_name_and_keeps_its_time(hub: Stage, words: str) -> None:
    await hub.say("明天下午3点提醒我开会")

    (renamed,) = await hub.say(words)

    assert "周会" in renamed.text
    assert await nexts(hub) == ["12-02 15:00 周会"]


async def test_what_is_said_to_us_is_no_part_of_the_reminder(hub: Stage) -> None:
    await hub.say("半小时后提醒我关火，千万别忘了")

    assert await nexts(hub) == ["12-01 10:30 关火"]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("每月15号上午10点提醒我还信用卡，提前两天", "每月 13 日 10:00"),
        ("每年5月20日早上9点提醒我纪念日，提前一周", "每年 5 月 13 日 09:00"),
        ("每周一早上9点提醒我开例会，提前一天", "每周日 09:00"),
        ("每天早上9点提醒我吃药，提前10分钟", "每天 08:50"),
    ],
)
async def test_ahead_of_what_repeats_is_its_own_repetition(
    hub: Stage, words: str, rule: str
) -> None:
    (stored,) = await hub.say(words)

    assert rule in stored.text


@pytest.mark.parametrize("day", ["每月1号", "每月最后一天", "每年3月1日", "每年2月29日"])
async def test_days_ahead_that_change_with_the_month_are_asked_for(hub: Stage, day: str) -> None:
    (asked,) = await hub.say(f"{day}早上9点提醒我交房租，提前一天")

    assert "请直接说哪天提醒" in asked.text
    assert await nexts(hub) == []


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("每天9点提醒我喝水，周末不提醒", "每周一至周五 09:00"),
        ("每天早上7点叫我起床，周六周日不用提醒", "每周一至周五 07:00"),
        ("9点到12点每小时提醒我喝水，周末除外", "每周一至周五 09:00、10:00、11:00、12:00"),
        ("每周一9点和周三9点提醒我健身", "每周一、三 09:00"),
        ("每天早晚各一次提醒我刷牙", "每天 08:00、20:00"),
    ],
)
async def test_what_is_left_out_of_a_repetition_is_not_in_it(
    hub: Stage, words: str, rule: str
) -> None:
    (stored,) = await hub.say(words)

    assert f"时间: {rule}\n" in stored.text


async def test_other_times_on_other_days_are_no_one_rule(hub: Stage) -> None:
    (asked,) = await hub.say("每周一、周三早上8点，周五早上9点提醒我健身")

    assert "是哪几个时间" in asked.text
    assert await nexts(hub) == []


@pytest.mark.parametrize("words", ["周末不用提醒我晨跑", "周末不用提醒我了", "这周末晨跑先停一下"])
async def test_some_days_off_leave_out_each_of_them(hub: Stage, words: str) -> None:
    await hub.say("每天9点提醒我晨跑")

    await hub.say(words)

    rung = [await hub.later(days=1) for _ in range(7)]
    assert [len(sent) for sent in rung] == [1, 1, 1, 0, 0, 1, 1]


async def test_traditional_words_reach_what_was_said_in_simplified_ones(hub: Stage) -> None:
    await hub.say("每天9点提醒我吃药")

    (paused,) = await hub.say("把吃藥暫停兩週")
    (resumed,) = await hub.say("恢復吃藥")
    (gone,) = await hub.say("幫我取消吃藥")

    assert "已暂停" in paused.text
    assert "已恢复" in resumed.text
    assert gone.text == "已删除提醒：吃药"


@pytest.mark.parametrize("words", ["skip call Tom", "postpone call Tom by 30 minutes"])
async def test_english_orders_name_only_the_thing(hub: Stage, words: str) -> None:
    await hub.say("remind me every day at 3pm to call Tom")

    (answer,) = await hub.say(words)

    assert "call Tom" in answer.text


@pytest.mark.parametrize(
    ("words", "clock"),
    [("提醒我周三开会，下午两点", "14:00"), ("提醒我周三开会下午6点半", "18:30")],
)
async def test_a_time_of_day_after_the_words_is_that_of_the_day(
    hub: Stage, words: str, clock: str
) -> None:
    await hub.say(words)

    assert await nexts(hub) == [f"12-02 {clock} 开会"]


async def test_a_bare_hour_after_the_words_offers_both_halves(hub: Stage) -> None:
    (asked,) = await hub.say("提醒我周五交表，5点")
    assert list(asked.buttons) == ["2026-12-04 周五 05:00", "2026-12-04 周五 17:00", "取消"]

    await hub.say("下午")

    assert await nexts(hub) == ["12-04 17:00 交表"]


async def test_a_bare_time_right_after_a_reminder_is_its_time(hub: Stage) -> None:
    await hub.say("周三提醒我开会")

    await hub.say("下午两点")
    assert await nexts(hub) == ["12-02 14:00 开会"]
    await hub.say("6点")

    assert await nexts(hub) == ["12-02 18:00 开会"]


async def test_the_offered_times_stay_while_the_words_are_asked_for(hub: Stage) -> None:
    await hub.say("8:00提醒我")
    (asked,) = await hub.say("买早餐")
    assert len(asked.buttons) == 3

    await hub.say("早上")

    assert await nexts(hub) == ["12-02 08:00 买早餐"]


async def test_a_length_answers_the_open_question_when(hub: Stage) -> None:
    await ringing(hub)
    await hub.say("提醒我喝水")

    await hub.say("10分钟后")

    assert await nexts(hub) == ["12-01 10:21 喝水"]


async def test_a_pause_put_right_holds_it_longer_and_keeps_its_words(hub: Stage) -> None:
    await hub.say("每天7点提醒我晨跑")
    await hub.say("晨跑暂停三天")

    (answer,) = await hub.say("不对，暂停一周")

    assert "已暂停" in answer.text
    assert await nexts(hub) == ["12-09 07:00 晨跑"]


async def test_how_long_something_has_stood_still_pauses_nothing(hub: Stage) -> None:
    await hub.say("每天7点提醒我晨跑")

    await hub.say("晨跑停了三天了")

    assert await nexts(hub) == ["12-02 07:00 晨跑"]


async def test_an_order_by_name_beside_an_entry_is_named_and_not_lost(hub: Stage) -> None:
    await hub.say("每天7点提醒我晨跑")

    shown = await hub.say("取消晨跑，咖啡18")

    labels = [label for message in shown for label in message.buttons]
    assert await nexts(hub) == []
    assert "记账：咖啡18" in labels


async def test_a_shorter_pause_of_all_does_not_shorten_a_longer_one(hub: Stage) -> None:
    await hub.say("每天9点提醒我晨跑")
    await hub.say("每天10点提醒我喝水")
    await hub.say("晨跑暂停一个月")

    (paused,) = await hub.say("把所有提醒暂停三天")

    assert paused.text.startswith("已暂停 1 个")
    owner = (await hub.person()).person_id
    water, run = await hub.app.stores.schedules.upcoming(owner, limit=2)
    assert (water.what, run.what) == ("喝水", "晨跑")
    assert run.next_fire_at is not None
    assert run.next_fire_at - hub.clock.now() > timedelta(days=29)


@pytest.mark.parametrize(
    "words", ["提前15分钟提醒我", "那提前15分钟叫我", "remind me 15 minutes before"]
)
async def test_a_length_ahead_right_after_setting_is_ahead_of_that_one(
    hub: Stage, words: str
) -> None:
    await hub.say("提醒我明天下午3点和客户碰头")
    await hub.say(words)

    assert await nexts(hub) == ["12-02 14:45 和客户碰头"]


@pytest.mark.parametrize("words", ["周末不用", "周日就不要了"])
async def test_days_that_are_not_needed_right_after_setting_are_left_out(
    hub: Stage, words: str
) -> None:
    await hub.say("每天晚上9点提醒我练琴")
    (changed,) = await hub.say(words)

    assert "周日" not in changed.text.splitlines()[2]
    assert "练琴" in changed.text


@pytest.mark.parametrize(
    ("said", "order", "left"),
    [
        ("后天和老王九点见面", "取消和老王的见面", []),
        ("remind me tomorrow at 9 to call the bank", "cancel the bank one", []),
        (
            "remind me tomorrow at 9 to call the bank",
            "move the bank one to 11",
            ["12-02 11:00 call the bank"],
        ),
        ("提醒我明天下午3点看牙", "看牙改到周四下午2点", ["12-03 14:00 看牙"]),
    ],
)
async def test_a_name_is_found_without_the_words_that_only_point(
    hub: Stage, said: str, order: str, left: list[str]
) -> None:
    await hub.say(said)
    await hub.say("午饭35")
    await hub.say(order)

    assert await nexts(hub) == left
    assert await hub.items() == ["午饭 35.00"]


async def test_an_order_to_move_something_is_never_a_price(hub: Stage) -> None:
    await hub.say("lunch 12")
    await hub.say("move the gym to 9")

    assert await hub.items() == ["lunch 12.00"]


@pytest.mark.parametrize("words", ["改到周四", "push it to thursday"])
async def test_a_weekday_for_what_is_in_a_later_week_may_be_of_that_week(
    hub: Stage, words: str
) -> None:
    await hub.say("下周二下午3点提醒我看牙")
    (asked,) = await hub.say(words)
    assert list(asked.buttons) == ["2026-12-03 周四 15:00", "2026-12-10 周四 15:00"]

    await hub.press(asked, "2026-12-10 周四 15:00")
    assert await nexts(hub) == ["12-10 15:00 看牙"]


async def test_one_day_that_is_left_out_right_after_setting_is_that_day_only(hub: Stage) -> None:
    await hub.say("每周三下午2点提醒我开例会")
    await hub.say("这周三不开")

    assert await nexts(hub) == ["12-09 14:00 开例会"]
