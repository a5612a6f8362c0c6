"""The pictures of a message, uploaded once for all its parts."""

from typing import TYPE_CHECKING

import structlog

from bot.core.errors import RejectedError
from bot.core.files import Files
from bot.core.messages import ImageBlock
from bot.core.outbox import OutboxRow

if TYPE_CHECKING:
    from adapters.feishu.calls import Calls

_MANY_ROWS = 64

log = structlog.get_logger(__name__)


class Pictures:
    """Keys of uploaded pictures by place of the block; charts are drawn by the reader's client."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._uploaded: dict[str, dict[int, str]] = {}

    async def of(self, row: OutboxRow, *, calls: "Calls", owner: str) -> dict[int, str]:
        """Return the pictures of a row; those that are not taken are told in words.

        Raises:
            RetryableAdapterError: not now.
        """
        outbox_id = row.draft.outbox_id
        if outbox_id not in self._uploaded:
            if len(self._uploaded) >= _MANY_ROWS:
                self._uploaded.clear()
            found: dict[int, str] = {}
            for place, block in enumerate(row.draft.message.blocks):
                if not isinstance(block, ImageBlock):
                    continue
                kept = await self._files.get(owner, block.file_id)
                if kept is None:
                    continue
                try:
                    found[place] = await calls.upload_image(kept[1])
                except RejectedError as error:
                    log.warning("picture_refused", reason=str(error))
            self._uploaded[outbox_id] = found
        return self._uploaded[outbox_id]

    def forget(self, row: OutboxRow) -> None:
        """Let go of what was uploaded."""
        self._uploaded.pop(row.draft.outbox_id, None)
