"""From the wire to events: pure, the same every time."""

import json
import re

from pydantic import ValidationError

from adapters.web.schemas import (
    CLIENT_FRAMES,
    MAX_FRAME_CHARS,
    START_ID,
    Capsule,
    Delivered,
    Edit,
    FileFacts,
    Hello,
    Message,
    Ping,
    Press,
    StoredStart,
    StoredUpdate,
    TraceRequest,
)
from bot.core.errors import BotError, UnparseableError
from bot.core.events import (
    Account,
    Attachment,
    ButtonPressed,
    CapsuleToggled,
    Chat,
    CommandReceived,
    InboundEvent,
    MessageReceived,
)
from bot.core.inbox import RawUpdate, UpdateKind
from bot.core.patterns import regex
from bot.core.words import Text, text

PLATFORM = "web"
BOT = "web"
_COMMAND = regex(r"/([A-Za-z][A-Za-z0-9_]{0,31})(?:\s+(.*))?", re.DOTALL)
_ID = regex(r"[A-Za-z0-9-]{8,64}")


class FrameError(BotError):
    """A frame that cannot be taken.

    Attributes:
        words: what to tell the person.
        frame_id: which frame it was, as far as that can be read.
    """

    def __init__(self, words: Text, frame_id: str | None = None) -> None:
        super().__init__(words.key)
        self.words = words
        self.frame_id = frame_id


def read_frame(data: str) -> Hello | Delivered | TraceRequest | Ping:
    """Return the frame in ``data``.

    Raises:
        FrameError: it is too large, malformed, or holds what nobody can read.
    """
    if len(data) > MAX_FRAME_CHARS:
        raise FrameError(text("web.error_too_long"))
    try:
        frame = CLIENT_FRAMES.validate_json(data)
    except ValidationError as error:
        kinds = [e["type"] for e in error.errors(include_url=False, include_context=False)]
        key = next((kind for kind in kinds if kind.startswith("web.")), "web.error_malformed")
        raise FrameError(text(key), _frame_id(data)) from error
    if isinstance(frame, Message) and not frame.text and not frame.files:
        raise FrameError(text("web.error_empty"), frame.id)
    if isinstance(frame, Edit) and not frame.text:
        raise FrameError(text("web.error_empty"), frame.id)
    return frame


def _frame_id(data: str) -> str | None:
    try:
        frame = json.loads(data)
    except (ValueError, RecursionError):
        return None
    found = frame.get("id") if isinstance(frame, dict) else None
    return found if isinstance(found, str) and _ID.fullmatch(found) else None


def command(words: str) -> tuple[str, str] | None:
    """Return the name and the argument of a slash command, or None."""
    match = _COMMAND.fullmatch(words)
    return (match[1].lower(), (match[2] or "").strip()) if match else None


def own_words(raw: RawUpdate) -> tuple[Message, tuple[FileFacts, ...]] | None:
    """Return the message with its files; None for other updates and for a forgotten body."""
    try:
        update = StoredUpdate.model_validate(raw.body)
    except ValidationError:
        return None
    return (update.frame, update.files) if isinstance(update.frame, Message) else None


def kind_of(frame: Delivered | StoredStart) -> UpdateKind:
    """Return what a peek tells: presses and ``/stop`` do not wait in the lane."""
    if isinstance(frame, Press):
        return UpdateKind.BUTTON
    if isinstance(frame, Message) and (command(frame.text) or ("",))[0] == "stop":
        return UpdateKind.STOP
    return UpdateKind.MESSAGE


def account_of(user: str, locale: str = "") -> Account:
    """Return the account of a web user."""
    return Account(platform=PLATFORM, bot=BOT, user_id=user, locale=locale)


def chat_of(user: str) -> Chat:
    """Return the one chat that a web user has."""
    return Chat(platform=PLATFORM, bot=BOT, chat_id=user)


def delivery_key(user: str, frame: Delivered | StoredStart) -> str:
    """Return the key of a delivery; the ids of two people never collide."""
    return f"{user}:{START_ID if isinstance(frame, StoredStart) else frame.id}"


def parse(raw: RawUpdate) -> InboundEvent:
    """Return the event in ``raw``.

    Raises:
        UnparseableError: the body is not what the web chat stores.
    """
    try:
        update = StoredUpdate.model_validate(raw.body)
    except ValidationError as error:
        raise UnparseableError("not an update of the web chat") from error
    event_id, at = raw.event_id, raw.received_at
    chat, account = chat_of(update.user), account_of(update.user, update.locale)
    match update.frame:
        case StoredStart():
            return CommandReceived(
                event_id=event_id,
                chat=chat,
                account=account,
                occurred_at=at,
                message_id=START_ID,
                name="start",
            )
        case Press(item=item, token=token):
            return ButtonPressed(
                event_id=event_id,
                chat=chat,
                account=account,
                occurred_at=at,
                message_id=item,
                token=token,
            )
        case Capsule(intent=intent):
            return CapsuleToggled(
                event_id=event_id, chat=chat, account=account, occurred_at=at, intent=intent
            )
        case Message(id=item, text=words) if not update.files and (found := command(words)):
            return CommandReceived(
                event_id=event_id,
                chat=chat,
                account=account,
                occurred_at=at,
                message_id=item,
                name=found[0],
                argument=found[1],
            )
        case Message(id=item, text=words) | Edit(item=item, text=words):
            return MessageReceived(
                event_id=event_id,
                chat=chat,
                account=account,
                occurred_at=at,
                message_id=item,
                text=words,
                attachments=tuple(_attachment(file) for file in update.files),
                edited=isinstance(update.frame, Edit),
            )


def _attachment(file: FileFacts) -> Attachment:
    return Attachment(
        kind="image" if file.mime.startswith("image/") else "file",
        ref=file.ref,
        name=file.name,
        mime=file.mime,
        size_bytes=file.size_bytes,
    )
