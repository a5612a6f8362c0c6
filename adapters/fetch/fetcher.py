"""Fetches pages of the public web: safe for us, polite to others, bounded in every way."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urljoin

import aiohttp
from aiohttp.abc import AbstractResolver

from adapters.deadline import within
from adapters.fetch.addresses import Policy
from adapters.fetch.body import (
    ENCODINGS,
    LARGEST_BODY,
    BrokenBodyError,
    TooBigError,
    collect,
    decode,
    is_binary,
)
from adapters.fetch.connecting import Gate, open_session
from adapters.fetch.reading import is_text, main_text
from bot.core.pages import (
    Page,
    PageRefusedError,
    PageUnavailableError,
    PageUnreadableError,
)
from bot.core.ports import Clock
from bot.core.words import text

SECONDS = 20.0
"""For everything: resolving, all redirects, the body, finding the text in it."""

MOST_REDIRECTS = 5
READERS = 2
"""Pages whose text is looked for at once."""

HEADERS = {
    "User-Agent": "Switchboard/0.1 (reads a page that a person asked for)",
    "Accept": "text/html, text/plain, application/json;q=0.9, */*;q=0.1",
    "Accept-Encoding": ENCODINGS,
}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MEGABYTES = LARGEST_BODY // 2**20


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a server answered in the end."""

    address: str
    mime: str
    charset: str
    body: bytes


class WebPages:
    """`bot.core.pages.Pages` by HTTP; it keeps nothing from one page to the next."""

    def __init__(
        self,
        *,
        clock: Clock,
        policy: Policy | None = None,
        resolver: Callable[[], AbstractResolver] = aiohttp.ThreadedResolver,
    ) -> None:
        """Take the clock.

        Args:
            clock: measures the time limit.
            policy: which addresses may be asked; the public ones unless told otherwise.
            resolver: makes what finds the addresses of a name.
        """
        self._clock = clock
        self._policy = policy or Policy()
        self._resolver = resolver
        self._readers: ThreadPoolExecutor | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Be able to read pages while the context is open."""
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="page")
        try:
            yield
        finally:
            self._readers.shutdown(wait=False, cancel_futures=True)
            self._readers = None

    async def read(self, address: str) -> Page:
        """Return the page; see the port."""
        try:
            return await within(self._clock, SECONDS, self._read(address))
        except TimeoutError as error:
            raise PageUnavailableError(text("pages.slow", seconds=int(SECONDS))) from error

    async def _read(self, address: str) -> Page:
        gate = Gate(self._policy, self._resolver())
        async with open_session(gate, headers=HEADERS) as session:
            try:
                answer = await self._follow(session, address)
            except (aiohttp.ClientError, OSError, ValueError) as error:
                if gate.refused:
                    raise PageRefusedError(text("pages.private")) from error
                if isinstance(error, aiohttp.InvalidURL):
                    raise PageRefusedError(text("pages.no_address")) from error
                raise PageUnavailableError(text("pages.unreachable")) from error
        if is_binary(answer.body):
            raise PageUnreadableError(text("pages.no_text_type", mime=answer.mime or "?"))
        title, body, is_cut = await asyncio.get_running_loop().run_in_executor(
            self._readers, _text_of, answer
        )
        if not body:
            raise PageUnreadableError(text("pages.empty"))
        return Page(
            address=answer.address, title=title, text=body, mime=answer.mime, is_cut=is_cut
        )

    async def _follow(self, session: aiohttp.ClientSession, address: str) -> _Answer:
        """Return the answer after redirects; each address is checked before it is asked."""
        for _ in range(MOST_REDIRECTS + 1):
            self._policy.check(address)
            async with session.get(address, allow_redirects=False) as response:
                target = response.headers.get("Location", "")
                if response.status not in _REDIRECTS or not target:
                    return await _answer(address, response)
                address = urljoin(address, target)
        raise PageUnreadableError(text("pages.redirects", most=MOST_REDIRECTS))


async def _answer(address: str, response: aiohttp.ClientResponse) -> _Answer:
    """Return a response that is text; its body is read only then."""
    if response.status >= HTTPStatus.BAD_REQUEST:
        gone = response.status < HTTPStatus.INTERNAL_SERVER_ERROR
        error = PageUnreadableError if gone else PageUnavailableError
        raise error(text("pages.status", status=response.status))
    mime, _, parameters = response.headers.get("Content-Type", "").partition(";")
    mime = mime.strip().lower()
    if not is_text(mime):
        raise PageUnreadableError(text("pages.no_text_type", mime=mime))
    try:
        body = await collect(
            response.content.iter_any(),
            encoding=response.headers.get("Content-Encoding", ""),
            announced=response.content_length or 0,
        )
    except TooBigError as error:
        raise PageUnreadableError(text("pages.too_big", megabytes=_MEGABYTES)) from error
    except BrokenBodyError as error:
        raise PageUnreadableError(text("pages.broken")) from error
    _, _, charset = parameters.lower().partition("charset=")
    return _Answer(address, mime, charset.partition(";")[0], body)


def _text_of(answer: _Answer) -> tuple[str, str, bool]:
    return main_text(decode(answer.body, answer.charset), answer.mime)
