"""The wire of the web chat: every frame in both directions, and what the inbox keeps of one."""

from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    TypeAdapter,
)
from pydantic_core import PydanticCustomError

MAX_TEXT_CHARS = 8_000
MAX_FILES = 8
MAX_FRAME_CHARS = 128 * 1024
START_ID = "~start"
"""Id of the start command that greets a newcomer; no client can make this id."""


def _readable(text: str) -> str:
    """Return the text with plain line ends, or say what is wrong with it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_TEXT_CHARS:
        raise PydanticCustomError("web.error_too_long", "too long")
    if any(_is_control(char) for char in text):
        raise PydanticCustomError("web.error_control", "control characters")
    return text.strip()


def _is_control(char: str) -> bool:
    return (
        (char < " " and char not in "\n\t")
        or "\x7f" <= char <= "\x9f"
        or "\ud800" <= char < "\ue000"
    )


def _few(files: list[str]) -> list[str]:
    if len(files) > MAX_FILES:
        raise PydanticCustomError("web.error_too_many_files", "too many files")
    return list(dict.fromkeys(files))


ClientId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{8,64}$")]
"""Made by the page. It holds no ``_``, ``:`` or ``~``, so it is never one of our own ids."""

StoredId = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,200}$")]
Label = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
PersonText = Annotated[str, AfterValidator(_readable)]
FileIds = Annotated[list[StoredId], AfterValidator(_few)]


class _Frame(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Hello(_Frame):
    """The first frame: what the page has already, and the browser's language."""

    type: Literal["hello"]
    version: Annotated[int, Field(ge=0, lt=2**53)] = 0
    locale: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{0,35}$")] = ""
    protocol: Literal[1] = 1


class Message(_Frame):
    """A message; `id` becomes its delivery key and its item id."""

    type: Literal["message"]
    id: ClientId
    text: PersonText = ""
    files: FileIds = []


class Edit(_Frame):
    """New words for an own message."""

    type: Literal["edit"]
    id: ClientId
    item: ClientId
    text: PersonText


class Press(_Frame):
    """A pressed button."""

    type: Literal["press"]
    id: ClientId
    item: StoredId
    token: Label


class Capsule(_Frame):
    """A pressed capsule."""

    type: Literal["capsule"]
    id: ClientId
    intent: Label


class TraceRequest(_Frame):
    """The question why a turn went as it did."""

    type: Literal["trace"]
    event: StoredId


class Ping(_Frame):
    """A sign of life; answered by `Pong`."""

    type: Literal["ping"]


Delivered = Message | Edit | Press | Capsule
ClientFrame = Annotated[
    Hello | Message | Edit | Press | Capsule | TraceRequest | Ping, Field(discriminator="type")
]
CLIENT_FRAMES: TypeAdapter[Hello | Delivered | TraceRequest | Ping] = TypeAdapter(ClientFrame)


class FileFacts(_Frame):
    """A file of the sender, as the message names it."""

    ref: str
    name: str
    mime: str
    size_bytes: int


class StoredStart(_Frame):
    """The greeting's cause: the page was opened for the first time."""

    type: Literal["start"]


class StoredUpdate(BaseModel):
    """The body of a `RawUpdate` of this platform."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user: Annotated[str, StringConstraints(min_length=1)]
    locale: str = ""
    frame: Annotated[Message | Edit | Press | Capsule | StoredStart, Field(discriminator="type")]
    files: tuple[FileFacts, ...] = ()


class Item(_Frame):
    """A transcript item as the page gets it; `at` is ISO 8601."""

    sequence: int
    version: int
    id: str
    author: Literal["person", "bot"]
    payload: dict[str, JsonValue]
    at: str


class Items(_Frame):
    """New or changed items.

    Attributes:
        replay: this is the answer to a hello.
        reset: forget every item before; this server does not know the page's version.
    """

    type: Literal["items"] = "items"
    items: tuple[Item, ...]
    replay: bool = False
    reset: bool = False


class Ack(_Frame):
    """A delivered frame was taken (or had been already)."""

    type: Literal["ack"] = "ack"
    id: str
    status: Literal["accepted", "duplicate"]
    toast: str | None = None


class CapsuleState(_Frame):
    """A capsule as the bar shows it."""

    intent: str
    icon: str
    label: str
    selected: bool


class State(_Frame):
    """Everything beside the messages."""

    type: Literal["state"] = "state"
    user: str
    locale: str
    signed_in: bool
    capsules: tuple[CapsuleState, ...]
    texts: dict[str, str]
    limits: dict[str, int]


class Typing(_Frame):
    """An answer is under way."""

    type: Literal["typing"] = "typing"


class Preview(_Frame):
    """An answer as far as it is written; the item of the same event takes its place."""

    type: Literal["preview"] = "preview"
    event: str
    text: str


class Trace(_Frame):
    """Why a turn went as it did, line by line."""

    type: Literal["trace"] = "trace"
    event: str
    lines: tuple[str, ...]


class Failure(_Frame):
    """Something was not taken; with `retry` the same frame may be sent again later."""

    type: Literal["error"] = "error"
    id: str | None = None
    text: str
    retry: bool = False


class Pong(_Frame):
    """The answer to `Ping`."""

    type: Literal["pong"] = "pong"


ServerFrame = Items | Ack | State | Typing | Preview | Trace | Failure | Pong
