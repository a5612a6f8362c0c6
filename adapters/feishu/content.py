"""What a message says, out of the many shapes in which the platform says it: pure.

Source: https://open.feishu.cn/document/server-docs/im-v1/message-content-description/message_content
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from adapters.feishu.schemas import Mention, Message
from bot.core.events import Attachment
from bot.core.patterns import regex

ALL = "@_all"
_PLACEHOLDER = regex(r"@_user_\d+|@_all")
_BLANKS = regex(r"[ \t]{2,}")
_LOCALES = ("zh_cn", "en_us", "ja_jp", "zh_hk", "zh_tw")
_FILES = {"file": "file", "audio": "audio", "media": "video"}
_SILENT = frozenset({"system"})
_MAX_DEPTH = 8

Json = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Content:
    """What a message says: its words, and what came with them."""

    text: str = ""
    attachments: tuple[Attachment, ...] = ()


def read(message: Message, *, me: str) -> Content:
    """Return what the message says, without our own name and with those of others.

    Args:
        message: as it came.
        me: our open id; empty while it is not known.
    """
    content = _load(message.content)
    names = _Names(message.mentions or (), me)
    kind = message.message_type
    if kind == "text":
        return Content(names.restore(_string(content.get("text"))))
    if kind == "post":
        return _post(content, message.message_id, names)
    if kind == "image":
        return Content("", _attachments("image", message.message_id, content, "image_key"))
    if kind in _FILES:
        return Content("", _attachments(_FILES[kind], message.message_id, content, "file_key"))
    if kind == "location":
        point = f"{_string(content.get('latitude'))},{_string(content.get('longitude'))}"
        place = Attachment(kind="location", ref=point, name=_string(content.get("name")))
        return Content("", (place,))
    if kind in _SILENT:
        return Content()
    return Content("", (Attachment(kind="other", ref=kind),))


def is_mentioned(message: Message, open_id: str) -> bool:
    """Whether the message names this id exactly; names and ``@_all`` do not count."""
    return bool(open_id) and any(m.id.open_id == open_id for m in message.mentions or ())


def resource_of(attachment: Attachment) -> tuple[str, str, str]:
    """Return message id, file key and type (``image`` or ``file``) of an attachment of ours."""
    message_id, key, kind = attachment.ref.split("|")
    return message_id, key, kind


class _Names:
    """The placeholders of a text and what stands for them."""

    def __init__(self, mentions: Sequence[Mention], me: str) -> None:
        self._names = {
            m.key: "" if me and m.id.open_id == me else f"@{m.name or m.key}" for m in mentions
        }
        self._names[ALL] = self._names.get(ALL, "@所有人")

    def of(self, key: str, name: str) -> str:
        """Return what to write for one mention of a post."""
        return self._names.get(key, f"@{name}" if name else "")

    def restore(self, text: str) -> str:
        """Return the text with names in the place of placeholders."""
        restored = _PLACEHOLDER.sub(lambda found: self._names.get(found[0], found[0]), text)
        return _BLANKS.sub(" ", restored).strip() if restored != text else text.strip()


def _post(content: Json, message_id: str, names: _Names) -> Content:
    """Read rich text: flat, or wrapped in a language."""
    inner = content
    if "content" not in content:
        wrapped = [content.get(locale) for locale in _LOCALES] + list(content.values())
        inner = next((w for w in wrapped if isinstance(w, dict) and "content" in w), {})
    attachments: list[Attachment] = []
    lines = [_string(inner.get("title"))]
    paragraphs = inner.get("content")
    for paragraph in paragraphs if isinstance(paragraphs, list) else []:
        said = ""
        for node in _nodes(paragraph):
            said += _node(node, names)
            attachments += _node_attachments(node, message_id)
        lines.append(said.strip())
    text = _BLANKS.sub(" ", "\n".join(lines)) if "```" not in "".join(lines) else "\n".join(lines)
    return Content(text.strip(), tuple(attachments))


def _nodes(value: JsonValue, depth: int = 0) -> Iterator[Json]:
    """Yield the nodes of a paragraph, however deep they are nested."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for child in value:
            yield from _nodes(child, depth + 1)
    elif isinstance(value, dict):
        yield value
        for name in ("content", "elements"):
            if isinstance(value.get(name), list):
                yield from _nodes(value[name], depth + 1)


def _node(node: Json, names: _Names) -> str:
    tag, text = node.get("tag"), _string(node.get("text"))
    if tag == "at":
        return names.of(_string(node.get("user_id")), _string(node.get("user_name")))
    if tag == "a":
        href = _string(node.get("href"))
        return text if not href or href == text else f"{text} ({href})"
    if tag == "code_block":
        language = _string(node.get("language")).lower()
        return f"```{language}\n{text.rstrip()}\n```"
    if tag == "emotion":
        return f"[{_string(node.get('emoji_type'))}]"
    if tag == "hr":
        return "---"
    return names.restore(text) if "@_" in text else text


def _node_attachments(node: Json, message_id: str) -> tuple[Attachment, ...]:
    tag = node.get("tag")
    if tag == "img":
        return _attachments("image", message_id, node, "image_key")
    if tag == "media":
        return _attachments("video", message_id, node, "file_key")
    return ()


def _attachments(kind: str, message_id: str, content: Json, name: str) -> tuple[Attachment, ...]:
    key = _string(content.get(name))
    if not key or "|" in key:
        return ()
    return (
        Attachment(
            kind=kind,  # type: ignore[arg-type]  # one of the literals above
            ref=f"{message_id}|{key}|{'image' if kind == 'image' else 'file'}",
            name=_string(content.get("file_name")),
        ),
    )


def _load(text: str) -> Json:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _string(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
