"""From messages to what the platform takes: pure, in the reader's language."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import assert_never

from adapters.telegram.markup import read_markdown, table_runs
from adapters.telegram.runs import Run, cut, html_of, plain_of, sendable
from bot.core.messages import (
    Block,
    ChartBlock,
    FieldsBlock,
    ImageBlock,
    OutboundMessage,
    TableBlock,
    TextBlock,
)
from bot.core.words import Text, Verbatim, Words, text
from bot.locales.catalogue import resolve

MAX_CAPTION_UNITS = 1024
"""UTF-16 units of words under a picture.

Source: https://core.telegram.org/bots/api#sendphoto
"""

MAX_TOAST_UNITS = 200
"""Source: https://core.telegram.org/bots/api#answercallbackquery ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """A message of words: as markup, and plain for when the markup is refused."""

    html: str
    plain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoPart:
    """A picture with words under it."""

    block: ChartBlock | ImageBlock
    locale: str
    html: str
    plain: str


Part = TextPart | PhotoPart


def render(
    message: OutboundMessage, *, drawable: Collection[int] = (), mention: str = ""
) -> tuple[Part, ...]:
    """Return the parts of a message in their order; there is at least one.

    Args:
        message: what to show.
        drawable: places of chart and image blocks that can be shown as pictures; others become
            tables and words.
        mention: the name by which `message.mention` is called.
    """
    parts: list[Part] = []
    runs: list[Run] = []
    if message.mention is not None:
        runs = [mention_run(message.mention, mention, message.locale), Run("\n")]
    for place, block in enumerate(message.blocks):
        if place in drawable and isinstance(block, ChartBlock | ImageBlock):
            parts += _texts(runs)
            runs = []
            parts.append(_photo(block, message.locale))
            continue
        if runs and runs[-1].text != "\n":
            runs.append(Run("\n"))
        runs += block_runs(block, message.locale)
    parts += _texts(runs)
    return tuple(parts) or (TextPart(html="—", plain="—"),)


def mention_run(user: str, name: str, locale: str) -> Run:
    """Return a person's name that notifies them."""
    shown = sendable(name or resolve(text("telegram.mention"), locale))
    return Run(shown, (f'a href="tg://user?id={user}"',), whole=True)


def _texts(runs: list[Run]) -> list[Part]:
    return [TextPart(html=html_of(part), plain=plain_of(part)) for part in cut(runs)]


def _photo(block: ChartBlock | ImageBlock, locale: str) -> PhotoPart:
    words = block.title if isinstance(block, ChartBlock) else block.alt
    captions = cut(_words(words, locale), MAX_CAPTION_UNITS)
    caption = captions[0] if captions else []
    return PhotoPart(block=block, locale=locale, html=html_of(caption), plain=plain_of(caption))


def words_instead(part: PhotoPart) -> Part:
    """Return what is shown when the picture is not taken."""
    return _texts(block_runs(part.block, part.locale))[0]


def block_runs(block: Block, locale: str) -> list[Run]:
    """Return a block as text."""
    match block:
        case TextBlock(words=words):
            return _words(words, locale)
        case FieldsBlock(fields=fields, title=title):
            return _fields(fields, title, locale)
        case TableBlock(header=header, rows=rows):
            return _table([header, *rows], locale)
        case ChartBlock():
            return _chart(block, locale)
        case ImageBlock(alt=alt):
            return _words(alt, locale)
        case _:
            assert_never(block)


def _words(words: Words, locale: str) -> list[Run]:
    """Return words as runs: prose of a model may hold markup, our own texts hold none."""
    said = sendable(resolve(words, locale))
    return read_markdown(said) if isinstance(words, Verbatim) else [Run(said)]


def _fields(
    fields: tuple[tuple[Words, Words], ...], title: Words | None, locale: str
) -> list[Run]:
    runs = [Run(run.text, ("b",)) for run in _words(title, locale)] if title else []
    colon = resolve(Text("telegram.colon"), locale)
    for label, value in fields:
        if runs:
            runs.append(Run("\n"))
        runs += [*_words(label, locale), Run(colon), *_literal(value, locale)]
    return runs


def _literal(words: Words, locale: str) -> list[Run]:
    """Return words that are data: a person's own words are no markup."""
    return [Run(sendable(resolve(words, locale)))]


def _table(rows: list[tuple[Words, ...]], locale: str) -> list[Run]:
    cells = [[sendable(resolve(cell, locale)) for cell in row] for row in rows]
    return table_runs(cells, lambda cell: [Run(cell)] if cell else [])


def _chart(chart: ChartBlock, locale: str) -> list[Run]:
    unit = f" ({chart.unit})" if chart.unit else ""
    header = ("", *(resolve(series.name, locale) + unit for series in chart.series))
    rows = [
        (
            resolve(label, locale),
            *(s.values[place] if place < len(s.values) else "" for s in chart.series),
        )
        for place, label in enumerate(chart.labels)
    ]
    cells = [[sendable(cell) for cell in row] for row in (header, *rows)]
    table = table_runs(cells, lambda cell: [Run(cell)] if cell else [])
    title = [Run(run.text, ("b",)) for run in _words(chart.title, locale)]
    return [*title, Run("\n"), *table]


def toast(words: Words, locale: str) -> str:
    """Return words as short as an answer to a press must be."""
    said = sendable(resolve(words, locale))
    parts = cut([Run(said)], MAX_TOAST_UNITS)
    return plain_of(parts[0]) if parts else ""
