"""HTTP to the open platform: one connection pool, one access token, failures named by reaction.

Ours and not the SDK's, because that one builds a new client (32 ms of CPU time) for every call,
fetches tokens with a blocking request on the loop and keeps a token that is refused; see
decision 0040.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from http import HTTPStatus

import aiohttp
from pydantic import JsonValue, ValidationError

from adapters.feishu.failures import (
    CredentialsRefusedError,
    TokenInvalidError,
    failure,
)
from adapters.feishu.schemas import Answer, Endpoint, EndpointAnswer, TokenAnswer
from bot.core.errors import (
    AmbiguousSendError,
    ConfigurationError,
    RejectedError,
    RetryableAdapterError,
)
from bot.core.files import MAX_FILE_BYTES
from bot.core.ports import Clock

DOMAINS = {"feishu": "https://open.feishu.cn", "lark": "https://open.larksuite.com"}
CALL_SECONDS = 30.0
CONNECT_SECONDS = 10.0
KEEP_ALIVE_SECONDS = 10.0
"""Idle connections are dropped by us long before the server drops them: a request on a connection
that is just being closed would be a send whose answer is lost."""

REFRESH_BEFORE = timedelta(minutes=20)
"""The platform hands out a new token as soon as less than 30 minutes are left, and both are valid.

Source: https://open.feishu.cn/document/server-docs/authentication-management/access-token/tenant_access_token_internal
"""

MAX_SOCKET_BYTES = 16 * 2**20
_CLOSE_SECONDS = 2.0
_BUSY_CODES = frozenset({1, 1000040343})
TOKEN_PATH = "/open-apis/auth/v3/tenant_access_token/internal"  # noqa: S105  # a path
ENDPOINT_PATH = "/callback/ws/endpoint"


class EndpointRefusedError(RejectedError):
    """No long connection is given to this app as it is; the text is the platform's reason."""


def base_of(domain: str) -> str:
    """Return the address of the open platform that a setting names.

    Raises:
        ConfigurationError: the app's secret would not be safe there.
    """
    base = DOMAINS.get(domain.lower(), domain).rstrip("/")
    if not base.startswith(("https://", "http://127.0.0.1", "http://localhost", "http://[::1]")):
        raise ConfigurationError(
            "FEISHU_DOMAIN has to be feishu, lark, or an address that begins with https://"
        )
    return base


class Client:
    """Calls the platform as one app while it is open."""

    def __init__(self, *, app_id: str, secret: str, domain: str, clock: Clock) -> None:
        self._app_id = app_id
        self._secret = secret
        self._base = base_of(domain)
        self._clock = clock
        self._session: aiohttp.ClientSession | None = None
        self._token = ""
        self._refresh_at = self._expires_at = clock.now()
        self._one_refresh = asyncio.Lock()

    async def open(self) -> None:
        """Be ready to call."""
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=100, keepalive_timeout=KEEP_ALIVE_SECONDS),
            timeout=aiohttp.ClientTimeout(total=CALL_SECONDS, sock_connect=CONNECT_SECONDS),
        )

    async def close(self) -> None:
        """Drop all connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        body: JsonValue = None,
        form: Mapping[str, str | bytes] | None = None,
    ) -> Mapping[str, JsonValue]:
        """Call with our token and return the answer's body; a refused token is renewed once.

        Args:
            method: of HTTP.
            path: from ``/open-apis`` on.
            query: parameters of the address.
            body: sent as JSON.
            form: sent as a form instead; bytes go as files.

        Raises:
            AmbiguousSendError: the request left, the answer never came.
            AdapterError: by reaction, see `adapters.feishu.failures`.
        """
        for is_last in (False, True):
            token = await self.token()
            try:
                data = _form(form) if form is not None else _json(body)
                return await self._json_answer(method, path, query=query, data=data, token=token)
            except TokenInvalidError:
                self._drop(token)
                if is_last:
                    raise
        raise AssertionError  # the second round returns or raises

    async def download(self, path: str, *, query: Sequence[tuple[str, str]]) -> bytes:
        """Return the bytes of a file.

        Raises:
            ValueError: more than we keep.
            AdapterError: by reaction.
        """
        for is_last in (False, True):
            token = await self.token()
            try:
                return await self._bytes(path, query, token)
            except TokenInvalidError:
                self._drop(token)
                if is_last:
                    raise
        raise AssertionError  # the second round returns or raises

    async def token(self) -> str:
        """Return the access token; whoever asks while it is fetched waits for the same one.

        Raises:
            CredentialsRefusedError: app id or secret are wrong.
            RetryableAdapterError: there is none now.
        """
        if self._token and self._clock.now() < self._refresh_at:
            return self._token
        async with self._one_refresh:
            if self._token and self._clock.now() < self._refresh_at:
                return self._token
            try:
                await self._fetch_token()
            except RetryableAdapterError:
                if not self._token or self._clock.now() >= self._expires_at:
                    raise  # else the old one is good for some minutes more
            return self._token

    async def endpoint(self) -> Endpoint:
        """Return where a long connection is opened; the address is a secret.

        Source: ``ws/client.py`` of github.com/larksuite/oapi-sdk-python

        Raises:
            EndpointRefusedError: the platform gives none to this app.
            RetryableAdapterError: not now.
        """
        keys: JsonValue = {"AppID": self._app_id, "AppSecret": self._secret}
        try:
            status, content, _ = await self._request(
                "POST", ENDPOINT_PATH, data=_json(keys), headers={"locale": "zh"}
            )
        except AmbiguousSendError as error:
            raise RetryableAdapterError(str(error)) from None
        if status != HTTPStatus.OK:
            raise RetryableAdapterError(f"the endpoint answers {status}")
        try:
            answer = EndpointAnswer.model_validate_json(content)
        except ValidationError:
            raise RetryableAdapterError("the endpoint answers no JSON") from None
        if answer.code in _BUSY_CODES:
            raise RetryableAdapterError(f"the endpoint is busy ({answer.code})")
        if answer.code or answer.data is None:
            raise EndpointRefusedError(f"{answer.code}: {answer.msg[:200]}")
        return answer.data

    async def connect(self, url: str) -> aiohttp.ClientWebSocketResponse:
        """Open a long connection.

        Raises:
            EndpointRefusedError: the platform refuses it to this app.
            RetryableAdapterError: not now.
        """
        closing = aiohttp.ClientWSTimeout(ws_close=_CLOSE_SECONDS)
        try:
            return await self._opened().ws_connect(
                url, max_msg_size=MAX_SOCKET_BYTES, timeout=closing
            )
        except aiohttp.WSServerHandshakeError as error:
            headers: Mapping[str, str] = error.headers or {}
            code = headers.get("Handshake-Autherrcode") or headers.get("Handshake-Status")
            if code is None:
                raise RetryableAdapterError(f"the handshake answers {error.status}") from None
            reason = headers.get("Handshake-Msg", "")
            raise EndpointRefusedError(f"{code}: {reason[:200]}") from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise RetryableAdapterError(f"no connection: {type(error).__name__}") from None

    # --- inside ---------------------------------------------------------------------------------

    def _drop(self, token: str) -> None:
        """Forget a refused token, unless somebody has a new one already."""
        if self._token == token:
            self._token = ""

    async def _fetch_token(self) -> None:
        keys: JsonValue = {"app_id": self._app_id, "app_secret": self._secret}
        asked_at = self._clock.now()
        try:
            status, content, headers = await self._request("POST", TOKEN_PATH, data=_json(keys))
        except AmbiguousSendError as error:
            raise RetryableAdapterError(str(error)) from None
        answer = _answer(status, content)
        if answer.code or status != HTTPStatus.OK:
            reason = failure(status, answer.code, answer.msg, headers)
            if isinstance(reason, RetryableAdapterError):
                raise reason
            raise CredentialsRefusedError(str(reason))
        token = TokenAnswer.model_validate_json(content)
        self._token = token.tenant_access_token
        self._set_life(asked_at, timedelta(seconds=token.expire))

    def _set_life(self, asked_at: datetime, life: timedelta) -> None:
        self._expires_at = asked_at + life
        self._refresh_at = asked_at + max(life - REFRESH_BEFORE, life / 2)

    async def _json_answer(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]],
        data: aiohttp.FormData | aiohttp.Payload | None,
        token: str,
    ) -> Mapping[str, JsonValue]:
        status, content, headers = await self._request(
            method, path, query=query, data=data, headers=_bearer(token)
        )
        answer = _answer(status, content)
        if status == HTTPStatus.OK and answer.code == 0:
            return answer.body
        raise failure(status, answer.code, answer.msg, headers)

    async def _request(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        data: aiohttp.FormData | aiohttp.Payload | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes, Mapping[str, str]]:
        try:
            async with self._opened().request(
                method, self._base + path, params=list(query), data=data, headers=headers
            ) as response:
                return response.status, await response.read(), response.headers
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise RetryableAdapterError(f"no connection: {type(error).__name__}") from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise AmbiguousSendError(f"no answer: {type(error).__name__}") from None

    async def _bytes(self, path: str, query: Sequence[tuple[str, str]], token: str) -> bytes:
        try:
            async with self._opened().get(
                self._base + path, params=list(query), headers=_bearer(token)
            ) as response:
                if response.status != HTTPStatus.OK or response.content_type == "application/json":
                    answer = _answer(response.status, await response.read())
                    raise failure(response.status, answer.code, answer.msg, response.headers)
                return await _body(response)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise RetryableAdapterError(f"no file: {type(error).__name__}") from None

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            raise RetryableAdapterError("not connected")
        return self._session


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _json(body: JsonValue) -> aiohttp.Payload | None:
    if body is None:
        return None
    return aiohttp.JsonPayload(body, dumps=lambda value: json.dumps(value, ensure_ascii=False))


def _form(fields: Mapping[str, str | bytes]) -> aiohttp.FormData:
    form = aiohttp.FormData()
    for name, value in fields.items():
        filename = name if isinstance(value, bytes) else None
        form.add_field(name, value, filename=filename)
    return form


def _answer(status: int, content: bytes) -> Answer:
    """Return the platform's envelope; a gateway's page is none."""
    try:
        return Answer.of(json.loads(content))
    except (ValueError, ValidationError):
        return Answer(msg=f"HTTP {status}, no JSON", code=0 if status != HTTPStatus.OK else -1)


async def _body(response: aiohttp.ClientResponse) -> bytes:
    """Return the body, as long as it stays within what we keep."""
    data = bytearray()
    async for chunk in response.content.iter_chunked(64 * 1024):
        data += chunk
        if len(data) > MAX_FILE_BYTES:
            raise ValueError("more than we keep")
    return bytes(data)
