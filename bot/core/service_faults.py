"""What is wrong with the operator's file of services, and what to do, in one plain line."""

import json
from collections.abc import Mapping

from pydantic import ValidationError

SHAPE = 'write {"mcpServers": {"NAME": {"command": "..."}}}'
LONGEST_NAME = 40

_FIELDS: Mapping[str, str] = {
    "type": 'type must be "stdio" or "http"; an old "sse" server is not spoken to',
    "command": "command must be one text on one line, the program alone; the rest goes into args",
    "args": 'args must be a list of texts, each on one line, e.g. ["-m", "server"]',
    "env": 'env must be names with texts, each on one line, e.g. {"API_KEY": "${MY_KEY}"}',
    "url": "url must be one text on one line, e.g. https://example.com/mcp",
    "headers": 'headers must be names with texts, each on one line, e.g. {"X-Key": "${MY_KEY}"}',
    "disabled": "disabled must be true or false, without quotes",
    "description": "description must be a text",
}


def json_fault(error: json.JSONDecodeError) -> str:
    """Return where a text is no JSON."""
    return (
        f"not JSON at line {error.lineno}, column {error.colno}; "
        "check the commas, quotes and brackets there"
    )


def shape_fault(error: ValidationError, *, most: int) -> str:
    """Return the first fault of the form; it names fields and never repeats a value."""
    first = error.errors(include_input=False, include_url=False)[0]
    place = [str(part) for part in first["loc"]]
    if len(place) < 2:  # noqa: PLR2004  # the file or the table of servers
        if first["type"] == "too_long":
            return f"more than {most} servers; take some out"
        if first["type"] == "missing":
            return f'"mcpServers" is missing; {SHAPE}'
        return f"must hold servers by name; {SHAPE}"
    server = server_called(place[1])
    if len(place) == 2:  # noqa: PLR2004  # a server as a whole
        return f'{server}: must be an entry such as {{"command": "..."}} or {{"url": "..."}}'
    field = place[2]
    if first["type"] == "extra_forbidden":
        known = ", ".join(_FIELDS)
        return f"{server}: {field[:LONGEST_NAME]} is no field; take it out, or use one of {known}"
    return f"{server}: {_FIELDS[field]}"


def server_called(name: str) -> str:
    """Return how a server is named to the operator."""
    return f'server "{" ".join(name.split())[:LONGEST_NAME]}"'
