"""HTTP to the Bot API: one connection pool, answers read, failures named by reaction.

The token is part of every address, so addresses and the texts of HTTP errors, which may quote
them, go nowhere: not into logs, rows or messages.
"""

import json
from collections.abc import Mapping
from http import HTTPStatus

import aiohttp
from pydantic import JsonValue, ValidationError

from adapters.telegram.failures import TooBigError, failure
from adapters.telegram.schemas import Answer, FilePath
from bot.core.errors import AmbiguousSendError, RejectedError, RetryableAdapterError
from bot.core.files import MAX_FILE_BYTES

API_BASE = "https://api.telegram.org"
CALL_SECONDS = 30.0
CONNECT_SECONDS = 10.0
KEEP_ALIVE_SECONDS = 10.0
"""Idle connections are dropped by us long before the server drops them: a request on a connection
that is just being closed would be a send whose answer is lost."""


class Client:
    """Calls methods of one bot while its context is open."""

    def __init__(self, *, token: str, api_base: str = API_BASE) -> None:
        self._base = api_base.rstrip("/")
        self._token = token
        self._session: aiohttp.ClientSession | None = None

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

    async def rebuild(self) -> None:
        """Drop all connections and begin with new ones."""
        await self.close()
        await self.open()

    async def call(
        self,
        method: str,
        payload: Mapping[str, JsonValue] | aiohttp.FormData | None = None,
        *,
        seconds: float = CALL_SECONDS,
    ) -> JsonValue:
        """Call a method and return its result.

        Raises:
            AmbiguousSendError: the request left, the answer never came.
            AdapterError: by reaction, see `adapters.telegram.failures`.
        """
        form = payload if isinstance(payload, aiohttp.FormData) else None
        status, content = await self._post(
            f"{self._base}/bot{self._token}/{method}",
            json_body=None if isinstance(payload, aiohttp.FormData) else dict(payload or {}),
            form=form,
            seconds=seconds,
        )
        try:
            answer = Answer.model_validate(json.loads(content))
        except (ValueError, ValidationError):
            # A gateway's page instead of an answer: what stands behind it was not reached.
            if status < HTTPStatus.INTERNAL_SERVER_ERROR:
                status = HTTPStatus.BAD_GATEWAY
            answer = Answer(ok=False, error_code=status, description=f"HTTP {status}, no JSON")
        if answer.ok:
            return answer.result
        raise failure(status, answer)

    async def download(self, path: FilePath) -> bytes:
        """Return the bytes of a file.

        Source: https://core.telegram.org/bots/api#getfile (20 MB at most)

        Raises:
            TooBigError: more than we keep.
            RetryableAdapterError: it could not be fetched now.
        """
        if path.file_size > MAX_FILE_BYTES:
            raise TooBigError("file is too big")
        if not path.file_path or ".." in path.file_path.split("/"):
            raise RejectedError("the file has no path")
        url = f"{self._base}/file/bot{self._token}/{path.file_path}"
        try:
            async with self._opened().get(url) as response:
                if response.status != HTTPStatus.OK:
                    raise RetryableAdapterError(f"the file answers {response.status}")
                return await _body(response)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise RetryableAdapterError(f"no file: {type(error).__name__}") from None

    async def _post(
        self,
        url: str,
        *,
        json_body: dict[str, JsonValue] | None,
        form: aiohttp.FormData | None,
        seconds: float,
    ) -> tuple[int, bytes]:
        timeout = aiohttp.ClientTimeout(total=seconds, sock_connect=CONNECT_SECONDS)
        session = self._opened()
        try:
            async with session.post(url, json=json_body, data=form, timeout=timeout) as response:
                return response.status, await response.read()
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise RetryableAdapterError(f"no connection: {type(error).__name__}") from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise AmbiguousSendError(f"no answer: {type(error).__name__}") from None

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            raise RetryableAdapterError("not connected")
        return self._session


async def _body(response: aiohttp.ClientResponse) -> bytes:
    """Return the body, as long as it stays within what we keep."""
    data = bytearray()
    async for chunk in response.content.iter_chunked(64 * 1024):
        data += chunk
        if len(data) > MAX_FILE_BYTES:
            raise TooBigError("file is too big")
    return bytes(data)
