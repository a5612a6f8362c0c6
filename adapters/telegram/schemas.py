"""What we read of the Bot API's objects; whatever else they carry is left alone.

Source: https://core.telegram.org/bots/api#available-types
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)


class User(_Wire):
    """A person or a bot."""

    id: int
    is_bot: bool = False
    first_name: str = ""
    last_name: str = ""
    username: str = ""
    language_code: str = ""


class TgChat(_Wire):
    """A chat as the platform describes it."""

    id: int
    type: Literal["private", "group", "supergroup", "channel"]


class Entity(_Wire):
    """A span of the text; offset and length count UTF-16 units."""

    type: str
    offset: Annotated[int, Field(ge=0)]
    length: Annotated[int, Field(ge=0)]
    user: User | None = None


class PhotoSize(_Wire):
    """One size of a photo; the last of a list is the largest."""

    file_id: str
    file_size: int = 0


class Document(_Wire):
    """Any file: document, video, audio, voice, animation."""

    file_id: str
    file_name: str = ""
    mime_type: str = ""
    file_size: int = 0


class Location(_Wire):
    """A point on the map, in degrees."""

    latitude: float
    longitude: float


class RepliedTo(_Wire):
    """The message that is answered."""

    message_id: int
    sender: User | None = Field(default=None, alias="from")


class Message(_Wire):
    """A message of any kind."""

    message_id: int
    date: int
    chat: TgChat
    sender: User | None = Field(default=None, alias="from")
    sender_chat: TgChat | None = None
    message_thread_id: int | None = None
    is_topic_message: bool = False
    edit_date: int | None = None
    text: str | None = None
    entities: tuple[Entity, ...] = ()
    caption: str | None = None
    caption_entities: tuple[Entity, ...] = ()
    media_group_id: str | None = None
    reply_to_message: RepliedTo | None = None
    photo: tuple[PhotoSize, ...] = ()
    document: Document | None = None
    video: Document | None = None
    video_note: Document | None = None
    audio: Document | None = None
    voice: Document | None = None
    animation: Document | None = None
    location: Location | None = None
    sticker: JsonValue = None
    contact: JsonValue = None
    poll: JsonValue = None
    dice: JsonValue = None
    venue: JsonValue = None
    migrate_to_chat_id: int | None = None

    @property
    def words(self) -> str:
        """The text, or what is written under a picture."""
        return self.text if self.text is not None else self.caption or ""

    @property
    def spans(self) -> tuple[Entity, ...]:
        """The entities of `words`."""
        return self.entities if self.text is not None else self.caption_entities


class Shown(_Wire):
    """The message that carries a pressed button; it may be too old to be told more of."""

    message_id: int
    chat: TgChat
    message_thread_id: int | None = None
    is_topic_message: bool = False


class CallbackQuery(_Wire):
    """A pressed button; without `message` it is not one of ours."""

    id: str
    sender: User = Field(alias="from")
    message: Shown | None = None
    data: str | None = None


class Member(_Wire):
    """What a member of a chat has become."""

    status: str


class MembershipChange(_Wire):
    """We were let in, thrown out, blocked or unblocked."""

    chat: TgChat
    new_chat_member: Member


class Update(_Wire):
    """One update; at most one of the kinds is there.

    Source: https://core.telegram.org/bots/api#update
    """

    update_id: int
    message: Message | None = None
    edited_message: Message | None = None
    callback_query: CallbackQuery | None = None
    my_chat_member: MembershipChange | None = None


ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "my_chat_member")
"""The kinds we ask for; everything else the platform need not send."""


class Me(_Wire):
    """Who we are there."""

    id: int
    username: str = ""
    can_read_all_group_messages: bool = False


class StoredUpdate(_Wire):
    """The body of a `RawUpdate` of this platform.

    Attributes:
        update: the platform's JSON, untouched.
        username: our own name when it came, so that parsing is the same every time.
    """

    update: dict[str, JsonValue]
    username: str = ""


class Parameters(_Wire):
    """Why a call failed, for machines.

    Source: https://core.telegram.org/bots/api#responseparameters
    """

    migrate_to_chat_id: int | None = None
    retry_after: int | None = None


class Answer(_Wire):
    """The envelope of every answer.

    Source: https://core.telegram.org/bots/api#making-requests
    """

    ok: bool
    result: JsonValue = None
    description: str = ""
    error_code: int = 0
    parameters: Parameters = Parameters()


class SentMessage(_Wire):
    """What we need of a message we sent."""

    message_id: int


class FilePath(_Wire):
    """Where a file can be fetched.

    Source: https://core.telegram.org/bots/api#file
    """

    file_id: str
    file_size: int = 0
    file_path: str = ""


class WebhookInfo(_Wire):
    """How updates are delivered now.

    Source: https://core.telegram.org/bots/api#webhookinfo
    """

    url: str = ""
    pending_update_count: int = 0
    last_error_date: int = 0
    last_error_message: str = ""
