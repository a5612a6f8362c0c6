"""Long tables as the platform's own: a whole message as one rich message, in its HTML.

Source: https://core.telegram.org/bots/api#rich-message-formatting-options
"""

from collections.abc import Iterable, Iterator, Sequence

from adapters.tables import is_long
from adapters.telegram.markup import Grid, pieces, styled
from adapters.telegram.render import block_runs, mention_run
from adapters.telegram.runs import Run, html_of, plain_of, sendable, units
from bot.core.messages import Block, OutboundMessage, TableBlock, TextBlock
from bot.core.words import Verbatim
from bot.locales.catalogue import resolve

MAX_UNITS = 32768
MAX_BLOCKS = 500
MAX_COLUMNS = 20

_Row = Sequence[Sequence[Run]]


def rich_html(message: OutboundMessage, *, mention: str = "") -> str | None:
    """Return the whole message as one rich message.

    None when it has no table that needs it, or is more than a rich message holds.
    """
    shown: list[str] = []
    needs_it = False
    if message.mention is not None:
        shown += _paragraphs([mention_run(message.mention, mention, message.locale)])
    for block in message.blocks:
        text: list[Run] = []
        for piece in _pieces(block, message.locale):
            if isinstance(piece, Run):
                text.append(piece)
                continue
            needs_it = needs_it or is_long([[plain_of(cell) for cell in row] for row in piece])
            if max(map(len, piece), default=0) > MAX_COLUMNS:
                return None
            shown += [*_paragraphs(text), _table(piece)]
            text = []
        shown += _paragraphs(text)
    html = "".join(shown)
    return html if needs_it and len(shown) <= MAX_BLOCKS and units(html) <= MAX_UNITS else None


def _pieces(block: Block, locale: str) -> Iterator[Run | list[_Row]]:
    """Yield text as runs and tables as rows of cells."""
    if isinstance(block, TableBlock):
        rows = (block.header, *block.rows)
        yield [[[Run(sendable(resolve(c, locale)))] for c in row] for row in rows]
    elif isinstance(block, TextBlock) and isinstance(block.words, Verbatim):
        for piece in pieces(sendable(resolve(block.words, locale))):
            if isinstance(piece, Grid):
                yield [[styled(cell, ()) for cell in row] for row in piece.rows]
            else:
                yield piece
    else:
        yield from block_runs(block, locale)


def _paragraphs(runs: Iterable[Run]) -> list[str]:
    """Return each line as a paragraph of its own; code keeps its lines."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        if "pre" in run.tags:
            lines += [[run], []]
            continue
        first, *more = run.text.split("\n")
        lines[-1].append(Run(first, run.tags))
        lines += [[Run(line, run.tags)] for line in more]
    return [
        html_of(line) if "pre" in line[0].tags else f"<p>{html_of(line)}</p>"
        for line in lines
        if plain_of(line).strip()
    ]


def _table(rows: Sequence[_Row]) -> str:
    """Return a table; every row has as many cells as the longest."""
    columns = max(map(len, rows), default=0)
    lines = []
    for number, row in enumerate(rows):
        tag = "td" if number else "th"
        cells = [*row, *[()] * (columns - len(row))]
        lines.append("".join(f"<{tag}>{html_of(cell)}</{tag}>" for cell in cells))
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
