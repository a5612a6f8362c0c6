"""Who is asking, and whether their browser was sent here by a foreign page."""

import hashlib
import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import hdrs, web

from bot.core.transcripts import WebTokens

COOKIE = "switchboard"
COOKIE_SECONDS = 365 * 24 * 3600
LOCAL_USER = "local"
MAX_TOKEN_CHARS = 200
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks.

    Attributes:
        signed_in: they came with a token; otherwise they are the one local person.
    """

    user: str
    signed_in: bool


class Access:
    """The door of the web chat."""

    def __init__(
        self, *, tokens: WebTokens, host: str, allowed_hosts: Collection[str] = ()
    ) -> None:
        """Open the door.

        Args:
            tokens: the sign-ins.
            host: what the server is bound to.
            allowed_hosts: further names that people reach it by.
        """
        self._tokens = tokens
        self._loopback = _is_loopback(host)
        self._any_address = host in {"", "0.0.0.0", "::"}  # noqa: S104  # compared, not bound
        self._hosts = _LOOPBACK_NAMES | {host.lower()} | {name.lower() for name in allowed_hosts}

    def host_allowed(self, request: web.Request) -> bool:
        """Return whether the Host header is ours; a foreign name is a rebinding attack.

        Bound to every address, any numeric address is ours too: nobody can rebind a number.
        """
        name = _host_name(request.headers.get(hdrs.HOST, ""))
        return name in self._hosts or (self._any_address and _is_address(name))

    @staticmethod
    def origin_allowed(request: web.Request) -> bool:
        """Return whether the request comes from our own page, as only a browser can say."""
        try:
            origin = urlsplit(request.headers.get(hdrs.ORIGIN, ""))
        except ValueError:
            return False
        host = request.headers.get(hdrs.HOST, "").lower()
        return origin.scheme in {"http", "https"} and bool(host) and origin.netloc.lower() == host

    async def visitor(self, request: web.Request) -> Visitor | None:
        """Return who asks; None when they have to sign in first."""
        if signed_in := await self.holder(_presented(request)):
            return Visitor(signed_in, signed_in=True)
        behind_proxy = any(name in request.headers for name in _FORWARDED)
        if self._loopback and not behind_proxy:
            return Visitor(LOCAL_USER, signed_in=False)
        return None

    async def holder(self, token: str) -> str | None:
        """Return whose token this is."""
        if not token or len(token) > MAX_TOKEN_CHARS:
            return None
        digest = hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
        found = await self._tokens.find(digest)
        return found.user_id if found else None

    async def guard(self, request: web.Request) -> None:
        """Let only people through who may read here; for pages of others on this server.

        Raises:
            aiohttp.web.HTTPException: foreign host, or not signed in.
        """
        if not self.host_allowed(request):
            raise web.HTTPMisdirectedRequest(text="Unknown host.\n")
        if await self.visitor(request) is None:
            raise web.HTTPUnauthorized(text="Sign in at /login, or send a bearer token.\n")


def set_cookie(response: web.StreamResponse, token: str, *, secure: bool) -> None:
    """Keep the token in the browser, out of reach of scripts and of other sites."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        path="/",
        httponly=True,
        samesite="Strict",
        secure=secure,
    )


def _presented(request: web.Request) -> str:
    scheme, _, bearer = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
    return bearer.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
