"""Partial changes: values in which None leaves a field as it is."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def given(change: "DataclassInstance") -> dict[str, Any]:
    """Return the fields that the change names, for `dataclasses.replace`."""
    values = ((field.name, getattr(change, field.name)) for field in fields(change))
    return {name: value for name, value in values if value is not None}
