"""What becomes of an event before anything is stored: for us or not, and in which lane."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from adapters.feishu.content import is_mentioned, read
from adapters.feishu.parse import (
    ANSWER,
    CAPSULE,
    KNOWN,
    PLATFORM,
    TOKEN,
    answer_of,
    chat_of,
    pressed_chat,
    private_chat,
    read_envelope,
    shaped,
)
from adapters.feishu.schemas import (
    BOT_ADDED,
    BOT_REMOVED,
    DISBANDED,
    ENTERED,
    MESSAGE,
    PRESS,
    ChatEvent,
    Envelope,
    MenuEvent,
    Message,
    MessageEvent,
    PressEvent,
    RecallEvent,
)
from bot.core.errors import UnparseableError
from bot.core.events import Chat, ChatKind
from bot.core.inbox import RECALLED, UpdateKind

POISON_LANE = f"{PLATFORM}:unreadable"
_PEOPLE = frozenset({"", "user"})


class Fate(StrEnum):
    """What is done with an event."""

    ACCEPT = "accept"
    IGNORE = "ignore"
    UNSURE = "unsure"
    """Not decidable before we know who we are: left with the platform, which comes again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peek:
    """What can be told of an event at once.

    Attributes:
        key: the delivery key: what makes two deliveries the same event.
        chat: where it happened; None when that cannot be read.
        open_id: who did it.
        foreign: somebody answered a question that was put to another person.
        lost: the chat threw us out (True) or let us in (False).
    """

    fate: Fate
    kind: UpdateKind = UpdateKind.MESSAGE
    key: str = ""
    lane: str = POISON_LANE
    chat: Chat | None = None
    open_id: str = ""
    message_id: str = ""
    foreign: bool = False
    lost: bool | None = None


def peek(
    body: Mapping[str, JsonValue], *, bot: str, me: str, is_ours: Callable[[str], bool]
) -> Peek:
    """Return what to do with an event; what nobody can read is kept as a dead letter.

    Args:
        body: the platform's JSON.
        bot: our app's id.
        me: our open id; empty while it is not known.
        is_ours: whether a message id is one that we sent.
    """
    try:
        envelope = read_envelope(body)
    except UnparseableError:
        return Peek(fate=Fate.IGNORE)
    try:
        match envelope.header.event_type:
            case "im.message.receive_v1":
                return _message(envelope, bot, me, is_ours)
            case "card.action.trigger":
                return _press(envelope, bot)
            case "application.bot.menu_v6":
                return _menu(envelope, bot)
            case "im.message.recalled_v1":
                return _recall(envelope)
            case _:
                return _about_chat(envelope, bot)
    except UnparseableError:
        is_kept = envelope.header.event_type in KNOWN
        fate = Fate.ACCEPT if is_kept else Fate.IGNORE
        return Peek(fate=fate, key=f"{envelope.header.event_type}:{envelope.header.event_id}")


def lane_of(chat: Chat, open_id: str) -> str:
    """Return the lane: what one person says in one thread of one chat is handled in order."""
    return f"{chat.key}:{open_id}"


def message_key(message: Message) -> str:
    """Return the delivery key of a message: the same for every delivery, new for every edit.

    The platform repeats an event for hours, at times under a new event id.
    Source: https://open.feishu.cn/document/server-docs/event-subscription-guide/overview
    """
    edit = f":{message.update_time}" if message.is_edited else ""
    return f"{MESSAGE}:{message.message_id}{edit}"


def _message(envelope: Envelope, bot: str, me: str, is_ours: Callable[[str], bool]) -> Peek:
    event = shaped(MessageEvent, envelope.event)
    message = event.message
    sender = event.sender.sender_id.open_id if event.sender.sender_id else ""
    if event.sender.sender_type not in _PEOPLE or not sender or sender == me:
        return Peek(fate=Fate.IGNORE)
    chat = chat_of(bot, message, sender)
    said = read(message, me=me)
    if not said.text and not said.attachments and not is_mentioned(message, me):
        return Peek(fate=Fate.IGNORE, chat=chat)
    words = said.text.split(maxsplit=1)
    return Peek(
        fate=_addressed(message, chat, me, is_ours),
        kind=UpdateKind.STOP if words and words[0] == "/stop" else UpdateKind.MESSAGE,
        key=message_key(message),
        lane=lane_of(chat, sender),
        chat=chat,
        open_id=sender,
        message_id=message.message_id,
    )


def _addressed(message: Message, chat: Chat, me: str, is_ours: Callable[[str], bool]) -> Fate:
    """Decide whether a message is meant for us; the gate fails closed."""
    if chat.kind is ChatKind.PRIVATE:
        return Fate.ACCEPT
    if message.parent_id and is_ours(message.parent_id):
        return Fate.ACCEPT
    if not me:
        return Fate.UNSURE if message.mentions else Fate.IGNORE
    return Fate.ACCEPT if is_mentioned(message, me) else Fate.IGNORE


def _press(envelope: Envelope, bot: str) -> Peek:
    event = shaped(PressEvent, envelope.event)
    value = event.action.value or {}
    key = f"{PRESS}:{envelope.header.event_id}"
    chat = pressed_chat(bot, event)
    if not (value.get(TOKEN) or value.get(CAPSULE)):
        is_foreign = value.get(ANSWER) not in {None, event.operator.open_id, "me"}
        if is_foreign or not value.get(ANSWER) or not answer_of(event):
            return Peek(fate=Fate.IGNORE, key=key, foreign=is_foreign)
    return Peek(
        fate=Fate.ACCEPT,
        kind=UpdateKind.BUTTON if value.get(TOKEN) else UpdateKind.MESSAGE,
        key=key,
        lane=lane_of(chat, event.operator.open_id),
        chat=chat,
        open_id=event.operator.open_id,
    )


def _menu(envelope: Envelope, bot: str) -> Peek:
    event = shaped(MenuEvent, envelope.event)
    open_id = event.operator.operator_id.open_id
    chat = private_chat(bot, open_id)
    return Peek(
        fate=Fate.ACCEPT,
        kind=UpdateKind.STOP if event.event_key == "/stop" else UpdateKind.MESSAGE,
        key=f"{envelope.header.event_type}:{envelope.header.event_id}",
        lane=lane_of(chat, open_id),
        chat=chat,
        open_id=open_id,
    )


def _recall(envelope: Envelope) -> Peek:
    """Take a recall: whose message it was, and in which chat, only the stored one tells."""
    message_id = shaped(RecallEvent, envelope.event).message_id
    key = f"{MESSAGE}:{message_id}{RECALLED}"
    return Peek(fate=Fate.ACCEPT, kind=UpdateKind.RECALL, key=key)


def _about_chat(envelope: Envelope, bot: str) -> Peek:
    """Read what happens around messages; anything else is acknowledged and left."""
    kind = envelope.header.event_type
    if kind not in {BOT_ADDED, BOT_REMOVED, DISBANDED, ENTERED}:
        return Peek(fate=Fate.IGNORE)
    event = shaped(ChatEvent, envelope.event)
    if kind == ENTERED:
        open_id = event.operator_id.open_id if event.operator_id else ""
        chat = private_chat(bot, open_id)
    else:
        chat = Chat(platform=PLATFORM, bot=bot, chat_id=event.chat_id, kind=ChatKind.GROUP)
    return Peek(fate=Fate.IGNORE, chat=chat, lost=kind in {BOT_REMOVED, DISBANDED})
