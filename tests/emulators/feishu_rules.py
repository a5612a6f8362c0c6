"""What the platform refuses, as far as it is documented: cards, sizes, shapes.

Source: https://open.feishu.cn/document/feishu-cards/card-json-v2-structure (unknown properties are
errors in 2.0) and the limits collected in the adapter's docstrings.
"""

import itertools
import json
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

MAX_CARD_BYTES = 30 * 1024
MAX_TEXT_BYTES = 150 * 1024
MAX_TABLES = 5
MAX_CHARTS = 5
CARD_REFUSED, TOO_LONG, BAD_PARAMETER = 230099, 230025, 230001

_ANY = {"tag", "element_id", "margin"}
_PROPERTIES: dict[str, set[str]] = {
    "markdown": _ANY | {"content", "text_align", "text_size"},
    "div": _ANY | {"text", "icon", "width"},
    "hr": _ANY,
    "img": _ANY | {"img_key", "alt", "title", "scale_type", "size", "preview", "corner_radius"},
    "table": _ANY
    | {"page_size", "row_height", "freeze_first_column", "header_style", "columns", "rows"},
    "chart": _ANY | {"chart_spec", "height", "aspect_ratio", "preview", "color_theme"},
    "button": _ANY
    | {"text", "type", "size", "width", "behaviors", "name", "form_action_type", "disabled"},
    "column_set": _ANY
    | {"columns", "flex_mode", "horizontal_spacing", "horizontal_align", "background_style"},
    "column": _ANY
    | {"elements", "width", "weight", "vertical_align", "vertical_spacing", "background_style"},
    "form": _ANY | {"elements", "name", "direction"},
    "input": _ANY
    | {"name", "placeholder", "label", "required", "default_value", "max_length", "width"},
    "plain_text": {"tag", "content", "text_size", "text_color", "text_align", "lines"},
    "lark_md": {"tag", "content"},
}
_TOP = {"schema", "config", "header", "body", "card_link"}
_CONFIG = {
    "update_multi",
    "streaming_mode",
    "streaming_config",
    "summary",
    "width_mode",
    "enable_forward",
    "locales",
    "style",
}
_HEADER = {"title", "subtitle", "template", "icon", "padding", "text_tag_list"}
_BODY = {"elements", "direction", "padding", "vertical_spacing", "horizontal_spacing"}


class RefusedError(Exception):
    """The call is refused with this code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def check_card(content: str) -> Json:
    """Return the card.

    Raises:
        RefusedError: the platform would not take it.
    """
    if len(content.encode()) > MAX_CARD_BYTES:
        raise RefusedError(TOO_LONG, "The length of the message content reaches its limit.")
    card = json.loads(content)
    if card.get("schema") != "2.0":
        raise RefusedError(CARD_REFUSED, "schema must be 2.0")
    _check_frame(card)
    ids: list[str] = []
    tables = charts = 0
    for element in walk(card):
        _check_element(element)
        tables += element["tag"] == "table"
        charts += element["tag"] == "chart"
        if element.get("tag") == "markdown":
            tables += _markdown_tables(element["content"])
        if "element_id" in element:
            ids.append(element["element_id"])
    if tables > MAX_TABLES:
        raise RefusedError(CARD_REFUSED, "ErrCode: 11310; ErrMsg: card table number over limit")
    if charts > MAX_CHARTS:
        raise RefusedError(CARD_REFUSED, "ErrCode: 11310; ErrMsg: card chart number over limit")
    if len(set(ids)) != len(ids) or any(not _is_id(i) for i in ids):
        raise RefusedError(CARD_REFUSED, "ErrCode: 300301; element_id")
    return dict(card)


def _check_frame(card: Json) -> None:
    _only(card, _TOP, "card")
    _only(card.get("config", {}), _CONFIG, "config")
    if not card.get("config", {}).get("update_multi", True):
        raise RefusedError(CARD_REFUSED, "only shared cards in 2.0")
    _only(card.get("header", {}), _HEADER, "header")
    _only(card.get("body", {}), _BODY, "body")
    if not card.get("body", {}).get("elements"):
        raise RefusedError(CARD_REFUSED, "a card without elements")


def _is_id(name: str) -> bool:
    return len(name) <= 20 and name[:1].isalpha() and name.replace("_", "").isalnum()


def _only(given: Json, known: set[str], what: str) -> None:
    unknown = set(given) - known
    if unknown:
        raise RefusedError(CARD_REFUSED, f"unknown property {sorted(unknown)} of {what}")


def _check_element(element: Json) -> None:
    tag = element.get("tag", "")
    if tag not in _PROPERTIES:
        raise RefusedError(CARD_REFUSED, f"not support tag: {tag}")
    _only(element, _PROPERTIES[tag], tag)
    if tag == "button":
        for behavior in element.get("behaviors", []):
            if behavior["type"] == "callback" and not isinstance(behavior["value"], dict):
                raise RefusedError(CARD_REFUSED, "a callback value is an object")
        if not element["text"]["content"]:
            raise RefusedError(CARD_REFUSED, "a button without text")
    if tag == "form":
        _check_form(element)
    if tag == "table":
        names = [column["name"] for column in element["columns"]]
        if len(names) > 50 or len(element["rows"]) > 1000 or not 1 <= element["page_size"] <= 10:
            raise RefusedError(CARD_REFUSED, "table too big")
        for row in element["rows"]:
            _only(row, set(names), "row")


def _check_form(form: Json) -> None:
    inner = list(walk(form["elements"]))
    submits = [child for child in inner if child.get("form_action_type") == "submit"]
    named = [child["name"] for child in inner if child["tag"] in {"input", "button"}]
    if len(submits) != 1 or len(set(named)) != len(named):
        raise RefusedError(CARD_REFUSED, "a form needs one submit button and distinct names")


def _markdown_tables(text: str) -> int:
    """Count tables outside of fences."""
    lines = text.split("\n")
    count, fenced = 0, False
    for before, line in itertools.pairwise(lines):
        if before.lstrip().startswith("```"):
            fenced = not fenced
        rule = line.strip().replace("|", "").replace("-", "").replace(":", "").strip()
        if not fenced and "|" in before and "-" in line and "|" in line and not rule:
            count += 1
    return count


def walk(node: Any) -> Iterator[Json]:  # noqa: ANN401  # any JSON
    """Yield all elements of a card."""
    if isinstance(node, list):
        for child in node:
            yield from walk(child)
    elif isinstance(node, dict):
        if "tag" in node:
            yield node
        for key, child in node.items():
            if key not in {"chart_spec", "rows", "behaviors", "columns"} or (
                key == "columns" and node.get("tag") == "column_set"
            ):
                yield from walk(child)


def plain_of(card: Json) -> str:
    """Return what a person reads on a card, one element a line."""
    lines: list[str] = []
    for element in walk(card):
        tag = element["tag"]
        if tag in {"markdown", "plain_text", "lark_md"}:
            lines.append(str(element["content"]))
        elif tag == "table":
            names = [column["name"] for column in element["columns"]]
            lines.append(" | ".join(column["display_name"] for column in element["columns"]))
            lines.extend(" | ".join(str(row[name]) for name in names) for row in element["rows"])
        elif tag == "chart":
            lines.append(json.dumps(element["chart_spec"], ensure_ascii=False))
    return "\n".join(lines)
