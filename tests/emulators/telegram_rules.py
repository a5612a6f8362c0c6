"""What the real server refuses: lengths, markup, keyboards; written from its documentation.

Source: https://core.telegram.org/bots/api#formatting-options and #sendmessage
"""

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser

MAX_TEXT, MAX_CAPTION, MAX_TOAST, MAX_DATA_BYTES = 4096, 1024, 200, 64
_TAGS = {
    *("b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "span", "tg-spoiler"),
    *("a", "tg-emoji", "code", "pre", "blockquote"),
}
_REFERENCE = re.compile(r"&(lt|gt|amp|quot|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")


class RefusedError(Exception):
    """A call that is answered with an error."""

    def __init__(self, description: str, code: int = 400, **parameters: int) -> None:
        super().__init__(description)
        self.description = description
        self.code = code
        self.parameters = parameters


_RICH_TAGS = {"p", "table", "tr", "th", "td"}
_MAX_RICH, _MAX_RICH_BLOCKS, _MAX_COLUMNS = 32768, 500, 20


class _Reader(HTMLParser):
    """Reads markup into plain text, refusing what the server refuses."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.plain: list[str] = []
        self.open: list[str] = []

    def handle_starttag(  # type: ignore[explicit-override]
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        if tag not in _TAGS:
            raise RefusedError(
                f'Bad Request: can\'t parse entities: Unsupported start tag "{tag}"'
            )
        if "code" in self.open or (self.open and tag == "pre"):
            raise RefusedError("Bad Request: can't parse entities: nothing may stand in code")
        if tag == "a" and not dict(attrs).get("href"):
            raise RefusedError("Bad Request: can't parse entities: no href")
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:  # type: ignore[explicit-override]
        if not self.open or self.open.pop() != tag:
            raise RefusedError("Bad Request: can't parse entities: Unmatched end tag")

    def handle_data(self, data: str) -> None:  # type: ignore[explicit-override]
        self.plain.append(data)


def read_html(text: str) -> str:
    """Return the plain text of markup, or refuse it as the server would."""
    bare = re.sub(r"</?[a-z][a-z0-9-]*(?:\s+[a-z-]+(?:=\"[^\"<>]*\")?)*\s*>", "", text)
    if "<" in bare or ">" in bare:
        raise RefusedError("Bad Request: can't parse entities: Unsupported start tag")
    for match in re.finditer("&", text):
        if not _REFERENCE.match(text, match.start()):
            raise RefusedError("Bad Request: can't parse entities: bare &")
    reader = _Reader()
    reader.feed(text)
    reader.close()
    if reader.open:
        raise RefusedError(
            "Bad Request: can't parse entities: Can't find end tag corresponding to start tag "
            f'"{reader.open[-1]}"'
        )
    return "".join(reader.plain)


class _RichReader(_Reader):
    """Reads a rich message: paragraphs and tables around the usual markup."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = 0
        self.table: list[list[str]] = []

    def handle_starttag(  # type: ignore[explicit-override]
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        if tag not in _RICH_TAGS:
            super().handle_starttag(tag, attrs)
            return
        above = {"tr": "table", "th": "tr", "td": "tr"}.get(tag)
        if (self.open[-1] if self.open else None) != above:
            raise RefusedError(f"Bad Request: can't parse entities: <{tag}> is out of place")
        self.blocks += above is None
        if tag == "tr":
            self.table.append([])
        elif above == "tr":
            self.table[-1].append("")
        self.open.append(tag)

    def handle_data(self, data: str) -> None:  # type: ignore[explicit-override]
        super().handle_data(data)
        if "th" in self.open or "td" in self.open:
            self.table[-1][-1] += data

    def handle_endtag(self, tag: str) -> None:  # type: ignore[explicit-override]
        super().handle_endtag(tag)
        if tag in {"p", "pre", "tr"}:
            self.plain.append("\n")


def read_rich(html: str) -> tuple[str, list[list[str]]]:
    """Return what a rich message says and the cells of its tables, or refuse it."""
    reader = _RichReader()
    reader.feed(html)
    reader.close()
    if reader.open:
        raise RefusedError("Bad Request: can't parse entities: Can't find end tag")
    widest = max(map(len, reader.table), default=0)
    if units(html) > _MAX_RICH or reader.blocks > _MAX_RICH_BLOCKS or widest > _MAX_COLUMNS:
        raise RefusedError("Bad Request: message is too long")
    return "".join(reader.plain).strip(), reader.table


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def plain_text(fields: Mapping[str, str], name: str, limit: int) -> str:
    """Return what a reader sees of a text field, within its limit."""
    raw = fields.get(name, "")
    plain = read_html(raw) if fields.get("parse_mode") == "HTML" else raw
    if name == "text" and not plain.strip():
        raise RefusedError("Bad Request: message text is empty")
    if units(plain) > limit:
        what = "message" if name == "text" else "message caption"
        raise RefusedError(f"Bad Request: {what} is too long")
    return plain.strip()


def keyboard(fields: Mapping[str, str]) -> list[list[dict[str, str]]]:
    """Return the inline buttons of a call, checked."""
    if not fields.get("reply_markup"):
        return []
    markup = json.loads(fields["reply_markup"])
    rows: list[list[dict[str, str]]] = markup.get("inline_keyboard", [])
    for row in rows:
        for button in row:
            size = len(button.get("callback_data", "").encode())
            if not button.get("text") or not 1 <= size <= MAX_DATA_BYTES:
                raise RefusedError("Bad Request: BUTTON_DATA_INVALID")
            if len([name for name in button if name not in {"text", "style"}]) != 1:
                raise RefusedError("Bad Request: can't parse inline keyboard button")
    if sum(len(row) for row in rows) > 100:
        raise RefusedError("Bad Request: reply markup is too long")
    return rows
