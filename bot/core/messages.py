"""What goes out: blocks that every platform renders in its own way, and buttons."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from bot.core.actions import ActionDraft
from bot.core.ids import new_token
from bot.core.words import Words


class Tone(StrEnum):
    """How a button or a message looks where the platform can tell them apart."""

    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph."""

    words: Words
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class FieldsBlock:
    """Label and value pairs, such as the facts of a stored row."""

    fields: tuple[tuple[Words, Words], ...]
    title: Words | None = None
    kind: Literal["fields"] = "fields"


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A small table; every row has as many cells as the header."""

    header: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """One line, or one set of bars; `values` as decimal strings, one per label."""

    name: Words
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChartBlock:
    """One chart specification for all platforms: native where possible, else a picture."""

    chart: Literal["bar", "line", "pie"]
    title: Words
    labels: tuple[Words, ...]
    series: tuple[ChartSeries, ...]
    unit: str = ""
    kind: Literal["chart"] = "chart"


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """A picture of our file store."""

    file_id: str
    alt: Words
    kind: Literal["image"] = "image"


Block = TextBlock | FieldsBlock | TableBlock | ChartBlock | ImageBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button as an agent offers it; its random token is drawn when it is made."""

    label: Words
    action: ActionDraft
    tone: Tone = Tone.PLAIN
    token: str = field(default_factory=new_token)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A button as it goes out: what it means stays in the store, under its token."""

    label: Words
    token: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundMessage:
    """One message to one chat, ready to be rendered.

    Attributes:
        locale: the reader's language, ``zh-CN`` or ``en``.
        replaces: message id to edit in place; None sends a new message.
        reply_to: message id that this answers.
        mention: account id to notify in a group.
        asks: it is an open question that typed words answer; a field may be shown for them.
    """

    blocks: tuple[Block, ...]
    locale: str
    keys: tuple[tuple[Key, ...], ...] = ()
    replaces: str | None = None
    reply_to: str | None = None
    mention: str | None = None
    asks: bool = False
