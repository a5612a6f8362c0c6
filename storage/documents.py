"""Stored JSON documents: each says its version and is upgraded when it is read."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar, cast

from pydantic import JsonValue

from bot.core.codec import decode, encode
from bot.core.errors import StorageError

T = TypeVar("T")

Upgrade = Callable[[JsonValue], JsonValue]
"""Turns the data of one version into that of the next."""

_HEAD = '{"v":'
_BODY = ',"d":'


class Document(Generic[T]):
    """A kind of document, written as ``{"v":1,"d":...}``.

    Version n is what the first n - 1 upgrades lead to, so a document of any age is read by
    running the upgrades that it has not seen.
    """

    def __init__(self, kind: Hashable, *upgrades: Upgrade) -> None:
        self._kind = kind
        self._upgrades = upgrades

    def dump(self, value: T) -> str:
        """Return ``value`` as a document of the newest version."""
        return f"{_HEAD}{len(self._upgrades) + 1}{_BODY}{encode(self._kind, value)}}}"

    def load(self, text: str) -> T:
        """Return the value of a document of any version.

        Raises:
            StorageError: a newer program wrote it.
        """
        head, _, body = text.partition(_BODY)
        version, data = int(head.removeprefix(_HEAD)), body[:-1]
        missing = self._upgrades[version - 1 :]
        if version > len(self._upgrades) + 1:
            raise StorageError(f"a document of version {version} is newer than this program")
        if missing:
            value: JsonValue = _json(data)
            for upgrade in missing:
                value = upgrade(value)
            data = encode(JsonValue, value)
        return decode(cast("type[T]", self._kind), data)


def _json(text: str) -> JsonValue:
    return decode(cast("type[JsonValue]", JsonValue), text)
