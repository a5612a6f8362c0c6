"""What becomes of an update before anything is stored: for us or not, and in which lane.

Source: https://core.telegram.org/bots/features#privacy-mode
"""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from adapters.telegram.parse import attachments_of, chat_of, cut_utf16, read_update, thread_of
from adapters.telegram.schemas import CallbackQuery, Me, Message, TgChat, Update
from bot.core.errors import UnparseableError
from bot.core.events import Chat
from bot.core.inbox import UpdateKind
from bot.core.patterns import regex

_COMMAND = regex(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]+))?(?=\s|$)")
POISON_LANE = "telegram:unreadable"


class Fate(StrEnum):
    """What is done with an update."""

    ACCEPT = "accept"
    IGNORE = "ignore"
    UNSURE = "unsure"
    """Not decidable before we know who we are: left with the platform."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peek:
    """What can be told of an update at once.

    Attributes:
        chat: where it happened; None when that cannot be read.
        query_id: the press that waits for an answer.
        locale: the sender's language hint.
        album: the group of messages it came in.
        kicked: the chat threw us out or blocked us (True), or let us in (False).
        moved_to: the chat's new id, when a group became a supergroup.
    """

    fate: Fate
    kind: UpdateKind = UpdateKind.MESSAGE
    lane: str = POISON_LANE
    chat: Chat | None = None
    query_id: str = ""
    locale: str = ""
    album: str = ""
    kicked: bool | None = None
    moved_to: int | None = None


def peek(body: dict[str, JsonValue], *, bot: str, me: Me | None) -> Peek:
    """Return what to do with an update; what nobody can read is kept as a dead letter."""
    try:
        update = read_update(body)
    except UnparseableError:
        return Peek(fate=Fate.ACCEPT)
    if update.callback_query is not None:
        return _press(update.callback_query, bot)
    if update.my_chat_member is not None:
        change = update.my_chat_member
        return Peek(
            fate=Fate.IGNORE,
            chat=chat_of(bot, change.chat, None),
            kicked=change.new_chat_member.status in {"kicked", "left"},
        )
    message = update.message or update.edited_message
    if message is None:
        return Peek(fate=Fate.IGNORE)
    return _message(message, update, bot, me)


def lane_of(bot: str, chat: TgChat, thread: int | None, user: int) -> str:
    """Return the lane: what one person says in one thread of one chat is handled in order."""
    return f"telegram:{bot}:{chat.id}:{thread or ''}:{user}"


def _press(query: CallbackQuery, bot: str) -> Peek:
    shown = query.message
    if shown is None or not query.data:
        return Peek(fate=Fate.IGNORE, query_id=query.id, locale=query.sender.language_code)
    thread = thread_of(shown)
    return Peek(
        fate=Fate.ACCEPT,
        kind=UpdateKind.BUTTON,
        lane=lane_of(bot, shown.chat, thread, query.sender.id),
        chat=chat_of(bot, shown.chat, thread),
        query_id=query.id,
        locale=query.sender.language_code,
    )


def _message(message: Message, update: Update, bot: str, me: Me | None) -> Peek:
    chat = chat_of(bot, message.chat, thread_of(message))
    if message.migrate_to_chat_id is not None:
        return Peek(fate=Fate.IGNORE, chat=chat, moved_to=message.migrate_to_chat_id)
    if message.sender is None or message.sender.is_bot or not _says_something(message, update):
        return Peek(fate=Fate.IGNORE, chat=chat)
    command = _COMMAND.match(message.words.strip())
    return Peek(
        fate=_addressed(message, me),
        kind=UpdateKind.STOP
        if command is not None and command[1].lower() == "stop"
        else UpdateKind.MESSAGE,
        lane=lane_of(bot, message.chat, thread_of(message), message.sender.id),
        chat=chat,
        locale=message.sender.language_code,
        album=message.media_group_id or "",
    )


def _says_something(message: Message, update: Update) -> bool:
    """Whether a person said it: not a service message, not a point that moves on the map."""
    if message.words:
        return True
    return update.edited_message is None and bool(attachments_of(message))


def _addressed(message: Message, me: Me | None) -> Fate:
    """Decide whether a message is meant for us; the gate fails closed."""
    command = _COMMAND.match(message.words.strip())
    if message.chat.type == "private":
        if command is None or not command[2]:
            return Fate.ACCEPT
        if me is None:
            return Fate.UNSURE
        return _when(command[2].lower() == me.username.lower())
    if message.chat.type == "channel" or message.sender_chat is not None:
        return Fate.IGNORE
    if me is None:
        return Fate.UNSURE
    if command is not None:
        return _when(not command[2] or command[2].lower() == me.username.lower())
    replied = message.reply_to_message
    if replied is not None and replied.sender is not None and replied.sender.id == me.id:
        return Fate.ACCEPT
    return _when(_mentions(message, me))


def _mentions(message: Message, me: Me) -> bool:
    for span in message.spans:
        if span.type == "mention":
            named = cut_utf16(message.words, span.offset, span.length)
            if me.username and named.lower() == f"@{me.username.lower()}":
                return True
        elif span.user is not None and span.user.id == me.id:
            return True
    return False


def _when(condition: bool) -> Fate:  # noqa: FBT001  # one word for two fates
    return Fate.ACCEPT if condition else Fate.IGNORE
