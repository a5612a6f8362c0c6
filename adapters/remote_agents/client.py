"""Posts requests to remote agents and takes nothing for granted of what comes back."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
from pydantic import SecretStr, ValidationError

from bot.core.ports import Clock
from bot.core.remote import RemoteAgentError, RemoteReply, RemoteRequest

MAX_ANSWER_BYTES = 256 * 1024
CONNECT_SECONDS = 3.0
OK = 200

SIGNATURE = "X-Switchboard-Signature"
TIMESTAMP = "X-Switchboard-Timestamp"
EVENT = "X-Switchboard-Event"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a remote agent is.

    Attributes:
        secret: signs requests; empty sends them unsigned.
        seconds: how long an answer may take, connecting included.
    """

    url: str
    seconds: float
    secret: SecretStr = SecretStr("")  # noqa: RUF009  # immutable


class HttpRemoteAgents:
    """`bot.core.remote.RemoteAgents` by POST; redirects are not followed."""

    def __init__(self, endpoints: Mapping[str, Endpoint], *, clock: Clock) -> None:
        """Take the endpoints by intent."""
        self._endpoints = dict(endpoints)
        self._clock = clock
        self._session: aiohttp.ClientSession | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Be able to ask while the context is open."""
        async with aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
            cookie_jar=aiohttp.DummyCookieJar(),
        ) as session:
            self._session = session
            yield
        self._session = None

    async def ask(self, intent: str, request: RemoteRequest, *, event_id: str) -> RemoteReply:
        """Return the agent's answer; see the port."""
        endpoint = self._endpoints[intent]
        asking = asyncio.ensure_future(self._post(endpoint, request, event_id))
        waiting = asyncio.ensure_future(self._clock.sleep(endpoint.seconds))
        try:
            await asyncio.wait({asking, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise RemoteAgentError(f"{intent}: no answer within {endpoint.seconds:g} s")
            body = asking.result()
        except (aiohttp.ClientError, OSError) as error:
            raise RemoteAgentError(f"{intent}: {type(error).__name__}") from error
        finally:
            for task in (asking, waiting):
                task.cancel()
            await asyncio.gather(asking, waiting, return_exceptions=True)
        try:
            return RemoteReply.model_validate_json(body)
        except ValidationError as error:
            fields = sorted({".".join(map(str, item["loc"])) or "body" for item in error.errors()})
            raise RemoteAgentError(f"{intent}: wrong answer: {', '.join(fields)}") from error

    async def _post(self, endpoint: Endpoint, request: RemoteRequest, event_id: str) -> bytes:
        if self._session is None:
            raise RuntimeError("not running")
        body = request.model_dump_json().encode()
        headers = {"Content-Type": "application/json", EVENT: event_id}
        secret = endpoint.secret.get_secret_value()
        if secret:
            headers |= signed(body, secret, at=int(self._clock.now().timestamp()))
        async with self._session.post(
            endpoint.url, data=body, headers=headers, allow_redirects=False
        ) as response:
            if response.status != OK:
                raise RemoteAgentError(f"status {response.status}")
            answer = bytearray()
            async for chunk in response.content.iter_any():
                answer += chunk
                if len(answer) > MAX_ANSWER_BYTES:
                    raise RemoteAgentError(f"an answer over {MAX_ANSWER_BYTES} bytes")
            return bytes(answer)


def signed(body: bytes, secret: str, *, at: int) -> Mapping[str, str]:
    """Return the headers that prove who asks: HMAC-SHA256 of ``timestamp.body``, hexadecimal."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {TIMESTAMP: str(at), SIGNATURE: f"sha256={digest}"}
