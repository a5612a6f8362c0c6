"""The webhook: the platform posts to us; 200 goes out once the row is stored.

Source: https://core.telegram.org/bots/api#setwebhook
"""

import hmac
import json
from urllib.parse import urlsplit

import structlog
from aiohttp import web
from pydantic import JsonValue

from adapters.telegram.client import Client
from adapters.telegram.configuration import check_webhook
from adapters.telegram.intake import Intake
from adapters.telegram.schemas import ALLOWED_UPDATES, Me
from bot.core.errors import AdapterError, StorageUnavailableError
from bot.core.ports import Clock

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105  # the header's name
DEFAULT_PATH = "/telegram"
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0

log = structlog.get_logger(__name__)


class Webhook:
    """Takes posted updates.

    Attributes:
        trouble: what is wrong now, for the health page; empty when nothing is.
        received: how many updates have come.
    """

    def __init__(
        self, *, client: Client, intake: Intake, clock: Clock, url: str, secret: str
    ) -> None:
        self._client = client
        self._intake = intake
        self._clock = clock
        self._url = url
        self._secret = secret
        self._open = False
        self.trouble = "! not registered yet"
        self.received = 0

    def routes(self) -> list[web.RouteDef]:
        """Return the one route, at the path of the public address."""
        path = urlsplit(self._url).path.rstrip("/") or DEFAULT_PATH
        return [web.post(path, self._take)]

    async def register(self) -> None:
        """Tell the platform where to post, until it has heard."""
        self._open = True
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                self._intake.me = Me.model_validate(await self._client.call("getMe"))
                await self._client.call(
                    "setWebhook",
                    {
                        "url": self._url,
                        "secret_token": self._secret,
                        "allowed_updates": list(ALLOWED_UPDATES),
                    },
                )
            except AdapterError as error:
                self.trouble = f"! not registered: {error}"
                log.warning("webhook_not_registered", error=str(error), pause=pause)
                await self._clock.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
            else:
                self.trouble = ""
                return

    def close(self) -> None:
        """Take nothing more; the platform keeps what it has and posts it later."""
        self._open = False

    async def _take(self, request: web.Request) -> web.Response:
        given = request.headers.get(SECRET_HEADER, "").encode()
        if not hmac.compare_digest(given, self._secret.encode()):
            return web.Response(status=401)
        if not self._open:
            return web.Response(status=503)
        body = _update(await request.read())
        if body is None:
            log.error("webhook_no_json")
            return web.Response(status=200)
        try:
            may_forget = await self._intake.take(body)
        except StorageUnavailableError:
            return web.Response(status=503)
        self.received += 1
        return web.Response(status=200 if may_forget else 503)


def webhook_of(
    client: Client, intake: Intake, clock: Clock, *, mode: str, url: str, secret: str
) -> Webhook | None:
    """Return the webhook that the settings ask for; None when they ask for polling.

    Raises:
        ConfigurationError: the address or the secret is missing.
    """
    if mode == "polling":
        return None
    check_webhook(url, secret)
    return Webhook(client=client, intake=intake, clock=clock, url=url, secret=secret)


def _update(data: bytes) -> dict[str, JsonValue] | None:
    """Return the posted object; what is none would be posted for ever if it were refused."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None
