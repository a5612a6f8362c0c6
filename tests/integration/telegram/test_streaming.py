"""Answers that show while they grow; the outbox has the last word whatever becomes of that."""

import asyncio
from pathlib import Path

import pytest

from adapters.telegram.limits import PREVIEW_PAUSES
from bot import previews
from bot.clock import ManualClock
from bot.core.agents import Agent
from bot.core.events import ChatKind
from bot.core.outbox import OutboxRow
from bot.core.turns import TurnOutcome
from tests.emulators.telegram import GROUP, PRIVATE, USERNAME, BotApi
from tests.emulators.telegram_stage import TelegramStage, telegram_stage
from tests.stage import TUESDAY
from tests.streaming import Step, StreamingAgent

IN_PRIVATE, IN_GROUP = PREVIEW_PAUSES[ChatKind.PRIVATE], PREVIEW_PAUSES[ChatKind.GROUP]
DRAFT, SEND, EDIT = "sendMessageDraft", "sendMessage", "editMessageText"
TO_US = f"@{USERNAME} 讲个故事"


def streams(hub: TelegramStage, *steps: Step, final: str = "全文。") -> None:
    """Let this agent answer everything."""
    agent = StreamingAgent(*steps, final=final)

    def of(intent: str) -> Agent:
        del intent
        return agent

    hub.app.registry.agent = of  # type: ignore[method-assign]


def called(hub: TelegramStage, method: str, times: int) -> Step:
    """Return a step that waits for so many calls of a method, turning no clock."""
    return lambda: hub.until(lambda: hub.api.count(method) >= times)


def turned(hub: TelegramStage, method: str, times: int, *, took: list[float]) -> Step:
    """Return a step that turns the clock until there were so many calls of a method."""

    async def step() -> None:
        took.append(await hub.turn_until(lambda: hub.api.count(method) >= times, step=0.5))

    return step


async def row_of(hub: TelegramStage, chat: int) -> OutboxRow:
    found = await hub.app.stores.outbox.find_sent(
        f"telegram/{hub.adapter.bot}/{chat}/", str(hub.api.last(chat).message_id)
    )
    assert found is not None
    return found


async def test_a_private_chat_sees_drafts_at_the_platforms_pace_and_then_the_message(
    hub: TelegramStage,
) -> None:
    took: list[float] = []
    streams(
        hub,
        "一",
        called(hub, DRAFT, 1),
        "一二",
        "一二**三**",
        turned(hub, DRAFT, 2, took=took),
        final="一二三四",
    )
    (shown,) = await hub.say("讲个故事")

    drafts = [call for call in hub.api.calls if call.method == DRAFT]
    assert [call.fields["text"] for call in drafts] == ["一", "一二<b>三</b>"]
    assert len({call.fields["draft_id"] for call in drafts}) == 1
    assert took[0] >= IN_PRIVATE
    assert (shown.plain, shown.edits, hub.api.drafts) == ("一二三四", 0, {})


async def test_a_group_sees_one_message_that_grows_and_becomes_the_answer(
    hub: TelegramStage,
) -> None:
    took: list[float] = []
    streams(
        hub,
        "一",
        called(hub, SEND, 1),
        "一二",
        turned(hub, EDIT, 1, took=took),
        final="一二三",
    )
    (shown,) = await hub.say(TO_US, chat=GROUP)

    assert took[0] >= IN_GROUP
    (first,) = [call for call in hub.api.calls if call.method == SEND]
    assert f"tg://user?id={PRIVATE}" in first.fields["text"]
    assert shown.plain.endswith("一二三")
    assert (shown.edits, hub.api.count(SEND), hub.api.count(DRAFT)) == (2, 1, 0)
    assert (await row_of(hub, GROUP)).draft.message.replaces == str(shown.message_id)


async def test_a_draft_that_is_told_to_wait_waits_and_the_answer_still_comes(
    hub: TelegramStage,
) -> None:
    """PT20: one 429; no request before its time, and drafts go on after it."""
    hub.api.flood_wait(DRAFT, 7)
    took: list[float] = []
    streams(hub, "一", called(hub, DRAFT, 1), "一二", turned(hub, DRAFT, 2, took=took))
    (shown,) = await hub.say("讲个故事")

    assert took[0] >= 7
    assert hub.api.count(DRAFT) == 2
    assert (shown.plain, hub.api.count(EDIT)) == ("全文。", 0)


async def test_a_chat_that_takes_no_drafts_gets_edits_and_is_not_asked_again(
    hub: TelegramStage,
) -> None:
    """PT20: TEXTDRAFT_PEER_INVALID."""
    hub.api.fail(DRAFT, 400, "Bad Request: TEXTDRAFT_PEER_INVALID", times=9)
    took: list[float] = []
    streams(hub, "一", called(hub, SEND, 1), "一二", turned(hub, EDIT, 1, took=took))
    (shown,) = await hub.say("讲个故事")
    assert took[0] >= IN_PRIVATE
    assert (shown.plain, shown.edits) == ("全文。", 2)

    streams(hub, "又", called(hub, SEND, 2), final="又来。")
    (again,) = await hub.say("再讲一个")
    assert again.plain == "又来。"
    assert hub.api.count(DRAFT) == 1


async def test_one_failing_draft_does_not_end_the_others(hub: TelegramStage) -> None:
    """PT20."""
    hub.api.fail(DRAFT, 500, "Internal Server Error")
    took: list[float] = []
    streams(hub, "一", called(hub, DRAFT, 1), turned(hub, DRAFT, 2, took=took))
    (shown,) = await hub.say("讲个故事")

    assert (shown.plain, hub.api.count(EDIT)) == ("全文。", 0)
    assert took[0] >= IN_PRIVATE


async def test_an_old_server_is_asked_for_a_draft_once(hub: TelegramStage) -> None:
    hub.api.is_old = True
    for number in (1, 2):
        streams(hub, "一", called(hub, SEND, number), final=f"第{number}篇。")
        (shown,) = await hub.say("讲个故事", who=PRIVATE + number)
        assert (shown.plain, shown.edits) == (f"第{number}篇。", 1)

    assert hub.api.count(DRAFT) == 1


async def test_an_answer_whose_preview_was_deleted_is_sent_anew(hub: TelegramStage) -> None:
    async def delete() -> None:
        hub.api.messages.clear()

    streams(hub, "一", called(hub, SEND, 1), delete)
    shown = await hub.say(TO_US, chat=GROUP)

    assert shown[-1].plain.endswith("全文。")
    assert (await row_of(hub, GROUP)).message_id == str(shown[-1].message_id)


async def test_a_preview_whose_answer_was_lost_is_not_shown_twice(hub: TelegramStage) -> None:
    hub.api.reset(SEND)
    streams(hub, "一", called(hub, SEND, 1), "一二")
    (shown,) = await hub.say(TO_US, chat=GROUP)

    assert shown.plain.endswith("全文。")
    assert hub.api.count(SEND) == 2


async def test_an_agent_that_fails_in_the_middle_leaves_its_apology_in_the_preview(
    hub: TelegramStage,
) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    streams(hub, "一", called(hub, SEND, 1), fail)
    (shown,) = await hub.say(TO_US, chat=GROUP)

    assert "出错了" in shown.plain
    assert shown.edits == 1


async def test_a_preview_that_hangs_holds_up_nobody(
    hub: TelegramStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "GRACE_SECONDS", 0.05)
    release = hub.api.hang(DRAFT)
    streams(hub, "一", called(hub, DRAFT, 1), "一二", "一二三")
    (shown,) = await hub.say("讲个故事")
    release.set()

    assert shown.plain == "全文。"
    assert hub.api.count(DRAFT) == 1


async def test_a_run_after_a_crash_takes_the_preview_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, clock = BotApi(), ManualClock(TUESDAY)
    async with telegram_stage(tmp_path, api=api, clock=clock, shutdown_grace=0.05) as hub:
        begun = asyncio.Event()

        async def never(_outcome: TurnOutcome) -> None:
            begun.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(hub.app.stores.turns, "commit", never)
        streams(hub, "一", called(hub, SEND, 1))
        api.say(TO_US, chat=GROUP)
        await begun.wait()
        asyncio.get_running_loop().call_later(0.1, lambda: clock.turn(seconds=0.1))
    monkeypatch.undo()
    async with telegram_stage(tmp_path, api=api, clock=clock) as hub:
        await hub.settle()

    (shown,) = api.shown
    assert shown.edits >= 1
    assert shown.plain != "一"


async def test_who_streams_nothing_shows_nothing_on_the_way(hub: TelegramStage) -> None:
    streams(hub)
    (shown,) = await hub.say(TO_US, chat=GROUP)

    assert (shown.edits, hub.api.count(DRAFT)) == (0, 0)
