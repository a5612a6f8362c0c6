"""The look at a picture before routing: in time, or not at all."""

from bot.core.errors import ModelUnavailableError
from bot.core.events import Account, Attachment
from bot.core.model import ImagePart
from bot.core.vision import ImageReading
from bot.pictures import PREVIEW_SECONDS, Pictures

ANNA = Account(platform="puppet", bot="puppet", user_id="anna")
FILE = Attachment(kind="file", ref="f0")
FIRST = Attachment(kind="image", ref="f1")
SECOND = Attachment(kind="image", ref="f2")


class Eye:
    """Sees the same in every picture, or nothing."""

    def __init__(self, reading: ImageReading | None) -> None:
        self._reading = reading
        self.asked: list[tuple[ImagePart, float]] = []

    async def look(self, image: ImagePart, question: str, *, deadline: float) -> ImageReading:
        del question
        self.asked.append((image, deadline))
        if self._reading is None:
            raise ModelUnavailableError("down")
        return self._reading


async def test_the_first_picture_is_looked_at_for_eight_seconds_at_most() -> None:
    eye = Eye(ImageReading(kind="receipt", summary="a bill", text="共 35 元", confidence=0.9))

    seen = await Pictures(eye).summary((FILE, FIRST, SECOND), ANNA)

    assert seen == "receipt, 0.90: a bill\ntext in it: 共 35 元"
    assert eye.asked == [(ImagePart(owner=ANNA.key, file_id="f1"), PREVIEW_SECONDS)]
    assert PREVIEW_SECONDS == 8.0


async def test_what_cannot_be_seen_says_nothing_and_stops_nothing() -> None:
    assert await Pictures(Eye(None)).summary((FIRST,), ANNA) == ""
    assert await Pictures(None).summary((FIRST,), ANNA) == ""
    assert await Pictures(Eye(None)).summary((FILE,), ANNA) == ""
