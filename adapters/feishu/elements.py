"""The elements of a card: text, fields, buttons, forms; pure.

Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-components/component-json-v2-overview
"""

from collections.abc import Callable, Sequence

from pydantic import JsonValue

from adapters.feishu.atoms import MAX_TEXT_BYTES, Atom, Element, code, cut
from adapters.feishu.grids import code_atom, grid_atom
from adapters.feishu.prose import Code, Grid, pieces
from bot.core.messages import Tone
from bot.core.words import Words

ANSWER_FIELD = "answer"
_MANY_FIELDS = 12
_TYPES = {Tone.PLAIN: "default", Tone.PRIMARY: "primary", Tone.DANGER: "danger"}

Say = Callable[[Words], str]


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
            atoms += [code(part, piece.language) for part in cut(piece.text)]
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
