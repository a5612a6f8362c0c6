"""Frames: what we write, the official description reads, and the other way round."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.feishu.frames import CONTROL, DATA, BrokenFrameError, Frame, decode, encode

PING = bytes.fromhex("08001000189280800820002a0c0a0474797065120470696e67")
"""A ping of service 16777234 as the official SDK's ``pbbp2_pb2`` serialises it."""


def test_a_ping_is_written_byte_for_byte_as_the_official_client_writes_it() -> None:
    assert encode(Frame(method=CONTROL, service=16777234, headers={"type": "ping"})) == PING
    assert decode(PING).headers == {"type": "ping"}


@given(
    st.builds(
        Frame,
        method=st.sampled_from([CONTROL, DATA]),
        service=st.integers(0, 2**31 - 1),
        headers=st.dictionaries(st.text(), st.text(), max_size=5),
        payload=st.binary(),
        seq=st.integers(0, 2**64 - 1),
        log=st.integers(0, 2**64 - 1),
    )
)
def test_a_frame_survives_the_way_there_and_back(frame: Frame) -> None:
    assert decode(encode(frame)) == frame


@given(st.binary())
def test_any_bytes_are_a_frame_or_named_broken(data: bytes) -> None:
    with suppress(BrokenFrameError):
        assert decode(encode(decode(data))) == decode(data)


def test_a_frame_that_is_cut_short_is_broken() -> None:
    with pytest.raises(BrokenFrameError):
        decode(PING[:-3])


def test_a_field_that_nobody_knows_yet_is_passed_over() -> None:
    unknown = bytes([15 << 3 | 2, 2]) + b"hi" + bytes([14 << 3 | 5]) + b"1234"
    assert decode(PING + unknown) == decode(PING)
