"""A web site that behaves and misbehaves: real HTTP on loopback, and the names that lead there."""

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

PAGE = """<!doctype html><html><head><title>Opening &amp; hours</title></head><body>
<nav><a href="/">Home</a><a href="/x">Elsewhere</a></nav><article><h1>The museum</h1>
<p>The museum is open from nine to five. On Mondays it is closed all day.</p>
<p>Tickets cost twelve euros; children under six need none at all.</p></article>
<footer>All rights reserved</footer></body></html>"""

MEGABYTE = 1024 * 1024
BOMB = gzip.compress(b" " * (64 * MEGABYTE), compresslevel=9)
"""64 MB that come as 64 kB."""


@dataclass(slots=True)
class Names(AbstractResolver):
    """Names and their addresses; of several the last one stays."""

    known: dict[str, list[str]]
    asked: list[str] = field(default_factory=list)

    async def resolve(  # type: ignore[explicit-override]
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_INET,  # noqa: ARG002  # as the port has it
    ) -> list[ResolveResult]:
        self.asked.append(host)
        answers = self.known.get(host, [])
        if not answers:
            raise OSError("no such name")
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return [_result(host, port, each) for each in found.split()]

    async def close(self) -> None:  # type: ignore[explicit-override]
        """Nothing is open."""


def _result(host: str, port: int, address: str) -> ResolveResult:
    return ResolveResult(
        hostname=host,
        host=address,
        port=port,
        family=socket.AF_INET6 if ":" in address else socket.AF_INET,
        proto=socket.IPPROTO_TCP,
        flags=socket.AI_NUMERICHOST,
    )


@dataclass(slots=True)
class Site:
    """A site; ``requests`` are the headers of what came, ``sent`` the bytes of its last body."""

    port: int = 0
    requests: list[dict[str, str]] = field(default_factory=list)
    sent: int = 0
    given_up: asyncio.Event = field(default_factory=asyncio.Event)
    dripping: asyncio.Event = field(default_factory=asyncio.Event)

    def url(self, path: str, host: str = "museum.example") -> str:
        return f"http://{host}:{self.port}{path}"

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["Site"]:
        app = web.Application()
        app.add_routes([web.get("/{path:.*}", self._answer)])
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.port = runner.addresses[0][1]
        try:
            yield self
        finally:
            await runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.requests.append({**request.headers, "path": request.path})
        match request.path:
            case "/page":
                return web.Response(text=PAGE, content_type="text/html")
            case "/cookie" | "/to" | "/round":
                return _redirect(request)
            case "/status":
                return web.Response(status=int(request.query["code"]), text="oh")
            case "/drip":
                return await self._drip(request)
            case _:
                return await self._stream(request, _chunks(request))

    async def _stream(self, request: web.Request, chunks: Iterable[bytes]) -> web.StreamResponse:
        response = web.StreamResponse(headers=self._headers(request))
        await response.prepare(request)
        self.sent = 0
        for chunk in chunks:
            await response.write(chunk)
            self.sent += len(chunk)
        return response

    async def _drip(self, request: web.Request) -> web.StreamResponse:
        """Send a byte, and no more until the other side gives up."""
        response = web.StreamResponse(headers=self._headers(request))
        await response.prepare(request)
        await response.write(b"<")
        self.dripping.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.given_up.set()
        return response

    def _headers(self, request: web.Request) -> dict[str, Any]:
        headers = {"Content-Type": request.query.get("type", "text/plain")}
        if packed := request.query.get("packed"):
            headers["Content-Encoding"] = packed
        return headers


def _redirect(request: web.Request) -> web.Response:
    if request.path == "/cookie":
        headers = {"Location": "/page", "Set-Cookie": "seen=1; Path=/"}
        return web.Response(status=302, headers=headers)
    return web.Response(status=302, headers={"Location": request.query.get("where", "/round")})


def _chunks(request: web.Request) -> Iterable[bytes]:
    match request.path:
        case "/raw":
            return [bytes.fromhex(request.query["hex"])]
        case "/huge":
            return (b"x" * MEGABYTE for _ in range(50))
        case "/bomb":
            return [BOMB]
        case _:
            return [request.query.get("text", "").encode()]
