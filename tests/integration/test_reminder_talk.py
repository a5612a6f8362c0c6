"""Reminders in conversation and in time."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.clock import ManualClock
from bot.core.errors import RejectedError, RetryableAdapterError
from bot.core.schedules import DeliveryStatus
from bot.demo import settled
from tests.patience import PATIENCE_SECONDS
from tests.stage import TUESDAY, Puppet, Shown, Stage, stage


async def test_a_reminder_arrives_verbatim_without_any_model(hub: Stage) -> None:
    """T32: the push says exactly what was asked for."""
    await hub.say("10分钟后提醒我喝水")

    assert await hub.later(minutes=9) == []
    (due,) = await hub.later(minutes=1)

    assert due.text == "⏰ 喝水"


async def test_the_confirmation_shows_date_weekday_time_and_zone(hub: Stage) -> None:
    (answer,) = await hub.say("明早8点提醒我开会")

    assert "2026-12-02 周三 08:00 (Asia/Shanghai)" in answer.text
    assert "开会" in answer.text


async def test_reminders_due_while_down_arrive_once_at_start_and_say_that_they_are_late(
    tmp_path: Path,
) -> None:
    """T28: one-off late and marked; daily once for all missed slots; every slot accounted for."""
    clock = ManualClock(TUESDAY)
    async with stage(tmp_path, clock=clock) as hub:
        await hub.say("明早9点提醒我交水费")
        await hub.say("每天早上8点提醒我吃药")
    clock.turn(days=3, hours=1)  # 2026-12-04 11:00 in Shanghai
    async with stage(tmp_path, clock=clock) as hub:
        await settled(hub.app.stores)
        texts = [Shown(row).text for row in hub.puppet.sent]
        deliveries = await hub.app.stores.schedules.deliveries((await hub.person()).person_id)

        assert len(texts) == 2
        assert all("迟到的提醒" in text for text in texts)
        assert any("原定 2026-12-02 周三 09:00" in text for text in texts)
        counted = {(d.status, d.covers) for d in deliveries}
        assert counted == {(DeliveryStatus.LATE, 1), (DeliveryStatus.SKIPPED, 2)}
        assert all(d.reason for d in deliveries if d.status is DeliveryStatus.SKIPPED)


async def test_a_reminder_is_fired_once_however_often_the_tick_comes(hub: Stage) -> None:
    await hub.say("10分钟后提醒我喝水")
    hub.clock.turn(minutes=10)

    for _ in range(5):
        await hub.app.scheduler.tick()
    await settled(hub.app.stores)
    shown = await hub.later(seconds=1)

    fired = [row for row in hub.puppet.sent if row.draft.delivery_id]
    assert len(fired) == 1
    assert shown == []


async def test_a_failed_send_is_retried_and_only_then_called_delivered(tmp_path: Path) -> None:
    """T30: delivered is true only with the platform's message id."""
    puppet = Puppet(failures=[])
    async with stage(tmp_path, puppet=puppet) as hub:
        await hub.say("10分钟后提醒我喝水")
        owner = (await hub.person()).person_id
        puppet.failures = [RetryableAdapterError("500"), RetryableAdapterError("reset")]
        hub.clock.turn(minutes=10)
        await hub.app.scheduler.tick()
        await until_status(hub, owner, DeliveryStatus.RETRYING)

        turned = 0
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await has_status(hub, owner, DeliveryStatus.DELIVERED):
                hub.clock.turn(seconds=30)
                turned += 1
                await asyncio.sleep(0.01)
        assert turned >= 2, "each try waits for its time"
        (delivery,) = await hub.app.stores.schedules.deliveries(owner)

    assert delivery.status is DeliveryStatus.DELIVERED
    assert [row.draft.delivery_id for row in puppet.sent if row.draft.delivery_id]


async def test_a_refused_send_ends_skipped_with_the_reason_and_is_not_called_delivered(
    tmp_path: Path,
) -> None:
    puppet = Puppet()
    async with stage(tmp_path, puppet=puppet) as hub:
        await hub.say("10分钟后提醒我喝水")
        owner = (await hub.person()).person_id
        puppet.failures = [RejectedError("the chat is gone")]

        await hub.later(minutes=10)
        (delivery,) = await hub.app.stores.schedules.deliveries(owner)

    assert delivery.status is DeliveryStatus.SKIPPED
    assert "gone" in delivery.reason


async def test_done_snooze_and_skip_next_do_what_they_say(hub: Stage) -> None:
    await hub.say("每天早上8点提醒我吃药")
    (due,) = await hub.later(hours=22)

    (snoozed,) = await hub.press(due, "10 分钟后再说")
    assert "吃药" in snoozed.text
    (again,) = await hub.later(minutes=10)
    (done,) = await hub.press(again, "完成")
    assert done.text == "✓ 吃药"

    (next_day,) = await hub.later(hours=23, minutes=50)
    (skipped,) = await hub.press(next_day, "跳过下次")
    assert "已跳过" in skipped.text
    assert await hub.later(days=1) == []
    (after,) = await hub.later(days=1)
    assert after.text == "⏰ 吃药"


async def test_a_reminder_can_be_listed_moved_and_cancelled_in_words(hub: Stage) -> None:
    await hub.say("明早8点提醒我开会")

    (listed,) = await hub.say("我有哪些提醒")
    assert "开会" in listed.text

    (moved,) = await hub.say("把开会的提醒改到明早9点")
    assert "09:00" in moved.text

    (gone,) = await hub.say("取消开会的提醒")
    assert "已删除" in gone.text
    assert await hub.later(days=2) == []


@pytest.mark.parametrize("words", ["我的提醒", "我的日程", "所有提醒", "我的全部闹钟", "提醒"])
async def test_the_bare_noun_lists_what_is_to_come(hub: Stage, words: str) -> None:
    await hub.say("明早8点提醒我开会")
    (listed,) = await hub.say(words)
    assert "1. 开会" in listed.text


async def test_a_past_time_is_asked_about_and_never_moved_silently(hub: Stage) -> None:
    (asked,) = await hub.say("今天早上8点提醒我吃药")

    owner = (await hub.person()).person_id
    assert await hub.app.stores.schedules.of_person(owner) == ()
    assert asked.text


async def test_typed_cron_counts_sunday_as_zero(hub: Stage) -> None:
    (answer,) = await hub.say("0 9 * * 0 提醒我洗车")

    assert "2026-12-06 周日 09:00" in answer.text


async def test_every_other_two_days_is_asked_once_and_the_choice_is_remembered(
    hub: Stage,
) -> None:
    (asked,) = await hub.say("每隔两天早上8点提醒我浇花")
    assert len(asked.buttons) == 3
    label = next(label for label in asked.buttons if "3" in label or "三" in label)

    (stored,) = await hub.press(asked, label)
    assert "浇花" in stored.text
    (again,) = await hub.say("每隔两天晚上9点提醒我喂鱼")

    assert "喂鱼" in again.text
    owner = (await hub.person()).person_id
    rules = [s.rule.rrule for s in await hub.app.stores.schedules.of_person(owner)]
    assert len(rules) == 2
    assert all("INTERVAL=3" in rule for rule in rules)


async def test_working_days_of_an_unpublished_year_say_so(hub: Stage) -> None:
    hub.clock.turn(days=40)

    (answer,) = await hub.say("每个工作日早上9点提醒我打卡")

    assert "2027 年的调休安排还没公布" in answer.text


async def test_a_question_about_a_time_shows_its_candidates_as_buttons(hub: Stage) -> None:
    (asked,) = await hub.say("3点提醒我开会")
    if not asked.buttons or "修改" in asked.buttons:
        assert "15:00" in asked.text
        return
    picked = next(iter(asked.buttons))

    (stored,) = await hub.press(asked, picked)

    assert "提醒已设好" in stored.text


@pytest.mark.parametrize(
    ("words", "content"),
    [("remind me the 3pm meeting tomorrow", "meeting"), ("提醒我3点的会议明天", "会议")],
)
async def test_a_day_left_at_the_end_of_the_content_is_asked_about_and_never_ignored(
    hub: Stage, words: str, content: str
) -> None:
    (asked,) = await hub.say(words)
    owner = (await hub.person()).person_id
    assert await hub.app.stores.schedules.of_person(owner) == ()
    first, second = list(asked.buttons)[:2]
    assert "2026-12-02" in first
    assert "2026-12-01" in second

    (stored,) = await hub.press(asked, first)

    assert content in stored.text
    assert "2026-12-02" in stored.text


async def test_a_day_inside_the_content_belongs_to_the_content(hub: Stage) -> None:
    (stored,) = await hub.say("提醒我9点交明天的作业")

    assert "交明天的作业" in stored.text


async def until_status(hub: Stage, owner: str, status: DeliveryStatus) -> None:
    while not await has_status(hub, owner, status):  # noqa: ASYNC110  # a store has no event
        await asyncio.sleep(0.005)


async def has_status(hub: Stage, owner: str, status: DeliveryStatus) -> bool:
    found = await hub.app.stores.schedules.deliveries(owner)
    return any(delivery.status is status for delivery in found)


async def test_a_new_time_of_day_keeps_the_days_of_a_repeated_reminder(hub: Stage) -> None:
    await hub.say("每周一早上8点提醒我开例会")

    (moved,) = await hub.say("把例会提醒改到9点")

    assert "每周一 09:00" in moved.text


async def test_an_order_is_an_order_while_a_question_is_open(hub: Stage) -> None:
    await hub.say("每天晚上10点提醒我吃药")
    await hub.say("提醒我开会")

    (moved,) = await hub.say("把吃药的提醒改到晚上9点半")

    assert "提醒已修改" in moved.text
    assert "每天 21:30" in moved.text


async def test_orders_without_the_word_reminder_set_no_new_one(hub: Stage) -> None:
    await hub.say("每周一、三、五早上8点提醒我跑步")

    (moved,) = await hub.say("把跑步改到早上7点")
    assert "每周一、三、五 07:00" in moved.text
    await hub.say("提醒我开会")
    (listed,) = await hub.say("明天有什么安排")
    assert "跑步" in listed.text
    await hub.say("提醒我开会")
    (gone,) = await hub.say("别提醒我跑步了")
    assert "已删除" in gone.text


async def test_a_whole_wish_is_not_the_answer_to_what(hub: Stage) -> None:
    await hub.say("明天9点提醒我")

    answer, parked = await hub.say("20分钟后提醒我关火")
    assert "刚才的问题先放着" in parked.text

    assert "关火" in answer.text
    assert "提醒我" not in answer.text


async def test_of_two_times_none_is_dropped_silently(hub: Stage) -> None:
    (asked,) = await hub.say("明天9点和10点分别提醒我吃药")

    owner = (await hub.person()).person_id
    assert await hub.app.stores.schedules.of_person(owner) == ()
    assert [label[-5:] for label in asked.buttons][:2] == ["09:00", "10:00"]


async def test_a_question_about_tomorrow_sets_no_reminder(hub: Stage) -> None:
    await hub.say("明早8点提醒我开会")
    await hub.say("提醒我喝水")

    (listed,) = await hub.say("what's on tomorrow?")

    assert "开会" in listed.text


async def test_tomorrow_said_after_midnight_is_asked_with_both_days(tmp_path: Path) -> None:
    night = ManualClock(datetime(2026, 12, 1, 19, 0, tzinfo=UTC))  # 03:00 in Shanghai
    async with stage(tmp_path, clock=night) as hub:
        (asked,) = await hub.say("明早8点提醒我开会")
        assert list(asked.buttons)[:2] == ["2026-12-02 周三 08:00", "2026-12-03 周四 08:00"]
        (picked,) = await hub.press(asked, "2026-12-03 周四 08:00")
        assert "2026-12-03 周四 08:00" in picked.text

        for said, day in (("天亮后的今天", "2026-12-02"), ("再过一天", "2026-12-03")):
            await hub.say("明早9点提醒我吃饭")
            (answer,) = await hub.say(said)
            assert "吃饭" in answer.text
            assert f"{day} 周" in answer.text
            assert "09:00" in answer.text


async def whats(hub: Stage) -> list[str]:
    """What is to be reminded of and when, oldest first."""
    stored = await hub.app.stores.schedules.of_person((await hub.person()).person_id)
    return [
        f"{s.next_fire_at.astimezone(ZoneInfo(s.rule.tz)):%m-%d %H:%M} {s.what}"
        for s in stored
        if s.next_fire_at is not None and not s.cancelled
    ]


async def test_two_reminder_clauses_are_two_reminders(hub: Stage) -> None:
    (answer,) = await hub.say("明天9点提醒我吃药，10点提醒我跑步")
    assert "吃药" in answer.text
    assert "跑步" in answer.text
    assert "12-02 周三 10:00" in answer.text
    assert await whats(hub) == ["12-02 09:00 吃药", "12-02 10:00 跑步"]

    await hub.say("remind me tomorrow at 1pm to call Bob and at 3 to run")
    assert (await whats(hub))[2:] == ["12-02 13:00 call Bob", "12-02 15:00 run"]
    await hub.say("每天9点提醒我喝水，晚上9点提醒我读书")
    assert (await whats(hub))[4:] == ["12-02 09:00 喝水", "12-01 21:00 读书"]
    await hub.say("明天上午10点提醒我开会和下午3点提醒我取快递")
    assert (await whats(hub))[6:] == ["12-02 10:00 开会", "12-02 15:00 取快递"]


async def test_a_second_clause_that_may_belong_to_the_first_is_asked_about(hub: Stage) -> None:
    (asked,) = await hub.say("明天9点提醒我吃药，10点跑步")
    assert await whats(hub) == []

    await hub.press(asked, "分成 2 个提醒")

    assert await whats(hub) == ["12-02 09:00 吃药", "12-02 10:00 跑步"]


async def test_the_ledger_part_of_a_reminder_message_is_named_and_one_press_away(
    hub: Stage,
) -> None:
    for said in ("午饭35，明天8点提醒我开会", "明天8点提醒我开会，午饭35"):
        (answer,) = await hub.say(said)
        assert "“午饭35”还没有记账" in answer.text
        await hub.press(answer, "记上这笔")

    assert await whats(hub) == ["12-02 08:00 开会"] * 2
    assert await hub.items() == ["午饭 35"] * 2 or await hub.items() == ["午饭 35.00"] * 2


async def test_parts_of_the_day_in_a_row_are_all_of_them(hub: Stage) -> None:
    for said, times in (
        ("每天早中晚提醒我吃药", "每天 08:00、12:00、20:00"),
        ("每天早、晚提醒我量血压", "每天 08:00、20:00"),
        ("每天早中晚三次提醒我滴眼药水", "每天 08:00、12:00、20:00"),
    ):
        (answer,) = await hub.say(said)
        assert times in answer.text
        assert "次" not in answer.text.split("\n")[2]


async def test_how_often_a_day_is_asked_when_and_the_answer_keeps_every_day(hub: Stage) -> None:
    (asked,) = await hub.say("每天提醒我喝水三次")
    assert "哪几个时间" in asked.text
    assert list(asked.buttons) == ["取消"]

    (answer,) = await hub.say("9点、14点和20点")

    assert "每天 09:00、14:00、20:00" in answer.text
    assert "喝水" in answer.text
    await hub.say("每天提醒我读书")
    (answer,) = await hub.say("晚上9点")
    assert "每天 21:00" in answer.text


async def test_a_while_ahead_of_a_point_fires_so_much_before_it(hub: Stage) -> None:
    for said, stored in (
        ("下周二下午3点开会，提前半小时提醒我", "12-08 14:30 开会"),
        ("提前10分钟提醒我12月5日下午2点的会议", "12-05 13:50 会议"),
        ("明天下午3点面试前一小时提醒我", "12-02 14:00 面试"),
        ("remind me 10 minutes before my 3pm meeting tomorrow", "12-02 14:50 meeting"),
        ("remind me half an hour before the 3pm review tomorrow", "12-02 14:30 review"),
        ("每天9点开晨会，提前10分钟提醒我", "12-02 08:50 开晨会"),
        ("明天9点提醒我开会，提前5分钟", "12-02 08:55 开会"),
    ):
        (answer,) = await hub.say(said)
        assert (await whats(hub))[-1] == stored
        assert stored[-2:] in answer.text


async def test_ahead_of_an_unknown_point_asks_for_the_point_and_then_keeps_the_distance(
    hub: Stage,
) -> None:
    (asked,) = await hub.say("提前半小时提醒我开会")
    assert await whats(hub) == []
    assert "开会" in asked.text

    await hub.say("明天下午3点")

    assert await whats(hub) == ["12-02 14:30 开会"]


async def test_a_skip_order_by_words_leaves_out_that_day_only(hub: Stage) -> None:
    await hub.say("每天早上8点提醒我吃药")
    await hub.say("每天晚上7点提醒我跑步")

    (answer,) = await hub.say("跳过明天的吃药")
    assert "已跳过 2026-12-02 周三 的提醒" in answer.text
    assert await whats(hub) == ["12-03 08:00 吃药", "12-01 19:00 跑步"]
    await hub.say("跳过后天的跑步提醒")
    await hub.say("skip tomorrow's 跑步")
    (skipped,) = await hub.say("跳过下次跑步")
    assert "12-04 周五 19:00" in skipped.text
    (none,) = await hub.say("跳过明天的读书")
    assert "没找到" in none.text
    assert len(await whats(hub)) == 2


async def test_skipping_asks_when_several_match_and_says_when_nothing_is_due(hub: Stage) -> None:
    await hub.say("每天早上8点提醒我吃药")
    await hub.say("每天晚上8点提醒我吃药片")
    await hub.say("每周五晚上7点提醒我跑步")

    (asked,) = await hub.say("跳过明天的吃药提醒")
    await hub.press(asked, "跳过 2 吃药片")
    (nothing,) = await hub.say("跳过明天的跑步提醒")

    assert "没有提醒" in nothing.text
    (text,) = [w for w in await whats(hub) if "药片" in w]
    assert text == "12-01 20:00 吃药片"


async def test_a_repeated_reminder_moved_to_a_day_asks_once_or_always(hub: Stage) -> None:
    await hub.say("每周一早上8点提醒我开例会")

    (asked,) = await hub.say("把例会提醒改到周五9点")
    assert list(asked.buttons) == ["只改下一次", "以后都是每周五 09:00"]
    assert await whats(hub) == ["12-07 08:00 开例会"]

    (moved,) = await hub.press(asked, "以后都是每周五 09:00")
    assert "每周五 09:00" in moved.text
    assert "12-18" in moved.text
    (asked,) = await hub.say("把例会提醒改到周四")
    (moved,) = await hub.press(asked, "只改下一次")
    assert await whats(hub) == ["12-11 09:00 开例会", "12-03 09:00 开例会"]
    assert "每周五 09:00" in moved.text


async def test_a_reply_to_a_reminder_that_skips_a_day_does_not_move_it(hub: Stage) -> None:
    (set_up,) = await hub.say("每天早上8点提醒我吃药")

    await hub.say("跳过明天", reply_to=set_up.message_id)

    assert await whats(hub) == ["12-03 08:00 吃药"]


async def test_cancelling_all_reminders_is_confirmed_first_and_can_be_undone(hub: Stage) -> None:
    for said in ("删除所有提醒", "delete all reminders"):
        await hub.say("每天早上8点提醒我吃药")
        await hub.say("明天9点提醒我开会")
        (asked,) = await hub.say(said)
        assert "吃药" in asked.text
        assert "开会" in asked.text
        stored = await whats(hub)
        assert len(stored) == 2

        (gone,) = await hub.press(asked, "全部取消（2）")
        assert await whats(hub) == []
        await hub.press(gone, "撤销")
        assert await whats(hub) == stored

        await hub.say("把提醒都删了")
        (answer,) = await hub.say("不要")
        assert "保留" in answer.text
        await hub.say("清空提醒")
        await hub.say("好的")
        assert await whats(hub) == []


async def rules(hub: Stage) -> list[tuple[str, tuple[str, ...]]]:
    """Return RRULE and times of every live repeated reminder."""
    owner = (await hub.person()).person_id
    stored = await hub.app.stores.schedules.of_person(owner)
    return [
        (s.rule.rrule or s.rule.type, s.rule.times)
        for s in stored
        if not s.cancelled and s.rule.type != "once"
    ]


@pytest.mark.parametrize(
    "words",
    ["早晚提醒我吃药", "早上和晚上提醒我吃药", "remind me morning and evening to take pills"],
)
async def test_parts_of_the_day_without_a_day_are_asked_daily_or_once(
    hub: Stage, words: str
) -> None:
    (asked,) = await hub.say(words)

    assert await rules(hub) == []
    assert list(asked.buttons)[:2] == ["每天 08:00、20:00", "每天 08:00、20:00，共 2 次"]

    await hub.say("每天")
    assert await rules(hub) == [("FREQ=DAILY", ("08:00", "20:00"))]


async def test_parts_of_the_day_only_this_once_ring_once_each(hub: Stage) -> None:
    await hub.say("早晚提醒我吃药")
    await hub.say("就这一次")

    due = [shown.text for _ in range(60) for shown in await hub.later(hours=1)]
    assert due == ["⏰ 吃药", "⏰ 吃药"]


@pytest.mark.parametrize("words", ["早晚会下雨记得带伞", "明天早上和晚上提醒我吃药"])
async def test_sooner_or_later_and_the_parts_of_one_day_are_not_every_day(
    hub: Stage, words: str
) -> None:
    (asked,) = await hub.say(words)

    assert await rules(hub) == []
    assert "每天" not in asked.text + "".join(asked.buttons)


@pytest.mark.parametrize(
    ("words", "what"),
    [("提醒我提前10分钟出门", "出门"), ("remind me to leave 10 minutes early", "leave")],
)
async def test_what_is_done_early_is_asked_its_point_and_rings_before_it(
    hub: Stage, words: str, what: str
) -> None:
    (asked,) = await hub.say(words)
    assert "提前 10 分钟" in asked.text
    assert f"“{what}”" in asked.text

    (stored,) = await hub.say("明天9点半")
    assert "2026-12-02 周三 09:20" in stored.text


async def test_with_a_point_of_its_own_what_is_done_early_stays_in_the_words(hub: Stage) -> None:
    await hub.say("明早8点提醒我提前10分钟出门")
    await hub.say("remind me tomorrow at 9 am to leave 10 minutes early")

    assert await whats(hub) == [
        "12-02 08:00 提前10分钟出门",
        "12-02 09:00 leave 10 minutes early",
    ]


async def test_days_left_out_are_shown_with_their_weekday(hub: Stage) -> None:
    await hub.say("每天早上8点提醒我吃药")

    (skipped,) = await hub.say("明天的跳过")
    (listed,) = await hub.say("我有哪些提醒")
    (nothing,) = await hub.say("跳过明天的吃药")

    assert "已跳过 2026-12-02 周三" in skipped.text
    assert "除 2026-12-02 周三" in skipped.text
    assert "除 2026-12-02 周三" in listed.text
    assert "2026-12-02 周三 没有提醒" in nothing.text


async def test_the_list_says_the_time_of_a_one_off_once(hub: Stage) -> None:
    await hub.say("明早8点提醒我开会")
    await hub.say("每天早上9点提醒我吃药")

    (listed,) = await hub.say("我有哪些提醒")

    assert listed.text.count("2026-12-02 周三 08:00") == 1
    assert "下次：2026-12-02 周三 09:00" in listed.text


@pytest.mark.parametrize(
    ("first", "move", "always", "after"),
    [
        (
            "每月5号早上9点提醒我交房租",
            "把每月5号的改到6号",
            "以后都是每月 6 日 09:00",
            ("FREQ=MONTHLY;BYMONTHDAY=6", ("09:00",)),
        ),
        (
            "remind me on the 5th of every month to pay rent at 9am",
            "move rent to the 6th",
            "以后都是每月 6 日 09:00",
            ("FREQ=MONTHLY;BYMONTHDAY=6", ("09:00",)),
        ),
        (
            "工作日早上8点提醒我打卡",
            "打卡改到明天9点",
            "以后都是每个工作日 09:00",
            ("workday", ("09:00",)),
        ),
        (
            "每周五下午3点提醒我周报",
            "周五的改到周四",
            "以后都是每周四 15:00",
            ("FREQ=WEEKLY;BYDAY=TH", ("15:00",)),
        ),
    ],
)
async def test_a_move_of_a_repeated_reminder_offers_this_time_and_always(
    hub: Stage, first: str, move: str, always: str, after: tuple[str, tuple[str, ...]]
) -> None:
    await hub.say(first)

    (asked,) = await hub.say(move)
    assert list(asked.buttons) == ["只改下一次", always]
    await hub.press(asked, always)

    assert await rules(hub) == [after]


async def test_the_scope_of_a_move_can_be_said_in_words(hub: Stage) -> None:
    await hub.say("每月5号早上9点提醒我交房租")
    await hub.say("交房租改到6号")
    (kept,) = await hub.say("算了")
    assert "没有改动" in kept.text

    await hub.say("交房租改到6号")
    await hub.say("只改这次")
    assert await rules(hub) == [("FREQ=MONTHLY;BYMONTHDAY=5", ("09:00",))]
    due = [shown.text for _ in range(150) for shown in await hub.later(hours=1)]
    assert due == ["⏰ 交房租"]

    await hub.say("每月20号早上9点提醒我还款")
    await hub.say("还款改到21号")
    await hub.say("以后都改")
    assert ("FREQ=MONTHLY;BYMONTHDAY=21", ("09:00",)) in await rules(hub)


@pytest.mark.parametrize(
    ("words", "after"),
    [
        ("工作日的改到9点", ("workday", ("09:00",))),
        ("每个工作日的改到9点", ("workday", ("09:00",))),
        ("把打卡的提醒改到每天", ("FREQ=DAILY", ("08:00",))),
    ],
)
async def test_a_reminder_is_found_by_when_it_rings_and_keeps_what_is_not_said(
    hub: Stage, words: str, after: tuple[str, tuple[str, ...]]
) -> None:
    await hub.say("工作日早上8点提醒我打卡")
    await hub.say(words)

    assert await rules(hub) == [after]


@pytest.mark.parametrize("words", ["删掉第二个提醒", "delete the second reminder"])
async def test_a_reminder_is_deleted_by_its_number_in_the_list(hub: Stage, words: str) -> None:
    await hub.say("每天早上8点提醒我吃药")
    await hub.say("每天晚上7点提醒我跑步")

    (gone,) = await hub.say(words)
    assert await whats(hub) == ["12-01 19:00 跑步"]
    await hub.press(gone, "撤销")

    (missing,) = await hub.say("第三个提醒改到9点")
    assert "没有第 3 个" in missing.text
    assert "吃药" in missing.text


async def test_small_words_before_a_time_are_no_part_of_the_content(hub: Stage) -> None:
    await hub.say("remind me on the 5th of every month to pay rent at 9am")
    await hub.say("remind me at 3pm tomorrow to call the bank")

    assert await whats(hub) == ["12-05 09:00 pay rent", "12-02 15:00 call the bank"]


@pytest.mark.parametrize(
    ("words", "when"),
    [
        ("改到9点", "12-02 09:00"),
        ("改成下午", "12-02 15:00"),
        ("改到后天", "12-03 08:00"),
        ("推迟10分钟", "12-02 08:10"),
        ("提前半小时", "12-02 07:30"),
        ("不是，是11点", "12-02 11:00"),
        ("开会改成10点半", "12-02 10:30"),
        ("把开会改到下午3点", "12-02 15:00"),
        ("把开会推迟一小时", "12-02 09:00"),
        ("move it to Friday", "12-04 08:00"),
        ("postpone it by 30 minutes", "12-02 08:30"),
        ("make it 10am", "12-02 10:00"),
    ],
)
async def test_a_change_right_after_setting_moves_that_one_and_keeps_what_is_not_said(
    hub: Stage, words: str, when: str
) -> None:
    await hub.say("明早8点提醒我开会")

    await hub.say(words)

    assert await whats(hub) == [f"{when} 开会"]


async def test_a_time_of_day_that_is_over_today_means_the_one_still_to_come(hub: Stage) -> None:
    await hub.say("今晚8点提醒我看书")
    await hub.say("改到9点")
    assert await whats(hub) == ["12-01 21:00 看书"]

    (refused,) = await hub.say("改到早上9点")
    assert "已经过了" in refused.text
    assert await whats(hub) == ["12-01 21:00 看书"]


@pytest.mark.parametrize(
    "words",
    ["明天不用提醒我吃药", "明天别叫我吃药了", "don't remind me tomorrow", "明天不用提醒了"],
)
async def test_not_to_be_reminded_on_a_day_leaves_that_day_out_and_sets_nothing(
    hub: Stage, words: str
) -> None:
    await hub.say("每天早上8点提醒我吃药")

    await hub.say(words)

    assert await whats(hub) == ["12-03 08:00 吃药"]


@pytest.mark.parametrize("words", ["会议取消了，不用提醒了", "don't remind me"])
async def test_not_to_be_reminded_of_something_unsaid_asks_which(hub: Stage, words: str) -> None:
    await hub.say("明早8点提醒我开会")

    (asked,) = await hub.say(words)
    assert await whats(hub) == ["12-02 08:00 开会"]

    await hub.press(asked, "删除第1个 开会")
    assert await whats(hub) == []


async def test_a_repeated_reminder_put_off_by_a_length_is_asked_once_or_always(
    hub: Stage,
) -> None:
    await hub.say("每周五下午3点提醒我周报")

    (asked,) = await hub.say("推迟一小时")
    assert list(asked.buttons) == ["只改下一次", "以后都是每周五 16:00"]

    await hub.say("以后都改")
    assert await rules(hub) == [("FREQ=WEEKLY;BYDAY=FR", ("16:00",))]


async def test_an_end_after_a_comma_bounds_the_reminder(hub: Stage) -> None:
    (answer,) = await hub.say("每天晚上10点提醒我睡觉，直到月底")

    assert "到 2026-12-31 周四 为止" in answer.text


@pytest.mark.parametrize(
    ("words", "stored"),
    [
        ("set an alarm for 7", "12-01 19:00 Alarm"),
        ("定个明早8点的闹钟", "12-02 08:00 闹钟"),
        ("明早7点叫醒我", "12-02 07:00 起床"),
        ("wake me up at 6:30 tomorrow", "12-02 06:30 Wake up"),
    ],
)
async def test_an_alarm_needs_no_words_of_its_own(hub: Stage, words: str, stored: str) -> None:
    await hub.say(words)

    assert await whats(hub) == [stored]


async def test_a_whole_wish_is_no_answer_to_what_to_remind_of(hub: Stage) -> None:
    await hub.say("今晚提醒我")
    await hub.say("明早7点叫醒我")

    assert await whats(hub) == ["12-02 07:00 起床"]


async def test_joined_reminders_are_told_apart_after_a_look(hub: Stage) -> None:
    (asked,) = await hub.say("提醒我10分钟后喝水和半小时后开会")
    await hub.press(asked, "分成 2 个提醒")
    (asked,) = await hub.say("提醒我浇花11:30，吃饭12:00，午睡13:00")
    await hub.press(asked, "分成 3 个提醒")

    assert await whats(hub) == [
        "12-01 10:10 喝水",
        "12-01 10:30 开会",
        "12-01 11:30 浇花",
        "12-01 12:00 吃饭",
        "12-01 13:00 午睡",
    ]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("每天9点提醒我浇花，下周开始", "2026-12-07 周一 09:00"),
        ("下周二前每天9点提醒我浇花", "到 2026-12-07 周一 为止"),
        ("每天9点提醒我浇花，除了周三", "每周一、二、四、五、六、日 09:00"),
        ("明天下午3点有个会，提前半小时叫我", "2026-12-02 周三 14:30"),
    ],
)
async def test_what_bounds_a_reminder_is_no_wish_of_its_own(
    hub: Stage, words: str, shown: str
) -> None:
    (stored,) = await hub.say(words)

    assert stored.text.startswith("提醒已设好")
    assert shown in stored.text


async def test_a_length_and_call_me_is_a_reminder(hub: Stage) -> None:
    await hub.say("一个半小时后叫我")
    await hub.say("关火")

    assert await whats(hub) == ["12-01 11:30 关火"]


async def test_a_reminder_is_deleted_by_its_name_alone(hub: Stage) -> None:
    await hub.say("明早8点提醒我开会")
    (gone,) = await hub.say("删掉开会")

    assert "已删除提醒：开会" in gone.text


async def test_what_is_cancelled_after_a_question_about_a_change_is_only_the_change(
    hub: Stage,
) -> None:
    (stored,) = await hub.say("明早8点提醒我开会")
    await hub.press(stored, "修改")
    (answer,) = await hub.say("算了")

    assert "没有改动" in answer.text
    assert await whats(hub) == ["12-02 08:00 开会"]


@pytest.mark.parametrize(
    "question", ["今天有啥提醒", "后天有啥提醒吗", "提醒我啥了", "Any reminders today?"]
)
async def test_a_question_about_reminders_sets_none(hub: Stage, question: str) -> None:
    (answer,) = await hub.say(question)

    assert "没有提醒" in answer.text
    assert await hub.app.stores.schedules.of_person((await hub.person()).person_id) == ()


async def test_whether_we_can_remind_is_answered_and_a_wish_without_a_thing_is_asked(
    hub: Stage,
) -> None:
    (help_,) = await hub.say("你能提醒我吗")
    (asked,) = await hub.say("你帮我想想明天提醒我什么好")

    assert help_.text.startswith("能。")
    assert "提醒你什么" in asked.text


@pytest.mark.parametrize(
    ("question", "shown", "hidden"),
    [
        ("明天有什么提醒", ["明天（2026-12-02 周三）", "吃药", "3. 开会"], ["喝汤"]),
        ("今天有啥提醒", ["今天（2026-12-01 周二）", "喝汤"], ["吃药", "开会"]),
        ("what reminders do i have tomorrow", ["tomorrow", "开会"], ["喝汤"]),
        ("大后天有什么安排", ["大后天（2026-12-04 周五）", "吃药"], ["喝汤", "开会"]),
        ("我有哪些提醒", ["吃药", "喝汤", "开会"], []),
    ],
)
async def test_a_question_about_a_day_lists_what_rings_on_it_by_the_numbers_of_the_whole_list(
    hub: Stage, question: str, shown: list[str], hidden: list[str]
) -> None:
    await hub.say("每天早上8点提醒我吃药")
    await hub.say("明天下午3点提醒我开会")
    await hub.say("今天中午12点提醒我喝汤")

    (answer,) = await hub.say(question)

    assert all(words in answer.text for words in shown)
    assert not any(words in answer.text for words in hidden)


async def test_a_day_without_reminders_is_named_as_such(hub: Stage) -> None:
    await hub.say("明天下午3点提醒我开会")

    (answer,) = await hub.say("后天有什么提醒")

    assert answer.text.startswith("后天（2026-12-03 周四）没有提醒")


@pytest.mark.parametrize(
    ("words", "hour"),
    [
        ("把明天的跑步改到10点", 10),
        ("明天的跑步推迟到9点", 9),
        ("move tomorrow's 跑步 to 8am", 8),
        ("change the 跑步 tomorrow to 9:00", 9),
    ],
)
async def test_a_day_and_words_name_the_reminder_and_it_stays_on_that_day(
    hub: Stage, words: str, hour: int
) -> None:
    await hub.say("明天7点提醒我跑步")
    await hub.say("后天7点提醒我跑步")

    (answer,) = await hub.say(words)

    assert f"2026-12-02 周三 {hour:02d}:00" in answer.text
    (listed,) = await hub.say("/reminders")
    assert "2026-12-03 周四 07:00" in listed.text
    assert listed.text.count("跑步") == 2


async def test_one_day_of_a_repeated_reminder_is_moved_only_as_asked(hub: Stage) -> None:
    await hub.say("每天8点提醒我吃药")

    (asked,) = await hub.say("把后天的吃药改到10点")
    (done,) = await hub.press(asked, "只改 2026-12-03 周四 这次")

    assert "除 2026-12-03" in done.text
    assert "2026-12-02 周三 08:00" in done.text
    assert "2026-12-03 周四 10:00" in done.text


@pytest.mark.parametrize("words", ["取消明天的吃药", "删掉明天的吃药", "cancel tomorrow's 吃药"])
async def test_deleting_one_day_of_a_repeated_reminder_asks_and_deletes_nothing(
    hub: Stage, words: str
) -> None:
    await hub.say("每天8点提醒我吃药")

    (asked,) = await hub.say(words)
    assert len(asked.buttons) == 2

    (done,) = await hub.press(asked, "只跳过 2026-12-02 周三")
    assert "2026-12-03 周四 08:00" in done.text


@pytest.mark.parametrize("words", ["取消明天的游泳", "把后天的游泳改到10点", "删掉周五的提醒"])
async def test_an_order_about_a_day_without_such_a_reminder_sets_none(
    hub: Stage, words: str
) -> None:
    await hub.say("明天8点提醒我体检")

    (answer,) = await hub.say(words)

    assert "没有" in answer.text
    (listed,) = await hub.say("/reminders")
    assert "游泳" not in listed.text
    assert "体检" in listed.text


async def test_all_reminders_of_a_day_are_listed_before_they_go(hub: Stage) -> None:
    await hub.say("明天8点提醒我体检")
    await hub.say("明天9点提醒我买菜")
    await hub.say("后天9点提醒我游泳")

    (asked,) = await hub.say("取消明天的所有提醒")
    assert "游泳" not in asked.text
    await hub.press(asked, "全部取消（2）")

    (listed,) = await hub.say("/reminders")
    assert "游泳" in listed.text
    assert "买菜" not in listed.text


@pytest.mark.parametrize(
    ("words", "answer", "when"),
    [
        ("明天去趟杭州，你说行吗？记得提醒我哦", "早上7点", "2026-12-02 周三 07:00"),
        ("周五要交报告，来得及吗？到时候提醒我", "下午3点", "2026-12-04 周五 15:00"),
        ("周五去爬山。提醒我一下", "8点", "2026-12-04 周五 08:00"),
    ],
)
async def test_a_plan_told_with_its_day_only_is_asked_for_a_time_on_that_day(
    hub: Stage, words: str, answer: str, when: str
) -> None:
    (asked,) = await hub.say(words)
    assert "几点" in asked.text
    assert len(asked.buttons) == 3

    (done,) = await hub.say(answer)
    assert when in done.text


async def test_what_hangs_on_a_condition_is_not_set_as_a_reminder(hub: Stage) -> None:
    await hub.say("明天下雨吗？下雨的话提醒我带伞")

    (listed,) = await hub.say("/reminders")
    assert "带伞" not in listed.text


@pytest.mark.parametrize("words", ["明天的提醒都推迟一小时", "把明天的提醒都提前十分钟"])
async def test_an_order_to_put_off_several_reminders_sets_no_new_one(
    hub: Stage, words: str
) -> None:
    await hub.say("明早8点提醒我体检")
    await hub.say("明天9点提醒我交电费")

    (asked,) = await hub.say(words)
    assert len(asked.buttons) == 2

    (listed,) = await hub.say("/reminders")
    assert "推迟" not in listed.text
    assert "提前" not in listed.text


@pytest.mark.parametrize(
    ("words", "when"),
    [
        ("明天的体检推迟一小时", "2026-12-02 周三 09:00"),
        ("体检提前半小时", "2026-12-02 周三 07:30"),
        ("把8点的改到9点", "2026-12-02 周三 09:00"),
        ("把体检改成9点，并且带身份证", "2026-12-02 周三 09:00"),
    ],
)
async def test_a_reminder_named_by_thing_or_clock_is_moved_on_its_own_day(
    hub: Stage, words: str, when: str
) -> None:
    await hub.say("明早8点提醒我体检")

    (moved,) = await hub.say(words)

    assert when in moved.text


async def test_a_day_of_a_rule_that_is_not_needed_is_asked_about(hub: Stage) -> None:
    await hub.say("每周一9点提醒我写周报")

    (asked,) = await hub.say("下周一的周报不用了")

    assert "只跳过 2026-12-07 周一" in asked.buttons


async def test_a_new_reminder_to_cancel_something_is_no_order_to_cancel(hub: Stage) -> None:
    await hub.say("明早8点提醒我体检")

    await hub.say("明天9点提醒我取消订阅")

    (listed,) = await hub.say("/reminders")
    assert "体检" in listed.text
    assert "取消订阅" in listed.text


@pytest.mark.parametrize(
    "words", ["下周三不去健身了", "下周三没法健身了", "I'm not going to 健身 next Wednesday"]
)
async def test_what_is_called_off_leaves_out_its_day_and_sets_nothing(
    hub: Stage, words: str
) -> None:
    await hub.say("每周三晚上7点提醒我健身")
    await hub.capsule("schedule_manager")

    (shown,) = await hub.say(words)

    assert "健身" in shown.text
    person = await hub.person()
    (stored,) = await hub.app.stores.schedules.of_person(person.person_id)
    assert [str(day) for day in stored.rule.except_dates] == ["2026-12-09"]


@pytest.mark.parametrize(
    "words", ["明天不上班了", "周五不开会了", "I'm not going to work tomorrow"]
)
async def test_what_is_called_off_and_was_never_set_is_no_reminder(hub: Stage, words: str) -> None:
    await hub.capsule("schedule_manager")
    await hub.say(words)

    person = await hub.person()
    assert await hub.app.stores.schedules.of_person(person.person_id) == ()


@pytest.mark.parametrize("first", ["提醒我", "remind me"])
async def test_what_to_remind_of_may_be_said_before_when(hub: Stage, first: str) -> None:
    await hub.say(first)

    (asked,) = await hub.say("喝水")
    assert "喝水" in asked.text
    (done,) = await hub.say("下午三点")

    assert "15:00" in done.text
    person = await hub.person()
    (stored,) = await hub.app.stores.schedules.of_person(person.person_id)
    assert stored.what == "喝水"


@pytest.mark.parametrize(
    ("words", "hours"),
    [
        ("第一个改到9点", [9, 20]),
        ("第二个改到晚上9点", [8, 21]),
        ("change the first one to 9am", [9, 20]),
        ("删掉第二个", [8]),
        ("cancel the second one", [8]),
    ],
)
async def test_a_place_in_the_list_names_the_reminder(
    hub: Stage, words: str, hours: list[int]
) -> None:
    await hub.say("明天早上8点提醒我吃药")
    await hub.say("明天晚上8点提醒我跑步")
    await hub.say("我有哪些提醒")

    await hub.say(words)

    person = await hub.person()
    live = await hub.app.stores.schedules.upcoming(person.person_id, limit=9)
    fires = [s.next_fire_at for s in live if s.next_fire_at is not None]
    assert sorted(at.astimezone(ZoneInfo(person.zone)).hour for at in fires) == hours


@pytest.mark.parametrize(
    ("words", "minutes"),
    [
        ("推迟20分钟", 20),
        ("过会儿再叫我", 10),
        ("15分钟后再提醒我", 15),
        ("snooze", 10),
        ("snooze for 5 minutes", 5),
    ],
)
async def test_later_right_after_it_rang_means_that_reminder(
    hub: Stage, words: str, minutes: int
) -> None:
    await hub.say("10分钟后提醒我喝水")
    await hub.later(minutes=10)

    (shown,) = await hub.say(words)

    assert "喝水" in shown.text
    person = await hub.person()
    (again,) = await hub.app.stores.schedules.upcoming(person.person_id, limit=9)
    assert again.what == "喝水"
    assert again.next_fire_at is not None
    assert round((again.next_fire_at - hub.clock.now()).total_seconds() / 60) == minutes


async def test_later_means_no_reminder_that_rang_long_ago(hub: Stage) -> None:
    await hub.say("10分钟后提醒我喝水")
    await hub.later(minutes=10)
    await hub.later(hours=2)

    await hub.say("推迟20分钟")

    person = await hub.person()
    assert await hub.app.stores.schedules.upcoming(person.person_id, limit=9) == ()


async def test_later_in_a_group_shows_nothing_that_rang_in_private(hub: Stage) -> None:
    await hub.say("10分钟后提醒我吃药")
    await hub.later(minutes=10)

    shown = await hub.say("推迟20分钟", chat="group-1", group=True)

    assert not any("吃药" in message.text for message in shown)


async def test_what_cannot_be_undone_any_more_opens_no_edit(hub: Stage) -> None:
    await hub.capsule("schedule_manager")
    await hub.say("明早9点提醒我浇花")
    await hub.say("取消明天9点的提醒")
    said = [message.text for _ in range(3) for message in await hub.say("撤销")]
    await hub.say("用英语")

    assert not any("改到什么时候" in words for words in said)
    person = await hub.person()
    stored = await hub.app.stores.schedules.of_person(person.person_id)
    assert {schedule.what for schedule in stored} == {"浇花"}


@pytest.mark.parametrize(
    "words", ["后天会下雪吗", "周末去哪里玩", "晚上11点了，困死了", "今天晚到了两小时"]
)
async def test_talk_with_a_time_in_it_sets_nothing(hub: Stage, words: str) -> None:
    await hub.say("明早9点提醒我浇花")
    await hub.capsule("schedule_manager")

    await hub.say(words)

    person = await hub.person()
    (only,) = await hub.app.stores.schedules.of_person(person.person_id)
    assert only.what == "浇花"


async def test_a_refusal_with_a_time_is_asked_about_and_set_only_once_wanted(hub: Stage) -> None:
    await hub.capsule("schedule_manager")
    (asked,) = await hub.say("明天上午10点不去健身房")
    person = await hub.person()
    assert await hub.app.stores.schedules.of_person(person.person_id) == ()
    assert "要到时提醒你吗" in asked.text

    await hub.say("好")

    (kept,) = await hub.app.stores.schedules.of_person(person.person_id)
    assert kept.what == "不去健身房"


async def test_another_reminder_while_one_is_being_changed_is_set_beside_it(hub: Stage) -> None:
    (shown,) = await hub.say("明早9点提醒我浇花")
    await hub.press(shown, "修改")

    await hub.say("后天10点提醒我交房租")

    person = await hub.person()
    kept = await hub.app.stores.schedules.upcoming(person.person_id, limit=9)
    assert [schedule.what for schedule in kept] == ["浇花", "交房租"]


async def test_the_same_reminder_while_it_is_being_changed_is_moved(hub: Stage) -> None:
    (shown,) = await hub.say("明早9点提醒我浇花")
    await hub.press(shown, "修改")

    (moved,) = (await hub.say("后天10点提醒我浇花"))[:1]

    person = await hub.person()
    (only,) = await hub.app.stores.schedules.upcoming(person.person_id, limit=9)
    assert "10:00" in moved.text
    assert only.what == "浇花"


@pytest.mark.parametrize("words", ["等等，后天", "算了，还是后天", "wait, 后天"])
async def test_a_change_of_mind_moves_what_was_just_set(hub: Stage, words: str) -> None:
    await hub.say("明早9点提醒我浇花")

    await hub.say(words)

    person = await hub.person()
    (only,) = await hub.app.stores.schedules.upcoming(person.person_id, limit=9)
    assert only.what == "浇花"
    assert only.next_fire_at is not None
    assert (only.next_fire_at - hub.clock.now()).days == 1


@pytest.mark.parametrize("words", ["好", "好的", "ok"])
async def test_a_consent_names_no_reminder(hub: Stage, words: str) -> None:
    await hub.say("明早9点提醒我")

    (asked,) = await hub.say(words)
    await hub.say("浇花")

    person = await hub.person()
    (only,) = await hub.app.stores.schedules.of_person(person.person_id)
    assert "提醒你什么" in asked.text
    assert only.what == "浇花"


async def test_another_time_names_no_reminder_but_moves_it(hub: Stage) -> None:
    await hub.say("明早9点提醒我")

    await hub.say("明早10点半")
    await hub.say("浇花")

    person = await hub.person()
    (only,) = await hub.app.stores.schedules.of_person(person.person_id)
    assert only.what == "浇花"
    assert only.rule.dtstart_local is not None
    assert f"{only.rule.dtstart_local:%H:%M}" == "10:30"


async def test_a_reminder_called_by_its_days_and_hour_is_moved(hub: Stage) -> None:
    await hub.say("每天8点提醒我浇花")

    await hub.say("每天8点改成9点")

    person = await hub.person()
    (only,) = await hub.app.stores.schedules.of_person(person.person_id)
    assert (only.what, only.rule.times) == ("浇花", ("09:00",))
