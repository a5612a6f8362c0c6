"""The signature of a posted event.

Source: https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/encrypt-key-encryption-configuration-case
"""

import hashlib
import hmac


def signature(timestamp: str, nonce: str, encrypt_key: str, raw: bytes) -> str:
    """Return the signature over the raw body."""
    return hashlib.sha256((timestamp + nonce + encrypt_key).encode() + raw).hexdigest()


def is_signed(given: str, timestamp: str, nonce: str, encrypt_key: str, raw: bytes) -> bool:
    """Whether the signature is right, found out in constant time."""
    expected = signature(timestamp, nonce, encrypt_key, raw)
    return hmac.compare_digest(given.encode(), expected.encode())
