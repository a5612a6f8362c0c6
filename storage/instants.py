"""Instants as SQLite keeps them: integer microseconds since 1970 UTC, so that they compare."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(at: datetime) -> int:
    """Return the aware instant as stored.

    Raises:
        ValueError: it has no time zone, so it is no instant.
    """
    if at.tzinfo is None:
        raise ValueError(f"{at.isoformat()} has no time zone")
    return (at - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return the stored instant, aware UTC."""
    return _EPOCH + timedelta(microseconds=micros)


def to_micros_or_none(at: datetime | None) -> int | None:
    """Return the instant as stored, or None."""
    return None if at is None else to_micros(at)


def from_micros_or_none(micros: int | None) -> datetime | None:
    """Return the stored instant, or None."""
    return None if micros is None else from_micros(micros)
