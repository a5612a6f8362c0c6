"""Opens what the platform has encrypted.

Source: https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/encrypt-key-encryption-configuration-case
"""

import json
from contextlib import suppress

from lark_oapi.core.utils.decryptor import AESCipher
from pydantic import JsonValue

from bot.core.errors import UnparseableError

with suppress(ValueError):  # the cipher's code is read from the disk at its first use: now
    AESCipher("").decrypt(bytes(32))


class Opener:
    """Opens encrypted events; imported with the library, see `adapters.feishu.library`."""

    def __init__(self, encrypt_key: str) -> None:
        self._cipher = AESCipher(encrypt_key)

    def open(self, sealed: str) -> dict[str, JsonValue]:
        """Return the event.

        Raises:
            UnparseableError: it was sealed with another key, or is damaged.
        """
        try:
            body = json.loads(self.text(sealed))
        except (ValueError, RecursionError) as error:
            raise UnparseableError("what was encrypted is no event") from error
        if not isinstance(body, dict):
            raise UnparseableError("what was encrypted is no event")
        return body

    def text(self, sealed: str) -> str:
        """Return what was encrypted.

        Raises:
            UnparseableError: it was sealed with another key, or is damaged.
        """
        try:
            opened: str = self._cipher.decrypt_str(sealed)
        except ValueError as error:
            raise UnparseableError("it cannot be decrypted with FEISHU_ENCRYPT_KEY") from error
        return opened
