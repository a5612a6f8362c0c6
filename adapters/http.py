"""The one HTTP server of the process; adapters contribute their routes to it."""

import errno
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.core.errors import ConfigurationError

HealthCheck = Callable[[], Mapping[str, str]]
Guard = Callable[[web.Request], Awaitable[None]]
_SHUTDOWN_SECONDS = 2.0
_MAX_BODY_BYTES = 1024 * 1024


class HttpServer:
    """Serves the given routes, ``/healthz`` and ``/metrics`` while its context is open."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        routes: Sequence[web.AbstractRouteDef] = (),
        health: Mapping[str, HealthCheck] | None = None,
        metrics: Callable[[], str] | None = None,
        guard: Guard | None = None,
    ) -> None:
        """Prepare the server; nothing is bound yet.

        Args:
            host: address to bind to.
            port: port to bind to; 0 takes a free one.
            routes: what the adapters serve.
            health: facts by part; a value starting with ``!`` makes the answer a 503.
            metrics: the text of ``/metrics``.
            guard: raises an HTTP exception for who may not read ``/metrics``.
        """
        self._host = host
        self._port = port
        self._health = dict(health or {})
        self._metrics = metrics
        self._guard = guard
        app = web.Application(client_max_size=_MAX_BODY_BYTES)
        app.add_routes(
            [web.get("/healthz", self._healthz), web.get("/metrics", self._show_metrics)]
        )
        app.add_routes(routes)
        self._runner = web.AppRunner(
            app, access_log=None, handle_signals=False, shutdown_timeout=_SHUTDOWN_SECONDS
        )

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise ConfigurationError(_why(error, self._host, self._port)) from error
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._runner.cleanup()

    @property
    def port(self) -> int:
        """The port in use; the free one that was taken when 0 was asked for."""
        for address in self._runner.addresses:
            return int(address[1])
        return self._port

    @property
    def url(self) -> str:
        """Where a person on this machine finds it."""
        host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)  # noqa: S104
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    async def _healthz(self, _request: web.Request) -> web.Response:
        parts = {name: dict(check()) for name, check in self._health.items()}
        well = not any(fact.startswith("!") for facts in parts.values() for fact in facts.values())
        return web.json_response(
            {"status": "ok" if well else "unhealthy", "parts": parts},
            status=200 if well else 503,
            headers=_PLAIN,
        )

    async def _show_metrics(self, request: web.Request) -> web.Response:
        if self._guard is not None:
            await self._guard(request)
        if self._metrics is None:
            raise web.HTTPNotFound(text="No metrics.\n")
        return web.Response(text=self._metrics(), headers=_PLAIN)


_PLAIN = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def _why(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return (
                f"HTTP_PORT: port {port} on {host} is taken by another program; "
                "stop that program or set HTTP_PORT to a free port."
            )
        case errno.EACCES:
            return f"HTTP_PORT: port {port} needs privileges; set HTTP_PORT to 1024 or more."
        case _:
            reason = error.strerror or error
            return (
                f"HTTP_HOST: cannot listen on {host}: {reason}; "
                "set HTTP_HOST to an address of this machine."
            )
