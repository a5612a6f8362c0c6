"""The elements of a card: text, fields, tables, charts, buttons; pure.

Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/component-json-v2-overview
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from pydantic import JsonValue

from adapters.feishu.prose import Code, Grid, pieces
from adapters.tables import aligned, records
from bot.core.messages import ChartBlock, Tone
from bot.core.words import Words

MAX_TEXT_BYTES = 6_000
"""Longer texts become several elements, so that a card can be cut between them."""

MAX_ROWS = 60
"""Longer tables become several, for the same reason."""

MAX_COLUMNS = 20
MAX_POINTS = 150
ANSWER_FIELD = "answer"
_PAGE_ROWS = 10
_MANY_FIELDS = 12
_TYPES = {Tone.PLAIN: "default", Tone.PRIMARY: "primary", Tone.DANGER: "danger"}

Element = dict[str, JsonValue]
Say = Callable[[Words], str]


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


def text_atoms(text: str) -> list[Atom]:
    """Return our own words: no sign in them is markup."""
    return [
        Atom(parts=({"tag": "div", "text": _plain(piece)},), plain=piece) for piece in cut(text)
    ]


def prose_atoms(text: str, *, tables: int) -> list[Atom]:
    """Return a model's words: Markdown, tables as tables as long as there may be any."""
    atoms: list[Atom] = []
    for piece in pieces(text):
        if isinstance(piece, Grid):
            made = grid_atom(piece.rows) if tables > 0 else [code_atom(piece.rows)]
            tables -= sum(atom.is_table for atom in made)
            atoms += made
        elif isinstance(piece, Code):
            atoms += [_code(part, piece.language) for part in cut(piece.text)]
        else:
            atoms += [
                Atom(parts=({"tag": "markdown", "content": part},), plain=_unescaped(part))
                for part in cut(piece.markdown)
            ]
    return atoms


def mention_atom(open_id: str | None) -> Atom:
    """Return a line that names a person and, the first time, notifies them.

    Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/rich-text
    """
    return Atom(parts=({"tag": "markdown", "content": f"<at id={open_id}></at>"},), plain="")


def field_atoms(title: str, fields: Sequence[tuple[str, str]]) -> list[Atom]:
    """Return label and value pairs side by side; very many of them as lines."""
    atoms: list[Atom] = []
    if title:
        heading: Element = {"tag": "div", "text": {**_plain(title), "text_size": "heading"}}
        atoms.append(Atom(parts=(heading,), plain=title))
    if len(fields) > _MANY_FIELDS:
        return atoms + text_atoms("\n".join(f"{label}: {value}" for label, value in fields))
    for label, value in fields:
        plain = f"{label}: {value}"
        if len(value.encode()) > MAX_TEXT_BYTES:
            atoms += text_atoms(plain)
            continue
        quiet: Element = {**_plain(label), "text_color": "grey"}
        row: Element = {
            "tag": "column_set",
            "flex_mode": "none",
            "columns": [_column(quiet, 1), _column(_plain(value), 3)],
        }
        atoms.append(Atom(parts=(row,), plain=plain))
    return atoms


def grid_atom(rows: Sequence[Sequence[str]]) -> list[Atom]:
    """Return a table, a long one in several; one too wide as code.

    Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/table
    """
    header, *data = rows or [[]]
    if not header or len(header) > MAX_COLUMNS or len(data) > MAX_ROWS:
        return [code_atom(rows[at : at + MAX_ROWS]) for at in range(0, len(rows), MAX_ROWS)]
    names = [f"c{place}" for place in range(len(header))]
    columns: list[JsonValue] = [
        {"name": name, "display_name": title or " ", "data_type": "text", "width": "auto"}
        for name, title in zip(names, header, strict=True)
    ]
    shown: list[JsonValue] = [
        {name: row[place] if place < len(row) else "" for place, name in enumerate(names)}
        for row in data
    ]
    table: Element = {
        "tag": "table",
        "page_size": max(1, min(len(data), _PAGE_ROWS)),
        "row_height": "low",
        "header_style": {"bold": True, "background_style": "grey"},
        "columns": columns,
        "rows": shown,
    }
    atom = Atom(parts=(table,), plain=_grid_text(rows), is_table=True)
    return [atom] if atom.size <= MAX_TEXT_BYTES * 2 else [code_atom(rows)]


def code_atom(rows: Sequence[Sequence[str]]) -> Atom:
    """Return a table in letters of one width."""
    return _code(_grid_text(rows), "")


def chart_atom(chart: ChartBlock, say: Say) -> Atom:
    """Return a chart that the client draws.

    Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/chart
    """
    labels = [say(label) for label in chart.labels]
    names = [say(series.name) for series in chart.series]
    columns = [[_number(value) for value in series.values] for series in chart.series]
    step = max(1, -(-len(labels) * max(1, len(columns)) // MAX_POINTS))
    points: list[JsonValue] = [
        {"x": labels[place], "y": column[place], "s": name}
        for name, column in zip(names, columns, strict=True)
        for place in range(0, min(len(labels), len(column)), step)
    ]
    positive = bool(columns) and all(value >= 0 for value in columns[0])
    kind = "bar" if chart.chart == "pie" and not positive else chart.chart
    unit = f" ({chart.unit})" if chart.unit else ""
    title = say(chart.title) + unit
    spec: Element = {
        "type": kind,
        "title": {"text": title},
        "data": {"values": points},
        "legends": {"visible": kind == "pie" or len(names) > 1},
    }
    if kind == "pie":
        spec |= {"categoryField": "x", "valueField": "y", "outerRadius": 0.8}
    else:
        spec |= {"xField": "x", "yField": "y", "seriesField": "s"}
    element: Element = {
        "tag": "chart",
        "chart_spec": spec,
        "aspect_ratio": "16:9",
        "preview": True,
    }
    rows = [["", *names], *([label, *_nth(chart, place)] for place, label in enumerate(labels))]
    return Atom(parts=(element,), plain=f"{title}\n{_grid_text(rows)}", is_chart=True)


def button_row(buttons: Sequence[tuple[str, Tone, dict[str, JsonValue]]]) -> Atom:
    """Return a row of buttons: label, tone, and what comes back when it is pressed.

    Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/interactive-components/button
    """
    columns: list[JsonValue] = [
        {
            "tag": "column",
            "width": "auto",
            "elements": [
                {
                    "tag": "button",
                    "text": _plain(label or " "),
                    "type": _TYPES[tone],
                    "behaviors": [{"type": "callback", "value": value}],
                }
            ],
        }
        for label, tone, value in buttons
    ]
    row: Element = {
        "tag": "column_set",
        "flex_mode": "flow",
        "horizontal_spacing": "8px",
        "columns": columns,
    }
    return Atom(parts=(row,), plain="", is_buttons=True)


def form_atom(value: dict[str, JsonValue], *, hint: str, send: str) -> Atom:
    """Return a field for a typed answer, with the button that sends it.

    Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/containers/form-container
    """
    field: Element = {
        "tag": "input",
        "name": ANSWER_FIELD,
        "placeholder": _plain(hint),
        "required": True,
        "width": "fill",
    }
    button: Element = {
        "tag": "button",
        "name": "send",
        "text": _plain(send),
        "type": "primary",
        "form_action_type": "submit",
        "behaviors": [{"type": "callback", "value": value}],
    }
    form: Element = {"tag": "form", "name": "form", "elements": [field, button]}
    return Atom(parts=(form,), plain="", is_buttons=True)


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


def _code(text: str, language: str) -> Atom:
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


def _grid_text(rows: Sequence[Sequence[str]]) -> str:
    if (shown := aligned(rows)) is not None:
        return shown
    return "\n\n".join(
        "\n".join(f"{name}: {value}" if name else value for name, value in record)
        for record in records(rows)
    )


def _column(text: Element, weight: int) -> Element:
    return {
        "tag": "column",
        "width": "weighted",
        "weight": weight,
        "elements": [{"tag": "div", "text": text}],
    }


def _plain(text: str) -> Element:
    return {"tag": "plain_text", "content": text}


def _unescaped(markdown: str) -> str:
    return markdown.replace("&lt;", "<").replace("\u200b", "")


def _nth(chart: ChartBlock, place: int) -> list[str]:
    return [s.values[place] if place < len(s.values) else "" for s in chart.series]


def _number(value: str) -> float:
    try:
        number = float(Decimal(value))
    except (InvalidOperation, OverflowError):
        return 0.0
    return number if number == number and abs(number) < float("inf") else 0.0  # noqa: PLR0124


def _count(part: JsonValue) -> int:
    if isinstance(part, dict):
        inner = sum(_count(v) for k, v in part.items() if k not in {"rows", "chart_spec"})
        return inner + ("tag" in part)
    if isinstance(part, list):
        return sum(_count(child) for child in part)
    return 0
