"""One process, Telegram and Feishu at once: one person on both, by the real adapters."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.app import opened, working
from bot.clock import ManualClock
from bot.settings import Settings
from tests.emulators import feishu_stage, telegram_stage
from tests.emulators.feishu import ENCRYPT_KEY, Feishu
from tests.emulators.feishu_stage import FeishuStage
from tests.emulators.telegram import BotApi, Message
from tests.emulators.telegram_stage import TelegramStage
from tests.stage import TUESDAY

QUIET = 10_000_000
"""Seconds between pings: the clock is turned by hours at once."""


@asynccontextmanager
async def both_platforms(folder: Path) -> AsyncIterator[tuple[TelegramStage, FeishuStage]]:
    clock = ManualClock(TUESDAY)
    bot_api, lark = BotApi(), Feishu(encrypt_key=ENCRYPT_KEY)
    bot_api.clock = lark.clock = lambda: clock.now().timestamp()
    lark.link.config["PingInterval"] = QUIET
    settings = Settings(_env_file=None, data_dir=folder, onboarding="off", local_model="off")
    async with (
        bot_api.serving() as telegram_base,
        lark.serving() as feishu_base,
        opened(settings, clock) as app,
    ):
        telegram = telegram_stage.adapter_for(app, telegram_base)
        feishu = feishu_stage.adapter_for(app, feishu_base)
        async with working(app, telegram, feishu):
            there = FeishuStage(app, lark, feishu, clock)
            await there.until(lambda: not feishu.health()["bot"].startswith("!"))
            await there.until(lambda: bool(lark.link.sockets))
            yield TelegramStage(app, bot_api, telegram, clock), there


async def bound(telegram: TelegramStage, feishu: FeishuStage) -> Message:
    """Ask for a code in Feishu, type it in Telegram, keep Telegram's person; return the card."""
    (told,) = await feishu.say("/bind")
    code = re.search(r"[A-Z2-9]{4}-[A-Z2-9]{4}", told.plain)
    assert code
    (card,) = await telegram.say(f"/bind {code.group()}")
    await telegram.press(card, next(label for label in card.labels if "Telegram" in label))
    return card


async def test_a_code_of_feishu_typed_in_telegram_makes_one_person_of_two(tmp_path: Path) -> None:
    async with both_platforms(tmp_path) as (telegram, feishu):
        await telegram.say("午饭35")
        await feishu.say("打车18")

        await bound(telegram, feishu)

        assert sorted(await telegram.items()) == sorted(await feishu.items())
        assert sorted(await feishu.items()) == ["午饭 35.00", "打车 18.00"]
        shown = await feishu.say("晚饭46")
        assert "46" in shown[-1].plain
        shown_there = await telegram.say("这个月花了多少")
        assert "99.00" in shown_there[-1].plain


async def test_a_reminder_goes_to_the_platform_that_the_person_chose(tmp_path: Path) -> None:
    async with both_platforms(tmp_path) as (telegram, feishu):
        await telegram.say("今天下午3点提醒我浇花")
        card = await bound(telegram, feishu)
        home = next(label for label in card.labels if "飞书" in label)
        await telegram.press(card, home)
        seen = len(telegram.api.shown)

        arrived = await feishu.later(hours=6)

        assert any("浇花" in message.plain for message in arrived)
        assert not any("浇花" in message.plain for message in telegram.api.shown[seen:])
