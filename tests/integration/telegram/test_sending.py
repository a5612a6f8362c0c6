"""What goes out, and every way in which that fails."""

import asyncio
from pathlib import Path

from adapters.telegram.render import render
from adapters.telegram.runs import units
from bot.core.events import Account, Attachment
from bot.core.messages import ChartBlock, ChartSeries, Key, OutboundMessage, TextBlock
from bot.core.outbox import OutboxStatus, Purpose
from bot.core.words import Verbatim, text
from tests.emulators.telegram import GROUP, PRIVATE, BotApi
from tests.emulators.telegram_stage import TelegramStage, telegram_stage
from tests.integration.telegram.queueing import queue

LONG = "第一段。" * 700 + "\n```python\n" + "print('👨‍👩‍👧‍👦')\n" * 200 + "```\n" + "完" * 3000
KEYS = ((Key(label=Verbatim("确认"), token="tok-1"),),)  # noqa: S106


async def test_a_long_reply_arrives_in_parts_with_its_buttons_on_the_last(
    hub: TelegramStage,
) -> None:
    """T01."""
    row = await (await queue(hub, LONG, keys=KEYS)).settled()

    shown = hub.api.shown
    assert len(shown) >= 3
    assert all(units(message.html) <= 4096 for message in shown)
    assert [bool(message.buttons) for message in shown] == [False] * (len(shown) - 1) + [True]
    assert row.message_id == str(shown[-1].message_id)
    assert row.parts == tuple(str(message.message_id) for message in shown[:-1])


async def test_refused_markup_goes_out_again_as_plain_text_once(hub: TelegramStage) -> None:
    """T03."""
    hub.api.fail("sendMessage", 400, "Bad Request: can't parse entities: Unsupported start tag")
    await (await queue(hub, "**重要**：a < b")).settled()

    (message,) = hub.api.shown
    assert message.plain == "重要：a < b"
    assert hub.api.count("sendMessage") == 2


async def test_the_awkward_reply_of_t03_is_delivered_once_as_it_is(hub: TelegramStage) -> None:
    awkward = "DRY_RUN uses ___x___ *bold and a_url_with_underscores, 5 < 6 & <b"
    await (await queue(hub, awkward)).settled()

    assert hub.api.texts() == [awkward]


async def test_a_rate_limit_is_waited_out_for_its_chat_alone(hub: TelegramStage) -> None:
    """T04: no request to that chat before retry_after, the others unaffected."""
    hub.api.flood_wait("sendMessage", 30)
    slow = await queue(hub, "慢", chat=1)
    await hub.until(lambda: hub.api.count("sendMessage") == 1)
    quick = await queue(hub, "快", chat=2)
    assert (await quick.settled()).status is OutboxStatus.SENT
    assert hub.api.texts(1) == []

    turned = await hub.turn_until(lambda: bool(hub.api.texts(1)))
    assert 30 <= turned <= 45, "the clock is turned while a slow store still works"
    assert (await slow.settled()).status is OutboxStatus.SENT


async def test_a_rate_limit_between_parts_keeps_order_and_doubles_nothing(
    hub: TelegramStage,
) -> None:
    """PT6: 429 on the second of several parts."""
    first_gone = hub.api.hang("sendMessage")
    queued = await queue(hub, LONG)
    hub.api.flood_wait("sendMessage", 3)
    first_gone.set()
    await hub.until(lambda: hub.api.count("sendMessage") == 2)
    assert len(hub.api.shown) == 1

    parts = len(render(OutboundMessage(blocks=(TextBlock(Verbatim(LONG)),), locale="zh-CN")))
    turned = await hub.turn_until(lambda: len(hub.api.shown) == parts)
    await queued.settled()
    assert turned >= 3
    refused = [bool(call.refused) for call in hub.api.calls if call.method == "sendMessage"]
    assert refused == [False, True, *[False] * (parts - 1)]


async def test_a_very_long_rate_limit_is_kept_in_the_row(hub: TelegramStage) -> None:
    """T04: retry_after=1000 blocks nobody and survives."""
    hub.api.flood_wait("sendMessage", 1000)
    queued = await queue(hub, "later")
    await hub.until(lambda: hub.sends("retried") == 1)

    row = await queued.row()
    assert row.status is OutboxStatus.QUEUED
    assert (row.not_before - hub.clock.now()).total_seconds() == 1000


async def test_an_edit_that_changes_nothing_is_done(hub: TelegramStage) -> None:
    """PT7."""
    await (await queue(hub, "同样")).settled()
    message_id = str(hub.api.last().message_id)

    row = await (await queue(hub, "同样", replaces=message_id)).settled()

    assert row.status is OutboxStatus.SENT
    assert hub.api.texts() == ["同样"]


async def test_an_edit_of_a_message_that_is_gone_is_sent_anew(hub: TelegramStage) -> None:
    row = await (await queue(hub, "新的", replaces="999")).settled()

    assert row.message_id == str(hub.api.last().message_id)
    assert hub.api.texts() == ["新的"]


async def test_who_blocked_the_bot_is_not_written_to_again_until_they_come_back(
    hub: TelegramStage,
) -> None:
    """PT10: marked, no retry."""
    hub.api.blocked.add(PRIVATE)
    first = await (await queue(hub, "喝水", purpose=Purpose.REMINDER)).settled()
    assert first.status is OutboxStatus.FAILED
    assert "blocked" in first.error

    await (await queue(hub, "再喝水", purpose=Purpose.REMINDER)).settled()
    assert hub.api.count("sendMessage") == 1

    hub.api.blocked.clear()
    await hub.say("午饭35")
    assert "35" in hub.api.last().plain


async def test_a_group_with_a_new_id_is_written_to_there(hub: TelegramStage) -> None:
    hub.api.moved[GROUP] = -100900

    for words in ("一", "二"):
        assert (await (await queue(hub, words, chat=GROUP)).settled()).status is OutboxStatus.SENT

    assert hub.api.texts(-100900) == ["一", "二"]
    assert hub.api.count("sendMessage") == 3


async def test_a_gateways_page_is_waited_out(hub: TelegramStage) -> None:
    hub.api.html_page("sendMessage")
    hub.api.fail("sendMessage", 500, "Internal Server Error")
    queued = await queue(hub, "到了")

    await hub.turn_until(lambda: bool(hub.api.shown))
    assert (await queued.settled()).status is OutboxStatus.SENT
    assert hub.sends("ambiguous") == 0


async def test_an_answer_whose_own_answer_was_lost_is_not_sent_twice_but_counted(
    hub: TelegramStage,
) -> None:
    hub.api.reset("sendMessage", after_work=True)
    row = await (await queue(hub, "闲聊")).settled()

    assert hub.api.texts() == ["闲聊"]
    assert row.status is OutboxStatus.FAILED
    assert (hub.sends("ambiguous"), hub.sends("repeated")) == (1, 0)


async def test_a_reminder_and_a_confirmation_are_rather_sent_twice_than_never(
    hub: TelegramStage,
) -> None:
    for purpose in (Purpose.REMINDER, Purpose.CONFIRMATION):
        hub.api.reset("sendMessage")
        queued = await queue(hub, purpose.value, purpose=purpose)
        await hub.turn_until(lambda words=purpose.value: words in hub.api.texts())  # type: ignore[misc]
        assert (await queued.settled()).status is OutboxStatus.SENT
    assert (hub.sends("ambiguous"), hub.sends("repeated")) == (2, 2)


async def test_of_a_long_answer_only_the_unsure_part_is_left_out(hub: TelegramStage) -> None:
    hub.api.reset("sendMessage", after_work=True)
    row = await (await queue(hub, LONG)).settled()

    assert row.status is OutboxStatus.SENT
    assert row.parts[0] == ""
    assert len(hub.api.shown) == len(row.parts) + 1


async def test_an_edit_whose_answer_was_lost_is_made_again(hub: TelegramStage) -> None:
    await (await queue(hub, "旧")).settled()
    message = hub.api.last()
    hub.api.reset("editMessageText", after_work=True)
    queued = await queue(hub, "新", replaces=str(message.message_id))

    await hub.turn_until(lambda: hub.api.count("editMessageText") == 2)
    assert (await queued.settled()).status is OutboxStatus.SENT
    assert (message.plain, len(hub.api.shown)) == ("新", 1)


async def test_a_refused_token_loses_no_message(hub: TelegramStage) -> None:
    hub.api.fail("sendMessage", 401, "Unauthorized")
    queued = await queue(hub, "仍在")

    await hub.turn_until(lambda: bool(hub.api.shown))
    assert (await queued.settled()).status is OutboxStatus.SENT


async def test_a_text_that_is_called_too_long_is_cut_again(hub: TelegramStage) -> None:
    hub.api.fail("sendMessage", 400, "Bad Request: message is too long")
    await (await queue(hub, "字" * 3000)).settled()

    assert "".join(hub.api.texts()) == "字" * 3000


CHART = ChartBlock(
    chart="bar",
    title=Verbatim("支出"),
    labels=(Verbatim("餐饮"), Verbatim("交通")),
    series=(ChartSeries(Verbatim("金额"), ("35", "20")),),
)


async def test_a_chart_is_a_picture_after_its_words(hub: TelegramStage) -> None:
    await (await queue(hub, (TextBlock(Verbatim("看")), CHART), keys=KEYS)).settled()

    words, chart = hub.api.shown
    assert (words.plain, chart.plain) == ("看", "支出")
    assert chart.photo is not None
    assert chart.photo.startswith(b"\x89PNG")
    assert chart.labels == ["确认"]


async def test_a_picture_that_is_not_taken_becomes_a_table(hub: TelegramStage) -> None:
    hub.api.fail("sendPhoto", 400, "Bad Request: PHOTO_INVALID_DIMENSIONS")
    await (await queue(hub, (CHART,))).settled()

    assert "餐饮  35" in hub.api.last().plain


async def test_a_label_of_many_bytes_is_shown_whole_and_its_data_is_a_token(
    hub: TelegramStage,
) -> None:
    """T12, PT16: 25 Chinese characters are 75 bytes."""
    label = "一二三四五六七八九十一二三四五六七八九十一二三四五"
    keys = ((Key(label=Verbatim(label), token="abcdefghij123456"),),)  # noqa: S106
    await (await queue(hub, "选", keys=keys)).settled()

    ((button,),) = hub.api.last().buttons
    assert button == {"text": label, "callback_data": "abcdefghij123456"}


async def test_a_topic_of_a_forum_is_answered_in_it(hub: TelegramStage) -> None:
    await (await queue(hub, "在话题里", chat=GROUP, thread="9")).settled()

    (call,) = [call for call in hub.api.calls if call.method == "sendMessage"]
    assert call.fields["message_thread_id"] == "9"


async def test_typing_is_shown_and_never_to_a_chat_that_was_told_to_wait(
    hub: TelegramStage,
) -> None:
    """T04: decoration stays away too."""
    row = (await (await queue(hub, "x")).row()).draft.chat
    await hub.adapter.show_typing(row)
    assert hub.api.count("sendChatAction") == 1

    hub.api.flood_wait("sendMessage", 30)
    await queue(hub, "y")
    await hub.until(lambda: hub.sends("retried") == 1)
    await hub.adapter.show_typing(row)
    assert hub.api.count("sendChatAction") == 1


async def test_the_command_menu_is_set_in_every_language(hub: TelegramStage) -> None:
    await hub.until(lambda: len(hub.api.commands) == 3)

    assert hub.api.commands["en"][0] == {"command": "start", "description": "Get started"}
    assert hub.api.commands[""] == hub.api.commands["zh"]
    assert text("telegram.command_start").key


async def test_a_photo_is_fetched_into_our_store_and_a_big_one_is_told(
    hub: TelegramStage,
) -> None:
    """PT18."""
    who = Account(platform="telegram", bot=hub.adapter.bot, user_id=str(PRIVATE))
    good, big = hub.api.photo(b"jpeg"), hub.api.photo(b"x", size=21 * 2**20)

    kept = await hub.adapter.fetch(Attachment(kind="image", ref=good[-1]["file_id"]), who)
    assert isinstance(kept, Attachment)
    stored = await hub.app.stores.files.get(who.key, kept.ref)
    assert stored is not None
    assert stored[1] == b"jpeg"

    for ref, key in ((big[-1]["file_id"], "telegram.file_too_big"), ("?", "telegram.file_failed")):
        told = await hub.adapter.fetch(Attachment(kind="image", ref=ref), who)
        assert getattr(told, "key", "") == key


async def test_what_is_on_its_way_at_a_stop_still_goes_out(tmp_path: Path) -> None:
    """The stop closes the intake first and the connection for sending last."""
    async with telegram_stage(tmp_path) as stopped:
        release = stopped.api.hang("sendMessage")
        stopped.api.say("午饭35")
        await stopped.until(lambda: stopped.api.count("sendMessage") == 1)
        stopped.api.say("打车20")
        await stopped.until(lambda: stopped.api.waiting == 0)
        while (await stopped.app.stores.inbox.counts()) != {"done": 2}:
            await stopped.breathe()
        asyncio.get_running_loop().call_later(0.2, release.set)

    assert ["午饭" in words for words in stopped.api.texts()] == [True, False]
    assert len(stopped.api.texts()) == 2


async def test_what_an_earlier_run_left_goes_out_at_once(tmp_path: Path) -> None:
    api = BotApi()
    async with telegram_stage(tmp_path, api=api) as hub:
        await queue(hub, "留下的", wake=False)
    async with telegram_stage(tmp_path, api=api) as hub:
        await hub.settle()
        assert (api.texts(), hub.sends("retried")) == (["留下的"], 0)
