"""Messages put straight into the outbox, as a turn would leave them."""

import itertools
from dataclasses import dataclass

from bot.core.events import Chat, ChatKind
from bot.core.messages import Block, Key, OutboundMessage, TextBlock
from bot.core.outbox import OutboxClass, OutboxDraft, OutboxRow, OutboxStatus, Purpose
from bot.core.words import Verbatim
from tests.contract.samples import outcome
from tests.emulators.telegram import PRIVATE
from tests.emulators.telegram_stage import TelegramStage

_NUMBERS = itertools.count()


@dataclass(slots=True)
class Queued:
    """A queued message and what becomes of it."""

    hub: TelegramStage
    outbox_id: str

    async def row(self) -> OutboxRow:
        row = await self.hub.app.stores.outbox.get(self.outbox_id)
        assert row is not None
        return row

    async def settled(self) -> OutboxRow:
        """Return the row once it is sent or given up."""
        while (row := await self.row()).status in {OutboxStatus.QUEUED, OutboxStatus.SENDING}:
            await self.hub.breathe()
        return row


async def queue(
    hub: TelegramStage,
    words: str | tuple[Block, ...],
    *,
    chat: int = PRIVATE,
    thread: str | None = None,
    purpose: Purpose = Purpose.ANSWER,
    outbox_class: OutboxClass = OutboxClass.INTERACTIVE,
    keys: tuple[tuple[Key, ...], ...] = (),
    replaces: str | None = None,
    wake: bool = True,
) -> Queued:
    """Queue a message and set its sending off."""
    number = next(_NUMBERS)
    place = Chat(
        platform="telegram",
        bot=hub.adapter.bot,
        chat_id=str(chat),
        thread_id=thread,
        kind=ChatKind.PRIVATE if chat > 0 else ChatKind.GROUP,
    )
    blocks: tuple[Block, ...] = (TextBlock(Verbatim(words)),) if isinstance(words, str) else words
    draft = OutboxDraft(
        outbox_id=f"m_{number}",
        chat=place,
        person_id="p",
        message=OutboundMessage(blocks=blocks, locale="zh-CN", keys=keys, replaces=replaces),
        purpose=purpose,
        outbox_class=outbox_class,
    )
    event = f"q{number}"
    await hub.app.stores.turns.commit(outcome(event, session_key=event, outbox=(draft,)))
    if wake:
        hub.app.delivery.wake(place.key, outbox_class)
    return Queued(hub, draft.outbox_id)
