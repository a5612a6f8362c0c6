"""The HTTP below MCP: an answer has an end, and is taken as it is."""

import asyncio

import httpx2
import pytest

from adapters.mcp.wires import LARGEST_MESSAGE, Bounded
from tests.emulators.site import MEGABYTE, Site


async def test_an_answer_without_end_is_not_read_to_it() -> None:
    transport = await asyncio.to_thread(Bounded)
    async with Site().serving() as site, httpx2.AsyncClient(transport=transport) as http:
        with pytest.raises(httpx2.ReadError):
            await http.get(site.url("/huge", host="127.0.0.1"))
        assert site.sent < LARGEST_MESSAGE + 8 * MEGABYTE


async def test_a_packed_answer_is_not_unpacked() -> None:
    transport = await asyncio.to_thread(Bounded)
    async with Site().serving() as site, httpx2.AsyncClient(transport=transport) as http:
        with pytest.raises(httpx2.DecodingError):
            await http.get(site.url("/bomb?packed=gzip", host="127.0.0.1"))
