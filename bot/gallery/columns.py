"""How a message looks on a platform; what is drawn is what the adapter of it renders."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from adapters.charts import Theme
from adapters.feishu.render import Spot, serialised
from adapters.feishu.render import render as feishu_parts
from adapters.telegram.render import PhotoPart
from adapters.telegram.render import render as telegram_parts
from adapters.web.render import render as web_payload
from bot.core.events import Chat
from bot.core.messages import (
    OutboundMessage,
)
from bot.core.outbox import OutboxDraft
from bot.core.patterns import regex
from bot.core.words import Words
from bot.locales.catalogue import resolve

Json = dict[str, Any]
Pictures = Mapping[Theme, str]
_INLINE = (
    (regex(r"\*\*(.+?)\*\*"), r"<b>\1</b>"),
    (regex(r"`([^`]+)`"), r"<code>\1</code>"),
    (regex(r"\[([^\]]+)\]\((https?://[^)]+)\)"), r'<a href="\2">\1</a>'),
)
_BUTTONS = {"primary": "primary", "danger": "danger"}


def column(name: str, inner: str) -> str:
    """Return a column with its name above."""
    return f"<div class=column><h3>{name}</h3>{inner}</div>"


def _picture(pictures: Pictures, alt: str) -> str:
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{pictures["dark"]}">'
        f'<img alt="{escape(alt)}" src="{pictures["light"]}"></picture>'
    )


def _source(text_of: str) -> str:
    return f"<details><summary>source</summary><pre>{escape(text_of)}</pre></details>"


# --- Telegram -----------------------------------------------------------------------------------


def telegram_column(message: OutboundMessage, drawn: Mapping[int, Pictures]) -> str:
    """Return what Telegram shows: HTML messages, photos of charts, rows of keys."""
    shown: list[str] = []
    pictures = iter(drawn.values())
    for part in telegram_parts(message, drawable=drawn):
        picture = _picture(next(pictures), part.plain) if isinstance(part, PhotoPart) else ""
        shown.append(f"<div class=bubble>{picture}<div class=said>{part.html}</div></div>")
    keys = "".join(
        "<div class=keys>"
        + "".join(f"<button>{escape(_say(key.label, message))}</button>" for key in row)
        + "</div>"
        for row in message.keys
    )
    html = "\n".join(part.html for part in telegram_parts(message))
    return "".join(shown) + keys + _source(html)


# --- Feishu -------------------------------------------------------------------------------------


def feishu_column(message: OutboundMessage, drawn: Mapping[int, Pictures]) -> str:
    """Return what Feishu shows: cards."""
    shown = ""
    pictures = iter(drawn.values())
    parts = feishu_parts(message, images={}, spot=Spot())
    for part in parts:
        card: Json = json.loads(serialised(part.card))
        title = card.get("header", {}).get("title", {}).get("content", "")
        head = f"<div class=title>{escape(title)}</div>" if title else ""
        body = "".join(_element(e, pictures) for e in card["body"]["elements"])
        shown += f"<div class='bubble card'>{head}{body}</div>"
    source = "\n".join(json.dumps(p.card, ensure_ascii=False, indent=1) for p in parts)
    return shown + _source(source)


def _element(element: Json, pictures: Any) -> str:  # noqa: ANN401  # an iterator
    inner = element.get("elements") or element.get("columns") or []
    match element["tag"]:
        case "div":
            quiet = " quiet" if element["text"].get("text_color") == "grey" else ""
            return f"<div class='said{quiet}'>{escape(element['text']['content'])}</div>"
        case "markdown":
            return f"<div class=said>{_markdown(element['content'])}</div>"
        case "column_set" | "form":
            return f"<div class=columns>{''.join(_element(e, pictures) for e in inner)}</div>"
        case "column":
            grow = f" style='flex:{element['weight']} 1 0'" if "weight" in element else ""
            return f"<div{grow}>{''.join(_element(e, pictures) for e in inner)}</div>"
        case "input":
            hint = escape(element["placeholder"]["content"])
            return f"<input aria-label='{hint}' placeholder='{hint}'>"
        case "button":
            kind = _BUTTONS.get(element["type"], "plain")
            return f"<button class={kind}>{escape(element['text']['content'])}</button>"
        case "table":
            names = [column["name"] for column in element["columns"]]
            header = [column["display_name"] for column in element["columns"]]
            return _table([header, *([row[name] for name in names] for row in element["rows"])])
        case "chart":
            drawn = next(pictures, None)
            title = element["chart_spec"]["title"]["text"]
            return _picture(drawn, title) if drawn else f"<div class=said>{escape(title)}</div>"
        case _:
            return "<hr>"


def _markdown(content: str) -> str:
    if content.startswith("```"):
        return f"<pre>{escape(content.split(chr(10), 1)[1].rsplit(chr(10), 1)[0])}</pre>"
    shown = escape(content.replace("&lt;", "<").replace("\u200b", ""))
    for pattern, html in _INLINE:
        shown = pattern.sub(html, shown)
    return shown


# --- the web chat -------------------------------------------------------------------------------


def web_column(message: OutboundMessage, drawn: Mapping[int, Pictures]) -> str:
    """Return what the web chat shows."""
    chat = Chat(platform="web", bot="web", chat_id="gallery")
    draft = OutboxDraft(outbox_id="m", chat=chat, person_id="p", message=message)
    payload: Json = dict(web_payload(draft, {}))
    blocks = "".join(
        _picture(drawn[place], block.get("title") or "") if place in drawn else _web_block(block)
        for place, block in enumerate(payload["blocks"])
    )
    keys = "".join(
        "<div class=columns>"
        + "".join(
            f"<button class={_BUTTONS.get(key['tone'], 'plain')}>{escape(key['label'])}</button>"
            for key in row
        )
        + "</div>"
        for row in payload["keys"]
    )
    source = json.dumps(payload, ensure_ascii=False, indent=1)
    return f"<div class='bubble card'>{blocks}{keys}</div>{_source(source)}"


def _web_block(block: Json) -> str:
    match block["kind"]:
        case "text":
            return f"<div class=said>{escape(block['text'])}</div>"
        case "fields":
            title = f"<div class=title>{escape(block['title'])}</div>" if block["title"] else ""
            rows = "".join(
                f"<div class=columns><div class='said quiet'>{escape(label)}</div>"
                f"<div class=said>{escape(value)}</div></div>"
                for label, value in block["fields"]
            )
            return title + rows
        case _:
            return _table([block.get("header", []), *block.get("rows", [])])


def _table(rows: Sequence[Sequence[str]]) -> str:
    header, *data = rows
    head = "".join(f"<th>{escape(str(cell))}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in data
    )
    return f"<div class=scroll><table><tr>{head}</tr>{body}</table></div>"


def _say(words: Words, message: OutboundMessage) -> str:
    return resolve(words, message.locale)
