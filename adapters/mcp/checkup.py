"""What `doctor` asks of an MCP server: start or reach it, and list its tools."""

from dataclasses import dataclass

from adapters.deadline import within
from adapters.mcp.server import CONNECT_SECONDS, connecting, reason
from bot.core.ports import Clock
from bot.core.services import ServiceConfig


@dataclass(frozen=True, slots=True)
class Check:
    """One test and how it went."""

    what: str
    ok: bool
    says: str


async def check(config: ServiceConfig, *, clock: Clock) -> Check:
    """Connect once, with the limit of every connection."""
    what = f"mcp {config.name}"
    try:
        return Check(what, ok=True, says=await within(clock, CONNECT_SECONDS, _listed(config)))
    except Exception as error:  # noqa: BLE001  # of four libraries; it is only told
        says = f"{reason(error)}; see what MCP_CONFIG says of {config.name}"
        return Check(what, ok=False, says=says)


async def _listed(config: ServiceConfig) -> str:
    async with await connecting(config) as connection:
        tools = await connection.tools()
        reading = sum(tool.is_read_only for tool in tools)
        says = f"{len(tools)} tools, {reading} of them only read"
        left_out = "; ".join(connection.skipped)
        return f"{says}; left out: {left_out}" if left_out else says
