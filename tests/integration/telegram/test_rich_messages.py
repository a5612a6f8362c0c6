"""Long tables on servers that have rich messages, and on those that do not."""

from bot.core.messages import Key, TableBlock, TextBlock
from bot.core.outbox import OutboxStatus
from bot.core.words import Verbatim
from tests.emulators.telegram_stage import TelegramStage
from tests.integration.telegram.queueing import queue

LONG = TableBlock(
    header=(Verbatim("日期"), Verbatim("项目"), Verbatim("备注")),
    rows=tuple(
        (Verbatim(f"12-{n:02}"), Verbatim(f"午饭{n}"), Verbatim("很长的备注" * 6))
        for n in range(60)
    ),
)
BLOCKS = (TextBlock(Verbatim("**明细**")), LONG)
KEYS = ((Key(label=Verbatim("确认"), token="tok-1"),),)  # noqa: S106


def whole(hub: TelegramStage) -> bool:
    shown = "".join("".join(hub.api.texts()).split())
    return all(f"午饭{n}" in shown and f"12-{n:02}" in shown for n in range(60))


async def test_a_long_table_is_one_native_message_with_its_buttons(hub: TelegramStage) -> None:
    row = await (await queue(hub, BLOCKS, keys=KEYS)).settled()

    (message,) = hub.api.shown
    assert message.table is not None
    assert message.table[-1][:2] == ["12-59", "午饭59"]
    assert message.labels == ["确认"]
    assert (row.message_id, row.parts) == (str(message.message_id), ())


async def test_an_old_server_is_asked_once_and_no_cell_is_lost(hub: TelegramStage) -> None:
    hub.api.is_old = True
    for _ in range(2):
        hub.api.shown.clear()
        row = await (await queue(hub, BLOCKS, keys=KEYS)).settled()
        assert row.status is OutboxStatus.SENT
        assert whole(hub)
        assert len(row.parts) == len(hub.api.shown) - 1 > 0
        assert hub.api.last().labels == ["确认"]

    assert hub.api.count("sendRichMessage") == 1


async def test_a_server_that_says_400_is_asked_once(hub: TelegramStage) -> None:
    hub.api.fail("sendRichMessage", 400, "Bad Request: RICH_MESSAGE_UNSUPPORTED")
    for _ in range(2):
        await (await queue(hub, BLOCKS)).settled()

    assert whole(hub)
    assert hub.api.count("sendRichMessage") == 1


async def test_one_refused_table_does_not_switch_the_others_off(hub: TelegramStage) -> None:
    hub.api.fail("sendRichMessage", 400, "Bad Request: can't parse entities: <table>")
    await (await queue(hub, BLOCKS)).settled()
    assert whole(hub)

    await (await queue(hub, BLOCKS)).settled()
    assert hub.api.last().table is not None


async def test_a_rich_message_whose_answer_was_lost_is_neither_doubled_nor_halved(
    hub: TelegramStage,
) -> None:
    hub.api.reset("sendRichMessage", after_work=True)
    row = await (await queue(hub, BLOCKS)).settled()

    assert len(hub.api.shown) == 1
    assert row.status is OutboxStatus.FAILED
    assert hub.sends("ambiguous") == 1
