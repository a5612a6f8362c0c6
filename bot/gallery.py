"""Every kind of message as Telegram, Feishu and the web chat get it, side by side on one page.

What is sent is what the adapters render; how it is drawn here is ours, not the clients' own.
"""

import asyncio
import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from adapters.charts import Charts, Theme
from adapters.feishu.render import Spot, serialised
from adapters.feishu.render import render as feishu_parts
from adapters.telegram.render import PhotoPart
from adapters.telegram.render import render as telegram_parts
from adapters.web.render import render as web_payload
from bot.core.events import Chat
from bot.core.ids import new_token
from bot.core.messages import (
    Block,
    ChartBlock,
    ChartSeries,
    FieldsBlock,
    Key,
    OutboundMessage,
    TableBlock,
    TextBlock,
    Tone,
)
from bot.core.outbox import OutboxDraft
from bot.core.words import Text, Verbatim, Words, text
from bot.locales.catalogue import catalogue, resolve

Json = dict[str, Any]
Pictures = Mapping[Theme, str]
_INLINE = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"),
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\[([^\]]+)\]\((https?://[^)]+)\)"), r'<a href="\2">\1</a>'),
)
_BUTTONS = {"primary": "primary", "danger": "danger"}

_PROSE = {
    "zh-CN": "**重点：**三步就够。\n\n1. 打开 `设置`\n2. 点[链接](https://example.com)\n\n"
    "| 方案 | 价格 |\n|---|---|\n| 基础 | ¥0 |\n| 专业 | ¥99 |\n\n```python\nprint(1 < 2)\n```",
    "en": "**In short:** three steps.\n\n1. Open `settings`\n2. Follow [this](https://example.com)\n"
    "\n| plan | price |\n|---|---|\n| basic | $0 |\n| pro | $99 |\n\n```python\nprint(1 < 2)\n```",
}
_SAMPLES: Mapping[str, Mapping[str, str]] = {
    "zh-CN": {
        "entry": "午饭 35.00（餐饮，2026-12-01 周二）",
        "what": "喝水",
        "food": "餐饮",
        "ride": "交通",
        "kind": "分类",
        "sum": "金额",
    },
    "en": {
        "entry": "lunch 35.00 (food, Tue 2026-12-01)",
        "what": "drink water",
        "food": "Food",
        "ride": "Transport",
        "kind": "Category",
        "sum": "Amount",
    },
}


@dataclass(frozen=True, slots=True)
class Sample:
    """One kind of message."""

    name: str
    message: OutboundMessage


def samples(locale: str) -> list[Sample]:
    """Return one message of every kind."""
    words = {name: Verbatim(value) for name, value in _SAMPLES[locale].items()}
    food = words["food"]
    chart = ChartBlock(
        chart="bar",
        title=food,
        labels=tuple(Verbatim(f"12-0{day}") for day in range(1, 6)),
        series=(ChartSeries(food, ("35", "42.50", "18", "60", "27")),),
        unit="¥",
    )
    table = TableBlock(
        header=(words["kind"], words["sum"]),
        rows=((food, V("182.50")), (words["ride"], V("22.00"))),
    )
    settings = FieldsBlock(
        title=text("onboarding.profile"),
        fields=(
            (text("onboarding.field_name"), V("Anna")),
            (text("onboarding.field_zone"), V("Asia/Shanghai")),
            (text("onboarding.field_currency"), V("CNY")),
        ),
    )
    undo, done = text("ledger.button_undo"), text("schedule.button_done")
    snooze = text("schedule.button_snooze", minutes=10)
    return [
        _sample("question", locale, _said("onboarding.ask_0"), keys=((V("中文"), V("English")),)),
        _sample("settings", locale, settings, _said("onboarding.settings_hint")),
        _sample("entry", locale, _said("ledger.added", entry=words["entry"]), keys=((undo,),)),
        _sample("totals", locale, table, chart),
        _sample("open question", locale, _said("ledger.ask_amount"), asks=True),
        _sample(
            "reminder", locale, _said("schedule.due", what=words["what"]), keys=((done, snooze),)
        ),
        _sample("answer of a model", locale, TextBlock(Verbatim(_PROSE[locale]))),
        _sample("failure", locale, _said("hub.failed")),
    ]


def V(words: str) -> Verbatim:  # noqa: N802  # short for what stands in tables
    """Return words as they are."""
    return Verbatim(words)


def page(locale: str) -> str:
    """Return the page."""
    catalogue(locale)  # read from the disk before the loop begins
    return asyncio.run(_page(locale))


async def _page(locale: str) -> str:
    charts = Charts()
    rows: list[str] = []
    for sample in samples(locale):
        drawn = await _drawn(sample.message, charts)
        rows.append(
            f"<section><h2>{escape(sample.name)}</h2><div class=three>"
            f"{_column('Telegram', _telegram(sample.message, drawn))}"
            f"{_column('Feishu', _feishu(sample.message, drawn))}"
            f"{_column('Web', _web(sample.message, drawn))}"
            "</div></section>"
        )
    return _PAGE.replace("{locale}", locale).replace("{rows}", "\n".join(rows))


def _said(key: str, **params: Verbatim) -> TextBlock:
    return TextBlock(text(key, **params))


def _sample(
    name: str,
    locale: str,
    *blocks: Block,
    keys: Sequence[Sequence[Text | Verbatim]] = (),
    asks: bool = False,
) -> Sample:
    rows = tuple(
        tuple(
            Key(label=label, token=new_token(), tone=Tone.PRIMARY if place == 0 else Tone.PLAIN)
            for place, label in enumerate(row)
        )
        for row in keys
    )
    return Sample(name, OutboundMessage(blocks=blocks, locale=locale, keys=rows, asks=asks))


async def _drawn(message: OutboundMessage, charts: Charts) -> dict[int, Pictures]:
    """Return the pictures of charts as addresses, where charts can be drawn."""
    found: dict[int, Pictures] = {}
    themes: tuple[Theme, ...] = ("light", "dark")
    for place, block in enumerate(message.blocks):
        if not isinstance(block, ChartBlock):
            continue
        pictures: dict[Theme, str] = {}
        for theme in themes:
            svg = await charts.draw(
                block, locale=message.locale, picture="svg", size=(4.0, 2.6), theme=theme
            )
            if svg is not None:
                data = base64.b64encode(svg).decode()
                pictures[theme] = f"data:image/svg+xml;base64,{data}"
        if len(pictures) == len(themes):
            found[place] = pictures
    return found


def _column(name: str, inner: str) -> str:
    return f"<div class=column><h3>{name}</h3>{inner}</div>"


def _picture(pictures: Pictures, alt: str) -> str:
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{pictures["dark"]}">'
        f'<img alt="{escape(alt)}" src="{pictures["light"]}"></picture>'
    )


def _source(text_of: str) -> str:
    return f"<details><summary>source</summary><pre>{escape(text_of)}</pre></details>"


# --- Telegram -----------------------------------------------------------------------------------


def _telegram(message: OutboundMessage, drawn: Mapping[int, Pictures]) -> str:
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


def _feishu(message: OutboundMessage, drawn: Mapping[int, Pictures]) -> str:
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


def _web(message: OutboundMessage, drawn: Mapping[int, Pictures]) -> str:
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


_PAGE = """<!doctype html>
<html lang="{locale}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Switchboard: gallery</title>
<style>
:root { color-scheme: light dark; --paper: #f3f4f8; --card: #fff; --text: #1f2430;
  --quiet: #5b6474; --line: #d5d9e2; --accent: #4f5bd5; --on: #fff; --bad: #b3261e;
  --head: #e6e9fb; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171d; --card: #1d2129; --text: #e8eaf0;
  --quiet: #a4adbd; --line: #3a4150; --accent: #8f9bff; --on: #14161c; --bad: #ffb4ab;
  --head: #2a3050; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 12px; background: var(--paper); color: var(--text);
  font: 15px/1.5 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 20px; } h2 { font-size: 16px; margin: 20px 0 8px; }
h3 { font-size: 12px; margin: 0 0 6px; color: var(--quiet); font-weight: 600; }
.three { display: grid; gap: 12px; grid-template-columns: 1fr; }
@media (min-width: 900px) { .three { grid-template-columns: repeat(3, 1fr); } }
.column { min-width: 0; }
.bubble { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 10px 12px; margin-bottom: 6px; overflow-wrap: anywhere; }
.said { white-space: pre-wrap; } .quiet { color: var(--quiet); }
.title { background: var(--head); margin: -10px -12px 8px; padding: 8px 12px; font-weight: 600;
  border-radius: 12px 12px 0 0; }
.columns, .keys { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 6px; }
.columns > div { min-width: 0; } .keys > button { flex: 1; }
button, input { font: inherit; min-height: 36px; padding: 4px 14px; border-radius: 8px;
  border: 1px solid var(--line); background: var(--card); color: var(--text); max-width: 100%; }
input { flex: 1; min-width: 0; } input::placeholder { color: var(--quiet); opacity: 1; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on); }
button.danger { color: var(--bad); }
a { color: var(--accent); } img { max-width: 100%; height: auto; display: block; }
pre, .scroll { overflow-x: auto; margin: 6px 0; } pre { white-space: pre; font-size: 13px; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: 4px 10px;
  text-align: left; } th { background: var(--head); }
details { color: var(--quiet); font-size: 12px; } summary { cursor: pointer; }
</style>
<h1>Switchboard</h1>
{rows}
</html>
"""
