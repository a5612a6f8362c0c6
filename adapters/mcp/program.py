"""A server as a program: started, spoken to line by line, and ended with all that it started.

It takes the place of the SDK's own transport, which keeps a line whole however long it is.
Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports (stdio) and
https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle (shutdown).
"""

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Self

import mcp_types
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from adapters.mcp.wires import LARGEST_MESSAGE, Item
from bot.core.services import ServiceConfig

GRACE_SECONDS = 2.0
"""To end once it hears nothing more; then once it is asked to; then once it is killed."""


class _Stream(AbstractAsyncContextManager["_Stream"]):
    """One end of a pipe as the SDK wants it."""

    async def aclose(self) -> None:
        """Nothing to close; the program is ended by whoever started it."""

    async def __aenter__(self) -> Self:  # type: ignore[explicit-override]
        return self

    async def __aexit__(self, *_error: object) -> None:  # type: ignore[explicit-override]
        await self.aclose()


class Lines(_Stream):
    """What the program says, a message a line; an overlong line is the last one."""

    def __init__(self, process: Process, flooded: asyncio.Event) -> None:
        self._process = process
        self._flooded = flooded

    async def receive(self) -> Item:
        """Return the next message."""
        return await self.__anext__()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        assert self._process.stdout is not None  # noqa: S101  # it was asked for
        if self._flooded.is_set():
            raise StopAsyncIteration
        try:
            line = await self._process.stdout.readline()
        except ValueError:  # over the limit of the reader
            self._flooded.set()
            _signal(self._process, hard=True)  # it is still writing
            raise StopAsyncIteration from None
        except ConnectionError:
            raise StopAsyncIteration from None
        if not line:
            raise StopAsyncIteration
        try:
            return SessionMessage(
                mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            )
        except ValueError as error:
            return error


class Orders(_Stream):
    """What the program is told, a message a line."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def send(self, item: SessionMessage) -> None:
        """Write a message; a program that does not listen any more is ended."""
        assert self._process.stdin is not None  # noqa: S101  # it was asked for
        told = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        try:
            self._process.stdin.write(f"{told}\n".encode())
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError):
            _signal(self._process, hard=True)

    async def aclose(self) -> None:  # type: ignore[explicit-override]
        """Say that nothing more will come."""
        assert self._process.stdin is not None  # noqa: S101  # it was asked for
        self._process.stdin.close()


@asynccontextmanager
async def running(
    config: ServiceConfig, flooded: asyncio.Event
) -> AsyncIterator[tuple[Lines, Orders]]:
    """Run the program while the context is open; ``flooded`` is set when it says too much."""
    command = await asyncio.to_thread(shutil.which, config.command)
    secrets = {name: value.get_secret_value() for name, value in config.env.items()}
    process = await asyncio.create_subprocess_exec(
        command or config.command,
        *config.args,
        env=get_default_environment() | secrets,
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        limit=LARGEST_MESSAGE,
        start_new_session=True,
    )
    orders = Orders(process)
    try:
        yield Lines(process, flooded), orders
    finally:
        try:
            await orders.aclose()
            if not await _ends(process):
                _signal(process, hard=False)
                await _ends(process)
        finally:
            _signal(process, hard=True)
            await _ends(process)


async def _ends(process: Process) -> bool:
    """Whether the program has ended after a moment."""
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), GRACE_SECONDS)
    return process.returncode is not None


def _signal(process: Process, *, hard: bool) -> None:
    """Ask the program, and what it started, to end; or end it."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)
