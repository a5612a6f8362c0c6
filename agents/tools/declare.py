"""Short forms of a tool's declaration: one that reads, one that writes."""

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import JsonValue

from bot.core.permissions import Permission
from bot.core.tools import Tool, ToolArguments, ToolContext

Run = Callable[[ToolContext, Any], Awaitable[JsonValue]]
"""``Any`` because each tool has its own arguments."""


def reading(
    permission: Permission, name: str, arguments: type[ToolArguments], run: Run, description: str
) -> Tool:
    """Return a tool that changes nothing."""
    return Tool(
        name=name,
        description=description,
        arguments=arguments,
        run=run,
        requires=frozenset({permission}),
    )


def free(
    name: str,
    arguments: type[ToolArguments],
    run: Run,
    description: str,
    *,
    outside: bool = False,
) -> Tool:
    """Return a tool that changes nothing and needs no permission of its own."""
    return Tool(
        name=name,
        description=description,
        arguments=arguments,
        run=run,
        requires=frozenset(),
        outside=outside,
    )


def writing(  # read as a table row
    permission: Permission,
    name: str,
    arguments: type[ToolArguments],
    run: Run,
    description: str,
    *,
    confirm: bool = False,
    overwrites: bool = False,
) -> Tool:
    """Return a tool with an effect.

    With ``confirm`` a model needs a person's press for it; with ``overwrites`` it changes what is
    there, which an order that comes late may not.
    """
    return Tool(
        name=name,
        description=description,
        arguments=arguments,
        run=run,
        requires=frozenset({permission}),
        writes=True,
        confirm=confirm,
        overwrites=overwrites,
    )
