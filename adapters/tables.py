"""Tables in a fixed-width font: columns line up when a Chinese character counts as two."""

import unicodedata
from collections.abc import Sequence

MAX_COLUMNS_WIDE = 56
"""Wider tables would wrap on a phone; they become one record after the other."""

MAX_LINES_LONG = 30
"""What a phone shows at once; the header of a longer table scrolls out of sight."""


def aligned(rows: Sequence[Sequence[str]]) -> str | None:
    """Return the rows with aligned columns, the first one as the header.

    None when there is nothing to align or it would be too wide to read.
    """
    if not rows or not any(rows):
        return None
    columns = max(len(row) for row in rows)
    cells = [[_one_line(cell) for cell in row] + [""] * (columns - len(row)) for row in rows]
    widths = [max(width(row[place]) for row in cells) for place in range(columns)]
    if sum(widths) + 2 * (columns - 1) > MAX_COLUMNS_WIDE:
        return None
    lines = [_line(row, widths) for row in cells]
    lines.insert(1, "  ".join("-" * size for size in widths))
    return "\n".join(lines)


def is_long(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the table is wider or longer than a phone shows well in monospace."""
    return len(rows) > MAX_LINES_LONG or (any(rows) and aligned(rows) is None)


def records(rows: Sequence[Sequence[str]]) -> list[list[tuple[str, str]]]:
    """Return the rows below the header as (column, value) pairs."""
    header = rows[0] if rows else ()
    return [
        [(header[place] if place < len(header) else "", cell) for place, cell in enumerate(row)]
        for row in rows[1:]
    ]


def width(text: str) -> int:
    """Return how many columns of a fixed-width font the text takes."""
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def _one_line(cell: str) -> str:
    return " ".join(cell.split())


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (size - width(cell)) for cell, size in zip(row, widths, strict=True))
    return "  ".join(padded).rstrip()
