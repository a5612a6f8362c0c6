"""From the platform's JSON to events: pure, the same every time."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import JsonValue, ValidationError

from adapters.telegram.schemas import (
    CallbackQuery,
    Message,
    Shown,
    StoredUpdate,
    TgChat,
    Update,
    User,
)
from bot.core.errors import UnparseableError
from bot.core.events import (
    Account,
    Attachment,
    ButtonPressed,
    CapsuleToggled,
    Chat,
    ChatKind,
    CommandReceived,
    InboundEvent,
    MessageReceived,
)
from bot.core.inbox import RawUpdate

PLATFORM = "telegram"
SELECTED = "✓ "
"""What stands before the label of the selected capsule."""

_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]+))?(?:\s+(.*))?", re.DOTALL)
_OTHER_KINDS = ("sticker", "contact", "poll", "dice", "venue")


def read_update(body: Mapping[str, JsonValue]) -> Update:
    """Return the update.

    Raises:
        UnparseableError: it is not shaped like one.
    """
    try:
        return Update.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise UnparseableError(f"not an update: {where}: {first['msg']}") from error


def parse(raw: RawUpdate, *, capsules: Mapping[str, str]) -> InboundEvent:
    """Return the event in ``raw``.

    Args:
        raw: the accepted update.
        capsules: intent by the label that its capsule shows.

    Raises:
        UnparseableError: nobody can read it.
    """
    try:
        stored = StoredUpdate.model_validate(raw.body)
    except ValidationError as error:
        raise UnparseableError("not what this adapter stores") from error
    update = read_update(stored.update)
    if update.callback_query is not None:
        return _press(raw, update.callback_query)
    message = update.message or update.edited_message
    if message is None or message.sender is None:
        raise UnparseableError("neither a message nor a press")
    return _message(
        raw,
        message,
        edited=update.edited_message is not None,
        username=stored.username,
        capsules=capsules,
    )


def _press(raw: RawUpdate, query: CallbackQuery) -> ButtonPressed:
    if query.message is None or not query.data:
        raise UnparseableError("a press on no message of ours")
    return ButtonPressed(
        event_id=raw.event_id,
        chat=chat_of(raw.bot, query.message.chat, thread_of(query.message)),
        account=account_of(raw.bot, query.sender),
        occurred_at=raw.received_at,
        message_id=str(query.message.message_id),
        token=query.data,
    )


def _message(
    raw: RawUpdate,
    message: Message,
    *,
    edited: bool,
    username: str,
    capsules: Mapping[str, str],
) -> InboundEvent:
    sender = message.sender or User(id=0)
    chat = chat_of(raw.bot, message.chat, thread_of(message))
    account = account_of(raw.bot, sender)
    at = datetime.fromtimestamp(message.edit_date or message.date, UTC)
    words = without_mention(message, username)
    message_id = str(message.message_id)
    if not edited and chat.kind is ChatKind.PRIVATE:
        intent = capsules.get(words.removeprefix(SELECTED))
        if intent is not None:
            return CapsuleToggled(
                event_id=raw.event_id, chat=chat, account=account, occurred_at=at, intent=intent
            )
    attachments = attachments_of(message)
    if not edited and not attachments and (found := _COMMAND.fullmatch(words)):
        return CommandReceived(
            event_id=raw.event_id,
            chat=chat,
            account=account,
            occurred_at=at,
            message_id=message_id,
            name=found[1].lower(),
            argument=(found[3] or "").strip(),
        )
    replied = message.reply_to_message
    return MessageReceived(
        event_id=raw.event_id,
        chat=chat,
        account=account,
        occurred_at=at,
        message_id=message_id,
        text=words,
        attachments=attachments,
        reply_to=str(replied.message_id) if replied else None,
        mentions=tuple(str(s.user.id) for s in message.spans if s.user is not None),
        edited=edited,
        album=message.media_group_id or "",
    )


def chat_of(bot: str, chat: TgChat, thread: int | None) -> Chat:
    """Return the chat in our words; a forum topic is a thread."""
    return Chat(
        platform=PLATFORM,
        bot=bot,
        chat_id=str(chat.id),
        thread_id=str(thread) if thread is not None else None,
        kind=ChatKind.PRIVATE if chat.type == "private" else ChatKind.GROUP,
    )


def thread_of(message: Message | Shown) -> int | None:
    """Return the forum topic; outside forums the field only counts replies."""
    return message.message_thread_id if message.is_topic_message else None


def account_of(bot: str, user: User) -> Account:
    """Return the account, by its number."""
    return Account(
        platform=PLATFORM,
        bot=bot,
        user_id=str(user.id),
        display_name=f"{user.first_name} {user.last_name}".strip(),
        locale=user.language_code,
    )


def attachments_of(message: Message) -> tuple[Attachment, ...]:
    """Return what came with the words; a picture in its largest size."""
    found: list[Attachment] = []
    if message.photo:
        largest = message.photo[-1]
        found.append(
            Attachment(
                kind="image",
                ref=largest.file_id,
                mime="image/jpeg",
                size_bytes=largest.file_size,
            )
        )
    if message.document is not None and message.animation is None:
        kind = "image" if message.document.mime_type.startswith("image/") else "file"
        found.append(_file(message, "document", kind))
    found.extend(_file(message, name, "audio") for name in ("audio", "voice"))
    found.extend(_file(message, name, "video") for name in ("video", "video_note", "animation"))
    if message.location is not None:
        point = f"{message.location.latitude:.6f},{message.location.longitude:.6f}"
        found.append(Attachment(kind="location", ref=point))
    else:
        found.extend(
            Attachment(kind="other", ref=name)
            for name in _OTHER_KINDS
            if getattr(message, name) is not None
        )
    return tuple(attachment for attachment in found if attachment.ref)


def _file(message: Message, name: str, kind: str) -> Attachment:
    document = getattr(message, name)
    if document is None:
        return Attachment(kind="other", ref="")
    return Attachment(
        kind=kind,  # type: ignore[arg-type]  # one of the literals above
        ref=document.file_id,
        name=document.file_name,
        mime=document.mime_type,
        size_bytes=document.file_size,
    )


def without_mention(message: Message, username: str) -> str:
    """Return the words without our own name, which only said that they are for us."""
    words = message.words.strip()
    if message.chat.type == "private" or not username:
        return words
    own = re.compile(rf"(?<![A-Za-z0-9_/])@{re.escape(username)}(?![A-Za-z0-9_])", re.IGNORECASE)
    return re.sub(r"[ \t]{2,}", " ", own.sub(" ", words)).strip()


def cut_utf16(text: str, offset: int, length: int) -> str:
    """Return a span whose bounds count UTF-16 units, as the platform's do."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")
