"""All MCP servers of the operator, each on its own: one that is dead concerns nobody else."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from pydantic import JsonValue

from adapters.mcp.server import McpServer
from bot.core.ports import Clock
from bot.core.services import JOINT, ServiceConfig, ServiceError, ServiceResult, ServiceTool


class McpServers:
    """`bot.core.services.Services` by the Model Context Protocol."""

    def __init__(self, configs: Sequence[ServiceConfig], *, clock: Clock) -> None:
        self._servers = {config.name: McpServer(config, clock=clock) for config in configs}

    @property
    def names(self) -> Sequence[str]:
        """The configured servers."""
        return tuple(self._servers)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep them connected while the context is open; nothing waits for them."""
        tasks = [asyncio.create_task(server.run()) for server in self._servers.values()]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def tools(self) -> Sequence[ServiceTool]:
        """Return the tools of the servers that are there; see the port."""
        return tuple(tool for server in self._servers.values() for tool in server.tools)

    async def call(self, name: str, arguments: Mapping[str, JsonValue]) -> ServiceResult:
        """Return what the tool answers; see the port."""
        server_name, _, tool_name = name.partition(JOINT)
        server = self._servers.get(server_name)
        if server is None:
            raise ServiceError(f"there is no service {server_name!r}")
        return await server.call(tool_name, arguments)

    def health(self) -> Mapping[str, str]:
        """Return the state of each; one that is down is no illness of ours."""
        return {server.name: server.state for server in self._servers.values()}
