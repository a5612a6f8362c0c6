"""Values to JSON text and back, checked on the way in."""

import functools
from collections.abc import Hashable
from typing import Any, TypeVar, cast

from pydantic import JsonValue, TypeAdapter

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


def to_json(kind: Any, value: object) -> JsonValue:  # noqa: ANN401  # any type form, unions too
    """Return ``value`` as JSON values (dicts, lists, strings, numbers)."""
    result: JsonValue = _adapter(kind).dump_python(value, mode="json")
    return result


def from_json(kind: type[T], value: JsonValue) -> T:
    """Return the value that `to_json` described.

    Raises:
        pydantic.ValidationError: it does not describe a ``kind``.
    """
    result: T = _adapter(cast("Hashable", kind)).validate_python(value)
    return result
