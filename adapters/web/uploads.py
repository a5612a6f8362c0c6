"""Files to and from the page: sniffed by their first bytes, capped, and never run."""

import asyncio
import re
import unicodedata
from urllib.parse import quote

from aiohttp import BodyPartReader, hdrs, web

from bot.core.errors import BotError
from bot.core.files import MAX_FILE_BYTES, StoredFile
from bot.core.words import Text, text

INLINE = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml"})
MAX_NAME_CHARS = 120
_CHUNK = 256 * 1024
_OVERHEAD = 64 * 1024
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_WEBP_HEADER = 12


class UploadError(BotError):
    """A file that is not taken.

    Attributes:
        words: what to tell the person.
        status: the HTTP status.
    """

    def __init__(self, words: Text, status: int) -> None:
        super().__init__(words.key)
        self.words = words
        self.status = status


def sniff(data: bytes) -> str | None:
    """Return the type that the bytes show, or None for one that is not taken."""
    for magic, mime in (
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"%PDF-", "application/pdf"),
    ):
        if data.startswith(magic):
            return mime
    if data[:4] == b"RIFF" and data[8:_WEBP_HEADER] == b"WEBP":
        return "image/webp"
    return "text/plain" if _is_text(data) else None


def _is_text(data: bytes) -> bool:
    """Return whether this is text in UTF-8, or in GB 18030 as Chinese spreadsheets write it."""
    if _CONTROL.search(data):
        return False
    for encoding in ("utf-8", "gb18030"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return True
    return False


def safe_name(name: str) -> str:
    """Return a file name without folders, control or direction-changing characters."""
    last = re.split(r"[/\\]", name)[-1]
    kept = "".join(c for c in last if not unicodedata.category(c).startswith("C")).strip(" .")
    return kept[-MAX_NAME_CHARS:] or "file"


async def receive(request: web.Request) -> tuple[str, str, bytes]:
    """Return name, type and bytes of the uploaded file.

    Raises:
        UploadError: none, empty, too large, or of a type that is not taken.
    """
    too_large = UploadError(
        text("web.error_file_large", limit=MAX_FILE_BYTES // 2**20),
        web.HTTPRequestEntityTooLarge.status_code,
    )
    if (request.content_length or 0) > MAX_FILE_BYTES + _OVERHEAD:
        raise too_large
    part = await _file_part(request)
    data = bytearray()
    while chunk := await part.read_chunk(_CHUNK):
        data += chunk
        if len(data) > MAX_FILE_BYTES:
            raise too_large
    if not data:
        raise UploadError(text("web.error_file_empty"), web.HTTPBadRequest.status_code)
    whole = bytes(data)
    mime = await asyncio.to_thread(sniff, whole)
    if mime is None:
        raise UploadError(text("web.error_file_type"), web.HTTPUnsupportedMediaType.status_code)
    return safe_name(part.filename or ""), mime, whole


async def _file_part(request: web.Request) -> BodyPartReader:
    malformed = UploadError(text("web.error_malformed"), web.HTTPBadRequest.status_code)
    if request.content_type != "multipart/form-data":
        raise malformed
    try:
        part = await (await request.multipart()).next()
    except ValueError as error:
        raise malformed from error
    if not isinstance(part, BodyPartReader) or part.name != "file":
        raise malformed
    return part


def serve(file: StoredFile, data: bytes) -> web.Response:
    """Return a stored file; only pictures are shown in place, and nothing in it can run."""
    inline = file.mime in INLINE
    kind = "inline" if inline else "attachment"
    return web.Response(
        body=data,
        headers={
            hdrs.CONTENT_TYPE: file.mime if inline else _plain(file.mime),
            hdrs.CONTENT_DISPOSITION: f"{kind}; filename*=UTF-8''{quote(file.name, safe='')}",
            hdrs.CACHE_CONTROL: "private, max-age=31536000, immutable",
            "Content-Security-Policy": (
                "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
            ),
        },
    )


def _plain(mime: str) -> str:
    known = {"application/pdf": "application/pdf", "text/plain": "text/plain; charset=utf-8"}
    return known.get(mime, "application/octet-stream")
