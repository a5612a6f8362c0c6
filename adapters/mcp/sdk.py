"""The official SDK, behind two calls: list and call. Importing this module imports it (1.3 s).

Source: https://github.com/modelcontextprotocol/python-sdk, 2.3; the protocol:
https://modelcontextprotocol.io/specification (2025-11-25 and 2026-07-28, found by asking).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Implementation,
    TextContent,
)
from pydantic import JsonValue

from adapters.mcp.program import running
from adapters.mcp.taming import LONGEST_RESULT, Taming
from adapters.mcp.wires import LARGEST_MESSAGE, Bounded, Given, TamedStream
from bot.core.services import (
    JOINT,
    ServiceConfig,
    ServiceDownError,
    ServiceError,
    ServiceResult,
    ServiceTool,
    ServiceUnknownError,
)

MOST_PAGES = 20
SOCKET_SECONDS = 180.0
"""The last resort against a silent peer; deadlines by our clock are far shorter."""

LONGEST_REASON = 300
_SESSION_GONE = "Session terminated"
_CERTAIN = frozenset({INVALID_PARAMS, METHOD_NOT_FOUND})
"""Errors that say that the call was not even tried."""

for _name in ("mcp", "client", "httpx2"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)  # they log addresses and messages


class Connection:
    """An open connection.

    Attributes:
        lost: set when the other side is gone.
        flooded: set when it is, because it said more at once than is taken.
    """

    def __init__(
        self,
        name: str,
        client: Client,
        taming: Taming,
        *,
        lost: asyncio.Event,
        flooded: asyncio.Event,
    ) -> None:
        self._name = name
        self._client = client
        self._taming = taming
        self.lost = lost
        self.flooded = flooded

    @property
    def skipped(self) -> Sequence[str]:
        """Which tools of the latest listing were left out, and why."""
        return tuple(self._taming.skipped)

    async def tools(self) -> tuple[ServiceTool, ...]:
        """Return the server's tools, those left out that do not fit."""
        self._taming.begin_listing()
        found: list[ServiceTool] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            found.extend(
                ServiceTool(
                    name=f"{self._name}{JOINT}{tool.name}",
                    description=tool.description or "",
                    schema=tool.input_schema,
                    is_read_only=bool(tool.annotations and tool.annotations.read_only_hint),
                )
                for tool in page.tools
            )
            cursor = page.next_cursor
            if not cursor:
                break
        return tuple(found)

    async def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> ServiceResult:
        """Return what the server's tool answers.

        Raises:
            ServiceError: it was not tried; `ServiceDownError` when the session is gone.
            ServiceUnknownError: it may have been.
        """
        try:
            answer = await self._client.call_tool(tool, dict(arguments))
        except MCPError as error:
            if error.code in _CERTAIN:
                raise ServiceError(error.message[:LONGEST_REASON]) from error
            if error.code == INVALID_REQUEST and error.message == _SESSION_GONE:
                self.lost.set()
                raise ServiceDownError("it forgot the session") from error
            raise ServiceUnknownError(f"error {error.code}") from error
        except Exception as error:  # of four libraries; none says what was done
            raise ServiceUnknownError(type(error).__name__) from error
        text = "\n".join(part.text for part in answer.content if isinstance(part, TextContent))
        return ServiceResult(
            text=text[:LONGEST_RESULT],
            is_error=bool(answer.is_error),
            is_cut=len(text) > LONGEST_RESULT,
        )


@asynccontextmanager
async def connected(config: ServiceConfig) -> AsyncIterator[Connection]:
    """Be connected to a server while the context is open; enter and leave in the same task."""
    taming, lost, flooded = Taming(), asyncio.Event(), asyncio.Event()
    async with (
        _transport(config, flooded) as (read, write),
        Client(
            Given(TamedStream(read, taming, lost), write),
            cache=None,
            client_info=Implementation(name="switchboard", version="1"),
        ) as client,
    ):
        yield Connection(config.name, client, taming, lost=lost, flooded=flooded)


@asynccontextmanager
async def _transport(
    config: ServiceConfig, flooded: asyncio.Event
) -> AsyncIterator[tuple[Any, Any]]:
    if config.command:
        async with running(config, flooded) as streams:
            yield streams
        return
    headers = {"Accept-Encoding": "identity"}
    headers |= {name: value.get_secret_value() for name, value in config.headers.items()}
    transport = await asyncio.to_thread(Bounded)  # it reads certificates
    async with (
        httpx2.AsyncClient(
            headers=headers,
            trust_env=False,
            timeout=SOCKET_SECONDS,
            transport=transport,
        ) as http,
        streamable_http_client(
            config.url.get_secret_value(), http_client=http, max_sse_event_size=LARGEST_MESSAGE
        ) as streams,
    ):
        yield streams
