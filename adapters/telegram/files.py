"""Files that people sent: fetched from the platform into our own store.

Source: https://core.telegram.org/bots/api#getfile
"""

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import structlog

from adapters.telegram.client import Client
from adapters.telegram.failures import TooBigError
from bot.core.errors import AdapterError
from bot.core.events import Attachment
from bot.core.files import MAX_FILE_BYTES, Files
from bot.core.words import Words, text

if TYPE_CHECKING:
    from adapters.telegram.calls import Calls

_WITHOUT_BYTES = frozenset({"location", "other"})

log = structlog.get_logger(__name__)


async def fetch(
    attachment: Attachment,
    *,
    calls: "Calls",
    client: Client,
    files: Files,
    owner: str,
    now: datetime,
) -> Attachment | Words:
    """Return the attachment as a file of our store, or what to tell the person.

    Args:
        attachment: as parsed; its `ref` is the platform's id.
        calls: typed calls.
        client: fetches bytes.
        files: our store.
        owner: account key of the sender.
        now: the time of the event.
    """
    if attachment.kind in _WITHOUT_BYTES:
        return attachment
    if attachment.size_bytes > MAX_FILE_BYTES:
        return text("telegram.file_too_big")
    try:
        data = await client.download(await calls.file_path(attachment.ref))
        kept = await files.put(owner, data, name=attachment.name, mime=attachment.mime, now=now)
    except TooBigError:
        return text("telegram.file_too_big")
    except (AdapterError, ValueError) as error:
        log.warning("file_not_fetched", error=str(error))
        return text("telegram.file_failed")
    return replace(attachment, ref=kept.file_id, size_bytes=kept.size_bytes)
