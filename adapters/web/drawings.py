"""Charts of a message as pictures in the file store."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from adapters.charts import Charts
from adapters.web.render import Drawing
from bot.core.files import Files
from bot.core.messages import ChartBlock, OutboundMessage


async def draw_charts(
    message: OutboundMessage, *, charts: Charts, files: Files, owner: str, now: datetime
) -> Mapping[int, Drawing]:
    """Return the pictures of the message's charts by place; none where nothing can draw."""
    drawings: dict[int, Drawing] = {}
    for place, block in enumerate(message.blocks):
        if not isinstance(block, ChartBlock):
            continue

        async def store(theme: Literal["light", "dark"], chart: ChartBlock) -> str | None:
            data = await charts.draw(chart, locale=message.locale, theme=theme)
            if data is None:
                return None
            name = f"chart-{hashlib.sha256(data).hexdigest()[:8]}.svg"
            file = await files.put(owner, data, name=name, mime="image/svg+xml", now=now)
            return file.file_id

        light, dark = await store("light", block), await store("dark", block)
        if light and dark:
            drawings[place] = Drawing(light=light, dark=dark)
    return drawings
