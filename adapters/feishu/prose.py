"""Markdown as models write it, made fit for cards: pure.

Cards know a subset of Markdown and tags of their own, among them ``<at id=all></at>``, which
notifies a whole group: whoever wrote the text, no tag of theirs is one.
Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/rich-text
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.core.patterns import regex

_FENCE = regex(r"^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`]*$")
_HEADING = regex(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_RULE = regex(r"^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$")
_PICTURE = regex(r"!\[([^\]\n]*)\]\(([^)\s]+)[^)\n]*\)")
_CODE = regex(r"(`+[^`\n]+`+)")
_BOLD = regex(r"(?<!\*)\*\*(?=[^\s*])([^\n*]+?)(?<=\S)\*\*(?!\*)")


@dataclass(frozen=True, slots=True)
class Said:
    """Markdown that cards take."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Code:
    """A block of code, without its fence."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table, its header first; cells are plain."""

    rows: tuple[tuple[str, ...], ...]


Piece = Said | Code | Grid


def pieces(text: str) -> Iterator[Piece]:
    """Yield what a text consists of, in its order."""
    lines = text.split("\n")
    said: list[str] = []
    at = 0
    while at < len(lines):
        end = at + 1
        piece: Piece | None = None
        if fence := _FENCE.match(lines[at]):
            end = _fence_end(lines, at + 1, fence[1])
            piece = Code("\n".join(lines[at + 1 : end - 1]), fence[2])
        elif at + 1 < len(lines) and "|" in lines[at] and _RULE.match(lines[at + 1]):
            end = at + 2
            while end < len(lines) and "|" in lines[end]:
                end += 1
            piece = Grid(tuple(_cells(line) for line in (lines[at], *lines[at + 2 : end])))
        if piece is None:
            said.append(_line(lines[at]))
        else:
            yield from _flushed(said)
            said = []
            yield piece
        at = end
    yield from _flushed(said)


def plain_markdown(text: str) -> str:
    """Return text that no markdown reader takes for markup."""
    return re.sub(r"([\\`*_~\[\]#>|])", r"\\\1", text).replace("<", "&lt;")


def _flushed(said: list[str]) -> Iterator[Said]:
    words = "\n".join(said).strip("\n")
    if words.strip():
        yield Said(words)


def _fence_end(lines: list[str], at: int, fence: str) -> int:
    """Return the line after a block; one that is never closed takes the rest."""
    while at < len(lines):
        stripped = lines[at].strip()
        if len(stripped) >= len(fence) and set(stripped) == {fence[0]}:
            return at + 1
        at += 1
    lines.append("")
    return at + 1


def _line(line: str) -> str:
    """Return a line that a card shows as it was meant; what is code stays as it is."""
    if heading := _HEADING.match(line):
        level = "####" if heading[1] == "#" else "#####"
        return f"{level} {_inline(heading[2])}"
    return _inline(line)


def _inline(text: str) -> str:
    parts = _CODE.split(text)
    return "".join(part if place % 2 else _outside(part) for place, part in enumerate(parts))


def _outside(text: str) -> str:
    text = _PICTURE.sub(lambda found: f"[{found[1] or found[2]}]({found[2]})", text)
    return _spaced(text.replace("<", "&lt;"))


def _spaced(text: str) -> str:
    """Let bold be bold beside Chinese punctuation.

    CommonMark leaves ``**重要：**请注意`` literal; a zero-width space beside the stars helps.
    """
    return _BOLD.sub(lambda found: f"\u200b**{found[1]}**\u200b", text)


def _cells(line: str) -> tuple[str, ...]:
    cells = line.strip().strip("|").split("|")
    return tuple(cell.strip().replace("**", "").replace("`", "") for cell in cells)
