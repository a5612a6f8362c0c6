"""From a body to the text a person would read."""

import functools
import html
import importlib.util
import logging
import re

from bot.core.patterns import regex

LONGEST_TEXT = 20_000
LONGEST_TITLE = 300

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_TEXT = frozenset(
    {
        "application/json",
        "application/xml",
        "application/yaml",
        "application/x-yaml",
        "application/toml",
        "application/javascript",
        "application/x-ndjson",
    }
)
_LOOKS_LIKE_HTML = regex(r"<!doctype html|<html[\s>]|<body[\s>]", re.IGNORECASE)
_WHOLE = regex(r"<html[\s>]", re.IGNORECASE)
_TITLE = regex(r"<title[^>]{0,200}>(.{1,2000}?)</title", re.IGNORECASE | re.DOTALL)
_UNSEEN = regex(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f"
    "\\ufeff\\U000e0000-\\U000e0fff]"
)
"""What shows no mark: with it a page could say to a model what nobody who looks at it sees."""


@functools.cache
def is_installed() -> bool:
    """Whether the extra `web` is there; it looks at files."""
    return importlib.util.find_spec("trafilatura") is not None


def is_text(mime: str) -> bool:
    """Whether a type can be read; an empty one may be."""
    return (
        not mime
        or mime.startswith("text/")
        or mime in _HTML | _TEXT
        or mime.endswith(("+json", "+xml"))
    )


def main_text(source: str, mime: str) -> tuple[str, str, bool]:
    """Return title, main text, and whether it was cut; it computes, so it runs in a thread."""
    if mime in _HTML or (mime in ("", "text/plain") and _LOOKS_LIKE_HTML.search(source[:1000])):
        title, body = _title(source), _article(source)
    else:
        title, body = "", source
    body = _UNSEEN.sub("", body).strip()
    return title, body[:LONGEST_TEXT], len(body) > LONGEST_TEXT


def _article(source: str) -> str:
    import trafilatura  # noqa: PLC0415  # half a second, only where a page is read

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it reports each odd page
    if not _WHOLE.search(source):
        source = f"<html><body>{source}</body></html>"  # it takes no pieces
    found = trafilatura.extract(
        source, output_format="markdown", include_comments=False, include_tables=True
    )
    return found or trafilatura.html2txt(source)


def _title(source: str) -> str:
    found = _TITLE.search(source)
    if found is None:
        return ""
    title = " ".join(html.unescape(found[1]).split())
    return _UNSEEN.sub("", title)[:LONGEST_TITLE]
