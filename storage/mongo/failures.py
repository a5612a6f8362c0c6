"""MongoDB's errors in the words of `bot.core.errors`, split by what the caller does."""

import contextlib
from collections.abc import Iterator

from bson.errors import BSONError
from pymongo.errors import (
    ConnectionFailure,
    DuplicateKeyError,
    InvalidOperation,
    OperationFailure,
    PyMongoError,
    WTimeoutError,
)

from bot.core.errors import ConflictError, StorageError, StorageUnavailableError

DUPLICATE_KEY = 11000

_PASSING = frozenset(
    {
        91,  # ShutdownInProgress
        112,  # WriteConflict
        189,  # PrimarySteppedDown
        10107,  # NotWritablePrimary
        11600,  # InterruptedAtShutdown
        11602,  # InterruptedDueToReplStateChange
        13435,  # NotPrimaryNoSecondaryOk
        13436,  # NotPrimaryOrSecondary
        14031,  # OutOfDiskSpace
    }
)


def translated(error: PyMongoError) -> StorageError:
    """Return the error of ours that says how to react."""
    if isinstance(error, DuplicateKeyError):
        return ConflictError(str(error))
    if isinstance(error, ConnectionFailure | WTimeoutError | InvalidOperation) or error.timeout:
        return StorageUnavailableError(str(error))
    if isinstance(error, OperationFailure) and error.code in _PASSING:
        return StorageUnavailableError(str(error))
    return StorageError(str(error))


@contextlib.contextmanager
def our_errors() -> Iterator[None]:
    """Raise what the driver raises inside in our words."""
    try:
        yield
    except PyMongoError as error:
        raise translated(error) from error
    except (BSONError, OverflowError) as error:
        raise StorageError(f"this cannot be stored: {error}") from error
