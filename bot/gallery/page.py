"""Every kind of message as Telegram, Feishu and the web chat get it, side by side on one page.

What is sent is what the adapters render; how it is drawn here is ours, not the clients' own.
"""

import asyncio
import base64
from html import escape
from importlib.resources import files

from adapters.charts import Charts, Theme
from bot.core.messages import (
    ChartBlock,
    OutboundMessage,
)
from bot.gallery.columns import Pictures, column, feishu_column, telegram_column, web_column
from bot.gallery.samples import samples
from bot.locales.catalogue import catalogue


def page(locale: str) -> str:
    """Return the page."""
    catalogue(locale)  # read from the disk before the loop begins
    template = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    return asyncio.run(_page(locale, template))


async def _page(locale: str, template: str) -> str:
    charts = Charts()
    rows: list[str] = []
    for sample in samples(locale):
        drawn = await _drawn(sample.message, charts)
        rows.append(
            f"<section><h2>{escape(sample.name)}</h2><div class=three>"
            f"{column('Telegram', telegram_column(sample.message, drawn))}"
            f"{column('Feishu', feishu_column(sample.message, drawn))}"
            f"{column('Web', web_column(sample.message, drawn))}"
            "</div></section>"
        )
    return template.replace("{locale}", locale).replace("{rows}", "\n".join(rows))


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
