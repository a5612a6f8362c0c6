"""Services of others with tools of their own, which the operator named (MCP servers)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue, SecretStr

from bot.core.errors import BotError

JOINT = "__"
"""Stands between the name of a service and that of its tool; no service has it in its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceConfig:
    """How to reach a service: a program that is started, or an address.

    Attributes:
        command, args, env: the program; its environment is this and a few harmless names.
        url, headers: the address, and what is sent along.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, SecretStr] = field(default_factory=dict)
    url: SecretStr = SecretStr("")  # noqa: RUF009  # immutable; keys stand in some addresses
    headers: Mapping[str, SecretStr] = field(default_factory=dict)


class ServiceError(BotError):
    """A call failed and had no effect; the text says why, in the service's words or ours."""


class ServiceDownError(ServiceError):
    """The service is not there now; nothing was sent, or nothing that changes anything."""


class ServiceTooLargeError(ServiceError):
    """A service that changes nothing answered with more than is taken."""


class ServiceUnknownError(BotError):
    """The call left and no answer came: nobody knows whether it had its effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceTool:
    """A tool of a service.

    Attributes:
        name: with the name of the service before it, e.g. ``weather__forecast``.
        description: in the words of the service: data, no instructions.
        schema: JSON schema of its arguments, an object.
        is_read_only: the service says that it changes nothing.
    """

    name: str
    description: str
    schema: Mapping[str, JsonValue]
    is_read_only: bool = False

    @property
    def service(self) -> str:
        """Name of the service."""
        return self.name.partition(JOINT)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceResult:
    """What a tool answered.

    Attributes:
        text: at most as long as the adapter allows; pictures and the like are only named.
        is_error: the tool says that it failed.
        is_cut: there was more.
    """

    text: str
    is_error: bool = False
    is_cut: bool = False


class Services(Protocol):
    """The services and their tools."""

    @property
    def names(self) -> Sequence[str]:
        """The configured services."""
        ...

    def tools(self) -> Sequence[ServiceTool]:
        """Return the tools of the services that are there now, in order."""
        ...

    async def call(self, name: str, arguments: Mapping[str, JsonValue]) -> ServiceResult:
        """Return what the tool of this full name answers.

        Raises:
            ServiceError: it had no effect; `ServiceDownError` when the service is not there,
                `ServiceTooLargeError` when it said too much.
            ServiceUnknownError: it may have had its effect.
        """
        ...

    def health(self) -> Mapping[str, str]:
        """Return the state of each service, for the health page."""
        ...
