"""An MCP server that behaves and misbehaves, as a program (stdio).

``python -m tests.emulators.mcp_server NOTES_FILE [bad | equal | many]``.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.emulators.mcp_rules import Server, built, exit_now

FLOOD_MEGABYTES = 200


def command(notes: Path, *extra: str) -> dict[str, Any]:
    """Return the entry of the operator's file that starts this module as a program."""
    return {
        "command": sys.executable,
        "args": ["-m", "tests.emulators.mcp_server", str(notes), *extra],
        "env": {"PYTHONPATH": str(Path(__file__).parents[2])},
    }


async def speak(server: Server) -> None:
    """Answer line by line, each request on its own."""
    server.die, server.flood = exit_now, flood
    async with asyncio.TaskGroup() as tasks:
        while line := await asyncio.to_thread(sys.stdin.readline):
            tasks.create_task(_reply(server, line))
        sys.exit()


async def _reply(server: Server, line: str) -> None:
    answer = await server.answer(json.loads(line))
    if answer is not None:
        await asyncio.to_thread(_print, json.dumps(answer))


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def flood(note: Callable[[str], None]) -> None:
    """Say a line that ends late, if anybody reads so far."""
    for _ in range(FLOOD_MEGABYTES):
        sys.stdout.write("0123456789abcdef" * 65536)
        sys.stdout.flush()
        note("megabyte")
    _print("")


if __name__ == "__main__":
    asyncio.run(speak(built(Path(sys.argv[1]), *sys.argv[2:])))
