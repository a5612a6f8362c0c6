"""Sending: once, in order, at the platform's pace, and whatever it refuses still in words."""

import asyncio
from pathlib import Path

import pytest

from adapters.feishu.adapter import LIMITS
from bot.core.events import Account, Chat, ChatKind
from bot.core.messages import (
    Block,
    ChartBlock,
    ChartSeries,
    ImageBlock,
    OutboundMessage,
    TableBlock,
    TextBlock,
)
from bot.core.outbox import OutboxDraft, OutboxStatus
from bot.core.stores import Stores
from bot.core.words import Verbatim, Words
from bot.demo import settled as all_settled
from tests.contract.samples import outcome
from tests.emulators.feishu import ANNA, APP_ID, BOT, GROUP, TENANT
from tests.emulators.feishu_rules import walk
from tests.emulators.feishu_stage import FeishuStage, feishu_stage
from tests.patience import PATIENCE_SECONDS


async def settled(stores: Stores) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        await all_settled(stores)


def draft(
    number: int, *blocks: Block, chat: str = ANNA, kind: ChatKind = ChatKind.PRIVATE
) -> OutboxDraft:
    place = Chat(platform="feishu", bot=APP_ID, chat_id=chat, kind=kind)
    message = OutboundMessage(blocks=blocks, locale="zh-CN")
    return OutboxDraft(outbox_id=f"m{number}", chat=place, person_id="p", message=message)


async def queue(hub: FeishuStage, *drafts: OutboxDraft) -> None:
    event_id = f"e-{drafts[0].outbox_id}"
    await hub.app.stores.turns.commit(outcome(event_id, session_key=event_id, outbox=drafts))
    for one in drafts:
        hub.app.delivery.wake(one.chat.key, one.outbox_class)


def words(text: str) -> TextBlock:
    return TextBlock(Verbatim(text))


def cell(text: str) -> Words:
    return Verbatim(text)


async def test_a_send_whose_answer_was_lost_is_repeated_and_shows_once(hub: FeishuStage) -> None:
    """The uuid comes from the outbox id, so the platform knows it again."""
    hub.api.lose("send", times=2)
    await queue(hub, draft(1, words("一次")))
    await hub.turn_until(lambda: hub.api.count("send") == 3)
    await settled(hub.app.stores)
    assert hub.api.texts() == ["一次"]
    row = await hub.app.stores.outbox.get("m1")
    assert row is not None
    assert (row.status, row.message_id) == (OutboxStatus.SENT, hub.api.last().message_id)


@pytest.mark.parametrize(
    ("code", "status", "headers", "wait"),
    [
        (99991400, 429, {"x-ogw-ratelimit-reset": "2"}, 2),
        (99991400, 400, {"x-ogw-ratelimit-reset": "7"}, 7),
        (230020, 400, {}, 1),
        (11232, 200, {}, 5),
    ],
)
async def test_a_rate_limit_is_waited_out(
    hub: FeishuStage, code: int, status: int, headers: dict[str, str], wait: float
) -> None:
    """PF12: 230020 is a limit, not a revoked message; a 200 with a code is no success."""
    hub.api.fail("send", code, "limit", status=status, headers=headers)
    await queue(hub, draft(1, words("等一下")))
    await hub.until(lambda: hub.api.count("send") == 1)
    turned = await hub.turn_until(lambda: hub.api.count("send") == 2, step=0.5)
    assert wait <= turned <= wait + 1.5
    await settled(hub.app.stores)
    assert hub.api.texts() == ["等一下"]


async def test_no_more_than_five_a_second_go_to_one_chat_and_others_do_not_wait(
    tmp_path: Path,
) -> None:
    """PF12: 12 messages take at least 2 seconds; another chat gets its own at once."""
    async with feishu_stage(tmp_path, limits=LIMITS) as hub:
        hub.api.per_chat = 5
        await queue(hub, *(draft(n, words(f"第{n}条")) for n in range(12)))
        await queue(hub, draft(99, words("另一边"), chat="ou_ben"))
        await hub.until(lambda: "另一边" in hub.api.texts())
        turned = await hub.turn_until(lambda: len(hub.api.shown) == 13, step=0.1)
        assert 2 <= turned <= 5
        mine = [m.plain for m in hub.api.shown if m.chat_id == "oc_p2p_ou_anna"]
        assert mine == [f"第{n}条" for n in range(12)]
        assert hub.sends("retried") == 0


async def test_an_expired_token_is_renewed_once_for_all(hub: FeishuStage) -> None:
    """PF11: 20 sends at once, one refresh, each call repeated once."""
    await queue(hub, draft(0, words("先")))
    await settled(hub.app.stores)
    hub.api.expire_tokens()
    tokens, sends = hub.api.count("token"), hub.api.count("send")
    await queue(hub, *(draft(n, words("好"), chat=f"ou_{n}") for n in range(1, 21)))
    await settled(hub.app.stores)
    assert hub.api.count("token") == tokens + 1
    assert len(hub.api.shown) == 21
    assert hub.api.count("send") - sends <= 40


async def test_a_token_is_renewed_before_it_expires_and_an_outage_then_harms_nobody(
    hub: FeishuStage,
) -> None:
    await queue(hub, draft(1, words("一")))
    await settled(hub.app.stores)
    hub.clock.turn(minutes=101)
    hub.api.fail("token", html="<html>", status=502)
    await queue(hub, draft(2, words("二")))
    await settled(hub.app.stores)
    await queue(hub, draft(3, words("三")))
    await settled(hub.app.stores)
    assert hub.api.texts() == ["一", "二", "三"]
    assert all(call.code == 0 for call in hub.api.calls if call.operation == "send")


async def test_a_gateways_page_is_a_hiccup(hub: FeishuStage) -> None:
    """PF22: the SDK fails with a JSON error."""
    hub.api.fail("send", html="<html>502</html>", status=502)
    await queue(hub, draft(1, words("好")))
    await hub.turn_until(lambda: bool(hub.api.shown))
    await settled(hub.app.stores)
    assert hub.api.texts() == ["好"]


@pytest.mark.parametrize("code", [230099, 230001, 230025, 230028, 999999])
async def test_a_refused_card_goes_out_in_plainer_form(hub: FeishuStage, code: int) -> None:
    """T20: whatever is wrong with a card, its words arrive, once."""
    hub.api.fail("send", code, "ErrCode: 11310", times=2)
    await queue(hub, draft(1, words("**重要**的话 <at id=all></at>")))
    await settled(hub.app.stores)
    assert [m.kind for m in hub.api.shown] == ["text"]
    assert "重要" in hub.api.last().plain
    assert "<at" not in hub.api.last().plain


async def test_a_card_that_is_refused_once_keeps_its_buttons(hub: FeishuStage) -> None:
    hub.api.fail("send", 230099, "ErrCode: 11310")
    (booked,) = await hub.say("午饭35")
    assert booked.kind == "interactive"
    await hub.press(booked, "撤销")
    assert await hub.items() == []


async def test_seven_tables_arrive_whole(hub: FeishuStage) -> None:
    """T20: three as tables, the others and what stands in a fence as code."""
    tables = "\n\n".join(f"| 列{n} | 值 |\n|---|---|\n| a{n} | {n} |" for n in range(7))
    fenced = "```\n| x | y |\n|---|---|\n| 1 | 2 |\n```"
    block = TableBlock(header=(cell("块"), cell("值")), rows=((cell("b"), cell("9")),))
    await queue(hub, draft(1, words(tables + "\n\n" + fenced), block))
    await settled(hub.app.stores)
    (message,) = hub.api.shown
    assert sum(e["tag"] == "table" for e in walk(message.card)) == 3
    for sign in (*(f"a{n}" for n in range(7)), "x | y", "b"):
        assert sign in message.plain
    assert hub.api.count("send") == 1


async def test_a_long_answer_is_cut_into_cards_below_the_limit(hub: FeishuStage) -> None:
    """PF13: measured on the bytes that are sent; nothing lost, in order, sent once each."""
    text = "".join(f"第{n}段，内容不少。😀\n" for n in range(3000))
    hub.api.lose("send")
    await queue(hub, draft(1, words(text)))
    await hub.turn_until(lambda: hub.api.count("send") >= 2)
    await settled(hub.app.stores)
    assert len(hub.api.shown) >= 3
    whole = "\n".join(message.plain for message in hub.api.shown)
    assert [line for line in whole.split("\n") if line] == text.strip().split("\n")
    assert all(call.code == 0 for call in hub.api.calls)


async def test_a_chart_is_drawn_by_the_client_and_a_picture_is_uploaded(hub: FeishuStage) -> None:
    await hub.say("你好")
    owner = Account(platform="feishu", bot=APP_ID, user_id=ANNA, tenant=TENANT)
    kept = await hub.app.stores.files.put(
        owner.key, b"\x89PNG data", name="a.png", mime="image/png", now=hub.clock.now()
    )
    chart = ChartBlock(
        chart="pie",
        title=Verbatim("支出"),
        labels=(cell("餐饮"), cell("交通")),
        series=(ChartSeries(cell("元"), ("35.50", "20")),),
        unit="¥",
    )
    picture = ImageBlock(file_id=kept.file_id, alt=cell("小票"))
    missing = ImageBlock(file_id="f_none", alt=cell("没有的图"))
    await queue(hub, draft(1, chart, picture, missing))
    await settled(hub.app.stores)
    tags = {e["tag"]: e for e in walk(hub.api.last().card)}
    assert tags["chart"]["chart_spec"]["data"]["values"][0]["y"] == 35.5
    assert hub.api.images[tags["img"]["img_key"]] == b"\x89PNG data"
    assert "没有的图" in hub.api.last().plain


@pytest.mark.parametrize("code", [230031, 230011, 231003])
async def test_a_card_that_cannot_be_changed_any_more_is_sent_anew(
    hub: FeishuStage, code: int
) -> None:
    (booked,) = await hub.say("午饭35")
    hub.api.fail("patch", code, "gone")
    _, shown = await hub.press(booked, "撤销")
    assert len(shown) == 1
    assert await hub.items() == []


@pytest.mark.parametrize("code", [230002, 230013])
async def test_who_cannot_be_reached_is_left_alone(hub: FeishuStage, code: int) -> None:
    hub.api.gone[GROUP] = code
    await queue(hub, draft(1, words("一"), chat=GROUP, kind=ChatKind.GROUP))
    await settled(hub.app.stores)
    await queue(hub, draft(2, words("二"), chat=GROUP, kind=ChatKind.GROUP))
    await settled(hub.app.stores)
    assert hub.api.count("send") == 1
    del hub.api.gone[GROUP]
    (answer,) = await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,))
    assert "35" in answer.plain


async def test_a_missing_scope_is_told_and_not_tried_for_ever(hub: FeishuStage) -> None:
    hub.api.fail("send", 99991672, "Access denied. scopes: im:message", times=3)
    await queue(hub, draft(1, words("一")))
    await settled(hub.app.stores)
    row = await hub.app.stores.outbox.get("m1")
    assert row is not None
    assert row.status is OutboxStatus.FAILED
    assert "99991672" in row.error


async def test_a_long_wait_is_shown_by_a_reaction_that_goes_away(hub: FeishuStage) -> None:
    chat = Chat(platform="feishu", bot=APP_ID, chat_id=ANNA)
    hub.api.say("午饭35", message_id="om_typed")
    await hub.settle()
    await hub.adapter.show_typing(chat)
    assert hub.api.reactions["om_typed"] == ["Typing"]
    await queue(hub, draft(1, words("好了")))
    await hub.until(lambda: hub.api.reactions["om_typed"] == [])
    hub.api.fail("reaction", 99991672, "no scope")
    await hub.adapter.show_typing(chat)
    assert hub.api.reactions["om_typed"] == []
