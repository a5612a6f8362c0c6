"""The webhook: the platform posts to us; 200 goes out once the row is stored.

Source: https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/request-url-configuration-case
"""

import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import structlog
from aiohttp import web
from pydantic import JsonValue

from adapters.feishu.intake import Intake
from adapters.feishu.signing import is_signed
from bot.core.errors import ConfigurationError, UnparseableError
from bot.core.ports import Clock

if TYPE_CHECKING:
    from adapters.feishu.secrecy import Opener

PATH = "/feishu"
"""Request address of both events and callbacks."""

REPLAY_WINDOW = timedelta(minutes=5)
"""A signature that is older, or from the future, is refused."""

log = structlog.get_logger(__name__)


class Webhook:
    """Takes posted events.

    Attributes:
        received: how many events have come.
        refused: how many posts nobody could vouch for.
    """

    def __init__(
        self,
        *,
        intake: Intake,
        clock: Clock,
        encrypt_key: str,
        verification_token: str,
        opener: Callable[[], Awaitable["type[Opener]"]],
    ) -> None:
        """Prepare.

        Raises:
            ConfigurationError: nothing is set by which a post could be told from a forged one.
        """
        if not verification_token:
            raise ConfigurationError(
                "FEISHU_MODE=webhook needs FEISHU_VERIFICATION_TOKEN, and FEISHU_ENCRYPT_KEY so "
                "that events are signed: copy both from the console, Events and Callbacks, "
                "Encryption Strategy"
            )
        self._intake = intake
        self._clock = clock
        self._key = encrypt_key
        self._token = verification_token
        self._opener = opener
        self._open = False
        self.received = 0
        self.refused = 0

    def routes(self) -> list[web.RouteDef]:
        """Return the one route."""
        return [web.post(PATH, self._take)]

    def open(self) -> None:
        """Take what is posted from now on."""
        self._open = True

    def close(self) -> None:
        """Take nothing more; the platform keeps what it has and posts it later."""
        self._open = False

    async def _take(self, request: web.Request) -> web.Response:
        raw = await request.read()
        body = await self._opened(raw)
        if body is None:
            return self._refuse("unreadable")
        if not self._has_our_token(body):
            return self._refuse("token")
        if body.get("type") == "url_verification":
            return web.json_response({"challenge": body.get("challenge")})
        if self._key and not self._is_fresh_and_signed(request.headers, raw):
            return self._refuse("signature")
        if not self._open:
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
        taken = await self._intake.take(body)
        self.received += 1
        if not taken.acknowledged:
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
        return web.json_response(taken.answer or {})

    async def _opened(self, raw: bytes) -> dict[str, JsonValue] | None:
        """Return the posted object; with a key set, only what was encrypted with it."""
        body = _object(raw)
        if body is None or not self._key:
            return body
        sealed = body.get("encrypt")
        if not isinstance(sealed, str):
            return None
        try:
            return (await self._opener())(self._key).open(sealed)
        except UnparseableError:
            return None

    def _has_our_token(self, body: Mapping[str, JsonValue]) -> bool:
        header = body.get("header")
        token = header.get("token") if isinstance(header, dict) else body.get("token")
        if not isinstance(header, dict) and "action" in body:
            return bool(self._key)  # presses of the older shape carry none: the signature vouches
        given = token if isinstance(token, str) else ""
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _is_fresh_and_signed(self, headers: Mapping[str, str], raw: bytes) -> bool:
        timestamp = headers.get("X-Lark-Request-Timestamp", "")
        nonce = headers.get("X-Lark-Request-Nonce", "")
        given = headers.get("X-Lark-Signature", "")
        if not timestamp.isascii() or not timestamp.isdecimal() or not given:
            return False
        age = self._clock.now().timestamp() - int(timestamp)
        if abs(age) > REPLAY_WINDOW.total_seconds():
            return False
        return is_signed(given, timestamp, nonce, self._key, raw)

    def _refuse(self, why: str) -> web.Response:
        self.refused += 1
        log.warning("webhook_refused", why=why)
        return web.Response(status=HTTPStatus.UNAUTHORIZED)


def _object(data: bytes) -> dict[str, JsonValue] | None:
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None
