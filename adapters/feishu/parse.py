"""From the platform's JSON to events: pure, the same every time.

A private chat is called by the person's open id: so menus, presses and messages are one chat, and
somebody who has only been met in a group can be written to.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from adapters.feishu.content import read
from adapters.feishu.elements import ANSWER_FIELD
from adapters.feishu.schemas import (
    MENU,
    MESSAGE,
    PRESS,
    Envelope,
    MenuEvent,
    Message,
    MessageEvent,
    PressEvent,
    RecallEvent,
    StoredEvent,
)
from bot.core.errors import UnparseableError
from bot.core.events import (
    Account,
    ButtonPressed,
    CapsuleToggled,
    Chat,
    ChatKind,
    CommandReceived,
    InboundEvent,
    MessageRecalled,
    MessageReceived,
)
from bot.core.inbox import RECALLED, RawUpdate
from bot.core.patterns import regex

PLATFORM = "feishu"
TOKEN, CAPSULE, ANSWER, GROUP, THREAD = "t", "c", "a", "g", "th"
"""What the value of a button of ours holds: its token, a capsule or who may answer a question;
and where it was shown.

A callback does not say whether its chat is a private one, so the button remembers.
"""

CAPSULE_KEY = "capsule:"
"""What the event key of a menu entry begins with that selects a capsule; others are commands."""

_FIRST_MOMENT = datetime(2020, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=1)
"""Nothing was said before there were bots here, nor later than it came, but for a clock."""

_COMMAND = regex(r"/([A-Za-z0-9_]{1,32})(?:\s+(.*))?", re.DOTALL)
_M = TypeVar("_M", bound=BaseModel)


def read_envelope(body: Mapping[str, JsonValue]) -> Envelope:
    """Return the envelope.

    Raises:
        UnparseableError: it is not shaped like one.
    """
    return shaped(Envelope, body)


def shaped(model: type[_M], body: Mapping[str, JsonValue]) -> _M:
    """Return the body as this model.

    Raises:
        UnparseableError: it is not shaped like one.
    """
    try:
        return model.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise UnparseableError(f"not a {model.__name__}: {where}: {first['msg']}") from error


def parse(raw: RawUpdate) -> InboundEvent:
    """Return the event in ``raw``.

    Raises:
        UnparseableError: nobody can read it.
    """
    stored = shaped(StoredEvent, raw.body)
    envelope = read_envelope(stored.event)
    match envelope.header.event_type:
        case "im.message.receive_v1":
            return _message(raw, envelope, stored)
        case "card.action.trigger":
            return _press(raw, envelope, stored)
        case "application.bot.menu_v6":
            return _menu(raw, envelope, stored)
        case "im.message.recalled_v1":
            return _recall(raw, envelope, stored)
        case other:
            raise UnparseableError(f"nothing that is stored: {other[:60]}")


def chat_of(bot: str, message: Message, sender: str) -> Chat:
    """Return the chat in our words; a topic of a group is a thread."""
    if message.chat_type == "p2p":
        return private_chat(bot, sender)
    return Chat(
        platform=PLATFORM,
        bot=bot,
        chat_id=message.chat_id,
        thread_id=message.topic,
        kind=ChatKind.GROUP,
    )


def private_chat(bot: str, open_id: str) -> Chat:
    """Return the private chat with a person."""
    return Chat(platform=PLATFORM, bot=bot, chat_id=open_id)


def pressed_chat(bot: str, event: PressEvent) -> Chat:
    """Return the chat that a pressed button remembers to be in."""
    value = event.action.value or {}
    if not value.get(GROUP):
        return private_chat(bot, event.operator.open_id)
    thread = value.get(THREAD)
    return Chat(
        platform=PLATFORM,
        bot=bot,
        chat_id=event.context.open_chat_id,
        thread_id=thread if isinstance(thread, str) and thread else None,
        kind=ChatKind.GROUP,
    )


def answer_of(event: PressEvent) -> str:
    """Return what was typed into the field of a question; empty when nothing was."""
    typed = (event.action.form_value or {}).get(ANSWER_FIELD)
    return typed.strip() if isinstance(typed, str) else ""


def account_of(bot: str, open_id: str, tenant: str, *, name: str = "") -> Account:
    """Return the account, by the id that only this app knows the person by."""
    return Account(platform=PLATFORM, bot=bot, user_id=open_id, tenant=tenant, display_name=name)


def moment_of(milliseconds: str, default: datetime) -> datetime:
    """Return a time of the platform; ``default`` when it tells none that can be."""
    try:
        moment = datetime.fromtimestamp(int(milliseconds) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return default
    return moment if _FIRST_MOMENT < moment < default + _AHEAD else default


def _message(raw: RawUpdate, envelope: Envelope, stored: StoredEvent) -> InboundEvent:
    event = shaped(MessageEvent, envelope.event)
    message = event.message
    sender = event.sender.sender_id.open_id if event.sender.sender_id else ""
    if not sender:
        raise UnparseableError("a message of nobody")
    said = read(message, me=stored.me)
    chat = chat_of(raw.bot, message, sender)
    account = account_of(
        raw.bot, sender, event.sender.tenant_key or envelope.header.tenant_key, name=stored.name
    )
    at = moment_of(message.update_time or message.create_time, raw.received_at)
    if not message.is_edited and not said.attachments and (found := _COMMAND.fullmatch(said.text)):
        return CommandReceived(
            event_id=raw.event_id,
            chat=chat,
            account=account,
            occurred_at=at,
            message_id=message.message_id,
            name=found[1].lower(),
            argument=(found[2] or "").strip(),
        )
    return MessageReceived(
        event_id=raw.event_id,
        chat=chat,
        account=account,
        occurred_at=at,
        message_id=message.message_id,
        text=said.text,
        attachments=said.attachments,
        reply_to=message.parent_id or None,
        mentions=tuple(m.id.open_id for m in message.mentions or () if m.id.open_id),
        edited=message.is_edited,
    )


def _press(raw: RawUpdate, envelope: Envelope, stored: StoredEvent) -> InboundEvent:
    event = shaped(PressEvent, envelope.event)
    value = event.action.value or {}
    chat = pressed_chat(raw.bot, event)
    tenant = event.operator.tenant_key or envelope.header.tenant_key
    account = account_of(raw.bot, event.operator.open_id, tenant, name=stored.name)
    capsule, token = value.get(CAPSULE), value.get(TOKEN)
    if isinstance(capsule, str) and capsule:
        return CapsuleToggled(
            event_id=raw.event_id,
            chat=chat,
            account=account,
            occurred_at=raw.received_at,
            intent=capsule,
        )
    if value.get(ANSWER):
        return MessageReceived(
            event_id=raw.event_id,
            chat=chat,
            account=account,
            occurred_at=raw.received_at,
            message_id=f"form:{envelope.header.event_id}",
            text=answer_of(event),
        )
    if not isinstance(token, str) or not token:
        raise UnparseableError("a press on no button of ours")
    return ButtonPressed(
        event_id=raw.event_id,
        chat=chat,
        account=account,
        occurred_at=raw.received_at,
        message_id=event.context.open_message_id,
        token=token,
    )


def _recall(raw: RawUpdate, envelope: Envelope, stored: StoredEvent) -> InboundEvent:
    """Return the recall as the author's: the event tells no more than the message's id."""
    event = shaped(RecallEvent, envelope.event)
    recalled = shaped(StoredEvent, stored.recalled or {})
    message = _message(raw, read_envelope(recalled.event), recalled)
    return MessageRecalled(
        event_id=raw.event_id,
        chat=message.chat,
        account=message.account,
        occurred_at=moment_of(event.recall_time, raw.received_at),
        message_id=event.message_id,
        recalls=raw.event_id.removesuffix(RECALLED),
    )


def _menu(raw: RawUpdate, envelope: Envelope, stored: StoredEvent) -> InboundEvent:
    event = shaped(MenuEvent, envelope.event)
    open_id = event.operator.operator_id.open_id
    if not open_id:
        raise UnparseableError("a menu entry chosen by nobody")
    chat = private_chat(raw.bot, open_id)
    account = account_of(raw.bot, open_id, envelope.header.tenant_key, name=stored.name)
    if event.event_key.startswith(CAPSULE_KEY):
        return CapsuleToggled(
            event_id=raw.event_id,
            chat=chat,
            account=account,
            occurred_at=raw.received_at,
            intent=event.event_key.removeprefix(CAPSULE_KEY),
        )
    name, _, argument = event.event_key.removeprefix("/").partition(" ")
    return CommandReceived(
        event_id=raw.event_id,
        chat=chat,
        account=account,
        occurred_at=raw.received_at,
        message_id="",
        name=name.lower(),
        argument=argument.strip(),
    )


KNOWN = frozenset({MESSAGE, PRESS, MENU})
"""The kinds of events that are stored."""
