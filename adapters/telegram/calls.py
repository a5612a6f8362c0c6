"""Typed calls through aiogram; imported in a thread, see `adapters.telegram.library`."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TypeVar, cast

import aiohttp
from aiogram.client.bot import Bot
from aiogram.client.session.base import BaseSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.methods import (
    AnswerCallbackQuery,
    EditMessageReplyMarkup,
    EditMessageText,
    GetFile,
    SendChatAction,
    SendMessage,
    SendMessageDraft,
    SendPhoto,
    SendRichMessage,
    SetMyCommands,
    TelegramMethod,
)
from aiogram.types import (
    BotCommand,
    BufferedInputFile,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    InputRichMessage,
    KeyboardButton,
    LinkPreviewOptions,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    ReplyParameters,
)
from pydantic import JsonValue

from adapters.telegram.client import CALL_SECONDS, Client
from adapters.telegram.schemas import FilePath, SentMessage
from bot.core.messages import Key, Tone
from bot.locales.catalogue import resolve

_STYLES = {Tone.PRIMARY: "primary", Tone.DANGER: "danger"}
_T = TypeVar("_T")
Markup = InlineKeyboardMarkup | ReplyKeyboardMarkup | ReplyKeyboardRemove


class Transport(BaseSession):
    """aiogram's session over our client: its forms, our connections, our errors."""

    def __init__(self, client: Client, api_base: str) -> None:
        super().__init__(api=TelegramAPIServer.from_base(api_base))
        self._client = client

    async def make_request(  # type: ignore[override, explicit-override]  # results stay JSON
        self,
        bot: Bot,
        method: TelegramMethod[_T],
        timeout: int | None = None,  # noqa: ASYNC109  # aiogram's signature
    ) -> JsonValue:
        """Send the method's form and return its result as JSON."""
        form = aiohttp.FormData(quote_fields=False)
        files: dict[str, InputFile] = {}
        for name, value in method.model_dump(warnings=False).items():
            prepared = self.prepare_value(value, bot=bot, files=files)
            if prepared not in (None, ""):
                form.add_field(name, prepared)
        for name, file in files.items():
            form.add_field(name, _bytes_of(file), filename=file.filename or name)
        return await self._client.call(
            method.__api_method__, form, seconds=timeout or CALL_SECONDS
        )

    async def close(self) -> None:  # type: ignore[explicit-override]
        """Leave the connections to their owner."""

    async def stream_content(  # type: ignore[explicit-override]
        self,
        url: str,
        headers: dict[str, object] | None = None,
        timeout: int = 30,  # noqa: ASYNC109  # aiogram's signature
        chunk_size: int = 65536,
        raise_for_status: bool = True,  # noqa: FBT001, FBT002  # aiogram's signature
    ) -> AsyncGenerator[bytes, None]:
        """Stream nothing: files are fetched by `Client.download`."""
        del url, headers, timeout, chunk_size, raise_for_status
        nothing: tuple[bytes, ...] = ()
        for chunk in nothing:
            yield chunk


def _bytes_of(file: InputFile) -> bytes:
    if not isinstance(file, BufferedInputFile):
        raise TypeError("only bytes in memory are sent")
    return file.data


class Calls:
    """What we ask of the platform, one method each."""

    def __init__(self, client: Client, *, token: str, api_base: str) -> None:
        self._bot = Bot(token, session=Transport(client, api_base))

    async def send_text(
        self,
        chat: tuple[int, int | None],
        text: str,
        *,
        markup: Markup | None = None,
        reply_to: int | None = None,
        mode: str | None = "HTML",
    ) -> str:
        """Send words; return the message's id."""
        sent = await self._call(
            SendMessage(
                chat_id=chat[0],
                message_thread_id=chat[1],
                text=text,
                parse_mode=mode,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                reply_parameters=_reply(reply_to),
                reply_markup=markup,
            )
        )
        return str(SentMessage.model_validate(sent).message_id)

    async def send_photo(
        self,
        chat: tuple[int, int | None],
        photo: bytes,
        caption: str,
        *,
        markup: Markup | None = None,
        reply_to: int | None = None,
        mode: str | None = "HTML",
    ) -> str:
        """Send a picture with words under it; return the message's id."""
        sent = await self._call(
            SendPhoto(
                chat_id=chat[0],
                message_thread_id=chat[1],
                photo=BufferedInputFile(photo, "chart.png"),
                caption=caption or None,
                parse_mode=mode,
                reply_parameters=_reply(reply_to),
                reply_markup=markup,
            )
        )
        return str(SentMessage.model_validate(sent).message_id)

    async def send_rich(
        self,
        chat: tuple[int, int | None],
        html: str,
        *,
        markup: Markup | None = None,
        reply_to: int | None = None,
    ) -> str:
        """Send a rich message; return its id.

        Source: https://core.telegram.org/bots/api#sendrichmessage
        """
        sent = await self._call(
            SendRichMessage(
                chat_id=chat[0],
                message_thread_id=chat[1],
                rich_message=InputRichMessage(html=html),
                reply_parameters=_reply(reply_to),
                reply_markup=markup,
            )
        )
        return str(SentMessage.model_validate(sent).message_id)

    async def send_draft(
        self, chat: tuple[int, int | None], draft_id: int, text: str, *, mode: str | None = "HTML"
    ) -> None:
        """Show a growing answer in a private chat; it goes away by itself.

        Source: https://core.telegram.org/bots/api#sendmessagedraft
        """
        await self._call(
            SendMessageDraft(
                chat_id=chat[0],
                message_thread_id=chat[1],
                draft_id=draft_id,
                text=text,
                parse_mode=mode,
            )
        )

    async def edit_text(
        self,
        chat_id: int,
        message_id: int,
        text: str,
        *,
        markup: InlineKeyboardMarkup | None = None,
        mode: str | None = "HTML",
    ) -> None:
        """Replace words and buttons of a message of ours."""
        await self._call(
            EditMessageText(
                chat_id=chat_id,
                message_id=message_id,
                text=text,
                parse_mode=mode,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                reply_markup=markup,
            )
        )

    async def drop_buttons(self, chat_id: int, message_id: int) -> None:
        """Take the buttons off a message of ours."""
        await self._call(EditMessageReplyMarkup(chat_id=chat_id, message_id=message_id))

    async def answer_press(self, query_id: str, toast: str) -> None:
        """Stop the button's spinner, with words if there are any."""
        await self._call(AnswerCallbackQuery(callback_query_id=query_id, text=toast or None))

    async def show_typing(self, chat: tuple[int, int | None]) -> None:
        """Show that an answer is under way."""
        await self._call(
            SendChatAction(chat_id=chat[0], message_thread_id=chat[1], action="typing")
        )

    async def set_commands(self, commands: Mapping[str, str], language: str) -> None:
        """Set the command menu for people of a language; empty for all others."""
        await self._call(
            SetMyCommands(
                commands=[
                    BotCommand(command=name, description=says) for name, says in commands.items()
                ],
                language_code=language or None,
            )
        )

    async def file_path(self, file_id: str) -> FilePath:
        """Return where a file can be fetched now."""
        return FilePath.model_validate(await self._call(GetFile(file_id=file_id)))

    async def _call(self, method: TelegramMethod[_T]) -> JsonValue:
        return cast("JsonValue", await self._bot(method))


def _reply(message_id: int | None) -> ReplyParameters | None:
    if message_id is None:
        return None
    return ReplyParameters(message_id=message_id, allow_sending_without_reply=True)


def inline_keyboard(rows: Sequence[Sequence[Key]], locale: str) -> InlineKeyboardMarkup | None:
    """Return the buttons under a message; the data of each is its opaque token.

    Source: https://core.telegram.org/bots/api#inlinekeyboardbutton (data of 1-64 bytes)
    """
    if not any(rows):
        return None
    return InlineKeyboardMarkup(
        inline_keyboard=[
            [
                InlineKeyboardButton(
                    text=resolve(key.label, locale),
                    callback_data=key.token,
                    style=_STYLES.get(key.tone),
                )
                for key in row
            ]
            for row in rows
            if row
        ]
    )


def capsule_keyboard(labels: Sequence[str]) -> ReplyKeyboardMarkup | ReplyKeyboardRemove:
    """Return the capsule bar under the writing field; without capsules it goes away.

    Source: https://core.telegram.org/bots/api#replykeyboardmarkup
    """
    if not labels:
        return ReplyKeyboardRemove(remove_keyboard=True)
    per_row = 3
    return ReplyKeyboardMarkup(
        keyboard=[
            [KeyboardButton(text=label) for label in labels[at : at + per_row]]
            for at in range(0, len(labels), per_row)
        ],
        is_persistent=True,
        resize_keyboard=True,
    )
