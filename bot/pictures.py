"""What pictures show, for the router (seed 000, image pre-analysis)."""

import structlog

from bot.core.errors import ModelError
from bot.core.events import Account, Attachment
from bot.core.model import ImagePart
from bot.core.vision import Vision

PREVIEW_SECONDS = 8.0
"""What a look at the first picture may take, before the decision's own two seconds."""

LONGEST_TEXT = 400
"""Characters of the text in a picture that the router is told."""

log = structlog.get_logger(__name__)


class Pictures:
    """Looks at the first picture of a message; in time, or not at all."""

    def __init__(self, vision: Vision | None) -> None:
        self._vision = vision

    async def summary(self, attachments: tuple[Attachment, ...], account: Account) -> str:
        """Return kind, summary and text of the first picture; empty when nobody can tell."""
        first = next((a for a in attachments if a.kind == "image"), None)
        if first is None or self._vision is None:
            return ""
        image = ImagePart(owner=account.key, file_id=first.ref)
        try:
            seen = await self._vision.look(image, "", deadline=PREVIEW_SECONDS)
        except ModelError as error:
            log.warning("picture_not_read", error=type(error).__name__)
            return ""
        told = f"{seen.kind}, {seen.confidence:.2f}: {seen.summary}"
        return f"{told}\ntext in it: {seen.text[:LONGEST_TEXT]}" if seen.text else told
