"""The ledger in conversation: booking, correcting, deleting, asking."""

from pathlib import Path

import pytest

from bot.core.ledger import EntryFilter
from tests.stage import Stage, stage


async def test_several_entries_in_one_sentence_are_written_together_and_edited_one_by_one(
    hub: Stage,
) -> None:
    """T47: three rows, one confirmation list with an edit button for each."""
    (shown,) = await hub.say("早上地铁5元,中午AA 40,晚上水果35")

    assert await hub.items() == ["地铁 5.00", "AA 40.00", "水果 35.00"]
    edits = [label for label in shown.buttons if label.startswith("改第")]
    assert len(edits) == 3

    (asked,) = await hub.press(shown, edits[2])
    assert "水果" in asked.text
    (changed,) = await hub.say("38")
    assert "¥38.00" in changed.text
    assert await hub.items() == ["地铁 5.00", "AA 40.00", "水果 38.00"]


async def test_more_than_five_entries_are_shown_for_review_and_written_only_once_confirmed(
    hub: Stage,
) -> None:
    sentence = "早餐8元，地铁4元，咖啡18元，午饭30元，奶茶15元，晚饭46元"

    (review,) = await hub.say(sentence)
    assert await hub.items() == []

    (added,) = await hub.press(review, "确认记入 6 笔")
    assert len(await hub.items()) == 6
    assert "已记 6 笔" in added.text

    assert await hub.press(review, "取消") == []
    assert hub.last_receipt is not None
    assert hub.last_receipt.text is not None
    assert len(await hub.items()) == 6


async def test_a_message_with_more_than_twenty_entries_writes_nothing_and_says_so(
    hub: Stage,
) -> None:
    """T47: a hard cap on rows per message."""
    (answer,) = await hub.say("，".join(f"午饭{n}元" for n in range(10, 33)))

    assert await hub.items() == []
    assert "太多" in answer.text or "最多" in answer.text


async def test_an_edited_message_changes_its_entry_and_writes_no_second_one(hub: Stage) -> None:
    """T09 on the spine: the same entry becomes 53, with a notice."""
    await hub.say("午饭35", message="m1")

    (notice,) = await hub.say("午饭53", message="m1", edited=True)

    assert await hub.items() == ["午饭 53.00"]
    assert "¥53.00" in notice.text


async def test_an_edited_message_whose_entry_was_undone_changes_nothing(hub: Stage) -> None:
    (shown,) = await hub.say("午饭35", message="m1")
    await hub.press(shown, "撤销")

    (answer,) = await hub.say("午饭53", message="m1", edited=True)

    assert await hub.items() == []
    assert "已删除" in answer.text


async def test_undo_takes_the_entry_out_and_undo_of_undo_brings_it_back(hub: Stage) -> None:
    (shown,) = await hub.say("午饭35")

    (undone,) = await hub.press(shown, "撤销")
    assert undone.message_id == shown.message_id
    assert await hub.items() == []

    await hub.press(undone, "撤销")
    assert await hub.items() == ["午饭 35.00"]


@pytest.mark.parametrize("words", ["不是，是45", "改成45", "把刚才那笔改成45", "change it to 45"])
async def test_a_short_correction_reaches_the_entry_just_booked(hub: Stage, words: str) -> None:
    await hub.say("午饭35")

    await hub.say(words)

    assert await hub.items() == ["午饭 45.00"]


@pytest.mark.parametrize("words", ["删掉刚才那笔", "撤销", "delete the last one", "把午饭删了"])
async def test_the_last_entry_can_be_deleted_in_words(hub: Stage, words: str) -> None:
    await hub.say("打车20")
    await hub.say("午饭35")

    await hub.say(words)

    assert await hub.items() == ["打车 20.00"]


async def test_a_corrected_category_is_remembered_for_the_next_time(hub: Stage) -> None:
    (shown,) = await hub.say("午饭35")
    (asked,) = await hub.press(shown, "改")
    (changed,) = await hub.press(asked, "娱乐")
    assert "娱乐" in changed.text

    (again,) = await hub.say("午饭20")
    assert "娱乐" in again.text


async def test_totals_are_kept_by_currency_and_refunds_are_taken_off(hub: Stage) -> None:
    for words in ("午饭35", "咖啡 $4.5", "退款10元"):
        await hub.say(words)

    (answer,) = await hub.say("这个月花了多少")

    assert "¥25.00" in answer.text
    assert "$4.50" in answer.text


async def test_a_period_without_entries_says_zero_and_names_the_range(hub: Stage) -> None:
    (answer,) = await hub.say("上周花了多少")

    assert "0" in answer.text
    assert "2026-11-23" in answer.text
    assert "2026-11-29" in answer.text


async def test_an_equal_entry_on_the_same_day_is_written_and_pointed_out(hub: Stage) -> None:
    await hub.say("午饭35")

    (answer,) = await hub.say("午饭35")

    assert len(await hub.items()) == 2
    assert "一样" in answer.text


async def test_a_stale_edit_button_says_that_the_entry_is_gone(hub: Stage) -> None:
    (shown,) = await hub.say("午饭35")
    await hub.press(shown, "撤销")

    (answer,) = await hub.press(shown, "改")

    assert "不在" in answer.text
    assert await hub.items() == []


async def test_a_wish_without_an_amount_is_asked_for_it_and_then_booked(hub: Stage) -> None:
    (asked,) = await hub.say("记一笔午饭")
    assert "多少钱" in asked.text

    (added,) = await hub.say("35")
    assert "午饭" in added.text
    assert await hub.items() == ["午饭 35.00"]


async def test_a_sum_is_headed_by_what_was_summed(hub: Stage) -> None:
    await hub.say("打车30，地铁5")

    (taxis,) = await hub.say("这个月打车花了多少")
    (everything,) = await hub.say("这个月交通花了多少")

    assert taxis.text.startswith("打车（")
    assert "¥30.00" in taxis.text
    assert everything.text.startswith("交通（")
    assert "¥35.00" in everything.text


async def test_an_unknown_question_gets_ways_to_ask_and_not_a_bare_zero(hub: Stage) -> None:
    await hub.say("打车30")

    (answer,) = await hub.say("本月比别人多花了多少")

    assert "可以这样说" in answer.text


async def test_a_correction_of_several_asks_which_without_empty_quotes(hub: Stage) -> None:
    await hub.say("打车30，地铁5")

    (asked,) = await hub.say("不是，是45")

    assert asked.text.startswith("是哪一笔")


async def test_a_correction_by_number_reaches_that_one_of_the_entries_just_booked(
    hub: Stage,
) -> None:
    await hub.say("打车30，地铁5，咖啡20")

    await hub.say("第二笔改成50")
    await hub.say("第三笔应该是25")
    await hub.say("change the first one to 31")

    assert await hub.items() == ["打车 31.00", "地铁 50.00", "咖啡 25.00"]


async def test_the_amount_said_before_picking_the_entry_is_not_asked_again(hub: Stage) -> None:
    await hub.say("打车30，地铁5")
    (asked,) = await hub.say("不是，是45")
    label = next(label for label in asked.buttons if "地铁" in label)

    (changed,) = await hub.press(asked, label)

    assert "45" in changed.text
    assert await hub.items() == ["打车 30.00", "地铁 45.00"]


async def test_two_days_in_one_question_are_summed_together(hub: Stage) -> None:
    await hub.say("昨天午饭35")
    await hub.say("前天打车20")
    await hub.say("午饭10")

    for said in ("昨天和前天花了多少", "how much did i spend yesterday and today"):
        (answer,) = await hub.say(said)
        total = "¥55.00" if "前天" in said else "¥45.00"
        assert total in answer.text


async def test_the_thing_and_then_the_amount_answer_the_open_question(hub: Stage) -> None:
    await hub.say("记一笔")

    (asked,) = await hub.say("午饭")
    assert "多少钱" in asked.text
    await hub.say("35")

    assert await hub.items() == ["午饭 35.00"]


async def test_a_bare_amount_after_an_open_question_is_booked(hub: Stage) -> None:
    await hub.say("记一笔")

    (answer,) = await hub.say("35")

    assert "35" in answer.text
    assert len(await hub.items()) == 1


async def test_a_question_is_not_the_name_of_an_entry(hub: Stage) -> None:
    await hub.say("记一笔")

    await hub.say("今天天气怎么样？")
    await hub.say("35")

    assert not any("天气" in item for item in await hub.items())


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("删掉第二笔", ["午饭 35.00"]),
        ("第一笔删了", ["咖啡 18.00"]),
        ("delete the second one", ["午饭 35.00"]),
        ("remove entry 1", ["咖啡 18.00"]),
    ],
)
async def test_an_entry_just_booked_is_deleted_by_its_number_and_comes_back_with_undo(
    hub: Stage, words: str, left: list[str]
) -> None:
    await hub.say("午饭35，咖啡18")

    (answer,) = await hub.say(words)
    assert await hub.items() == left

    await hub.press(answer, "撤销")
    assert await hub.items() == ["午饭 35.00", "咖啡 18.00"]


@pytest.mark.parametrize("words", ["第五笔改成3", "change the fifth one to 3", "第五笔删掉"])
async def test_a_number_that_no_entry_has_is_said_with_the_entries_to_press(
    hub: Stage, words: str
) -> None:
    await hub.say("午饭35，咖啡18")

    (answer,) = await hub.say(words)

    assert "第 5 笔" in answer.text
    assert await hub.items() == ["午饭 35.00", "咖啡 18.00"]
    assert [label.split()[0] for label in answer.buttons] == ["午饭", "咖啡"]

    await hub.press(answer, next(label for label in answer.buttons if "咖啡" in label))
    assert await hub.items() in (["午饭 35.00", "咖啡 3.00"], ["午饭 35.00"])


async def test_numbers_count_the_list_shown_last_and_without_one_it_is_asked(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("咖啡18")
    await hub.say("/entries")
    await hub.say("第二笔改成40")
    assert await hub.items() == ["午饭 40.00", "咖啡 18.00"]

    await hub.say("明早8点提醒我开会")
    (asked,) = await hub.say("删掉第二笔")
    assert len(asked.buttons) == 2
    assert len(await hub.items()) == 2


@pytest.mark.parametrize(
    "words",
    ["清空账单", "删掉所有记录", "把今天的账都删了", "delete all entries", "clear my ledger"],
)
async def test_deleting_everything_is_asked_first_and_can_be_undone(
    hub: Stage, words: str
) -> None:
    await hub.say("午饭35，咖啡18")

    (asked,) = await hub.say(words)
    assert len(await hub.items()) == 2
    assert "不删" in asked.buttons

    (gone,) = await hub.say("是")
    assert await hub.items() == []
    await hub.press(gone, "撤销")
    assert len(await hub.items()) == 2


async def test_more_entries_than_one_call_deletes_are_named_as_such(hub: Stage) -> None:
    for n in range(3):
        await hub.say("，".join(f"午饭{n}{m}元" for m in range(11, 16)))
        await hub.say("，".join(f"咖啡{n}{m}元" for m in range(11, 15)))

    (asked,) = await hub.say("清空账单")

    assert "27" in asked.text
    assert "20" in asked.text


@pytest.mark.parametrize(
    "words",
    [
        "预算3000",
        "这个月预算改成5000",
        "餐饮预算设为800元",
        "还剩多少预算",
        "set my budget to 3000",
        "my budget is 200",
        "am I over budget?",
    ],
)
async def test_budgets_are_said_not_to_be_there_and_nothing_is_booked(
    hub: Stage, words: str
) -> None:
    (answer,) = await hub.say(words)

    assert "还没有预算" in answer.text
    assert await hub.items() == []


@pytest.mark.parametrize(
    "words", ["99999999999 买岛", "买岛99999999999", "99999999999 buy island"]
)
async def test_a_number_too_long_for_an_amount_is_said_to_be(hub: Stage, words: str) -> None:
    (answer,) = await hub.say(words)

    assert "99999999999" in answer.text
    assert await hub.items() == []


async def test_a_very_large_amount_is_booked_only_after_a_look(hub: Stage) -> None:
    (asked,) = await hub.say("买房3000000000元")
    assert await hub.items() == []

    await hub.press(asked, "确认记入 1 笔")
    assert await hub.items() == ["买房 3000000000.00"]


@pytest.mark.parametrize("words", ["35", "35块", "¥35"])
async def test_a_bare_amount_is_asked_what_it_was_for(hub: Stage, words: str) -> None:
    (asked,) = await hub.say(words)
    assert await hub.items() == []
    assert "直接记 ¥35.00" in asked.buttons

    await hub.say("打车")
    assert await hub.items() == ["打车 35.00"]


async def test_a_bare_amount_can_be_booked_without_a_name_and_is_no_trap(hub: Stage) -> None:
    (asked,) = await hub.say("35")
    await hub.press(asked, "直接记 ¥35.00")
    await hub.say("36")
    await hub.say("直接记")
    await hub.say("37")
    await hub.say("咖啡18")
    await hub.say("38")
    await hub.say("算了")

    assert await hub.items() == [" 35.00", " 36.00", "咖啡 18.00"]


async def test_decimals_that_the_currency_lacks_are_asked_with_the_rounded_amount(
    hub: Stage,
) -> None:
    (asked,) = await hub.say("油费 234.567")
    assert await hub.items() == []
    assert "¥234.57" in asked.text

    await hub.say("好")
    assert await hub.items() == ["油费 234.57"]


async def test_one_entry_is_no_entries_in_english(hub: Stage) -> None:
    await hub.say("/settings en")
    await hub.say("lunch 35")
    (one,) = await hub.say("how much did I spend today")
    await hub.say("coffee 18")
    (two,) = await hub.say("how much did I spend today")

    assert "(1 entry)" in one.text
    assert "(2 entries)" in two.text


@pytest.mark.parametrize("words", ["如果花了500就提醒我", "要是买了200的票就好了", "大概花了200"])
async def test_what_may_come_or_is_only_about_so_much_is_not_booked_unasked(
    hub: Stage, words: str
) -> None:
    await hub.say("午饭35")
    await hub.say(words)

    assert await hub.items() == ["午饭 35.00"]


async def test_corrections_in_a_row_reach_the_same_entry(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("不是，是45")
    await hub.say("不是午饭，是晚饭")
    assert await hub.items() == ["晚饭 45.00"]

    await hub.say("lunch 12")
    await hub.say("no, 15")
    await hub.say("make it 16")
    await hub.say("no, it was dinner")
    assert await hub.items() == ["晚饭 45.00", "dinner 16.00"]


async def test_a_time_of_day_changes_no_entry(hub: Stage) -> None:
    await hub.say("午饭35")
    (answer,) = await hub.say("改到10点")

    assert "没看懂" in answer.text
    assert await hub.items() == ["午饭 35.00"]


async def test_several_named_amounts_need_no_model_and_none_is_lost(hub: Stage) -> None:
    await hub.say("医院挂号50，药费136.2")

    assert await hub.items() == ["医院挂号 50.00", "药费 136.20"]


async def test_a_reminders_number_is_not_taken_for_an_entrys(hub: Stage) -> None:
    await hub.say("午饭35，咖啡18")
    await hub.say("明早8点提醒我开会")
    await hub.say("第二笔改成20")
    await hub.say("午饭35，咖啡18")
    await hub.say("删掉第一个提醒")

    assert len(await hub.items()) == 4


@pytest.mark.parametrize(
    "words",
    ["一碗面58，不用记账，你就说贵不贵", "coffee 8 dollars, don't log it, is that too much?"],
)
async def test_what_is_not_to_be_booked_is_passed_on_to_chat(hub: Stage, words: str) -> None:
    """Seed 000: only the ledger hands on, only to chat, once."""
    await hub.capsule("ledger_manager")

    (answer,) = await hub.say(words)

    session = "puppet/puppet/dm-anna/|puppet/puppet//anna"
    (record,) = await hub.app.stores.turns.recent(session, limit=1)
    assert record.agent == "chat_manager"
    assert answer.text != ""
    assert await hub.items() == []


@pytest.mark.parametrize("order", ["帮我导出账单", "导出这个月的账单", "export my ledger"])
async def test_an_order_to_export_is_told_how_and_stores_nothing(hub: Stage, order: str) -> None:
    await hub.say("午饭35")

    (answer,) = await hub.say(order)

    assert "python -m bot export" in answer.text
    assert await hub.items() == ["午饭 35.00"]


async def test_words_that_are_not_understood_are_not_told_as_an_empty_ledger(hub: Stage) -> None:
    await hub.say("午饭35")

    (answer,) = await hub.say("把账单念出声听听")

    assert "没看懂" in answer.text


async def test_months_are_compared_and_what_is_left_is_said_by_currency(hub: Stage) -> None:
    for words in ("午饭35", "昨天火锅120", "工资500到账", "打车10美元"):
        await hub.say(words)

    (compared,) = await hub.say("这个月比上个月多花了多少")
    assert "支出 ¥35.00" in compared.text
    assert "支出 ¥120.00" in compared.text
    assert "前者少 ¥85.00" in compared.text
    (left,) = await hub.say("这个月结余多少")
    assert "结余 ¥465.00" in left.text
    assert "结余 -$10.00" in left.text


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("昨天的打车删了", ["午饭 35.00", "打车 22.00"]),
        ("把昨天那笔打车删掉", ["午饭 35.00", "打车 22.00"]),
        ("删掉昨天的午饭", ["打车 20.00", "打车 22.00"]),
        ("delete yesterday's 打车", ["午饭 35.00", "打车 22.00"]),
        ("把昨天的打车改成30", ["午饭 35.00", "打车 30.00", "打车 22.00"]),
        ("昨天的打车应该是30", ["午饭 35.00", "打车 30.00", "打车 22.00"]),
        ("change the 打车 from yesterday to 30", ["午饭 35.00", "打车 30.00", "打车 22.00"]),
        ("今天的打车改成30", ["午饭 35.00", "打车 20.00", "打车 30.00"]),
    ],
)
async def test_a_date_in_an_order_names_the_entry_and_books_nothing(
    hub: Stage, words: str, left: list[str]
) -> None:
    await hub.say("昨天午饭35，打车20")
    await hub.say("打车22")

    await hub.say(words)

    assert await hub.items() == left


@pytest.mark.parametrize("words", ["删掉昨天所有的", "昨天的都删了", "delete all from yesterday"])
async def test_all_entries_of_a_day_are_shown_and_asked_before_they_go(
    hub: Stage, words: str
) -> None:
    await hub.say("昨天午饭35，打车20")
    await hub.say("咖啡15")

    (asked,) = await hub.say(words)
    assert len(await hub.items()) == 3
    assert "午饭" in asked.text
    assert "咖啡" not in asked.text

    await hub.press(asked, "删除 2 笔")
    assert await hub.items() == ["咖啡 15.00"]


async def test_a_name_that_no_entry_of_the_day_has_offers_what_the_day_has(hub: Stage) -> None:
    await hub.say("昨天午饭35，打车20")

    (asked,) = await hub.say("delete yesterday's lunch")
    (label,) = asked.buttons
    assert label.startswith("午饭")
    await hub.press(asked, label)
    assert await hub.items() == ["打车 20.00"]

    (none,) = await hub.say("删掉上周三的火锅")
    assert "没有记录" in none.text
    (by_amount,) = await hub.say("把昨天的20改成30")
    await hub.press(by_amount, next(iter(by_amount.buttons)))
    assert await hub.items() == ["打车 30.00"]


async def test_a_press_on_one_of_several_namesakes_deletes_and_does_not_edit(hub: Stage) -> None:
    await hub.say("昨天打车20，打车35")

    (asked,) = await hub.say("删掉昨天的打车")
    await hub.press(asked, next(label for label in asked.buttons if "35" in label))

    assert await hub.items() == ["打车 20.00"]


@pytest.mark.parametrize("words", ["晚饭-42", "-42 晚饭", "dinner -42"])
async def test_a_negative_amount_is_asked_about_and_not_booked_as_spent(
    hub: Stage, words: str
) -> None:
    (asked,) = await hub.say(words)
    assert await hub.items() == []
    assert {"记为支出", "记为退款", "记为收入"} <= set(asked.buttons)

    (booked,) = await hub.press(asked, "记为退款")
    assert "退款" in booked.text
    assert len(await hub.items()) == 1


@pytest.mark.parametrize(
    ("answer", "shown"), [("是花掉的", ""), ("退的", "退款"), ("收入", "收入")]
)
async def test_the_side_of_an_amount_can_be_answered_in_words(
    hub: Stage, answer: str, shown: str
) -> None:
    await hub.say("晚饭-42，打车-20")

    (booked,) = await hub.say(answer)

    assert await hub.items() == ["晚饭 42.00", "打车 20.00"]
    assert shown in booked.text


@pytest.mark.parametrize(
    "words", ["晚饭四十块钱还有一杯咖啡", "晚饭40，咖啡", "晚饭40和咖啡", "dinner 40 and a coffee"]
)
async def test_a_thing_without_a_price_is_asked_for_it_and_not_dropped(
    hub: Stage, words: str
) -> None:
    (booked,) = await hub.say(words)
    assert len(await hub.items()) == 1
    assert "多少钱" in booked.text

    await hub.say("18")
    first, second = await hub.items()
    assert "40" in first
    assert "18" in second


async def test_things_without_a_price_are_asked_one_by_one_and_keep_their_day(hub: Stage) -> None:
    await hub.say("昨天晚饭40，还有一杯咖啡，打车")
    await hub.say("18")
    (last,) = await hub.say("9")

    assert "2026-11-30" in last.text
    assert await hub.items() == ["晚饭 40.00", "咖啡 18.00", "打车 9.00"]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("不用了", ["晚饭 40.00"]),
        ("改成45", ["晚饭 45.00"]),
        ("撤销", []),
        ("打车20", ["晚饭 40.00", "打车 20.00"]),
    ],
)
async def test_the_question_for_a_price_is_no_trap(
    hub: Stage, words: str, left: list[str]
) -> None:
    await hub.say("晚饭40，咖啡")

    await hub.say(words)

    assert await hub.items() == left


@pytest.mark.parametrize("words", ["35", "35块", "¥35"])
@pytest.mark.parametrize("before", ["你好", "明早8点提醒我体检", "/help"])
async def test_a_bare_amount_after_anything_is_asked_what_it_was_for(
    hub: Stage, before: str, words: str
) -> None:
    await hub.say(before)

    (asked,) = await hub.say(words)

    assert "直接记 ¥35.00" in asked.buttons


async def test_a_number_beyond_all_entries_is_said_also_without_a_list(hub: Stage) -> None:
    await hub.say("午饭35，咖啡18")
    await hub.say("明早8点提醒我体检")

    (answer,) = await hub.say("第五笔改成3")

    assert "没有第 5 笔" in answer.text
    assert [label.split()[0] for label in answer.buttons] == ["咖啡", "午饭"]


@pytest.mark.parametrize(
    "words",
    ["晚饭改成42", "晚饭应该是42", "晚饭不是40是42", "晚饭是42不是40", "昨天的晚饭是42不是40"],
)
async def test_a_correction_by_name_changes_the_entry_and_books_none(
    hub: Stage, words: str
) -> None:
    await hub.say("昨天晚饭40")
    await hub.say("打车20")

    await hub.say(words)

    assert await hub.items() == ["晚饭 42.00", "打车 20.00"]


@pytest.mark.parametrize(
    ("words", "shown"),
    [("刚才那笔是昨天的", "2026-11-30"), ("这笔应该算交通", "交通"), ("上一笔算娱乐", "娱乐")],
)
async def test_the_last_entry_is_moved_to_a_day_or_category_in_words(
    hub: Stage, words: str, shown: str
) -> None:
    await hub.say("晚饭40")

    (changed,) = await hub.say(words)

    assert shown in changed.text
    assert await hub.items() == ["晚饭 40.00"]


@pytest.mark.parametrize("words", ["刚才那笔算我妹妹的", "多记了一笔", "记重了"])
async def test_what_is_no_day_nor_category_renames_nothing_and_is_asked(
    hub: Stage, words: str
) -> None:
    await hub.say("晚饭40")

    (asked,) = await hub.say(words)

    assert "删除这笔" in asked.buttons
    assert await hub.items() == ["晚饭 40.00"]


@pytest.mark.parametrize("words", ["最近两笔删掉", "把刚才的两笔都删了", "delete the last two"])
async def test_the_last_few_entries_are_shown_before_they_go(hub: Stage, words: str) -> None:
    await hub.say("午饭28")
    await hub.say("晚饭40")
    await hub.say("打车20")

    (asked,) = await hub.say(words)
    assert "午饭" not in asked.text
    await hub.press(asked, "删除 2 笔")

    assert await hub.items() == ["午饭 28.00"]


async def test_two_things_in_one_order_to_delete_are_both_offered(hub: Stage) -> None:
    await hub.say("打车20，午饭35，咖啡18")

    (asked,) = await hub.say("把打车和午饭都删了")

    assert [label.split()[0] for label in asked.buttons] == ["打车", "午饭"]
    assert len(await hub.items()) == 3


async def test_a_comma_before_a_date_is_no_decimal_comma(hub: Stage) -> None:
    await hub.say("11月28日买书50，11月29日电影60")

    assert await hub.items() == ["买书 50.00", "电影 60.00"]


@pytest.mark.parametrize("words", ["昨天火锅300，3个人平摊", "AA 昨天的火锅300，4个人"])
async def test_a_shared_bill_is_asked_about_and_not_booked(hub: Stage, words: str) -> None:
    (asked,) = await hub.say(words)

    assert "总额" in asked.text
    assert await hub.items() == []


@pytest.mark.parametrize("words", ["最近一笔是什么", "上一笔是多少"])
async def test_a_question_about_the_last_entry_opens_no_edit(hub: Stage, words: str) -> None:
    await hub.say("打车22")

    (shown,) = await hub.say(words)

    assert "改成什么" not in shown.text
    await hub.say("工资12000到账")
    assert await hub.items() == ["打车 22.00", "工资 12000.00"]


@pytest.mark.parametrize("words", ["工资12000到账", "奶茶18，地铁4"])
async def test_a_whole_new_entry_does_not_overwrite_the_one_that_is_edited(
    hub: Stage, words: str
) -> None:
    (booked,) = await hub.say("打车22")
    await hub.press(booked, "改")

    await hub.say(words)

    assert (await hub.items())[0] == "打车 22.00"
    assert len(await hub.items()) > 1


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("把午饭的分类改成购物", "shopping"),
        ("把午饭改成交通", "transport"),
        ("把午饭的分类改成外星", "dining"),
    ],
)
async def test_a_category_is_changed_to_one_that_there_is_and_never_becomes_a_name(
    hub: Stage, words: str, category: str
) -> None:
    await hub.say("午饭35")

    (shown,) = await hub.say(words)

    person = await hub.person()
    (entry,) = await hub.app.stores.ledger.latest(person.person_id, EntryFilter(), limit=5)
    assert (entry.item, entry.category) == ("午饭", category), shown.text


@pytest.mark.parametrize("words", ["13月5号午饭35", "2月30号午饭35"])
async def test_an_entry_of_a_day_that_there_is_not_is_not_offered_for_another(
    hub: Stage, words: str
) -> None:
    await hub.capsule("ledger_manager")
    (asked,) = await hub.say(words)

    assert "没有这一天" in asked.text
    assert list(asked.buttons) == []
    assert await hub.items() == []


async def test_two_things_are_compared_and_several_are_added_up(hub: Stage) -> None:
    for words in ("午饭35", "打车20", "咖啡18"):
        await hub.say(words)

    (compared,) = await hub.say("午饭比打车多花多少")
    assert "前者多 ¥15.00" in compared.text
    (together,) = await hub.say("午饭和打车一共花了多少")
    assert "¥35.00" in together.text
    assert "一共 ¥55.00" in together.text
    (same,) = await hub.say("今天比今天多花多少")
    assert "没有差别" in same.text
    (listed,) = await hub.say("午饭和打车的记录")
    assert "咖啡" not in listed.text
    assert "打车" in listed.text


async def test_a_thing_and_the_category_it_is_in_are_not_added_up(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("咖啡18")

    (answer,) = await hub.say("餐饮和午饭一共花了多少")

    assert "¥53.00" in answer.text
    assert "¥88.00" not in answer.text


async def test_a_thing_is_found_wherever_it_is_filed(hub: Stage) -> None:
    (shown,) = await hub.say("午饭35")
    (asked,) = await hub.press(shown, "改")
    await hub.press(asked, "娱乐")

    (answer,) = await hub.say("午饭花了多少")

    assert "¥35.00" in answer.text


async def test_who_writes_traditional_characters_finds_and_changes_their_entries(
    hub: Stage,
) -> None:
    await hub.say("午飯35")
    (answer,) = await hub.say("午飯花了多少")
    assert "¥35.00" in answer.text

    await hub.say("午飯改成40")
    assert await hub.items() == ["午飯 40.00"]


@pytest.mark.parametrize(("stored", "said"), [("午飯", "午饭"), ("午饭", "午飯")])
async def test_an_entry_is_found_changed_and_deleted_by_its_name_in_other_characters(
    hub: Stage, stored: str, said: str
) -> None:
    await hub.say(f"{stored}35")
    (answer,) = await hub.say(f"这个月{said}花了多少")
    assert "¥35.00" in answer.text

    await hub.say(f"{said}改成40")
    assert await hub.items() == [f"{stored} 40.00"]

    await hub.say(f"删除{said}")
    assert await hub.items() == []


async def test_a_period_that_does_not_exist_is_said_to_be_none(hub: Stage) -> None:
    await hub.say("午饭35")

    (answer,) = await hub.say("0年花了多少")

    assert "没有这样的时间段" in answer.text
    assert "35" not in answer.text


@pytest.mark.parametrize(
    "words",
    [
        "余额5000",
        "银行卡余额是5000元",
        "餘額改成5000",
        "卡里还剩300",
        "微信里还有120块",
        "my balance is 5000",
        "I have $300 left in my account",
    ],
)
async def test_a_balance_that_is_told_is_neither_booked_nor_answered_as_a_question(
    hub: Stage, words: str
) -> None:
    await hub.say("午饭35")

    (answer,) = await hub.say(words)

    assert "没有记" in answer.text
    assert await hub.items() == ["午饭 35.00"]


async def test_money_that_goes_into_or_out_of_a_card_is_booked_all_the_same(hub: Stage) -> None:
    await hub.say("交通卡充值100")
    await hub.say("工资卡收到5000")

    assert await hub.items() == ["交通卡充值 100.00", "工资卡收到 5000.00"]


@pytest.mark.parametrize(
    "words",
    ["记住我的房租是每月3000元", "记住，我每个月工资是8000", "remember that my rent is 3000"],
)
async def test_what_is_to_be_remembered_is_remembered_and_not_booked(
    hub: Stage, words: str
) -> None:
    await hub.say(words)

    (listed,) = await hub.say("你记住了什么")
    assert "000" in listed.text
    assert await hub.items() == []


async def test_a_correction_of_a_review_changes_the_one_it_names_and_keeps_the_others(
    hub: Stage,
) -> None:
    await hub.say("早餐8，午饭35，晚饭50，打车20，咖啡18，水果30")
    (again,) = await hub.say("不是，水果是33")
    assert "水果 ¥33.00" in again.text
    assert await hub.items() == []
    await hub.say("对")
    assert [*(await hub.items())[:2], (await hub.items())[-1]] == [
        "早餐 8.00",
        "午饭 35.00",
        "水果 33.00",
    ]


async def test_a_correction_of_a_review_that_names_none_books_nothing(hub: Stage) -> None:
    await hub.say("早餐8，午饭35，晚饭50，打车20，咖啡18，水果30")
    (again,) = await hub.say("不是，是33")
    assert "确认记入 6 笔" in again.buttons
    assert await hub.items() == []


@pytest.mark.parametrize("words", ["明天呢", "花了多少", "怎么改", "今天花了多少钱？"])
async def test_a_question_is_no_new_name_for_the_entry_that_is_edited(
    hub: Stage, words: str
) -> None:
    (shown,) = await hub.say("咖啡18")
    await hub.press(shown, "改")

    await hub.say(words)

    assert await hub.items() == ["咖啡 18.00"]


async def test_a_question_to_the_ledger_leaves_an_edit_and_says_that_nothing_was_changed(
    hub: Stage,
) -> None:
    (shown,) = await hub.say("咖啡18")
    await hub.press(shown, "改")

    answer, *_ = await hub.say("今天花了多少")

    assert "¥18.00" in answer.text
    assert "没有改动" in answer.text


async def test_an_order_about_another_entry_is_followed_while_one_is_edited(hub: Stage) -> None:
    await hub.say("打车20")
    (shown,) = await hub.say("咖啡18")
    await hub.press(shown, "改")

    await hub.say("把打车改成出租车")

    assert await hub.items() == ["出租车 20.00", "咖啡 18.00"]


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("上面的打车是昨天的", "2026-11-30"),
        ("打车那笔是前天的", "2026-11-29"),
        ("刚才那个是昨天的", "2026-11-30"),
        ("the last one was yesterday", "2026-11-30"),
    ],
)
async def test_an_entry_is_given_another_day_in_words(hub: Stage, words: str, day: str) -> None:
    await hub.say("打车20")

    (answer,) = await hub.say(words)

    assert day in answer.text
    assert await hub.items() == ["打车 20.00"]


async def test_the_name_after_a_number_loses_what_it_is_not(hub: Stage) -> None:
    await hub.say("午饭35，咖啡18")

    await hub.say("第二笔是打车不是咖啡")

    assert await hub.items() == ["午饭 35.00", "打车 18.00"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("平均每天花多少", "平均"),
        ("what's my average daily spending", "平均"),
        ("今年哪天花得最多", "排序"),
        ("100以上的支出", "排序"),
        ("这个月还能花多少", "预算"),
        ("am I over budget", "预算"),
        ("除了午饭还花了多少", "除开"),
        ("how much did I spend this month excluding lunch", "除开"),
        ("午饭多记了5块", "没有改动"),
    ],
)
async def test_what_the_ledger_cannot_tell_it_says_and_books_nothing(
    hub: Stage, words: str, says: str
) -> None:
    await hub.say("午饭35")

    (answer,) = await hub.say(words)

    assert says in answer.text
    assert await hub.items() == ["午饭 35.00"]


async def test_what_is_lent_is_summed_and_listed_by_itself(hub: Stage) -> None:
    for words in ("借给老张2000", "借给小王100", "午饭35"):
        await hub.say(words)

    (total,) = await hub.say("老张欠我多少")
    assert "¥2,000.00" in total.text
    assert "没有减掉" in total.text
    (listed,) = await hub.say("谁欠我钱")
    assert "小王" in listed.text
    assert "午饭" not in listed.text


async def test_a_correction_of_an_amount_that_no_entry_has_is_asked_about(hub: Stage) -> None:
    await hub.say("咖啡18")

    (asked,) = await hub.say("咖啡不是88是20")

    assert await hub.items() == ["咖啡 18.00"]
    (label,) = asked.buttons
    await hub.press(asked, label)
    assert await hub.items() == ["咖啡 20.00"]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("打车那笔删了", ["咖啡 18.00"]),
        ("打车那笔改成22", ["打车 22.00", "咖啡 18.00"]),
        ("刚才的咖啡记成20", ["打车 20.00", "咖啡 20.00"]),
        ("把咖啡改名叫拿铁", ["打车 20.00", "拿铁 18.00"]),
    ],
)
async def test_an_order_may_name_its_entry_before_it_says_what_to_do(
    hub: Stage, words: str, left: list[str]
) -> None:
    await hub.say("打车20")
    await hub.say("咖啡18")

    await hub.say(words)

    assert await hub.items() == left


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("改成5", "$5.00"),
        ("不是，是5块", "$5.00"),
        ("改成5欧元", "€5.00"),
        ("改成3元人民币", "¥3.00"),
    ],
)
async def test_an_amount_without_a_currency_keeps_that_of_its_entry(
    hub: Stage, words: str, shown: str
) -> None:
    await hub.say("咖啡 $4.5")

    (answer,) = await hub.say(words)

    assert shown in answer.text


async def test_an_amount_is_carried_over_to_a_currency_without_decimals(hub: Stage) -> None:
    await hub.say("拉面 900 日元")

    (answer,) = await hub.say("改成950")

    assert "950" in answer.text
    assert "JPY" in answer.text


@pytest.mark.parametrize("words", ["等等，奶茶是21", "哦不，是21", "是21"])
async def test_a_change_of_mind_puts_the_last_entry_right(hub: Stage, words: str) -> None:
    await hub.say("奶茶19")

    await hub.say(words)

    assert await hub.items() == ["奶茶 21.00"]


@pytest.mark.parametrize("words", ["等等，打车30", "哎呀，打车30"])
async def test_another_entry_after_a_word_to_be_heard_is_booked_beside(
    hub: Stage, words: str
) -> None:
    await hub.capsule("ledger_manager")
    await hub.say("奶茶19")

    await hub.say(words)

    assert await hub.items() == ["奶茶 19.00", "打车 30.00"]


async def test_one_sign_of_a_longer_name_deletes_nothing_unasked(hub: Stage) -> None:
    await hub.capsule("ledger_manager")
    await hub.say("跑腿费8块")

    (asked,) = await hub.say("取消跑")

    assert await hub.items() == ["跑腿费 8.00"]
    assert len(asked.buttons) == 1


@pytest.mark.parametrize(
    "words", ["不对，是42", "不是，42", "记错了，应该是42", "把它改成42", "no, 42"]
)
@pytest.mark.parametrize("asked", ["100", "-20", "记一笔衣服", "体检大概650"])
async def test_a_correction_is_said_to_the_open_question_and_not_to_the_entry_before_it(
    hub: Stage, asked: str, words: str
) -> None:
    await hub.say("午饭35")
    await hub.say(asked)

    (answer,) = await hub.say(words)

    assert (await hub.items())[0] == "午饭 35.00"
    assert "42" in answer.text


async def test_a_held_amount_that_is_put_right_is_named_and_booked_once(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("100")
    await hub.say("不对，是42")
    await hub.say("打车")

    assert await hub.items() == ["午饭 35.00", "打车 42.00"]


async def test_an_amount_in_review_that_is_put_right_keeps_its_thing(hub: Stage) -> None:
    await hub.say("体检大概650")
    await hub.say("不对，是642")
    await hub.say("对")

    assert await hub.items() == ["体检 642.00"]


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("最近记录", "不对，是42"),
        ("这个月花了多少", "不是，42"),
        ("删除午饭", "不对，是42"),
        ("how much did I spend this month", "no, 42"),
        ("这个月花了多少", "改成42"),
        ("这个月花了多少", "记错了，是42"),
        ("3加4等于几", "不对，是42"),
    ],
)
async def test_a_correction_of_nothing_just_booked_asks_which_entry_is_meant(
    hub: Stage, before: str, words: str
) -> None:
    await hub.say("午饭35，午饭30，打车20")
    await hub.say(before)

    (asked,) = await hub.say(words)
    assert await hub.items() == ["午饭 35.00", "午饭 30.00", "打车 20.00"]

    await hub.press(asked, next(label for label in asked.buttons if "30" in label))
    assert await hub.items() == ["午饭 35.00", "午饭 42.00", "打车 20.00"]


@pytest.mark.parametrize(
    "words", ["把上一笔改成42", "刚才那笔错了，应该是42", "change the last one to 42"]
)
async def test_the_last_entry_is_changed_at_any_time_where_it_is_named_so(
    hub: Stage, words: str
) -> None:
    await hub.say("午饭35")
    await hub.say("打车20")
    await hub.say("这个月花了多少")

    await hub.say(words)

    assert await hub.items() == ["午饭 35.00", "打车 42.00"]


@pytest.mark.parametrize(
    ("press", "shown"), [("记为支出", "医疗"), ("记为收入", "收入"), ("取消", "没有改动")]
)
async def test_what_somebody_else_has_paid_back_is_booked_as_the_person_says(
    hub: Stage, press: str, shown: str
) -> None:
    (asked,) = await hub.say("体检650公司报销了")
    assert await hub.items() == []

    (answer,) = await hub.press(asked, press)

    assert shown in answer.text
    assert await hub.items() == ([] if press == "取消" else ["体检 650.00"])


@pytest.mark.parametrize(
    ("words", "sums"),
    [
        ("今年孩子学费花了多少", ["¥3,000.00"]),
        ("今年孩子的學費交了多少", ["¥3,000.00"]),
        ("今年学费花了多少", ["¥5,000.00"]),
        ("给我妈买的衣服花了多少", ["¥300.00"]),
        ("猫的衣服花了多少", ["没有名称", "¥500.00"]),
        ("今年孩子学费和我妈的衣服花了多少", ["¥3,000.00", "¥300.00", "¥3,300.00"]),
    ],
)
async def test_whose_thing_is_asked_about_narrows_the_sum_or_is_said_not_to_be_there(
    hub: Stage, words: str, sums: list[str]
) -> None:
    for said in ("孩子学费3000", "学费2000", "给我妈买衣服300", "衣服200"):
        await hub.say(said)

    (answer,) = await hub.say(words)

    for shown in sums:
        assert shown in answer.text
    assert "¥2,000.00" not in answer.text


async def test_a_year_is_told_month_by_month_with_a_chart(hub: Stage) -> None:
    for said in ("午饭35", "11月15号打车100", "11月16号午饭20", "9月1号退款5"):
        await hub.say(said)

    (answer,) = await hub.say("今年每个月花了多少")
    lines = answer.text.splitlines()
    assert "2026-08 | ¥0.00" in lines
    assert "2026-09 | -¥5.00" in lines
    assert "2026-11 | ¥120.00" in lines
    assert "2026-12 | ¥35.00" in lines
    assert any(block.kind == "chart" for block in answer.row.draft.message.blocks)

    (narrowed,) = await hub.say("每个月午饭花了多少")
    assert "2026-11 | ¥20.00" in narrowed.text
    assert "¥100.00" not in narrowed.text


async def test_too_many_days_are_told_by_month(hub: Stage) -> None:
    await hub.say("午饭35")

    (answer,) = await hub.say("今年每天花了多少")

    assert "2026-12 | ¥35.00" in answer.text
    assert len(answer.text.splitlines()) < 20


@pytest.mark.parametrize(
    "between",
    [
        ("100", "算了"),
        ("打车大概30", "不用了"),
        ("这个月花了多少",),
        ("最近记录", "你好"),
        ("100", "撤销"),
    ],
)
async def test_undo_goes_on_from_before_what_was_only_asked(
    hub: Stage, between: tuple[str, ...]
) -> None:
    await hub.say("打车20")
    await hub.say("午饭35")
    for words in between:
        await hub.say(words)

    await hub.say("撤销")
    assert await hub.items() == ["打车 20.00"]
    await hub.say("撤销")
    assert await hub.items() == []


async def test_an_undo_of_nothing_done_lately_asks_before_an_old_entry_goes(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.later(minutes=90)

    (asked,) = await hub.say("撤销")
    assert await hub.items() == ["午饭 35.00"]

    await hub.press(asked, "删除 1 笔")
    assert await hub.items() == []


@pytest.mark.parametrize(
    ("words", "shown", "hidden"),
    [
        ("三样哪个最贵", "打车", "请客"),
        ("which was the cheapest", "咖啡", "打车"),
        ("这个月哪笔最贵", "打车", "请客"),
        ("今年最贵的两笔", "请客", "咖啡"),
        ("午饭占餐饮多少", "7.4%", "打车"),
        ("这个月午饭占餐饮的百分之几", "57.1%", "请客"),
        ("how much of my spending was taxi this month", "0%", "请客"),
    ],
)
async def test_the_largest_entry_and_the_share_of_a_thing_are_told(
    hub: Stage, words: str, shown: str, hidden: str
) -> None:
    await hub.say("11月3号请客235")
    await hub.say("午饭20，打车30，咖啡15")

    (answer,) = await hub.say(words)

    assert shown in answer.text
    assert hidden not in answer.text
    assert len(await hub.items()) == 4


async def test_amounts_of_different_currencies_are_not_held_against_each_other(
    hub: Stage,
) -> None:
    for said in ("午饭35", "打车20", "咖啡 $9", "晚饭 $8"):
        await hub.say(said)

    (answer,) = await hub.say("这个月哪笔最贵")

    assert "¥35.00" in answer.text
    assert "$9.00" in answer.text
    assert "¥20.00" not in answer.text


async def test_an_amount_is_made_another_in_english_without_to(hub: Stage) -> None:
    await hub.say("lunch 12, dinner 20")

    await hub.say("make the dinner 22")

    assert await hub.items() == ["lunch 12.00", "dinner 22.00"]


@pytest.mark.parametrize(
    ("pressed", "stored", "direction"),
    [
        ("记为支出", ["火锅 180.00"], "expense"),
        ("记为借入", ["火锅 180.00"], "borrow"),
        ("不用记", [], ""),
    ],
)
async def test_what_somebody_else_paid_is_booked_only_as_the_person_says(
    hub: Stage, pressed: str, stored: list[str], direction: str
) -> None:
    (asked,) = await hub.say("火锅花了180，没带卡小张付的")
    assert await hub.items() == []

    await hub.press(asked, pressed)

    assert await hub.items() == stored
    person = await hub.person()
    entries = await hub.app.stores.ledger.latest(person.person_id, EntryFilter(), limit=5)
    assert [entry.direction.value for entry in entries] == ([direction] if direction else [])


async def test_a_price_with_something_taken_off_is_booked_after_a_yes(hub: Stage) -> None:
    (asked,) = await hub.say("外卖30减8")
    assert await hub.items() == []
    assert "¥22.00" in asked.text

    await hub.say("不是，是24")
    await hub.say("对")

    assert await hub.items() == ["外卖 24.00"]


@pytest.mark.parametrize(
    ("booked", "asked", "words", "kept"),
    [
        ("咖啡18", "今天花了多少", "不对，咖啡是20", "咖啡 20.00"),
        ("咖啡18", "今天花了多少", "记错了，咖啡20", "咖啡 20.00"),
        ("coffee 4", "how much did I spend today", "no, coffee was 5", "coffee 5.00"),
    ],
)
async def test_a_thing_said_again_after_wrong_is_put_right_and_not_booked_again(
    hub: Stage, booked: str, asked: str, words: str, kept: str
) -> None:
    await hub.say(booked)
    await hub.say(asked)
    await hub.say(words)

    assert await hub.items() == [kept]


async def test_deleted_is_what_was_shown_and_not_what_was_booked_last(hub: Stage) -> None:
    await hub.say("房租3000")
    await hub.say("工资到账12000")
    await hub.say("最大的一笔支出是什么")
    await hub.say("删了")

    assert await hub.items() == ["工资到账 12000.00"]


async def test_of_several_that_were_shown_it_is_asked_which_is_to_go(hub: Stage) -> None:
    await hub.say("打车22，咖啡18")
    (asked,) = await hub.say("删了")

    assert len(asked.buttons) == 2
    assert await hub.items() == ["打车 22.00", "咖啡 18.00"]


@pytest.mark.parametrize(
    ("booked", "words", "kept"),
    [
        ("打车38.5，豆浆油条9块", "豆浆油条是8块", ["打车 38.50", "豆浆油条 8.00"]),
        (
            "uber 15.5, groceries 82",
            "groceries was 80 actually",
            ["uber 15.50", "groceries 80.00"],
        ),
        ("咖啡18", "奶茶是12", ["咖啡 18.00", "奶茶 12.00"]),
    ],
)
async def test_the_price_of_what_was_just_booked_said_once_more_changes_it(
    hub: Stage, booked: str, words: str, kept: list[str]
) -> None:
    await hub.say(booked)
    await hub.say(words)

    assert await hub.items() == kept


@pytest.mark.parametrize("words", ["改成5.5", "make it 5.5", "应该是12.5"])
async def test_a_price_with_a_point_is_no_day(hub: Stage, words: str) -> None:
    await hub.say("add coffee 4.5")
    (changed,) = await hub.say(words)

    assert "2026-12-01" in changed.text
    assert await hub.items() in (["coffee 5.50"], ["coffee 12.50"])


async def test_all_of_last_week_is_no_monday(hub: Stage) -> None:
    (total,) = await hub.say("上周一共花了多少")

    assert "2026-11-23 周一 至 2026-11-29 周日" in total.text


@pytest.mark.parametrize("words", ["不对，午饭是38", "错了，午饭38", "不是，午饭是38"])
async def test_a_named_thing_is_put_right_after_talk_about_reminders(
    tmp_path: Path, words: str
) -> None:
    async with stage(tmp_path, local_model="auto") as hub:
        await hub.say("午饭35")
        await hub.say("提醒我后天和老王九点见面")
        await hub.say(words)

        assert await hub.items() == ["午饭 38.00"]


async def test_a_price_is_no_new_name_for_a_reminder(hub: Stage) -> None:
    await hub.say("午饭35")
    await hub.say("提醒我明天9点喝水")
    await hub.say("不是，是40")
    (listed,) = await hub.say("我有哪些提醒")

    assert "喝水" in listed.text
