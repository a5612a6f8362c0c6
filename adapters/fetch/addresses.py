"""Which addresses of the internet may be asked on behalf of a person: public ones only.

Whoever writes to the bot chooses where it connects to. So nothing inside is reachable: neither
this machine, nor its network, nor what a cloud shows its machines.

Source: IANA special-purpose registries (RFC 6890), https://www.iana.org/assignments/
iana-ipv4-special-registry and iana-ipv6-special-registry; RFC 6052 (NAT64).
"""

import socket
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from bot.core.pages import PageRefusedError
from bot.core.words import text

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LONGEST_ADDRESS = 2000
PORTS = frozenset({80, 443})
"""Other ports are where people run what is not for the public, ourselves included."""

DEFAULT_PORTS = {"http": 80, "https": 443}

_PUBLIC_6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_REFUSED: tuple[Network, ...] = (
    IPv4Network("168.63.129.16/32"),  # Azure's, public by number only
    IPv4Network("192.0.0.0/24"),  # protocol assignments; Oracle's metadata are there
    IPv4Network("192.88.99.0/24"),  # relays into 6to4
    IPv6Network("2002::/16"),  # 6to4, which holds any IPv4 address
    IPv6Network("2001::/23"),  # Teredo and other tunnels
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What may be asked.

    Attributes:
        ports: the only ones that are.
        exceptions: networks that are let through although they are not public: an operator's
            own, or a test's.
    """

    ports: Collection[int] = PORTS
    exceptions: tuple[Network, ...] = ()

    def allows(self, address: Address) -> bool:
        """Whether this address is public, or an exception; an IPv4 address in it decides."""
        inner = _inner(address)
        if any(inner in network for network in self.exceptions):
            return True
        if any(inner in network for network in _REFUSED):
            return False
        if isinstance(inner, IPv6Address) and inner not in _PUBLIC_6:
            return False
        return inner.is_global and not (inner.is_multicast or inner.is_reserved)

    def check(self, url: str) -> str:
        """Return the host of an address whose form is in order.

        Where the host is a number, in whatever way it is written, it is checked here. A name is
        checked when it is resolved.

        Raises:
            PageRefusedError: it is not.
        """
        if len(url) > LONGEST_ADDRESS or any(c.isspace() or not c.isprintable() for c in url):
            raise PageRefusedError(text("pages.no_address"))
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise PageRefusedError(text("pages.no_address")) from error
        if parts.scheme not in DEFAULT_PORTS:
            raise PageRefusedError(text("pages.scheme"))
        if "@" in parts.netloc or "\\" in url:
            raise PageRefusedError(text("pages.user_info"))
        if not parts.hostname:
            raise PageRefusedError(text("pages.no_address"))
        if (DEFAULT_PORTS[parts.scheme] if port is None else port) not in self.ports:
            raise PageRefusedError(text("pages.port"))
        number = as_number(parts.hostname)
        if number is not None and not self.allows(number):
            raise PageRefusedError(text("pages.private"))
        return parts.hostname


def as_number(host: str) -> Address | None:
    """Return the address that a host is, as the system would read it; None for a name.

    ``2130706433``, ``0x7f.1`` and ``0177.0.0.1`` are 127.0.0.1.
    """
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeEncodeError):
        return None


def _inner(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address stands for, or the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
