"""Sends one part of one message, and reacts to every way in which that can fail."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog
from pydantic import JsonValue

from adapters.feishu.capsules import Bars, bar_elements
from adapters.feishu.failures import (
    CardRefusedError,
    MessageGoneError,
    ScopeMissingError,
    StaleSequenceError,
    StreamClosedError,
)
from adapters.feishu.render import (
    STREAM_ELEMENT,
    Part,
    Spot,
    card_of,
    render,
    serialised,
    stream_card,
    stream_text,
)
from bot.core.errors import ChatGoneError, RejectedError
from bot.core.events import Chat, ChatKind
from bot.core.ids import derived_id
from bot.core.outbox import OutboxRow
from bot.core.ports import Clock, Growing, PartSent

if TYPE_CHECKING:
    from adapters.feishu.calls import Calls

STREAM_LIFE = timedelta(minutes=9)
"""A stream is closed by the platform 10 minutes after it began; we close it before.

Source: https://open.feishu.cn/document/cardkit-v1/streaming-updates-openapi-overview
"""

_MANY_MESSAGES = 5000
_SEQUENCE_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
_STEPS_PER_SECOND = 5
_JUMP = 24 * 3600 * _STEPS_PER_SECOND
"""Sequences count steps since then: so they rise over any number of restarts, and fit the 31 bits
of the platform until 2039. A clock that was put back is overcome by a jump of a day.

Source: https://open.feishu.cn/document/cardkit-v1/card/update
"""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Stream:
    """A card that an answer grows in.

    Attributes:
        sequence: of the last change; every change has a higher one.
        is_open: text can be streamed; afterwards the card is only changed as a whole.
        is_dead: it takes nothing any more.
    """

    card_id: str
    began_at: datetime
    sequence: int = 0
    is_open: bool = True
    is_dead: bool = False


class Sender:
    """Sends outbox rows part by part."""

    def __init__(self, calls: "Calls", *, clock: Clock, bars: Bars) -> None:
        self._calls = calls
        self._clock = clock
        self._bars = bars
        self._streams: OrderedDict[str, _Stream] = OrderedDict()
        self._ours: OrderedDict[str, None] = OrderedDict()
        self._streams_cards = True

    def is_ours(self, message_id: str) -> bool:
        """Whether we sent this message, as far as this process remembers."""
        return message_id in self._ours

    async def send(self, row: OutboxRow, *, images: Mapping[int, str]) -> str | PartSent:
        """Send the next part of the row, see `bot.core.ports.Adapter.send`."""
        message, chat = row.draft.message, row.draft.chat
        bar = self._bars.wanted(chat.chat_id) if not any(message.keys) else None
        if message.replaces is not None:
            bar = None
        extra = bar_elements(bar) if bar is not None else ()
        parts = render(message, images=images, spot=spot_of(chat), extra=extra)
        place = len(row.parts)
        if place >= len(parts):
            return row.parts[-1]
        part, is_last = parts[place], place == len(parts) - 1
        replaces = message.replaces if place == 0 else None
        shown = await self._replace(replaces, part) if replaces else None
        if shown is None:
            uuid = derived_id("u", row.draft.outbox_id, place)
            shown = await self._new(chat, part, uuid=uuid, reply_to=message.reply_to)
        if bar is not None and is_last:
            self._bars.stands(chat.chat_id, bar, message_id=shown, card=part.card)
        return shown if is_last else PartSent(shown)

    async def say(self, chat: Chat, words: str) -> None:
        """Say something that has no row: it is not repeated when it fails."""
        card = card_of([{"tag": "div", "text": _plain(words)}], summary=words)
        await self._deliver(chat, "interactive", serialised(card), uuid="", reply_to=None)

    async def show(self, chat: Chat, card: Mapping[str, JsonValue]) -> str:
        """Show a card that has no row; return its message id."""
        return await self._deliver(chat, "interactive", serialised(card), uuid="", reply_to=None)

    async def repaint(self, message_id: str, card: Mapping[str, JsonValue]) -> None:
        """Change a card that has no row."""
        await self._change(message_id, serialised(card))

    # --- a growing answer -----------------------------------------------------------------------

    async def preview(self, growing: Growing) -> str:
        """Show a growing answer, see `bot.core.ports.Previews.preview`."""
        text = stream_text(growing.text)
        if not growing.message_id:
            return await self._begin(growing, text)
        stream = self._streams.get(growing.message_id)
        if stream is None or stream.is_dead:
            return growing.message_id
        if stream.is_open and self._clock.now() - stream.began_at >= STREAM_LIFE:
            await self._end(stream)
        try:
            if stream.is_open:
                sequence = self._next(stream)
                await self._calls.stream(stream.card_id, STREAM_ELEMENT, text, sequence=sequence)
            else:
                card = stream_card(text, mention=growing.mention)
                card["config"] = {"update_multi": True}
                await self._update(stream, serialised(card))
        except StreamClosedError as error:
            stream.is_dead = True
            log.info("stream_closed", reason=str(error))
        except StaleSequenceError as error:
            log.info("stream_overtaken", reason=str(error))
        return growing.message_id

    async def _begin(self, growing: Growing, text: str) -> str:
        """Make the card and show it; without CardKit an ordinary card does the same."""
        chat = growing.chat
        uuid = derived_id("u", growing.event_id, "preview")
        card = stream_card(text, mention=growing.mention)
        content, card_id = "", ""
        if self._streams_cards:
            try:
                card_id = await self._calls.create_card(serialised(card))
                content = serialised({"type": "card", "data": {"card_id": card_id}})
            except ScopeMissingError as error:
                self._streams_cards = False
                log.warning("streaming_off", reason=str(error))
        if not card_id:
            card["config"] = {"update_multi": True}
            content = serialised(card)
        message_id = await self._deliver(chat, "interactive", content, uuid=uuid, reply_to=None)
        if card_id:
            self._remember(message_id, _Stream(card_id, self._clock.now()))
        return message_id

    async def _end(self, stream: _Stream) -> None:
        stream.is_open = False
        try:
            await self._calls.end_stream(stream.card_id, sequence=self._next(stream))
        except (StreamClosedError, StaleSequenceError) as error:
            log.info("stream_closed", reason=str(error))

    async def _update(self, stream: _Stream, card: str) -> None:
        """Change the whole card; only a clock that was put back lets it come too late."""
        try:
            await self._calls.update_card(stream.card_id, card, sequence=self._next(stream))
        except StaleSequenceError as error:
            log.warning("sequence_too_low", reason=str(error))
            stream.sequence += _JUMP
            await self._calls.update_card(stream.card_id, card, sequence=self._next(stream))

    def _next(self, stream: _Stream) -> int:
        """Return the next sequence: strictly rising, after a restart too, as it follows time."""
        seconds = (self._clock.now() - _SEQUENCE_BEGAN).total_seconds()
        stream.sequence = max(stream.sequence + 1, int(seconds * _STEPS_PER_SECOND))
        return stream.sequence

    def _remember(self, message_id: str, stream: _Stream) -> None:
        self._streams[message_id] = stream
        while len(self._streams) > _MANY_MESSAGES:
            self._streams.popitem(last=False)

    # --- a message ------------------------------------------------------------------------------

    async def _replace(self, message_id: str, part: Part) -> str | None:
        """Change the message in place; None when a new one has to take over."""
        try:
            try:
                await self._change(message_id, serialised(part.card))
            except CardRefusedError as error:
                log.warning("card_refused", reason=str(error))
                await self._change(message_id, serialised(part.simple))
        except (
            MessageGoneError,
            StreamClosedError,
            StaleSequenceError,
            CardRefusedError,
        ) as error:
            log.info("edited_message_gone", reason=str(error))
            return None
        return message_id

    async def _change(self, message_id: str, card: str) -> None:
        stream = self._streams.get(message_id)
        if stream is not None:
            if stream.is_dead:
                raise StreamClosedError("the stream of this card is closed")
            if stream.is_open:
                await self._end(stream)
            await self._update(stream, card)
            return
        try:
            await self._calls.patch(message_id, card)
        except CardRefusedError:
            stream = await self._adopted(message_id)
            if stream is None:
                raise
            await self._update(stream, card)

    async def _adopted(self, message_id: str) -> _Stream | None:
        """Return the card of CardKit that a message of an earlier run shows, if it shows one."""
        try:
            card_id = await self._calls.card_of(message_id)
        except RejectedError:
            return None
        stream = _Stream(card_id, self._clock.now())
        await self._end(stream)
        self._remember(message_id, stream)
        return stream

    async def _new(self, chat: Chat, part: Part, *, uuid: str, reply_to: str | None) -> str:
        """Send the card; when it is refused a simpler one, and at last plain words."""
        attempts = (
            ("interactive", serialised(part.card)),
            ("interactive", serialised(part.simple)),
            ("text", serialised({"text": part.plain.replace("<at", "＜at")})),
        )
        for number, (kind, content) in enumerate(attempts):
            try:
                return await self._deliver(chat, kind, content, uuid=uuid, reply_to=reply_to)
            except (ChatGoneError, MessageGoneError):
                raise
            except RejectedError as error:
                if number == len(attempts) - 1:
                    raise
                log.warning("card_refused", reason=str(error), kind=kind)
        raise AssertionError  # the last attempt returns or raises

    async def _deliver(
        self, chat: Chat, kind: str, content: str, *, uuid: str, reply_to: str | None
    ) -> str:
        message_id = await self._post(chat, kind, content, uuid=uuid, reply_to=reply_to)
        self._ours[message_id] = None
        while len(self._ours) > _MANY_MESSAGES:
            self._ours.popitem(last=False)
        return message_id

    async def _post(
        self, chat: Chat, kind: str, content: str, *, uuid: str, reply_to: str | None
    ) -> str:
        """Answer in the topic, or send; what was answered may be gone."""
        answered = chat.thread_id or reply_to
        if answered:
            try:
                return await self._calls.reply(
                    answered, kind, content, uuid=uuid, in_thread=chat.thread_id is not None
                )
            except MessageGoneError as error:
                log.info("answered_message_gone", reason=str(error))
        place_kind = "open_id" if chat.kind is ChatKind.PRIVATE else "chat_id"
        return await self._calls.send((place_kind, chat.chat_id), kind, content, uuid=uuid)


def spot_of(chat: Chat) -> Spot:
    """Return what the buttons of a card in this chat remember."""
    return Spot(group=chat.kind is ChatKind.GROUP, thread=chat.thread_id or "")


def _plain(words: str) -> dict[str, JsonValue]:
    return {"tag": "plain_text", "content": words}
