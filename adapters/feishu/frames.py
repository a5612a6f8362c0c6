"""The frames of the long connection: a protobuf message of nine fields, read and written here.

Source: ``pbbp2.proto`` of the official SDK (github.com/larksuite/oapi-sdk-python, ``ws/pb``);
wire format: https://protobuf.dev/programming-guides/encoding/ . That package's own module would
import the whole SDK, see decision 0040.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

CONTROL, DATA = 0, 1
"""What `Frame.method` says."""

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MAX_SHIFT = 63
_SEQ, _LOG, _SERVICE, _METHOD, _HEADER, _PAYLOAD = 1, 2, 3, 4, 5, 8


class BrokenFrameError(ValueError):
    """The bytes are no frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One frame.

    Attributes:
        method: `CONTROL` (ping, pong) or `DATA` (events, callbacks).
        headers: ``type``, ``message_id``, ``sum``, ``seq``, ``trace_id``, ...
        seq: counted by the server; an answer repeats it.
        log: the server's trace number; an answer repeats it.
    """

    method: int
    service: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    payload: bytes = b""
    seq: int = 0
    log: int = 0


def encode(frame: Frame) -> bytes:
    """Return the frame as bytes."""
    out = bytearray()
    for number, value in (
        (_SEQ, frame.seq),
        (_LOG, frame.log),
        (_SERVICE, frame.service),
        (_METHOD, frame.method),
    ):
        out += _tag(number, _VARINT) + _varint(value)
    for key, text in frame.headers.items():
        out += _chunk(_HEADER, _chunk(1, key.encode()) + _chunk(2, text.encode()))
    if frame.payload:
        out += _chunk(_PAYLOAD, frame.payload)
    return bytes(out)


def decode(data: bytes) -> Frame:
    """Return the frame in ``data``; unknown fields are passed over.

    Raises:
        BrokenFrameError: it is none.
    """
    numbers: dict[int, int] = {}
    headers: dict[str, str] = {}
    payload = b""
    try:
        for number, value in _fields(data):
            if isinstance(value, int):
                numbers[number] = value
            elif number == _HEADER:
                pair = {n: v for n, v in _fields(value) if isinstance(v, bytes)}
                headers[pair[1].decode()] = pair[2].decode()
            elif number == _PAYLOAD:
                payload = value
        return Frame(
            method=numbers[_METHOD],
            service=numbers[_SERVICE],
            headers=headers,
            payload=payload,
            seq=numbers.get(_SEQ, 0),
            log=numbers.get(_LOG, 0),
        )
    except (IndexError, KeyError, UnicodeDecodeError) as error:
        raise BrokenFrameError(f"no frame: {type(error).__name__}") from None


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        number, wire = tag >> 3, tag & 7
        if wire == _VARINT:
            value, at = _read_varint(data, at)
            yield number, value
            continue
        if wire == _BYTES:
            size, at = _read_varint(data, at)
        elif wire in {_FIXED32, _FIXED64}:
            size = 4 if wire == _FIXED32 else 8
        else:
            raise BrokenFrameError(f"no frame: wire type {wire}")
        if at + size > len(data):
            raise BrokenFrameError("no frame: cut short")
        yield number, data[at : at + size]
        at += size


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004  # the bit that says that more follows
            return value, at
        shift += 7
        if shift > _MAX_SHIFT:
            raise BrokenFrameError("no frame: a number without end")


def _tag(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:  # noqa: PLR2004  # seven bits a byte
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _chunk(number: int, value: bytes) -> bytes:
    return _tag(number, _BYTES) + _varint(len(value)) + value
