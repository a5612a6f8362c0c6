"""Presses: answered within 3 s on every way they come, and done once."""

import asyncio
from pathlib import Path

import pytest

from bot.core.actions import ActionDraft, Uses
from bot.core.agents import Agent, AgentResult, Turn
from bot.core.errors import StorageUnavailableError
from bot.core.messages import Button, TextBlock
from bot.core.words import Verbatim, text
from bot.locales.catalogue import resolve
from tests.emulators.feishu import BEN, BOT, GROUP, Message
from tests.emulators.feishu_link import Delivery
from tests.emulators.feishu_stage import FeishuStage, Mode, feishu_stage, toast_of

WAYS = pytest.mark.parametrize(
    ("mode", "kind"),
    [("long", "event"), ("long", "card"), ("webhook", "event")],
    ids=["event-frame", "card-frame", "webhook"],
)
TAKEN = "收到，正在处理…"


class CountingAgent:
    """Counts presses of a button that may be pressed again, after a while."""

    intent = "chat_manager"

    def __init__(self, *, uses: Uses = Uses.MANY) -> None:
        self.pressed = 0
        self.uses = uses
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def handle(self, turn: Turn) -> AgentResult:
        if turn.action is not None:
            await self.may_end.wait()
            self.pressed += 1
        action = ActionDraft(name="refresh", uses=self.uses)
        return AgentResult(
            blocks=(TextBlock(Verbatim(f"已刷新 {self.pressed} 次")),),
            buttons=((Button(label=Verbatim("刷新"), action=action),),),
            repaint=turn.action is not None,
        )


def put(hub: FeishuStage, agent: CountingAgent) -> None:
    def of(intent: str) -> Agent:
        del intent
        return agent

    hub.app.registry.agent = of  # type: ignore[method-assign]


@WAYS
async def test_a_press_is_answered_at_once_however_long_its_work_takes(
    tmp_path: Path, mode: Mode, kind: str
) -> None:
    """T18, T19, PF5, PF6: the toast within a second, the card repainted when it is done."""
    async with feishu_stage(tmp_path, mode=mode) as hub:
        agent = CountingAgent(uses=Uses.ONCE)
        put(hub, agent)
        (card,) = await hub.say("你好呀")
        agent.may_end.clear()
        first = hub.api.press(card, "刷新", kind=kind)
        await hub.until(lambda: bool(first.acks))
        assert first.answered_after < 1
        assert toast_of(first) == TAKEN
        again = hub.api.press(card, "刷新", kind=kind)
        await hub.until(lambda: bool(again.acks))
        assert toast_of(again) == resolve(text("hub.press_used"), "zh-CN")
        assert card.edits == 0

        agent.may_end.set()
        await hub.settle()
        assert agent.pressed == 1
        assert card.edits == 1
        assert "已刷新 1 次" in card.plain


@WAYS
async def test_a_store_that_is_slow_or_away_leaves_nobody_without_an_answer(
    tmp_path: Path, mode: Mode, kind: str
) -> None:
    """PF6: a press is not delivered again, so it is answered in time and finished later."""
    async with feishu_stage(tmp_path, mode=mode, answer_within=0.2) as hub:
        agent = CountingAgent()
        put(hub, agent)
        (card,) = await hub.say("你好呀")
        accept = hub.app.stores.inbox.accept
        go_on = asyncio.Event()

        async def slowly(update: object) -> object:
            await go_on.wait()
            return await accept(update)  # type: ignore[arg-type]

        hub.app.stores.inbox.accept = slowly  # type: ignore[method-assign, assignment]
        pressed = hub.api.press(card, "刷新", kind=kind)
        await hub.until(lambda: bool(pressed.acks))
        assert toast_of(pressed) == TAKEN
        assert pressed.answered_after < 1
        go_on.set()
        await hub.until(lambda: card.edits == 1)

        async def away(_update: object) -> None:
            raise StorageUnavailableError("away")

        hub.app.stores.inbox.accept = away  # type: ignore[method-assign, assignment]
        refused = hub.api.press(card, "刷新", kind=kind)
        await hub.until(lambda: bool(refused.acks))
        assert (refused.answer or {})["toast"]["type"] == "error"
        assert agent.pressed == 1


async def test_a_refresh_button_goes_on_working(hub: FeishuStage) -> None:
    """PF7: the SDK's channel swallows the second press for 12 hours."""
    agent = CountingAgent()
    put(hub, agent)
    (card,) = await hub.say("你好呀")
    for number in range(1, 4):
        toast, _ = await hub.press(card, "刷新")
        assert toast == TAKEN
        assert agent.pressed == number
    assert card.edits == 3


async def test_a_press_of_the_older_shape_is_the_same_press(tmp_path: Path) -> None:
    """T19: ids at the top and no header, over the webhook."""
    async with feishu_stage(tmp_path, mode="webhook") as hub:
        (booked,) = await hub.say("午饭35")
        old = {
            "open_id": "ou_anna",
            "open_message_id": booked.message_id,
            "open_chat_id": booked.chat_id,
            "tenant_key": "tenant-1",
            "token": "c-old",
            "action": {"value": booked.buttons["撤销"], "tag": "button"},
        }
        status, answer = await hub.api.link.post(old)
        assert status == 200
        assert answer is not None
        assert answer["toast"]["content"] == TAKEN
        await hub.settle()
        assert await hub.items() == []


async def test_the_same_press_twice_and_another_person_do_nothing(hub: FeishuStage) -> None:
    """T13, T14, PF7: idempotent for one, without effect for the other."""
    (booked,) = await hub.say("@_user_1 午饭35", chat=GROUP, at=(BOT,))
    toast, _ = await hub.press(booked, "撤销", who=BEN)  # never spoken to before
    assert toast == resolve(text("hub.press_foreign"), "zh-CN")
    await hub.say("@_user_1 打车9", chat=GROUP, at=(BOT,), who=BEN)
    toast, _ = await hub.press(booked, "撤销", who=BEN)
    assert toast == resolve(text("hub.press_foreign"), "zh-CN")
    first = hub.api.press(booked, "撤销")
    second = hub.api.press(booked, "撤销")
    await hub.settle()
    toasts = sorted([toast_of(first), toast_of(second)])
    assert toasts == sorted([TAKEN, resolve(text("hub.press_used"), "zh-CN")])
    assert await hub.items() == []


async def test_the_toast_speaks_the_readers_language(hub: FeishuStage) -> None:
    (booked,) = await hub.say("午饭35")
    pressed: Delivery = hub.api.press(booked, "撤销")
    await hub.settle()
    assert pressed.answer is not None
    assert pressed.answer["toast"]["i18n"]["en_us"] == "Got it, working on it…"


async def test_a_forged_value_is_answered_and_does_nothing(hub: FeishuStage) -> None:
    (booked,) = await hub.say("午饭35")
    for value in ({}, {"t": 7}, {"t": "nobody-knows"}, {"x": "y"}, {"c": "no_such_capsule"}):
        button = {
            "tag": "button",
            "text": {"tag": "plain_text", "content": "假"},
            "behaviors": [{"type": "callback", "value": value}],
        }
        card = {"schema": "2.0", "body": {"elements": [button]}}
        forged = Message(booked.message_id, booked.chat_id, "interactive", card)
        toast, _ = await hub.press(forged, "假")
        assert toast
    assert await hub.items() == ["午饭 35.00"]


async def test_capsules_stand_below_a_card_and_are_selected_there(tmp_path: Path) -> None:
    async with feishu_stage(tmp_path, packs="personal,workplace") as hub:
        await hub.say("午饭35")
        (total,) = await hub.say("这个月花了多少")
        carrier = next(m for m in (total, *hub.api.shown) if any("会议" in k for k in m.labels))
        label = next(k for k in carrier.labels if "会议" in k)
        toast, shown = await hub.press(carrier, label)
        assert toast == TAKEN
        assert shown == []

        def chosen() -> bool:
            return any(k.startswith("✓") for k in carrier.labels)

        await hub.until(chosen)
        await hub.press(carrier, next(k for k in carrier.labels if k.startswith("✓")))
        await hub.until(lambda: not chosen())
        hub.api.menu("capsule:MEETING")
        await hub.until(chosen)


async def test_an_open_question_is_answered_in_its_field_by_whom_it_was_put_to(
    hub: FeishuStage,
) -> None:
    """In a group nobody has to name the bot for an answer, and nobody answers for another."""
    (asked,) = await hub.say("@_user_1 提醒我喝水", chat=GROUP, at=(BOT,))
    assert "发送" in asked.labels
    toast, shown = await hub.press(asked, "发送", who=BEN, form={"answer": "10分钟后"})
    assert (toast, shown) == (resolve(text("hub.press_foreign"), "zh-CN"), [])
    toast, shown = await hub.press(asked, "发送", form={"answer": " "})
    assert shown == []
    toast, (confirmed,) = await hub.press(asked, "发送", form={"answer": "10分钟后"})
    assert toast == TAKEN
    assert "喝水" in confirmed.plain
    (reminder,) = await hub.later(minutes=11)
    assert "喝水" in reminder.plain
