"""The pictures of a message: charts that are drawn, images that are kept."""

from adapters.charts import Charts
from adapters.telegram.parse import PLATFORM
from bot.core.events import Account
from bot.core.files import Files
from bot.core.messages import ChartBlock, ImageBlock
from bot.core.outbox import OutboxRow

_MANY_ROWS = 32


class Pictures:
    """Bytes by place of the block; drawn once for all parts of a message."""

    def __init__(self, charts: Charts, files: Files) -> None:
        self._charts = charts
        self._files = files
        self._drawn: dict[str, dict[int, bytes]] = {}

    async def of(self, row: OutboxRow, *, bot: str) -> dict[int, bytes]:
        """Return the pictures of a row; blocks without one are shown in words."""
        outbox_id, message = row.draft.outbox_id, row.draft.message
        if outbox_id not in self._drawn:
            if len(self._drawn) >= _MANY_ROWS:
                self._drawn.clear()
            owner = Account(
                platform=PLATFORM, bot=bot, user_id=message.mention or row.draft.chat.chat_id
            )
            found: dict[int, bytes] = {}
            for place, block in enumerate(message.blocks):
                picture: bytes | None = None
                if isinstance(block, ChartBlock):
                    picture = await self._charts.draw(
                        block, locale=message.locale, picture="png", size=(6.0, 4.0)
                    )
                elif isinstance(block, ImageBlock):
                    kept = await self._files.get(owner.key, block.file_id)
                    picture = kept[1] if kept is not None else None
                if picture is not None:
                    found[place] = picture
            self._drawn[outbox_id] = found
        return self._drawn[outbox_id]

    def forget(self, row: OutboxRow) -> None:
        """Let go of what was drawn."""
        self._drawn.pop(row.draft.outbox_id, None)
