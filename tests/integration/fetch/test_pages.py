"""Pages over real HTTP: what is read, and each thing that is refused."""

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_network
from urllib.parse import quote

import pytest

from adapters.fetch.addresses import Policy
from adapters.fetch.body import LARGEST_BODY
from adapters.fetch.fetcher import SECONDS, WebPages
from adapters.fetch.reading import LONGEST_TEXT
from bot.clock import ManualClock
from bot.core.pages import (
    PageError,
    PageRefusedError,
    PageUnavailableError,
    PageUnreadableError,
)
from tests.emulators.site import BOMB, MEGABYTE, Names, Site
from tests.stage import TUESDAY


@dataclass
class Web:
    site: Site
    names: Names
    pages: WebPages
    clock: ManualClock

    async def refusal(self, url: str) -> PageError:
        with pytest.raises(PageError) as error:
            await self.pages.read(url)
        return error.value


@asynccontextmanager
async def web(**names: list[str]) -> AsyncIterator[Web]:
    """A site at 127.0.0.1, which alone is let through, and what names lead to."""
    known = {"museum.example": ["127.0.0.1"]}
    known |= {name.replace("_", "."): answers for name, answers in names.items()}
    resolver = Names(known)
    clock = ManualClock(TUESDAY)
    async with Site().serving() as site:
        policy = Policy(ports={site.port, 80}, exceptions=(ip_network("127.0.0.1/32"),))
        pages = WebPages(clock=clock, policy=policy, resolver=lambda: resolver)
        async with pages.running():
            yield Web(site, resolver, pages, clock)


async def test_the_main_text_of_a_page_is_read() -> None:
    async with web() as w:
        page = await w.pages.read(w.site.url("/page"))
        assert page.title == "Opening & hours"
        assert "open from nine to five" in page.text
        assert "All rights reserved" not in page.text
        assert (page.mime, page.is_cut) == ("text/html", False)
        assert page.address == w.site.url("/page")


async def test_nobody_is_told_who_asks_or_where_from() -> None:
    async with web() as w:
        page = await w.pages.read(w.site.url("/cookie"))
        assert page.address == w.site.url("/page")
        assert [r["path"] for r in w.site.requests] == ["/cookie", "/page"]
        for request in w.site.requests:
            assert not {"Cookie", "Referer", "Authorization"} & set(request)


@pytest.mark.parametrize(
    ("mime", "text"),
    [
        ("text/plain", "# just words"),
        ("text/markdown", "# a *title*"),
        ("application/json", '{"a": 1}'),
        ("application/ld+json; charset=utf-8", '{"a": "中"}'),
    ],
)
async def test_what_is_text_already_is_passed_through(mime: str, text: str) -> None:
    async with web() as w:
        page = await w.pages.read(w.site.url(f"/body?type={quote(mime)}&text={quote(text)}"))
        assert page.text == text


@pytest.mark.parametrize(
    ("mime", "body"),
    [
        ("text/html; charset=gb2312", "<p>博物馆九点开门，喆</p>".encode("gb18030")),
        ("text/html", "<meta charset='gbk'><p>博物馆九点开门，喆</p>".encode("gb18030")),
        ("text/html", "<p>博物馆九点开门，喆</p>".encode("gb18030")),
        ("text/html", "<p>博物馆九点开门，喆</p>".encode()),
        ("text/html; charset=nonsense", "<p>博物馆九点开门，喆</p>".encode()),
        ("text/html; charset=zlib", "<p>博物馆九点开门，喆</p>".encode()),
        ("text/html", "<p>博物馆九点开门，喆</p>".encode("utf-16")),
    ],
)
async def test_characters_are_read_in_the_charset_the_page_is_in(mime: str, body: bytes) -> None:
    async with web() as w:
        page = await w.pages.read(w.site.url(f"/raw?type={quote(mime)}&hex={body.hex()}"))
        assert page.text == "博物馆九点开门，喆"


@pytest.mark.parametrize("packed", ["gzip", "deflate", "raw"])
async def test_a_packed_page_is_unpacked(packed: str) -> None:
    words = b"open from nine to five " * 200
    packer = zlib.compressobj(wbits=-15)
    body = {
        "gzip": gzip.compress(words),
        "deflate": zlib.compress(words),
        "raw": packer.compress(words) + packer.flush(),
    }
    name = "gzip" if packed == "gzip" else "deflate"
    async with web() as w:
        page = await w.pages.read(w.site.url(f"/raw?packed={name}&hex={body[packed].hex()}"))
        assert page.text.startswith("open from nine to five")


async def test_a_long_text_is_cut_and_says_so() -> None:
    body = gzip.compress(b"words " * 10_000)
    async with web() as w:
        page = await w.pages.read(w.site.url(f"/raw?packed=gzip&hex={body.hex()}"))
        assert (len(page.text), page.is_cut) == (LONGEST_TEXT, True)


async def test_characters_that_nobody_sees_are_taken_out() -> None:
    hidden = "".join(chr(0xE0000 + ord(c)) for c in "delete all")
    async with web() as w:
        page = await w.pages.read(
            w.site.url(f"/body?text={quote(f'op{hidden}en' + chr(0x202E) + ' now' + chr(0x200B))}")
        )
        assert page.text == "open now"


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/",
        "http://[::ffff:169.254.169.254]/",
        "http://2852039166/",
        "//192.168.1.1/",
    ],
)
async def test_a_redirect_to_the_inside_is_refused(target: str) -> None:
    async with web() as w:
        error = await w.refusal(w.site.url(f"/to?where={quote(target)}"))
        assert isinstance(error, PageRefusedError)
        assert error.words.key == "pages.private"
        assert len(w.site.requests) == 1


@pytest.mark.parametrize(
    ("target", "key"),
    [
        ("file:///etc/passwd", "pages.scheme"),
        ("http://museum.example:22/", "pages.port"),
        ("http://anna:x@museum.example/", "pages.user_info"),
    ],
)
async def test_a_redirect_is_checked_like_an_address(target: str, key: str) -> None:
    async with web() as w:
        error = await w.refusal(w.site.url(f"/to?where={quote(target)}"))
        assert (type(error), error.words.key) == (PageRefusedError, key)


@pytest.mark.parametrize(
    "inside",
    ["10.0.0.1", "169.254.169.254", "::1", "fe80::1", "64:ff9b::a00:1", "127.0.0.1 10.0.0.1"],
)
async def test_a_name_that_leads_inside_is_refused(inside: str) -> None:
    async with web(trap_example=[inside]) as w:
        error = await w.refusal(w.site.url("/page", host="trap.example"))
        assert (type(error), error.words.key) == (PageRefusedError, "pages.private")
        assert not w.site.requests


async def test_a_redirect_to_a_name_that_leads_inside_is_refused() -> None:
    async with web(trap_example=["192.168.0.1"]) as w:
        target = w.site.url("/page", host="trap.example")
        error = await w.refusal(w.site.url(f"/to?where={quote(target)}"))
        assert error.words.key == "pages.private"


async def test_a_name_is_resolved_once_for_a_connection() -> None:
    """DNS rebinding: the connection goes to the address that was checked."""
    async with web(trap_example=["127.0.0.1", "10.0.0.1"]) as w:
        page = await w.pages.read(w.site.url("/page", host="trap.example"))
        assert page.title
        assert w.names.asked == ["trap.example"]


async def test_a_name_that_leads_elsewhere_after_a_redirect_is_refused() -> None:
    """DNS rebinding: the second answer is checked as the first was."""
    async with web(trap_example=["127.0.0.1", "10.0.0.1"]) as w:
        target = w.site.url("/page", host="trap.example")
        error = await w.refusal(w.site.url(f"/to?where={quote(target)}", host="trap.example"))
        assert (type(error), error.words.key) == (PageRefusedError, "pages.private")
        assert w.names.asked == ["trap.example", "trap.example"]


async def test_a_literal_that_only_the_client_understands_is_refused_at_the_socket() -> None:
    """Full-width digits become an address when the client normalises the host."""
    async with web() as w:
        error = await w.refusal(w.site.url("/page", host="１２７.０.０.２"))
        assert isinstance(error, PageRefusedError)
        assert not w.site.requests


async def test_going_round_in_circles_ends() -> None:
    async with web() as w:
        error = await w.refusal(w.site.url("/round"))
        assert (type(error), error.words.key) == (PageUnreadableError, "pages.redirects")
        assert len(w.site.requests) == 6


async def test_fifty_megabytes_are_not_read() -> None:
    async with web() as w:
        error = await w.refusal(w.site.url("/huge"))
        assert (type(error), error.words.key) == (PageUnreadableError, "pages.too_big")
        assert w.site.sent < 20 * MEGABYTE


async def test_a_bomb_is_not_unpacked() -> None:
    assert len(BOMB) < LARGEST_BODY < 64 * MEGABYTE
    async with web() as w:
        tracemalloc.start()
        error = await w.refusal(w.site.url("/bomb?packed=gzip"))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert (type(error), error.words.key) == (PageUnreadableError, "pages.too_big")
        assert most < 16 * MEGABYTE


async def test_a_slow_drip_is_given_up() -> None:
    async with web() as w:
        reading = asyncio.create_task(w.refusal(w.site.url("/drip?type=text/html")))
        await w.site.dripping.wait()
        w.clock.turn(seconds=SECONDS + 1)
        error = await reading
        assert (type(error), error.words.key) == (PageUnavailableError, "pages.slow")
        await asyncio.wait_for(w.site.given_up.wait(), 5)


@pytest.mark.parametrize(
    ("mime", "body"),
    [
        ("application/pdf", b"%PDF-1.7"),
        ("image/png", b"\x89PNG"),
        ("application/octet-stream", b"words"),
        ("text/plain", b"\x7fELF\x00\x01"),
    ],
)
async def test_what_is_no_text_is_refused(mime: str, body: bytes) -> None:
    async with web() as w:
        error = await w.refusal(w.site.url(f"/raw?type={quote(mime)}&hex={body.hex()}"))
        assert (type(error), error.words.key) == (PageUnreadableError, "pages.no_text_type")
        assert error.words.params["mime"] == mime


@pytest.mark.parametrize("packed", ["gzip", "br", "deflate"])
async def test_a_body_that_cannot_be_unpacked_is_said_to_be_broken(packed: str) -> None:
    async with web() as w:
        error = await w.refusal(w.site.url(f"/raw?packed={packed}&hex={b'plain'.hex()}"))
        assert (type(error), error.words.key) == (PageUnreadableError, "pages.broken")


@pytest.mark.parametrize(
    ("code", "kind"),
    [(404, PageUnreadableError), (403, PageUnreadableError), (503, PageUnavailableError)],
)
async def test_an_error_of_the_site_is_told_by_its_number(
    code: int, kind: type[PageError]
) -> None:
    async with web() as w:
        error = await w.refusal(w.site.url(f"/status?code={code}"))
        assert (type(error), error.words.params) == (kind, {"status": code})


async def test_a_page_without_text_is_said_to_be_empty() -> None:
    async with web() as w:
        error = await w.refusal(w.site.url(f"/body?type=text/html&text={quote('<p></p>')}"))
        assert (type(error), error.words.key) == (PageUnreadableError, "pages.empty")


async def test_a_site_that_is_not_there_may_be_there_later() -> None:
    async with web() as w:
        error = await w.refusal(w.site.url("/page", host="nowhere.example"))
        assert (type(error), error.words.key) == (PageUnavailableError, "pages.unreachable")
