"""Reading a picture: by a model that sees, later by text recognition behind the same port."""

from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from bot.core.model import ImagePart


class ImageReading(BaseModel):
    """What a picture shows (seed 000, image pre-analysis).

    Attributes:
        kind: what sort of picture it is.
        summary: what it shows, in a sentence or two.
        text: the text in it, as it stands there.
        confidence: how sure the reader is.
    """

    model_config = ConfigDict(frozen=True)

    kind: Literal["receipt", "payment", "document", "screenshot", "photo", "other"]
    summary: str
    text: str = ""
    confidence: float = Field(default=0.5, ge=0, le=1)


class Vision(Protocol):
    """Something that reads pictures."""

    async def look(self, image: ImagePart, question: str, *, deadline: float) -> ImageReading:
        """Return what the picture shows, with an eye to the question.

        Raises:
            ModelError: by reaction; `ModelRefusalError` when it is no readable picture.
        """
        ...
