"""One MCP server: connected while it can be, called within limits, found again when lost."""

import asyncio
import functools
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from pydantic import JsonValue

from adapters.deadline import within
from adapters.importing import resting_collector
from bot.core.ports import Clock
from bot.core.services import (
    JOINT,
    ServiceConfig,
    ServiceDownError,
    ServiceError,
    ServiceResult,
    ServiceTool,
    ServiceTooLargeError,
    ServiceUnknownError,
)

if TYPE_CHECKING:
    from adapters.mcp.sdk import Connection

CONNECT_SECONDS = 30.0
"""To start or reach it, agree on the protocol, and list its tools."""

CALL_SECONDS = 30.0
WAIT_SECONDS = 5.0
"""How long a call waits for a connection that is just being made."""

LOOK_EVERY = 60.0
"""Seconds between two looks whether it is still there; its tools are listed anew then."""

PAUSES = (0.5, 2.0, 5.0, 15.0, 60.0, 300.0)
"""Seconds before the next try, after so many that failed."""

AT_ONCE = 4
"""Calls of one server at the same time; the rest wait their turn."""

NOT_THERE = "it is not there now"
TOO_MUCH = "it said too much at once"

log = structlog.get_logger(__name__)


@functools.cache
def is_installed() -> bool:
    """Whether the extra `mcp` is there; it looks at files."""
    return importlib.util.find_spec("mcp") is not None


class _BrokenError(ServiceDownError):
    """The connection broke, and asking again over a new one does no harm."""


async def connecting(config: ServiceConfig) -> AbstractAsyncContextManager["Connection"]:
    """Return the connection to be entered; the SDK is imported in a thread the first time."""
    return (await asyncio.to_thread(_sdk))(config)


def _sdk() -> "Callable[[ServiceConfig], AbstractAsyncContextManager[Connection]]":
    with resting_collector():
        from adapters.mcp.sdk import connected  # noqa: PLC0415  # heavy, only where configured

    return connected


class McpServer:
    """Keeps one server; a server that is dead at the start is tried again like a lost one."""

    def __init__(self, config: ServiceConfig, *, clock: Clock) -> None:
        self.name = config.name
        self._config = config
        self._clock = clock
        self._connection: Connection | None = None
        self._by_name: Mapping[str, ServiceTool] = {}
        self._settled = asyncio.Event()
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._state = "connecting"

    @property
    def tools(self) -> Sequence[ServiceTool]:
        """Its tools while it is there."""
        return tuple(self._by_name.values())

    @property
    def state(self) -> str:
        """What the health page says of it; names neither address nor command."""
        return self._state

    async def run(self) -> None:
        """Be connected, again and again, until cancelled."""
        failures = 0
        while True:
            began = self._clock.now()
            trouble = await self._one_connection()
            stood = self._clock.now() - began >= timedelta(seconds=LOOK_EVERY)
            failures = 0 if stood else failures + 1
            pause = PAUSES[min(failures, len(PAUSES) - 1)]
            self._state = f"down: {trouble}; next try after {pause:g} s"
            log.warning("mcp_server_down", server=self.name, reason=trouble, pause=pause)
            if failures > 1:  # the first new try comes at once, and calls wait for it
                self._settled.set()
            await self._clock.sleep(pause)
            self._settled.clear()

    async def call(self, name: str, arguments: Mapping[str, JsonValue]) -> ServiceResult:
        """Return what its tool of this name answers; see `Services.call`.

        When the connection breaks, what changes nothing is asked once more over a new one.
        """
        async with self._turns:
            try:
                return await self._call(name, arguments)
            except _BrokenError:
                return await self._call(name, arguments)

    async def _call(self, name: str, arguments: Mapping[str, JsonValue]) -> ServiceResult:
        connection = await self._present()
        tool = self._by_name.get(name)
        if tool is None:
            raise ServiceError(f"{self.name} has no tool {name!r}")
        try:
            return await within(self._clock, CALL_SECONDS, connection.call(name, arguments))
        except ServiceDownError as error:
            raise _BrokenError(str(error)) from error
        except (ServiceUnknownError, TimeoutError) as error:
            if not tool.is_read_only:
                raise ServiceUnknownError(str(error)) from error
            if connection.flooded.is_set():
                raise ServiceTooLargeError(TOO_MUCH) from error
            kind = _BrokenError if connection.lost.is_set() else ServiceDownError
            raise kind(str(error)) from error

    async def _present(self) -> "Connection":
        """Return the open connection, waiting a moment for one that is being made."""
        if self._connection is not None and self._connection.lost.is_set():
            self._forget()
        try:
            await within(self._clock, WAIT_SECONDS, self._settled.wait())
        except TimeoutError as error:
            raise ServiceDownError(NOT_THERE) from error
        if self._connection is None:
            raise ServiceDownError(NOT_THERE)
        return self._connection

    def _forget(self) -> None:
        self._connection = None
        self._by_name = {}
        self._settled.clear()

    async def _one_connection(self) -> str:
        """Connect and stay so as long as it lasts; return why it ended."""
        ready = asyncio.Event()
        holding = asyncio.create_task(self._hold(ready))
        patience = asyncio.ensure_future(self._clock.sleep(CONNECT_SECONDS))
        waiting = asyncio.ensure_future(ready.wait())
        try:
            await asyncio.wait({holding, patience, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if not ready.is_set() and not holding.done():
                return f"not ready within {CONNECT_SECONDS:g} s"
            return await holding
        finally:
            for task in (holding, patience, waiting):
                task.cancel()
            await asyncio.gather(holding, patience, waiting, return_exceptions=True)
            self._forget()

    async def _hold(self, ready: asyncio.Event) -> str:
        """Hold one connection; the same task opens and closes it, as the SDK wants it."""
        try:
            async with await connecting(self._config) as connection:
                await self._list(connection)
                self._connection = connection
                ready.set()
                self._settled.set()
                log.info("mcp_server_there", server=self.name, tools=len(self._by_name))
                await self._until_lost(connection)
                self._forget()
        except Exception as error:  # noqa: BLE001  # of four libraries; it is only told and tried again
            return reason(error)
        return (
            "it said too much at once" if connection.flooded.is_set() else "the connection ended"
        )

    async def _until_lost(self, connection: "Connection") -> None:
        while True:
            looking = asyncio.ensure_future(self._clock.sleep(LOOK_EVERY))
            lost = asyncio.ensure_future(connection.lost.wait())
            try:
                await asyncio.wait({looking, lost}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (looking, lost):
                    task.cancel()
                await asyncio.gather(looking, lost, return_exceptions=True)
            if connection.lost.is_set():
                return
            await within(self._clock, CALL_SECONDS, self._list(connection))

    async def _list(self, connection: "Connection") -> None:
        tools = await connection.tools()
        self._by_name = {tool.name.removeprefix(f"{self.name}{JOINT}"): tool for tool in tools}
        skipped = connection.skipped
        self._state = f"{len(self._by_name)} tools"
        if skipped:
            self._state += f", {len(skipped)} left out ({'; '.join(skipped[:3])})"
            log.warning("mcp_tools_left_out", server=self.name, tools=list(skipped))


def reason(error: BaseException) -> str:
    """Return what an error is, without its words: they may hold an address or a key."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__
