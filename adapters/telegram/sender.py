"""Sends one part of one message, and reacts to every way in which that can fail."""

import zlib
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import TypeVar

import structlog
from aiogram.types import InlineKeyboardMarkup

from adapters.telegram.calls import Calls, Markup, capsule_keyboard, inline_keyboard
from adapters.telegram.capsules import Bar, Bars
from adapters.telegram.failures import (
    ChatMovedError,
    DraftRefusedError,
    MarkupRefusedError,
    MessageGoneError,
    MethodUnknownError,
    NotModifiedError,
    TooBigError,
    TooLongError,
)
from adapters.telegram.render import Part, PhotoPart, TextPart, render, words_instead
from adapters.telegram.rich import rich_html
from adapters.telegram.runs import Run, cut, escape, plain_of
from bot.core.errors import RejectedError
from bot.core.events import Chat, ChatKind
from bot.core.messages import OutboundMessage, TextBlock
from bot.core.outbox import OutboxRow
from bot.core.ports import Growing, PartSent
from bot.core.words import Verbatim

Place = tuple[int, int | None]
Pictures = Mapping[int, bytes]
T = TypeVar("T")
_SHORT_UNITS = 2000

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """One part on its way."""

    chat: Chat
    part: Part
    picture: bytes | None = None
    markup: Markup | None = None
    reply_to: int | None = None
    replaces: int | None = None
    rich: str | None = None


class _NotRichError(Exception):
    """The same message goes out as ordinary ones."""


class Sender:
    """Sends outbox rows part by part."""

    def __init__(self, calls: Calls, *, moved: MutableMapping[str, int], bars: Bars) -> None:
        self._calls = calls
        self._moved = moved
        self._bars = bars
        self._knows_rich = True
        self._knows_drafts = True
        self._without_drafts: set[str] = set()

    async def send(self, row: OutboxRow, *, pictures: Pictures, name: str) -> str | PartSent:
        """Send the next part of the row, see `bot.core.ports.Adapter.send`."""
        message = row.draft.message
        rich = None
        if self._knows_rich and not pictures and message.replaces is None:
            rich = rich_html(message, mention=name)
        if rich is None or row.parts not in {(), ("",)}:
            return await self._send(row, pictures=pictures, name=name)
        if row.parts:
            return ""  # its answer was lost: it may have arrived, and there is no more of it
        try:
            return await self._send(row, pictures=pictures, name=name, rich=rich)
        except _NotRichError:
            return await self._send(row, pictures=pictures, name=name)

    async def _send(
        self, row: OutboxRow, *, pictures: Pictures, name: str, rich: str | None = None
    ) -> str | PartSent:
        message, chat = row.draft.message, row.draft.chat
        parts = render(message, drawable=pictures, mention=name)
        place = len(row.parts)
        if place >= len(parts):
            return row.parts[-1]
        is_last = place == len(parts) - 1 or rich is not None
        bar = self._bars.wanted(chat.chat_id) if is_last else None
        markup: Markup | None = None
        if is_last:
            markup = inline_keyboard(message.keys, message.locale)
        first = place == 0
        edits = first and message.replaces is not None
        carries_bar = markup is None and bar is not None and not edits
        if carries_bar and bar is not None:
            markup = capsule_keyboard(bar.labels)
        job = _Job(
            chat=chat,
            part=parts[place],
            picture=_picture(parts[place], message, pictures),
            markup=markup,
            reply_to=int(message.reply_to) if first and message.reply_to else None,
            replaces=int(message.replaces) if edits and message.replaces else None,
            rich=rich,
        )
        message_id = await self._deliver(job)
        if carries_bar and bar is not None:
            self._bars.stands(chat.chat_id, bar)
        return message_id if is_last else PartSent(message_id)

    async def say(self, chat: Chat, words: str, *, markup: Markup | None = None) -> None:
        """Say something that has no row: it is not repeated when it fails."""
        part = TextPart(html=escape(words), plain=words)
        await self._deliver(_Job(chat=chat, part=part, markup=markup))

    async def preview(self, growing: Growing, *, name: str) -> str:
        """Show a growing answer, see `bot.core.ports.Previews.preview`."""
        chat = growing.chat
        block = TextBlock(Verbatim(growing.text))
        message = OutboundMessage(blocks=(block,), locale=growing.locale, mention=growing.mention)
        part = render(message, mention=name)[0]
        if not growing.message_id and self._takes_drafts(chat):
            try:
                await self._draft(growing, part)
            except MethodUnknownError:
                self._knows_drafts = False
            except DraftRefusedError:
                self._without_drafts.add(chat.chat_id)
            else:
                return ""
        replaces = int(growing.message_id) if growing.message_id else None
        return await self._deliver(_Job(chat=chat, part=part, replaces=replaces))

    def _takes_drafts(self, chat: Chat) -> bool:
        is_private = chat.kind is ChatKind.PRIVATE
        return is_private and self._knows_drafts and chat.chat_id not in self._without_drafts

    async def _draft(self, growing: Growing, part: Part) -> None:
        chat = growing.chat
        place = (int(chat.chat_id), int(chat.thread_id) if chat.thread_id else None)
        draft_id = zlib.crc32(growing.event_id.encode()) % 2**31 or 1
        await self._marked_up(
            part, lambda text, mode: self._calls.send_draft(place, draft_id, text, mode=mode)
        )

    async def show_bar(self, chat: Chat, bar: Bar, words: str) -> None:
        """Say what is new about the capsules, with them below the writing field."""
        await self.say(chat, words, markup=capsule_keyboard(bar.labels))

    async def _deliver(self, job: _Job) -> str:
        """Send the part to where the chat is now."""
        chat_id = job.chat.chat_id
        thread = int(job.chat.thread_id) if job.chat.thread_id else None
        try:
            moved = self._moved.get(chat_id)
            return await self._attempt(job, (moved or int(chat_id), thread))
        except ChatMovedError as error:
            self._moved[chat_id] = error.new_chat_id
            log.info("chat_moved", chat=chat_id, to=error.new_chat_id)
            return await self._attempt(job, (error.new_chat_id, thread))

    async def _attempt(self, job: _Job, place: Place) -> str:
        if job.replaces is not None:
            edited = await self._edit(job, place)
            if edited is not None:
                return edited
        if job.rich is not None:
            return await self._as_rich(job, job.rich, place)
        if isinstance(job.part, PhotoPart) and job.picture is not None:
            return await self._photo(job, job.part, job.picture, place)
        return await self._text(job, job.part, place)

    async def _edit(self, job: _Job, place: Place) -> str | None:
        """Change the message in place; None when a new one has to take over."""
        message_id, chat_id = job.replaces or 0, place[0]
        try:
            if isinstance(job.part, PhotoPart):
                await self._calls.drop_buttons(chat_id, message_id)
                return None
            await self._marked_up(
                job.part,
                lambda text, mode: self._calls.edit_text(
                    chat_id, message_id, text, markup=_inline(job.markup), mode=mode
                ),
            )
        except NotModifiedError:
            if isinstance(job.part, PhotoPart):
                return None
        except MessageGoneError:
            log.info("edited_message_gone", chat=chat_id)
            return None
        return str(message_id)

    async def _as_rich(self, job: _Job, html: str, place: Place) -> str:
        """Send the message as a rich one.

        Raises:
            _NotRichError: it is not taken; a server that cannot is not asked again.
        """
        try:
            return await self._calls.send_rich(
                place, html, markup=job.markup, reply_to=job.reply_to
            )
        except (MarkupRefusedError, TooLongError, TooBigError) as error:
            log.warning("rich_message_refused", reason=str(error))
            raise _NotRichError from error
        except (MethodUnknownError, RejectedError) as error:
            if type(error) not in {MethodUnknownError, RejectedError}:
                raise
            self._knows_rich = False
            log.warning("rich_messages_off", reason=str(error))
            raise _NotRichError from error

    async def _text(self, job: _Job, part: Part, place: Place) -> str:
        try:
            return await self._marked_up(
                part,
                lambda text, mode: self._calls.send_text(
                    place, text, markup=job.markup, reply_to=job.reply_to, mode=mode
                ),
            )
        except TooLongError:
            pieces = [plain_of(piece) for piece in cut([Run(part.plain)], _SHORT_UNITS)]
            sent = ""
            for number, piece in enumerate(pieces):
                is_last = number == len(pieces) - 1
                sent = await self._calls.send_text(
                    place, piece, markup=job.markup if is_last else None, mode=None
                )
            return sent

    async def _photo(self, job: _Job, part: PhotoPart, picture: bytes, place: Place) -> str:
        try:
            return await self._marked_up(
                part,
                lambda text, mode: self._calls.send_photo(
                    place,
                    picture,
                    text,
                    markup=job.markup,
                    reply_to=job.reply_to,
                    mode=mode,
                ),
            )
        except TooBigError:
            return await self._text(job, words_instead(part), place)

    @staticmethod
    async def _marked_up(part: Part, send: Callable[[str, str | None], Awaitable[T]]) -> T:
        """Send the markup; when it is refused, the same part goes out plain."""
        try:
            return await send(part.html, "HTML")
        except MarkupRefusedError as error:
            log.warning("markup_refused", reason=str(error))
            return await send(part.plain, None)


def _inline(markup: Markup | None) -> InlineKeyboardMarkup | None:
    return markup if isinstance(markup, InlineKeyboardMarkup) else None


def _picture(part: Part, message: OutboundMessage, pictures: Pictures) -> bytes | None:
    if not isinstance(part, PhotoPart):
        return None
    return next(
        (picture for place, picture in pictures.items() if message.blocks[place] is part.block),
        None,
    )
