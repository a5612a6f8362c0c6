"""What a message is made of before it is cut into cards; pure."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

MAX_TEXT_BYTES = 6_000
"""Longer texts become several elements, so that a card can be cut between them."""

Element = dict[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """What is not torn apart when a message is cut into cards.

    Attributes:
        parts: its elements.
        plain: the same in words.
    """

    parts: tuple[Element, ...]
    plain: str
    is_table: bool = False
    is_chart: bool = False
    is_buttons: bool = False

    @property
    def size(self) -> int:
        """Bytes it takes in the serialised card."""
        return sum(
            len(json.dumps(part, ensure_ascii=False, separators=(",", ":")).encode()) + 1
            for part in self.parts
        )

    @property
    def elements(self) -> int:
        """How many elements it counts for, those inside of others included."""
        return sum(_count(part) for part in self.parts)


def code(text: str, language: str) -> Atom:
    """Return words in letters of one width, whatever stands in them."""
    longest = max((len(run) for run in _ticks(text)), default=2)
    fence = "`" * max(3, longest + 1)
    content = f"{fence}{language}\n{text}\n{fence}"
    return Atom(parts=({"tag": "markdown", "content": content},), plain=text)


def _ticks(text: str) -> Iterator[str]:
    run = ""
    for sign in text + " ":
        if sign == "`":
            run += sign
        elif run:
            yield run
            run = ""


def cut(text: str) -> Iterator[str]:
    """Yield the text in pieces of `MAX_TEXT_BYTES`, at line ends where there are any."""
    piece: list[str] = []
    size = 0
    for line in _short_lines(text):
        cost = len(line.encode())
        if piece and size + cost > MAX_TEXT_BYTES:
            yield "".join(piece).rstrip("\n")
            piece, size = [], 0
        piece.append(line)
        size += cost
    rest = "".join(piece).rstrip("\n")
    if rest.strip():
        yield rest


def _short_lines(text: str) -> Iterator[str]:
    """Yield lines with their ends, none longer than a piece; no character is torn apart."""
    for line in text.splitlines(keepends=True):
        rest = line
        while len(rest.encode()) > MAX_TEXT_BYTES:
            head = rest.encode()[:MAX_TEXT_BYTES].decode(errors="ignore")
            space = head.rfind(" ", MAX_TEXT_BYTES // 8)
            end = space + 1 if space > 0 else len(head)
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _count(part: JsonValue) -> int:
    if isinstance(part, dict):
        inner = sum(_count(v) for k, v in part.items() if k not in {"rows", "chart_spec"})
        return inner + ("tag" in part)
    if isinstance(part, list):
        return sum(_count(child) for child in part)
    return 0
