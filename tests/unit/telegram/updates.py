"""Updates as the platform sends them, so that a test shows only what matters to it."""

from datetime import UTC, datetime
from typing import Any

from adapters.telegram.schemas import Me
from bot.core.inbox import RawUpdate, UpdateKind

NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
ME = Me(id=42, username="switch_bot")
PERSON = {
    "id": 7,
    "is_bot": False,
    "first_name": "Anna",
    "last_name": "Lin",
    "language_code": "en",
}
Json = dict[str, Any]


def message(text: str | None = "hi", *, chat: int = 7, **more: object) -> Json:
    kind = "private" if chat > 0 else "supergroup"
    fields: Json = {
        "message_id": 5,
        "date": int(NOW.timestamp()),
        "chat": {"id": chat, "type": kind},
        "from": PERSON,
        **more,
    }
    if text is not None:
        fields["text"] = text
    return fields


def update(kind: str = "message", content: Json | None = None, **more: object) -> Json:
    return {"update_id": 1, kind: message() if content is None else content, **more}


def mention(text: str, name: str = "@switch_bot") -> list[Json]:
    offset = len(text[: text.index(name)].encode("utf-16-le")) // 2
    return [{"type": "mention", "offset": offset, "length": len(name)}]


def raw(body: Json, *, username: str = "switch_bot") -> RawUpdate:
    return RawUpdate(
        platform="telegram",
        bot="42",
        delivery_key="1",
        kind=UpdateKind.MESSAGE,
        lane="lane",
        received_at=NOW,
        body={"update": body, "username": username},
    )
