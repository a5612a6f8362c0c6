"""Pictures for a model: read from the file store, made small enough, as data addresses."""

import asyncio
import base64
import io
from collections.abc import Iterable

from bot.core.errors import ModelRefusalError
from bot.core.files import Files
from bot.core.model import ImagePart

LONGEST_SIDE = 1568
"""Pixels; larger pictures are made smaller by the providers themselves, at our cost."""

MAX_PIXELS = 50_000_000
"""More in a few bytes is an attack on our memory."""

MAX_PICTURES = 4
QUALITY = 85


class Pictures:
    """Data addresses of stored pictures."""

    def __init__(self, files: Files | None) -> None:
        """Take no store where no picture is asked about."""
        self._files = files
        self._slots = asyncio.Semaphore(2)

    async def of(self, parts: Iterable[ImagePart]) -> dict[ImagePart, str]:
        """Return the data address of each picture.

        Raises:
            ModelRefusalError: one is not there, is no picture, or there are too many.
        """
        wanted = list(dict.fromkeys(parts))
        if len(wanted) > MAX_PICTURES:
            raise ModelRefusalError(f"more than {MAX_PICTURES} pictures")
        return {part: await self._address(part) for part in wanted}

    async def _address(self, part: ImagePart) -> str:
        stored = await self._files.get(part.owner, part.file_id) if self._files else None
        if stored is None:
            raise ModelRefusalError("a picture is not there any more")
        async with self._slots:
            return await asyncio.to_thread(data_address, stored[1])


def data_address(data: bytes) -> str:
    """Return a picture as a JPEG data address, its longest side at most `LONGEST_SIDE`.

    Raises:
        ModelRefusalError: the bytes are no picture, or one of too many pixels.
    """
    from PIL import Image, ImageOps  # noqa: PLC0415  # heavy, in the extra

    try:
        with Image.open(io.BytesIO(data)) as picture:
            _check_size(picture.width, picture.height)
            upright = ImageOps.exif_transpose(picture).convert("RGB")
    except ModelRefusalError:
        raise
    except Exception as error:  # Pillow's decoders raise anything on broken bytes
        raise ModelRefusalError("the picture cannot be read") from error
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    out = io.BytesIO()
    upright.save(out, format="JPEG", quality=QUALITY)
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise ModelRefusalError("the picture has too many pixels")
