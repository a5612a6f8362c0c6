"""The emulated MCP server over streamable HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from tests.emulators.mcp_rules import Server


@dataclass(slots=True)
class HttpServer:
    """The server over streamable HTTP; it can go away and come back at the same address."""

    server: Server
    port: int = 0
    session: int = 0
    crashes: int = 0
    _runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    async def start(self) -> None:
        self.session += 1
        app = web.Application()
        app.add_routes([web.route("*", "/mcp", self._answer)])
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["HttpServer"]:
        await self.start()
        try:
            yield self
        finally:
            await self.stop()

    async def _answer(self, request: web.Request) -> web.Response:
        if request.method != "POST":
            return web.Response(status=405)
        self.server.headers = dict(request.headers)
        message = await request.json()
        session = request.headers.get("Mcp-Session-Id", "")
        if session and session != str(self.session):
            return web.Response(status=404)
        if message.get("params", {}).get("name") == "crash":
            self.crashes += 1
            assert request.transport is not None
            request.transport.abort()
        answer = await self.server.answer(message)
        if answer is None:
            return web.Response(status=202)
        return web.json_response(answer, headers={"Mcp-Session-Id": str(self.session)})
