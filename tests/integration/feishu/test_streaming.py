"""Answers that show while they grow, in a card whose stream may end at any time."""

from pathlib import Path

import pytest

from bot.clock import ManualClock
from bot.core.agents import Agent
from tests.emulators.feishu import BOT, GROUP, STREAM_CLOSED, Call, Feishu, Message
from tests.emulators.feishu_rules import RefusedError
from tests.emulators.feishu_stage import FeishuStage, feishu_stage
from tests.stage import TUESDAY
from tests.streaming import Step, StreamingAgent


def streams(hub: FeishuStage, *steps: Step, final: str = "全文。") -> None:
    """Let this agent answer everything."""
    agent = StreamingAgent(*steps, final=final)

    def of(intent: str) -> Agent:
        del intent
        return agent

    hub.app.registry.agent = of  # type: ignore[method-assign]


def turned(hub: FeishuStage, operation: str, times: int) -> Step:
    """Return a step that turns the clock until there were so many calls."""

    async def step() -> None:
        await hub.turn_until(lambda: hub.api.count(operation) >= times, step=0.2)

    return step


def later(hub: FeishuStage, seconds: float) -> Step:
    async def step() -> None:
        hub.clock.turn(seconds=seconds)

    return step


def sequences(hub: FeishuStage) -> list[int]:
    names = {"card_content", "card_settings", "card_update"}
    return [int(call.body["sequence"]) for call in hub.api.calls if call.operation in names]


def streamed(hub: FeishuStage) -> list[str]:
    return [c.body["content"] for c in hub.api.calls if c.operation == "card_content"]


async def ask(hub: FeishuStage, **more: object) -> list[Message]:
    return await hub.say("讲个故事吧朋友", **more)


async def test_an_answer_grows_in_one_card_and_ends_in_it(hub: FeishuStage) -> None:
    """PF16: the whole text each time, strictly rising; "1", "0", "0" is 100."""
    streams(
        hub,
        "1",
        turned(hub, "card_create", 1),
        "10",
        turned(hub, "card_content", 1),
        "100",
        turned(hub, "card_content", 2),
        final="一共 100 元。",
    )
    (message,) = await ask(hub)

    assert streamed(hub) == ["10", "100"]
    assert message.plain == "一共 100 元。"
    assert not message.entities[message.card_id].streaming
    assert sequences(hub) == sorted(set(sequences(hub)))
    row = await hub.app.stores.outbox.find_sent(
        f"feishu/{hub.adapter.bot}/ou_anna/", message.message_id
    )
    assert row is not None


async def test_a_group_sees_whose_answer_grows(hub: FeishuStage) -> None:
    streams(hub, "一", turned(hub, "card_create", 1), "一二", turned(hub, "card_content", 1))
    (message,) = await ask(hub, chat=GROUP, at=(BOT,))
    assert message.plain == "<at id=ou_anna></at>\n全文。"
    assert message.chat_id == GROUP


async def test_a_stream_is_closed_before_the_platform_does_and_the_answer_goes_on(
    hub: FeishuStage,
) -> None:
    """T21, PF15: a card changed as a whole has no ten minutes."""
    streams(
        hub,
        "一",
        turned(hub, "card_create", 1),
        "一二",
        turned(hub, "card_content", 1),
        later(hub, 545),
        "一二三",
        turned(hub, "card_update", 1),
        later(hub, 600),
        "一二三四",
        turned(hub, "card_update", 2),
        final="一二三四五",
    )
    (message,) = await ask(hub)
    assert message.plain == "一二三四五"
    assert all(call.code == 0 for call in hub.api.calls)
    assert sequences(hub) == sorted(set(sequences(hub)))


async def test_a_card_that_takes_nothing_any_more_gives_way_to_a_new_message(
    hub: FeishuStage,
) -> None:
    """T21: one failed change, then the whole answer in a message of its own; no blind retries."""

    async def closed(_call: Call) -> None:
        raise RefusedError(STREAM_CLOSED, "streaming mode is closed")

    async def break_it() -> None:
        for operation in ("card_content", "card_settings", "card_update"):
            hub.api.faults[operation].extend([closed] * 1000)

    streams(
        hub,
        "一",
        turned(hub, "card_create", 1),
        "一二",
        turned(hub, "card_content", 1),
        break_it,
        "一二三",
        turned(hub, "card_content", 2),
        later(hub, 5),
        "一二三四",
        later(hub, 300),
        final="整个答案。",
    )
    old, new = await ask(hub)
    failed = [call for call in hub.api.calls if call.code]
    assert len(failed) == 1
    assert old.plain == "一二"
    assert new.plain == "整个答案。"


async def test_silence_of_fifteen_minutes_ends_in_the_whole_answer(hub: FeishuStage) -> None:
    """T21: nothing is streamed meanwhile, the stream is closed by the platform."""
    streams(hub, "一", turned(hub, "card_create", 1), later(hub, 900), final="整个答案。")
    shown = await ask(hub)
    assert shown[-1].plain == "整个答案。"
    assert sum(bool(call.code) for call in hub.api.calls) <= 1


async def test_without_the_permission_to_stream_an_ordinary_card_grows(hub: FeishuStage) -> None:
    hub.api.fail("card_create", 99991672, "cardkit:card:write", times=5)
    streams(hub, "一", turned(hub, "send", 1), "一二", later(hub, 1))
    (message,) = await ask(hub)
    assert message.plain == "全文。"
    assert message.edits >= 1


async def test_after_a_restart_the_final_answer_takes_the_card_over(tmp_path: Path) -> None:
    """The new process knows the message only; the platform tells which card it shows.

    So does every process after it, however long the one before has changed the card.
    """
    api, clock = Feishu(), ManualClock(TUESDAY)
    async with feishu_stage(tmp_path, api=api, clock=clock) as hub:
        streams(hub, "一", turned(hub, "card_create", 1), final="第一次。")
        (message,) = await ask(hub)
        card = message.entities[message.card_id]
        before = card.sequence
    for process in (1, 2, 3):
        async with feishu_stage(tmp_path, api=api, clock=clock) as hub:
            sender = (await hub.adapter._loaded())[1]
            for _ in range(2):
                clock.turn(hours=1)
                await sender.repaint(message.message_id, message.card)
                assert card.sequence > before
                before = card.sequence
            assert api.count("id_convert") == process


@pytest.mark.parametrize(("ahead", "messages"), [(36_000, 1), (30_000_000, 2)])
async def test_a_clock_that_was_put_back_costs_no_answer(
    hub: FeishuStage, ahead: int, messages: int
) -> None:
    """A sequence that does not rise is refused; the whole answer is shown all the same."""

    async def put_back() -> None:
        (card,) = hub.api.cards.values()
        card.sequence += ahead

    grows = ("一", turned(hub, "card_create", 1), "一二", turned(hub, "card_content", 1))
    streams(hub, *grows, put_back)
    shown = await ask(hub)
    assert len(shown) == messages
    assert shown[-1].plain == "全文。"


@pytest.mark.parametrize("text", ["**半个粗", "```python\nx = 1", "| a | b |\n|---|---|\n| 1 |"])
async def test_half_a_markup_is_streamed_as_far_as_it_goes(hub: FeishuStage, text: str) -> None:
    streams(hub, "一", turned(hub, "card_create", 1), text, turned(hub, "card_content", 1))
    (message,) = await ask(hub)
    assert message.plain == "全文。"
    assert len(streamed(hub)) == 1
