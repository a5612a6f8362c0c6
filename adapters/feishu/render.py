"""From messages to cards (JSON 2.0): pure, in the reader's language.

Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-structure ; what it does not
know it refuses.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from pydantic import JsonValue

from adapters.feishu.atoms import Atom
from adapters.feishu.elements import (
    button_row,
    field_atoms,
    form_atom,
    mention_atom,
    prose_atoms,
    text_atoms,
)
from adapters.feishu.grids import chart_atom, code_atom, grid_atom
from bot.core.messages import (
    Block,
    ChartBlock,
    FieldsBlock,
    ImageBlock,
    OutboundMessage,
    TableBlock,
    TextBlock,
    Tone,
)
from bot.core.words import Verbatim, Words, text
from bot.locales.catalogue import resolve

MAX_CARD_BYTES = 24_000
"""Of the serialised card. The platform takes 30 KB and adds its own styles to what we send.

Source: https://open.feishu.cn/document/server-docs/im-v1/message/create (230025)
"""

MAX_TABLES = 3
"""Tables a card takes without 230099 / 11310; what follows is shown as code.

Source: https://github.com/larksuite/openclaw-lark (the official plugin's limit)
"""

MAX_CHARTS = 5
MAX_ELEMENTS = 150
"""A card takes 200 elements, those inside of others counted."""

_SUMMARY_CHARS = 60
STREAM_ELEMENT = "answer"

Element = dict[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a card will stand: its buttons remember it, see `adapters.feishu.parse`."""

    group: bool = False
    thread: str = ""

    def value(self, name: str, what: str) -> dict[str, JsonValue]:
        """Return what a button carries."""
        value: dict[str, JsonValue] = {name: what}
        if self.group:
            value |= {"g": 1, "th": self.thread}
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One message: a card, a simpler one, and plain words for when cards are refused."""

    card: dict[str, JsonValue]
    simple: dict[str, JsonValue]
    plain: str


@dataclass(slots=True)
class _Page:
    """Elements that go into one card."""

    atoms: list[Atom] = field(default_factory=list)
    size: int = 0

    def has_room(self, atom: Atom) -> bool:
        if not self.atoms:
            return True
        elements = sum(a.elements for a in self.atoms) + atom.elements
        charts = sum(a.is_chart for a in self.atoms) + atom.is_chart
        fits = self.size + atom.size <= MAX_CARD_BYTES - _FRAME_BYTES
        return fits and elements <= MAX_ELEMENTS and charts <= MAX_CHARTS

    def add(self, atom: Atom) -> None:
        self.atoms.append(atom)
        self.size += atom.size


_FRAME_BYTES = 2_000
"""Kept for the frame of a card, its summary and its title."""


def render(
    message: OutboundMessage,
    *,
    images: Mapping[int, str],
    spot: Spot,
    extra: Sequence[Element] = (),
) -> tuple[Part, ...]:
    """Return the parts of a message in their order; there is at least one.

    Args:
        message: what to show.
        images: keys of uploaded pictures by the place of their block; others are told in words.
        spot: where it will stand.
        extra: elements to end with, below the buttons.
    """
    locale = message.locale
    title, atoms = _atoms(message, images)
    rows = [
        button_row([(resolve(k.label, locale), k.tone, spot.value("t", k.token)) for k in row])
        for row in message.keys
        if row
    ]
    form = [_form(message, spot)] if _wants_form(message) else []
    pages = [_Page()]
    for atom in (*atoms, *form, *rows):
        if not pages[-1].has_room(atom):
            pages.append(_Page())
        pages[-1].add(atom)
    parts: list[Part] = []
    for number, page in enumerate(pages):
        is_last = number == len(pages) - 1
        plain = "\n".join(atom.plain for atom in page.atoms if atom.plain).strip() or "—"
        elements: list[Element] = [e for atom in page.atoms for e in atom.parts]
        if is_last:
            elements += extra
        buttons = [e for atom in page.atoms if atom.is_buttons for e in atom.parts]
        parts.append(
            Part(
                card=card_of(elements, summary=plain, title=title if number == 0 else ""),
                simple=card_of(_plainly(plain) + buttons, summary=plain),
                plain=_with_title(title, plain) if number == 0 else plain,
            )
        )
    return tuple(parts)


def card_of(
    elements: Sequence[Element], *, summary: str, title: str = "", streaming: bool = False
) -> dict[str, JsonValue]:
    """Return a card; only shared ones exist in JSON 2.0."""
    first_line = next((line for line in summary.split("\n") if line.strip()), "")
    config: dict[str, JsonValue] = {
        "update_multi": True,
        "summary": {"content": first_line[:_SUMMARY_CHARS]},
    }
    if streaming:
        config["streaming_mode"] = True
    shown: list[JsonValue] = list(elements) or list(_plainly("—"))
    body: dict[str, JsonValue] = {"direction": "vertical", "elements": shown}
    card: dict[str, JsonValue] = {"schema": "2.0", "config": config, "body": body}
    if title:
        card["header"] = {"title": {"tag": "plain_text", "content": title}, "template": "blue"}
    return card


def stream_card(text: str, *, mention: str | None) -> dict[str, JsonValue]:
    """Return the card that an answer grows in."""
    elements: list[Element] = list(mention_atom(mention).parts) if mention else []
    elements.append({"tag": "markdown", "element_id": STREAM_ELEMENT, "content": text or "…"})
    return card_of(elements, summary=text, streaming=True)


def stream_text(text: str) -> str:
    """Return a growing text as the card's one element takes it, cut where a card would be full."""
    shown = "\n".join(_growing(atom) for atom in prose_atoms(text, tables=0))
    data = shown.encode()
    if len(data) <= MAX_CARD_BYTES - _FRAME_BYTES:
        return shown or "…"
    return data[: MAX_CARD_BYTES - _FRAME_BYTES].decode(errors="ignore") + "…"


def serialised(card: Mapping[str, JsonValue]) -> str:
    """Return the card as it is sent."""
    return json.dumps(card, ensure_ascii=False, separators=(",", ":"))


def _wants_form(message: OutboundMessage) -> bool:
    """Whether words are waited for: what is confirmed by a button needs no field."""
    confirms = any(key.tone is Tone.PRIMARY for row in message.keys for key in row)
    return message.asks and not confirms


def _form(message: OutboundMessage, spot: Spot) -> Atom:
    return form_atom(
        spot.value("a", message.mention or "me"),
        hint=resolve(text("feishu.answer_hint"), message.locale),
        send=resolve(text("feishu.answer_send"), message.locale),
    )


def _growing(atom: Atom) -> str:
    return "\n".join(str(part.get("content", "")) for part in atom.parts)


def _atoms(message: OutboundMessage, images: Mapping[int, str]) -> tuple[str, list[Atom]]:
    """Return the title and what the card consists of."""
    locale = message.locale
    blocks = list(enumerate(message.blocks))
    title = ""
    if blocks and isinstance(blocks[0][1], FieldsBlock) and blocks[0][1].title is not None:
        title = resolve(blocks[0][1].title, locale)
    atoms = [mention_atom(message.mention)] if message.mention else []
    tables, charts = MAX_TABLES, MAX_CHARTS
    for place, block in blocks:
        hide_title = bool(title) and place == 0
        made = _block(block, locale, images.get(place), tables, hide_title=hide_title)
        tables -= sum(atom.is_table for atom in made)
        charts -= sum(atom.is_chart for atom in made)
        atoms += made
    return title, atoms


def _block(
    block: Block, locale: str, image: str | None, tables: int, *, hide_title: bool
) -> list[Atom]:
    def say(words: Words) -> str:
        return resolve(words, locale)

    match block:
        case TextBlock(words=words):
            said = say(words)
            is_prose = isinstance(words, Verbatim)
            return prose_atoms(said, tables=tables) if is_prose else text_atoms(said)
        case FieldsBlock(fields=fields, title=title):
            shown = say(title) if title is not None and not hide_title else ""
            return field_atoms(shown, [(say(label), say(value)) for label, value in fields])
        case TableBlock(header=header, rows=rows):
            grid = [[say(cell) for cell in row] for row in (header, *rows)]
            return grid_atom(grid) if tables > 0 else [code_atom(grid)]
        case ChartBlock():
            return [chart_atom(block, say)]
        case ImageBlock(alt=alt):
            return [_image(image, say(alt))] if image else text_atoms(say(alt))
        case _:
            assert_never(block)


def _image(key: str, alt: str) -> Atom:
    element: Element = {
        "tag": "img",
        "img_key": key,
        "alt": {"tag": "plain_text", "content": alt},
        "preview": True,
    }
    return Atom(parts=(element,), plain=alt)


def _plainly(text: str) -> list[Element]:
    return [{"tag": "div", "text": {"tag": "plain_text", "content": text}}]


def _with_title(title: str, plain: str) -> str:
    return f"{title}\n{plain}" if title else plain
