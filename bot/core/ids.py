"""Identifiers: random where nobody may guess them, derived where a re-run must find them again."""

import base64
import hashlib
import secrets

TOKEN_LENGTH = 16
"""Characters of a button token: fits Telegram's 64 bytes of callback data with room to spare."""


def new_token() -> str:
    """Return an unguessable token of `TOKEN_LENGTH` URL-safe characters (96 bits)."""
    return secrets.token_urlsafe(TOKEN_LENGTH * 3 // 4)


def new_id(prefix: str) -> str:
    """Return a fresh random identifier such as ``p_3k9x...`` for a stored thing."""
    return f"{prefix}_{_short(secrets.token_bytes(10))}"


def derived_id(prefix: str, *parts: str | int) -> str:
    """Return the same identifier for the same parts, so that a re-run finds its own rows."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).digest()
    return f"{prefix}_{_short(digest[:12])}"


def _short(raw: bytes) -> str:
    return base64.b32encode(raw).decode().rstrip("=").lower()
