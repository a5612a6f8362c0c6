"""What the web chat serves: the page, its files, sign-in, and the socket."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from aiohttp import WSCloseCode, WSMsgType, hdrs, web

from adapters.web.access import COOKIE, Access, Visitor, set_cookie
from adapters.web.client import Clients, Connection
from adapters.web.exchange import Exchange, Services
from adapters.web.pages import Pages, lock_down
from adapters.web.parse import account_of, chat_of
from adapters.web.uploads import UploadError, receive, serve
from bot.core.errors import StorageError
from bot.core.events import Account
from bot.core.words import Words, text
from bot.locales.catalogue import nearest_locale, resolve

_MAX_MESSAGE_BYTES = 1024 * 1024
_HEARTBEAT_SECONDS = 25.0
_GOODBYE_SECONDS = 1.0
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Routes:
    """The routes of the web chat, behind one door."""

    def __init__(self, *, access: Access, services: Services, clients: Clients) -> None:
        self._access = access
        self._services = services
        self._clients = clients
        self._pages = Pages()
        self._sockets: set[web.WebSocketResponse] = set()
        self._is_open = False

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Answer while the context is open, then send every page away."""
        await asyncio.to_thread(self._pages.load)
        self._is_open = True
        try:
            yield
        finally:
            self._is_open = False
            await asyncio.gather(
                *(socket.close(code=WSCloseCode.GOING_AWAY) for socket in self._sockets)
            )

    def table(self) -> list[web.RouteDef]:
        """Return the routes for the server."""
        return [
            web.get("/", self._checked(self._index)),
            web.get("/ws", self._checked(self._socket, own_page_only=True)),
            web.get("/files/{file_id}", self._checked(self._file)),
            web.post("/upload", self._checked(self._upload, own_page_only=True)),
            web.get("/login", self._checked(self._login)),
            web.post("/login", self._checked(self._sign_in, own_page_only=True)),
            web.post("/logout", self._checked(self._sign_out, own_page_only=True)),
            web.get("/static/{name}", self._checked(self._static)),
            web.get("/favicon.ico", self._checked(self._icon)),
        ]

    def _checked(self, handler: Handler, *, own_page_only: bool = False) -> Handler:
        """Return the handler behind the checks of host and origin, with locked-down headers."""

        async def checked(request: web.Request) -> web.StreamResponse:
            try:
                if not self._is_open:
                    raise web.HTTPServiceUnavailable(text="Starting or stopping.\n")
                if not self._access.host_allowed(request):
                    raise web.HTTPMisdirectedRequest(text="Unknown host.\n")
                if own_page_only and not self._access.origin_allowed(request):
                    raise web.HTTPForbidden(text="Foreign origin.\n")
                response = await handler(request)
            except web.HTTPException as error:
                lock_down(error)
                raise
            lock_down(response)
            return response

        return checked

    async def _visitor(self, request: web.Request) -> Visitor:
        visitor = await self._access.visitor(request)
        if visitor is None:
            raise web.HTTPUnauthorized(text="Sign in first.\n")
        return visitor

    async def _index(self, request: web.Request) -> web.StreamResponse:
        if token := request.query.get("token"):
            return await self._admit(request, token)
        if await self._access.visitor(request) is None:
            return _see("/login")
        return self._pages.file(request, "index.html")

    async def _admit(self, request: web.Request, token: str) -> web.StreamResponse:
        """Keep a right token in a cookie and go on without it in the address."""
        if await self._access.holder(token) is None:
            return _see("/login?failed=1")
        response = _hop("/") if _comes_from_afar(request) else _see("/")
        set_cookie(response, token, secure=_is_encrypted(request))
        return response

    async def _login(self, request: web.Request) -> web.StreamResponse:
        return self._pages.login(request, failed="failed" in request.query)

    async def _sign_in(self, request: web.Request) -> web.StreamResponse:
        token = (await request.post()).get("token")
        return await self._admit(request, token.strip() if isinstance(token, str) else "")

    async def _sign_out(self, _request: web.Request) -> web.StreamResponse:
        response = web.Response(status=204)
        response.del_cookie(COOKIE, path="/")
        return response

    async def _static(self, request: web.Request) -> web.StreamResponse:
        return self._pages.file(request, request.match_info["name"])

    async def _icon(self, request: web.Request) -> web.StreamResponse:
        return self._pages.file(request, "icon.svg")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        visitor = await self._visitor(request)
        found = await self._services.files.get(
            account_of(visitor.user).key, request.match_info["file_id"]
        )
        if found is None:
            raise web.HTTPNotFound(text="Not found.\n")
        return serve(*found)

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        visitor = await self._visitor(request)
        owner = account_of(
            visitor.user, nearest_locale(request.headers.get("Accept-Language", ""))
        )
        try:
            name, mime, data = await receive(request)
            file = await self._services.files.put(
                owner.key, data, name=name, mime=mime, now=self._services.clock.now()
            )
        except UploadError as error:
            return await self._say(owner, error.words, error.status)
        except StorageError:
            return await self._say(owner, text("web.error_storage"), 503)
        facts = {"ref": file.file_id, "name": file.name, "mime": file.mime}
        return web.json_response({**facts, "size_bytes": file.size_bytes})

    async def _say(self, account: Account, words: Words, status: int) -> web.Response:
        locale = account.locale
        with suppress(StorageError):
            view = await self._services.views.chat(chat_of(account.user_id), account)
            locale = nearest_locale(view.locale)
        said = resolve(words, locale)
        return web.json_response({"text": said}, status=status)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        visitor = await self._visitor(request)
        socket = web.WebSocketResponse(
            timeout=_GOODBYE_SECONDS, heartbeat=_HEARTBEAT_SECONDS, max_msg_size=_MAX_MESSAGE_BYTES
        )
        lock_down(socket)
        await socket.prepare(request)
        transport = request.transport
        connection = Connection(
            visitor.user,
            signed_in=visitor.signed_in,
            hint=request.headers.get("Accept-Language", "")[:2],
            abort=transport.abort if transport else lambda: None,
        )
        self._sockets.add(socket)
        try:
            await self._converse(socket, connection)
        finally:
            self._sockets.discard(socket)
            self._clients.remove(connection)
        return socket

    async def _converse(self, socket: web.WebSocketResponse, connection: Connection) -> None:
        exchange = Exchange(connection, self._services)
        async with asyncio.TaskGroup() as tasks:
            writer = tasks.create_task(connection.write(socket))
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await exchange.hear(message.data)
                else:
                    exchange.refuse(text("web.error_malformed"))
            writer.cancel()


def _see(address: str) -> web.Response:
    """Return a redirect that the browser follows with a GET."""
    headers = {hdrs.LOCATION: address, hdrs.CACHE_CONTROL: "no-store"}
    return web.Response(status=web.HTTPSeeOther.status_code, headers=headers)


def _is_encrypted(request: web.Request) -> bool:
    """Return whether the browser's side of the way is encrypted, as a proxy would tell."""
    return request.secure or request.headers.get("X-Forwarded-Proto", "") == "https"


def _hop(address: str) -> web.Response:
    """Return a page that goes on by itself, so that the next request is our own."""
    return web.Response(headers={"Refresh": f"0; url={address}", hdrs.CACHE_CONTROL: "no-store"})


def _comes_from_afar(request: web.Request) -> bool:
    """Return whether a link on another site led here: a redirect would lack a strict cookie."""
    return request.headers.get("Sec-Fetch-Site", "") == "cross-site"
