"""What stands between the SDK and the wire: messages are tamed, answers bounded, ends seen."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Self

import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse

from adapters.mcp.taming import Taming

LARGEST_MESSAGE = 16 * 1024 * 1024
"""Bytes of one answer, over HTTP as from a program."""

Item = SessionMessage | Exception


class TamedStream:
    """What a server says, as the SDK reads it; `lost` is set when it says no more."""

    def __init__(self, stream: Any, taming: Taming, lost: asyncio.Event) -> None:  # noqa: ANN401  # two unrelated classes of the SDK
        self._stream = stream
        self._taming = taming
        self._lost = lost

    @property
    def last_context(self) -> Any:  # noqa: ANN401  # as the SDK looks for it
        """What the SDK takes along with a message."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Item:
        """Return the next message."""
        return await self.__anext__()

    async def aclose(self) -> None:
        """Close the stream below."""
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        try:
            item: Item = await self._stream.__anext__()
        except BaseException:
            self._lost.set()
            raise
        if isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCResponse):
            item.message.result = self._taming.tame(item.message.result)
        return item

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stream.__aexit__(kind, error, trace)


class Given(AbstractAsyncContextManager[tuple[Any, Any]]):
    """Streams that somebody else opened and closes, as a transport of the SDK."""

    def __init__(self, read: TamedStream, write: Any) -> None:  # noqa: ANN401  # two unrelated classes of the SDK
        self._streams = (read, write)

    async def __aenter__(self) -> tuple[Any, Any]:  # type: ignore[explicit-override]
        return self._streams

    async def __aexit__(  # type: ignore[explicit-override]
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing of ours is open."""


class Bounded(httpx2.AsyncBaseTransport):
    """HTTP whose answers end at `LARGEST_MESSAGE`; packed ones are not taken.

    A stream of events has no length: the SDK bounds each event of it.
    """

    def __init__(self) -> None:
        self._below = httpx2.AsyncHTTPTransport(trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:  # type: ignore[explicit-override]
        """Send it."""
        response = await self._below.handle_async_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.DecodingError("a packed answer", request=request)
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        if not is_stream and isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedBody(response.stream)
        return response

    async def aclose(self) -> None:  # type: ignore[explicit-override]
        """Close what is open."""
        await self._below.aclose()


class _BoundedBody(httpx2.AsyncByteStream):
    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:  # type: ignore[explicit-override]
        read = 0
        async for chunk in self._body:
            read += len(chunk)
            if read > LARGEST_MESSAGE:
                raise httpx2.ReadError(f"an answer over {LARGEST_MESSAGE} bytes")
            yield chunk

    async def aclose(self) -> None:  # type: ignore[explicit-override]
        await self._body.aclose()
