"""Values to JSON text and back, checked on the way in."""

import functools
from collections.abc import Hashable
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter

T = TypeVar("T")


@functools.cache
def _adapter(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401  # any type form, unions too
    return TypeAdapter(kind)


def encode(kind: Hashable, value: object) -> str:
    """Return ``value`` as JSON text; ``kind`` is its type, a union where it may be several."""
    return _adapter(kind).dump_json(value).decode()


def decode(kind: type[T], text: str | bytes) -> T:
    """Return the value that `encode` wrote.

    Raises:
        pydantic.ValidationError: the text does not describe a ``kind``.
    """
    result: T = _adapter(cast("Hashable", kind)).validate_json(text)
    return result
