"""Instants as integers: exact, ordered, and never without a zone."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.instants import from_micros, from_micros_or_none, to_micros, to_micros_or_none

ZONES = st.timedeltas(timedelta(hours=-14), timedelta(hours=14)).map(timezone)
INSTANTS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=ZONES)  # noqa: DTZ001


@given(INSTANTS)
def test_an_instant_comes_back_exactly_and_in_utc(at: datetime) -> None:
    assert from_micros(to_micros(at)) == at
    assert from_micros(to_micros(at)).tzinfo is UTC


@given(INSTANTS, INSTANTS)
def test_stored_instants_compare_like_instants(one: datetime, other: datetime) -> None:
    assert (to_micros(one) < to_micros(other)) == (one < other)


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        to_micros(datetime(2026, 1, 1))  # noqa: DTZ001


def test_none_stays_none() -> None:
    assert to_micros_or_none(None) is None
    assert from_micros_or_none(None) is None
    assert from_micros_or_none(0) == datetime(1970, 1, 1, tzinfo=UTC)
