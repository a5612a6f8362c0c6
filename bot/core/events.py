"""What happened on a platform, as one vocabulary: frozen values in the past tense."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal


class ChatKind(StrEnum):
    """How many people read along."""

    PRIVATE = "private"
    GROUP = "group"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A place on a platform.

    Attributes:
        platform: ``web``, ``telegram``, ``feishu``.
        bot: which of our bots there, when one process serves several.
        chat_id: the platform's own id.
        thread_id: topic or thread inside the chat, if the platform has them.
    """

    platform: str
    bot: str
    chat_id: str
    thread_id: str | None = None
    kind: ChatKind = ChatKind.PRIVATE

    @property
    def key(self) -> str:
        """The chat (thread included) as one string."""
        return f"{self.platform}/{self.bot}/{self.chat_id}/{self.thread_id or ''}"

    @property
    def place(self) -> str:
        """The chat with all its threads as one string."""
        return f"{self.platform}/{self.bot}/{self.chat_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Who acted, by the platform's numeric or opaque id; names are never identity.

    Attributes:
        tenant: the organisation the id belongs to, empty where a platform has none.
        display_name: what the platform shows; a prefill, nothing more.
        locale: the platform's language hint, e.g. ``zh-hans``; empty when unknown.
    """

    platform: str
    bot: str
    user_id: str
    tenant: str = ""
    display_name: str = ""
    locale: str = ""

    @property
    def key(self) -> str:
        """The account as one string, without the changeable names."""
        return f"{self.platform}/{self.bot}/{self.tenant}/{self.user_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that came with a message.

    Attributes:
        ref: where its bytes are: a file id of our file store, or the platform's id.
        size_bytes: 0 when the platform does not tell.
    """

    kind: Literal["image", "file", "audio", "video", "location", "other"]
    ref: str
    name: str = ""
    mime: str = ""
    size_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What all events share.

    Attributes:
        event_id: platform, bot and delivery key in one string; unique for ever.
        occurred_at: aware UTC; the `now` of everything that this event causes.
    """

    event_id: str
    chat: Chat
    account: Account
    occurred_at: datetime

    @property
    def session_key(self) -> str:
        """Chat, thread and account: one continuing conversation."""
        return f"{self.chat.key}|{self.account.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReceived(Event):
    """A person wrote, or edited what they wrote.

    Attributes:
        message_id: the platform's id of the message, the same before and after an edit.
        reply_to: message id that this one answers.
        mentions: account ids named in the text.
        album: what the platform calls a group of messages sent as one; empty for a single one.
    """

    message_id: str
    text: str = ""
    attachments: tuple[Attachment, ...] = ()
    reply_to: str | None = None
    mentions: tuple[str, ...] = ()
    edited: bool = False
    album: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReceived(Event):
    """A slash command.

    Attributes:
        name: without the slash, lower case.
        argument: the rest of the line, stripped.
    """

    message_id: str
    name: str
    argument: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPressed(Event):
    """A person pressed a button of ours.

    Attributes:
        message_id: the message that carries the button.
        token: opaque; everything it means is in our store.
    """

    message_id: str
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CapsuleToggled(Event):
    """A person pressed a capability capsule; `intent` is its label."""

    intent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRecalled(Event):
    """A message was taken back; chat and account are those of the message.

    Attributes:
        message_id: of the message.
        recalls: id of the event that the message was.
    """

    message_id: str
    recalls: str


InboundEvent = MessageReceived | CommandReceived | ButtonPressed | CapsuleToggled | MessageRecalled


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldMessage:
    """A message kept for later: what onboarding serves at its end, what `parked` work began as."""

    text: str
    message_id: str
    occurred_at: datetime
    attachments: tuple[Attachment, ...] = field(default_factory=tuple)
