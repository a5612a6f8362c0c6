"""Files that people sent: fetched from the platform into our own store.

Source: https://open.feishu.cn/document/server-docs/im-v1/message/get-2
"""

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import structlog

from adapters.feishu.content import resource_of
from bot.core.errors import AdapterError, RetryableAdapterError
from bot.core.events import Attachment
from bot.core.files import Files
from bot.core.words import Words, text

if TYPE_CHECKING:
    from adapters.feishu.calls import Calls

_WITHOUT_BYTES = frozenset({"location", "other"})
log = structlog.get_logger(__name__)


async def fetch(
    attachment: Attachment, *, calls: "Calls", files: Files, owner: str, now: datetime
) -> Attachment | Words:
    """Return the attachment as a file of our store, or what to tell the person.

    Args:
        attachment: as parsed; its `ref` names message and file.
        calls: typed calls.
        files: our store.
        owner: account key of the sender.
        now: the time of the event.
    """
    if attachment.kind in _WITHOUT_BYTES:
        return attachment
    try:
        data = await _bytes(attachment, calls)
    except ValueError:
        return text("feishu.file_too_big")
    except AdapterError as error:
        log.warning("file_not_fetched", error=str(error))
        return text("feishu.file_failed")
    try:
        kept = await files.put(
            owner, data, name=attachment.name, mime=_mime(attachment, data), now=now
        )
    except ValueError as error:
        log.warning("file_not_kept", error=str(error))
        return text("feishu.file_failed")
    return replace(attachment, ref=kept.file_id, mime=kept.mime, size_bytes=kept.size_bytes)


async def _bytes(attachment: Attachment, calls: "Calls") -> bytes:
    message_id, key, kind = resource_of(attachment)
    for is_last in (False, True):
        try:
            return await calls.resource(message_id, key, kind)
        except RetryableAdapterError:
            if is_last:
                raise
    raise AssertionError  # the second round returns or raises


def _mime(attachment: Attachment, data: bytes) -> str:
    """Return the kind of a picture by its first bytes; the platform does not tell."""
    if attachment.kind != "image":
        return attachment.mime
    for sign, mime in (
        (b"\x89PNG", "image/png"),
        (b"\xff\xd8", "image/jpeg"),
        (b"GIF8", "image/gif"),
    ):
        if data.startswith(sign):
            return mime
    return "image/webp" if data[8:12] == b"WEBP" else "image/jpeg"
