"""Connections that go to checked addresses only, whatever a name resolves to next time.

A name is resolved once for a connection and the connection is made to what was checked; the
socket is asked for with the very address it will connect to, which is the last word. So a name
that answers differently the second time (DNS rebinding) gains nothing, and neither does an
address that two parsers read differently.
"""

import socket
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from adapters.fetch.addresses import Policy


class AddressRefusedError(OSError):
    """The address is not one that may be asked."""


class Gate(AbstractResolver):
    """Resolves and lets through for one fetch.

    Attributes:
        refused: whether something was not let through.
    """

    def __init__(self, policy: Policy, resolver: AbstractResolver) -> None:
        self._policy = policy
        self._resolver = resolver
        self.refused = False

    async def resolve(  # type: ignore[explicit-override]
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name; none when one of them is not public."""
        found = await self._resolver.resolve(host, port, family)
        for each in found:
            self._let_through(each["host"])
        return found

    async def close(self) -> None:  # type: ignore[explicit-override]
        """Nothing of ours is open."""

    def socket(self, info: tuple[Any, ...]) -> socket.socket:
        """Return a socket for the address in ``info`` (family, type, protocol, name, address)."""
        family, kind, protocol, _, address = info
        self._let_through(address[0])
        if address[1] not in self._policy.ports:
            self.refused = True
            raise AddressRefusedError("port")
        made = socket.socket(family=family, type=kind, proto=protocol)
        made.setblocking(False)  # noqa: FBT003  # as the standard library has it
        return made

    def _let_through(self, host: str) -> None:
        if not self._policy.allows(ip_address(host)):
            self.refused = True
            raise AddressRefusedError("address")


def open_session(gate: Gate, *, headers: Mapping[str, str]) -> aiohttp.ClientSession:
    """Return a session without memory: no cookies, no proxies, no connection used twice."""
    connector = aiohttp.TCPConnector(
        resolver=gate, socket_factory=gate.socket, use_dns_cache=False, force_close=True
    )
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        headers=headers,
        timeout=aiohttp.ClientTimeout(total=None),
    )
