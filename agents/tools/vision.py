"""The VISION group (seed 000)."""

from pydantic import Field, JsonValue

from agents.tools.declare import free
from bot.core.codec import to_json
from bot.core.errors import ModelError, ToolError
from bot.core.model import ImagePart
from bot.core.tools import Tool, ToolArguments, ToolContext
from bot.core.vision import ImageReading, Vision

LOOK_SECONDS = 20.0


class LookArguments(ToolArguments):
    """Which picture, and what to look for."""

    picture: str = Field(min_length=1, max_length=80)
    question: str = Field(default="", max_length=500)


class VisionTools:
    """Functions behind the tools; a picture is found among the person's own files only."""

    def __init__(self, vision: Vision) -> None:
        self._vision = vision

    async def look(self, context: ToolContext, arguments: LookArguments) -> JsonValue:
        """Return what a picture of this chat shows."""
        image = ImagePart(owner=context.account_key, file_id=arguments.picture)
        try:
            reading = await self._vision.look(image, arguments.question, deadline=LOOK_SECONDS)
        except ModelError as error:
            raise ToolError("the picture cannot be read now") from error
        return to_json(ImageReading, reading)


def vision_tools(vision: Vision | None) -> tuple[Tool, ...]:
    """Return the group; nothing where nobody can see."""
    if vision is None:
        return ()
    look = free(
        "analyze_image",
        LookArguments,
        VisionTools(vision).look,
        "Look at a picture the person sent, by its id: what kind it is, what it shows, its text.",
        outside=True,
    )
    return (look,)
