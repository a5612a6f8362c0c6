"""A small server by the official SDK, so that we are not only tried against our own reading."""

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("official")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def forecast(city: str) -> dict[str, str]:
    """Tell the weather of a city."""
    return {"city": city, "sky": "clear"}


@server.tool()
def boom() -> str:
    """Fail."""
    raise ValueError("no luck")


if __name__ == "__main__":
    server.run()
