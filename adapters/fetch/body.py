"""Bodies of answers: read up to a limit, unpacked up to the same limit, decoded."""

import codecs
import re
import zlib
from collections.abc import AsyncIterator, Callable

LARGEST_BODY = 2 * 1024 * 1024
"""Bytes of a body, both as sent and unpacked."""

ENCODINGS = "gzip, deflate"
"""What we say we can unpack; anything else is refused."""

SNIFFED = 2048

_META = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_:-]{2,40})", re.IGNORECASE
)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([a-zA-Z0-9_:-]{2,40})")
_WEB_CHARSETS = ("utf", "gb", "big5", "euc", "shift", "iso", "windows", "koi8", "latin", "us-a")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class TooBigError(Exception):
    """The body is larger than what is read."""


class BrokenBodyError(Exception):
    """The body is not packed the way its headers say."""


async def collect(chunks: AsyncIterator[bytes], *, encoding: str, announced: int = 0) -> bytes:
    """Return the unpacked body.

    Args:
        chunks: the body as it comes.
        encoding: value of ``Content-Encoding``; may be empty.
        announced: bytes that the headers promise; 0 when they do not.

    Raises:
        TooBigError: it is over `LARGEST_BODY`, packed or not; the rest is not read.
        BrokenBodyError: it cannot be unpacked.
    """
    if announced > LARGEST_BODY:
        raise TooBigError
    unpack = _unpacker(encoding.strip().lower())
    sent = 0
    body = bytearray()
    async for chunk in chunks:
        sent += len(chunk)
        if sent > LARGEST_BODY:
            raise TooBigError
        body += unpack(chunk, LARGEST_BODY + 1 - len(body))
        if len(body) > LARGEST_BODY:
            raise TooBigError
    return bytes(body)


def _unpacker(encoding: str) -> Callable[[bytes, int], bytes]:
    """Return what unpacks the next chunk to at most so many bytes."""
    if encoding in ("", "identity"):
        return lambda chunk, _most: chunk
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise BrokenBodyError(encoding)
    packed: list[zlib._Decompress] = []

    def unpack(chunk: bytes, most: int) -> bytes:
        if not packed:  # "deflate" is with or without a header, as senders like it
            raw = encoding == "deflate" and chunk[:1] and chunk[0] & 0x0F != zlib.DEFLATED
            packed.append(zlib.decompressobj(-zlib.MAX_WBITS if raw else zlib.MAX_WBITS | 32))
        try:
            return packed[0].decompress(chunk, most)
        except zlib.error as error:
            raise BrokenBodyError(encoding) from error

    return unpack


def decode(body: bytes, charset: str) -> str:
    """Return the text of a body: by its mark, its header, its own words, or what fits."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body.decode(name, "replace")
    own = _META.search(body[:SNIFFED]) or _XML.search(body[:SNIFFED])
    for name in (charset, own[1].decode() if own else ""):
        if known := _known(name):
            return body.decode(known, "replace")
    for name in ("utf-8", "gb18030"):
        try:
            return body.decode(name)
        except UnicodeDecodeError:
            continue
    return body.decode("utf-8", "replace")


def _known(charset: str) -> str:
    """Return the codec of a charset that the web uses; empty for anything else."""
    name = charset.strip().strip("\"'").lower()
    if name in ("gb2312", "gbk", "gb_2312-80", "x-gbk"):
        return "gb18030"  # which holds them all; pages say the smaller and use the larger
    if not name.startswith(_WEB_CHARSETS):
        return ""
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


def is_binary(body: bytes) -> bool:
    """Whether a body is no text, whatever its headers say."""
    if body.startswith(tuple(mark for mark, _ in _BOMS)):
        return False
    return b"\0" in body[:SNIFFED]
