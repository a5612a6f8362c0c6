"""From messages to what the page shows: pure, in the reader's language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from pydantic import JsonValue

from adapters.web.schemas import FileFacts, Item
from bot.core.messages import (
    Block,
    ChartBlock,
    FieldsBlock,
    ImageBlock,
    OutboundMessage,
    TableBlock,
    TextBlock,
)
from bot.core.outbox import OutboxDraft
from bot.core.transcripts import TranscriptItem
from bot.core.words import Words
from bot.locales.catalogue import resolve

Say = Callable[[Words], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A drawn chart: file ids of its picture for a light and for a dark page."""

    light: str
    dark: str


def render(draft: OutboxDraft, drawings: Mapping[int, Drawing]) -> dict[str, JsonValue]:
    """Return the payload of an answer.

    Args:
        draft: the queued message.
        drawings: pictures of its chart blocks by place; a chart without one shows as a table.
    """
    message = draft.message

    def say(words: Words) -> str:
        return resolve(words, message.locale)

    return {
        "blocks": [
            _block(block, drawings.get(place), say) for place, block in enumerate(message.blocks)
        ],
        "keys": _keys(message, say),
        "event": draft.event_id,
        "purpose": draft.purpose.value,
        "reply_to": message.reply_to,
    }


def _keys(message: OutboundMessage, say: Say) -> list[JsonValue]:
    return [
        [{"label": say(key.label), "token": key.token, "tone": key.tone.value} for key in row]
        for row in message.keys
        if row
    ]


def _block(block: Block, drawing: Drawing | None, say: Say) -> JsonValue:
    match block:
        case TextBlock(words=words):
            return {"kind": "text", "text": say(words)}
        case FieldsBlock(fields=fields, title=title):
            return {
                "kind": "fields",
                "title": say(title) if title else None,
                "fields": [[say(label), say(value)] for label, value in fields],
            }
        case TableBlock(header=header, rows=rows):
            return {
                "kind": "table",
                "header": [say(cell) for cell in header],
                "rows": [[say(cell) for cell in row] for row in rows],
            }
        case ChartBlock():
            return _chart(block, drawing, say)
        case ImageBlock(file_id=file_id, alt=alt):
            return {"kind": "image", "file": file_id, "alt": say(alt)}
        case _:
            assert_never(block)


def _chart(chart: ChartBlock, drawing: Drawing | None, say: Say) -> JsonValue:
    unit = f" ({chart.unit})" if chart.unit else ""
    values: list[JsonValue] = [
        [say(label), *_nth([series.values for series in chart.series], place)]
        for place, label in enumerate(chart.labels)
    ]
    table: dict[str, JsonValue] = {
        "title": say(chart.title),
        "header": ["", *(_head(say(series.name), unit) for series in chart.series)],
        "rows": values,
    }
    if drawing is None:
        return {"kind": "table", **table}
    return {"kind": "chart", "light": drawing.light, "dark": drawing.dark, **table}


def _head(name: str, unit: str) -> str:
    return name if unit.strip(" ()") == name else name + unit


def _nth(columns: Sequence[Sequence[str]], place: int) -> list[JsonValue]:
    return [column[place] if place < len(column) else "" for column in columns]


def own(words: str, files: Sequence[FileFacts], *, edited: bool = False) -> dict[str, JsonValue]:
    """Return the payload of a person's own message."""
    return {
        "text": words,
        "files": [file.model_dump() for file in files],
        "edited": edited,
    }


def item_frame(item: TranscriptItem) -> Item:
    """Return a transcript item as the page gets it."""
    return Item(
        sequence=item.sequence,
        version=item.version,
        id=item.item_id,
        author=item.author,
        payload=dict(item.payload),
        at=item.at.isoformat(),
    )
