"""The driver's errors become those that say how to react."""

import pytest
from bson.errors import InvalidDocument
from pymongo.errors import (
    AutoReconnect,
    DuplicateKeyError,
    ExecutionTimeout,
    InvalidOperation,
    NetworkTimeout,
    NotPrimaryError,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
    WTimeoutError,
)

from bot.core.errors import ConflictError, StorageError, StorageUnavailableError
from storage.mongo.failures import our_errors, translated


@pytest.mark.parametrize(
    "error",
    [
        AutoReconnect("reset"),
        NetworkTimeout("slow"),
        ServerSelectionTimeoutError("nobody"),
        NotPrimaryError("moved"),
        WTimeoutError("slow majority"),
        ExecutionTimeout("slow", 50),
        OperationFailure("busy", 112),
        OperationFailure("going down", 91),
        OperationFailure("disk is full", 14031),
        InvalidOperation("Cannot use AsyncMongoClient after close"),
    ],
)
def test_what_may_work_later_is_unavailable(error: PyMongoError) -> None:
    assert type(translated(error)) is StorageUnavailableError


def test_a_taken_key_is_a_conflict() -> None:
    assert type(translated(DuplicateKeyError("E11000", 11000))) is ConflictError


def test_anything_else_is_a_fault() -> None:
    assert type(translated(OperationFailure("no such command", 59))) is StorageError


@pytest.mark.parametrize("error", [InvalidDocument("key"), OverflowError("8 bytes")])
def test_what_cannot_be_written_is_a_fault(error: Exception) -> None:
    with pytest.raises(StorageError, match="cannot be stored"), our_errors():
        raise error
