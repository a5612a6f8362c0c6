"""What we read of the platform's objects; whatever else they carry is left alone.

Source: https://open.feishu.cn/document/server-docs/im-v1/message/events/receive and its kin.
"""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

MESSAGE = "im.message.receive_v1"
PRESS = "card.action.trigger"
MENU = "application.bot.menu_v6"
RECALL = "im.message.recalled_v1"
BOT_ADDED = "im.chat.member.bot.added_v1"
BOT_REMOVED = "im.chat.member.bot.deleted_v1"
DISBANDED = "im.chat.disbanded_v1"
ENTERED = "im.chat.access_event.bot_p2p_chat_entered_v1"
_EDIT_MILLISECONDS = 1000


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


def _or_empty(value: object) -> object:
    return "" if value is None else value


Str = Annotated[str, BeforeValidator(_or_empty)]
"""Text; the platform sends null where it has none."""


class Ids(_Wire):
    """A person or bot; only the id of our app's own kind is used."""

    open_id: Str = ""


class Sender(_Wire):
    """Who wrote; bots write too."""

    sender_id: Ids | None = None
    sender_type: Str = "user"
    tenant_key: Str = ""


class Mention(_Wire):
    """Somebody named in a message; `key` stands in the text for them."""

    key: str
    id: Ids = Ids()
    name: Str = ""


class Message(_Wire):
    """A message; `content` is JSON in a string, times are milliseconds in a string."""

    message_id: str
    chat_id: str
    chat_type: Str = "p2p"
    message_type: str
    content: Str = "{}"
    create_time: Str = "0"
    update_time: Str = ""
    parent_id: Str = ""
    root_id: Str = ""
    thread_id: Str = ""
    mentions: tuple[Mention, ...] | None = None

    @property
    def is_edited(self) -> bool:
        """Whether it was changed after it was sent; nobody edits within a second."""
        try:
            return int(self.update_time) - int(self.create_time) >= _EDIT_MILLISECONDS
        except ValueError:
            return False

    @property
    def topic(self) -> str | None:
        """The message that began the topic; None outside of topics. It can be answered."""
        return (self.root_id or self.message_id) if self.thread_id else None


class MessageEvent(_Wire):
    """Source: https://open.feishu.cn/document/server-docs/im-v1/message/events/receive ."""

    sender: Sender
    message: Message


class Operator(_Wire):
    """Who pressed."""

    open_id: str
    tenant_key: Str = ""


class CardAction(_Wire):
    """What was pressed; `value` is what we put into the button."""

    value: dict[str, JsonValue] | None = None
    form_value: dict[str, JsonValue] | None = None


class Context(_Wire):
    """The card that was pressed."""

    open_message_id: Str = ""
    open_chat_id: Str = ""


class PressEvent(_Wire):
    """Source: https://open.feishu.cn/document/feishu-cards/card-callback-communication ."""

    operator: Operator
    action: CardAction
    context: Context = Context()


class MenuOperator(_Wire):
    """Who chose an entry of the bot's menu."""

    operator_id: Ids


class MenuEvent(_Wire):
    """Source: https://open.feishu.cn/document/client-docs/bot-v3/events/menu ."""

    operator: MenuOperator
    event_key: str


class RecallEvent(_Wire):
    """A message was taken back, by its author or by who runs the group; it does not say whose.

    Source: https://open.feishu.cn/document/server-docs/im-v1/message/events/recalled
    """

    message_id: str
    recall_time: Str = ""


class ChatEvent(_Wire):
    """Something about a chat: we were let in or thrown out, it was closed, somebody opened it."""

    chat_id: str
    operator_id: Ids | None = None


class Header(_Wire):
    """The header of every event; `create_time` is milliseconds, of callbacks microseconds."""

    event_id: str
    event_type: str
    create_time: Str = "0"
    token: Str = ""
    app_id: Str = ""
    tenant_key: Str = ""


class Envelope(_Wire):
    """An event of version 2.0."""

    header: Header
    event: dict[str, JsonValue] = Field(default_factory=dict)


class StoredEvent(_Wire):
    """The body of a `RawUpdate` of this platform.

    Attributes:
        event: the platform's JSON, untouched.
        me: our own open id when it came, so that parsing is the same every time.
        name: the sender's name in the address book; empty when it does not tell.
        recalled: the stored body of the message that this event takes back.
    """

    event: dict[str, JsonValue]
    me: str = ""
    name: str = ""
    recalled: dict[str, JsonValue] | None = None


class Answer(_Wire):
    """The envelope of every answer; some calls have their result beside it, not in ``data``."""

    code: int = 0
    msg: Str = ""
    body: dict[str, JsonValue] = Field(default_factory=dict)

    @classmethod
    def of(cls, content: Mapping[str, JsonValue]) -> Self:
        """Return the envelope of a parsed body."""
        data = content.get("data")
        body = data if isinstance(data, dict) else dict(content)
        return cls.model_validate(
            {"code": content.get("code", 0), "msg": content.get("msg"), "body": body}
        )


class TokenAnswer(_Wire):
    """An access token and its life in seconds."""

    tenant_access_token: str
    expire: int


class LinkConfig(_Wire):
    """How the platform wants a long connection to behave; seconds."""

    ReconnectInterval: float = 120
    ReconnectNonce: float = 30
    PingInterval: float = 120


class Endpoint(_Wire):
    """Where to connect; the address holds a key."""

    URL: str
    ClientConfig: LinkConfig | None = None


class EndpointAnswer(_Wire):
    """Answer to the question where to connect."""

    code: int
    msg: Str = ""
    data: Endpoint | None = None


class Online(_Wire):
    """How many long connections of the app are open."""

    online_instance_cnt: int


class Me(_Wire):
    """Who we are there.

    Source: https://open.feishu.cn/document/client-docs/bot-v3/obtain-bot-info
    """

    open_id: str
    app_name: Str = ""
    activate_status: int = 2


class MeAnswer(_Wire):
    """The bot stands beside the envelope, not in ``data``."""

    bot: Me
