"""Chats that are gone: no endless sends, across restarts, until they come back."""

from pathlib import Path

from bot.clock import ManualClock
from bot.core.events import Account
from bot.core.outbox import OutboxStatus, Purpose
from bot.core.schedules import DeliveryStatus
from tests.emulators.telegram import PRIVATE, BotApi
from tests.emulators.telegram_stage import TelegramStage, telegram_stage
from tests.integration.telegram.queueing import queue
from tests.stage import TUESDAY

DAY = 24 * 3600


async def deliveries(hub: TelegramStage) -> list[tuple[DeliveryStatus, str]]:
    """Return what became of the person's reminders, the oldest first."""
    account = Account(platform="telegram", bot=hub.adapter.bot, user_id=str(PRIVATE))
    person = await hub.app.stores.people.find(account)
    assert person is not None
    found = await hub.app.stores.schedules.deliveries(person.person_id)
    return [(delivery.status, delivery.reason) for delivery in reversed(found)]


def member(hub: TelegramStage, status: str) -> None:
    """Let the person block the bot, or take it back."""
    chat = {"id": PRIVATE, "type": "private"}
    hub.api.push({"my_chat_member": {"chat": chat, "new_chat_member": {"status": status}}})


async def test_reminders_of_a_blocked_chat_are_skipped_with_the_reason_across_a_restart(
    tmp_path: Path,
) -> None:
    """PT10: one send tells; what comes due later is not tried, and nothing is denied."""
    api, clock = BotApi(), ManualClock(TUESDAY)
    async with telegram_stage(tmp_path, api=api, clock=clock) as hub:
        await hub.say("每天早上8点提醒我喝水")
        api.blocked.add(PRIVATE)
        await hub.later(seconds=DAY)
        sent = api.count("sendMessage")
        await hub.later(seconds=DAY)
    async with telegram_stage(tmp_path, api=api, clock=clock) as hub:
        await hub.later(seconds=DAY)

        assert api.count("sendMessage") == sent
        reason = "Forbidden: bot was blocked by the user"
        assert await deliveries(hub) == [(DeliveryStatus.SKIPPED, reason)] * 3

        api.blocked.clear()
        await hub.say("午饭35")
        (reminded,) = await hub.later(seconds=DAY)
        assert "喝水" in reminded.plain
        assert (await deliveries(hub))[-1] == (DeliveryStatus.LATE, "")


async def test_who_takes_the_bot_back_is_reminded_again_without_saying_anything(
    tmp_path: Path,
) -> None:
    api, clock = BotApi(), ManualClock(TUESDAY)
    async with telegram_stage(tmp_path, api=api, clock=clock) as hub:
        await hub.say("每天早上8点提醒我喝水")
        member(hub, "kicked")
        await hub.settle()
        assert await hub.later(seconds=DAY) == []
        assert await deliveries(hub) == [
            (DeliveryStatus.SKIPPED, "the bot was blocked or removed")
        ]
        assert api.count("sendMessage") == 1
    async with telegram_stage(tmp_path, api=api, clock=clock) as hub:
        member(hub, "member")
        await hub.settle()
        assert await hub.app.stores.gone_chats.all() == {}
        (reminded,) = await hub.later(seconds=DAY)
        assert "喝水" in reminded.plain


async def test_one_blocked_chat_is_nobody_elses_trouble(hub: TelegramStage) -> None:
    hub.api.blocked.add(1)
    rows = [await queue(hub, "喝水", chat=chat, purpose=Purpose.REMINDER) for chat in (1, 2)]

    assert (await rows[0].settled()).status is OutboxStatus.FAILED
    assert (await rows[1].settled()).status is OutboxStatus.SENT
    assert list(await hub.app.stores.gone_chats.all()) == [f"telegram/{hub.adapter.bot}/1"]
