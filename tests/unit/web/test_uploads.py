"""What a file is, by its bytes and not by its name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.web.uploads import MAX_NAME_CHARS, safe_name, sniff


@pytest.mark.parametrize(
    ("data", "mime"),
    [
        (b"\x89PNG\r\n\x1a\nrest", "image/png"),
        (b"\xff\xd8\xff\xe0rest", "image/jpeg"),
        (b"GIF89a...", "image/gif"),
        (b"RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"),
        (b"%PDF-1.7\n\x00", "application/pdf"),
        ("你好, 世界\n".encode(), "text/plain"),
        ("日期,金额\n".encode("gb18030"), "text/plain"),
        (b"<svg onload=alert(1)>", "text/plain"),
        (b"<html><script>", "text/plain"),
        (b"RIFF\x01\x02\x03\x04WAVE", None),
        (b"MZ\x90\x00", None),
        (b"PK\x03\x04", None),
        (b"\x7fELF", None),
        (b"a\x00b", None),
    ],
)
def test_the_first_bytes_decide(data: bytes, mime: str | None) -> None:
    assert sniff(data) == mime


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("收据.png", "收据.png"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a.txt", "a.txt"),
        ("a\r\nSet-Cookie: x", "aSet-Cookie: x"),
        ("photo\u202egnp.exe", "photognp.exe"),
        ("", "file"),
        ("...", "file"),
    ],
)
def test_a_name_is_only_a_name(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@given(st.text())
def test_any_name_becomes_short_and_plain(name: str) -> None:
    safe = safe_name(name)

    assert 0 < len(safe) <= MAX_NAME_CHARS
    assert not set(safe) & set("/\\\r\n\0")
