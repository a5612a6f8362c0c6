"""The operator's file of MCP servers, in the form that other programs use too.

    {"mcpServers": {"weather": {"command": "uvx", "args": ["..."], "env": {"KEY": "${MY_KEY}"}},
                    "maps": {"url": "https://...", "headers": {"Authorization": "Bearer ${T}"}}}}

``${NAME}`` in ``env``, ``headers`` and ``url`` is looked up, so that the file holds no secrets.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints, ValidationError

from bot.core.patterns import regex
from bot.core.service_faults import json_fault, server_called, shape_fault
from bot.core.services import JOINT, ServiceConfig

Look = Callable[[str], str | None]
"""Returns the secret of a name; None when it is not set."""

MOST_SERVICES = 20
_NAME = regex(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9])?")
_REFERENCE = regex(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_Line = Annotated[str, StringConstraints(pattern=r"^[^\r\n\x00]*$")]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["stdio", "http", "streamable-http", "streamableHttp", ""] = ""
    command: _Line = ""
    args: tuple[_Line, ...] = ()
    env: Mapping[str, _Line] = Field(default_factory=dict)
    url: _Line = ""
    headers: Mapping[_Line, _Line] = Field(default_factory=dict)
    disabled: bool = False
    description: str = ""


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    servers: Mapping[str, _Entry] = Field(alias="mcpServers", max_length=MOST_SERVICES)


def read_services(source: str, look: Look) -> tuple[ServiceConfig, ...]:
    """Return the services of the file's text, in its order.

    Raises:
        ValueError: it is not in order; the text says where and never holds a secret.
    """
    try:
        file = _File.model_validate(json.loads(source))
    except json.JSONDecodeError as error:
        raise ValueError(json_fault(error)) from None
    except ValidationError as error:
        raise ValueError(shape_fault(error, most=MOST_SERVICES)) from None
    return tuple(
        _config(name, entry, look) for name, entry in file.servers.items() if not entry.disabled
    )


def _config(name: str, entry: _Entry, look: Look) -> ServiceConfig:
    server = server_called(name)
    if not _NAME.fullmatch(name) or JOINT in name:
        raise ValueError(
            f"{server}: this name will not do; use letters, digits, - and single _, at most 32"
        )
    if bool(entry.command) is bool(entry.url):
        raise ValueError(f"{server}: name either a command or a url, and not both")
    if any(_REFERENCE.search(part) for part in (entry.command, *entry.args)):
        raise ValueError(f"{server}: others can read a command line; put secrets into env")
    url = _filled(f"{server}: url", entry.url, look)
    if entry.url:
        parts = urlsplit(url.get_secret_value())
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError(
                f"{server}: url must be an address such as https://example.com/mcp; "
                "put keys into headers"
            )
    return ServiceConfig(
        name=name,
        command=entry.command,
        args=entry.args,
        env={key: _filled(f"{server}: env", value, look) for key, value in entry.env.items()},
        url=url,
        headers={
            key: _filled(f"{server}: headers", value, look) for key, value in entry.headers.items()
        },
    )


def _filled(place: str, value: str, look: Look) -> SecretStr:
    """Return the value with its references looked up."""

    def found(reference: re.Match[str]) -> str:
        secret = look(reference[1])
        if secret is None:
            raise ValueError(
                f"{place} wants {reference[1]}, which is not set; "
                f"set {reference[1]} or {reference[1]}_FILE"
            )
        return secret

    return SecretStr(_REFERENCE.sub(found, value))
