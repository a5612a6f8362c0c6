"""Who may come in, and from where."""

import asyncio
import json
import socket

import pytest
from aiohttp import ClientSession, CookieJar, WSMsgType, WSServerHandshakeError

from adapters.http import HttpServer
from bot.core.errors import ConfigurationError
from tests.integration.web.conftest import Page
from tests.integration.web.fakes import World

SESAME = "sesame-token"


def elsewhere() -> World:
    """Return a world that believes it is bound to all addresses."""
    return World(host="0.0.0.0", allowed_hosts=("chat.example.org",))  # noqa: S104


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1:1"])
async def test_a_foreign_origin_gets_no_socket_and_cannot_post(
    world: World, session: ClientSession, origin: str
) -> None:
    headers = {"Origin": origin} if origin else {}

    with pytest.raises(WSServerHandshakeError) as refused:
        await session.ws_connect(f"{world.origin}/ws", headers=headers)
    posts = [
        await session.post(f"{world.origin}{path}", headers=headers, data={"token": "x"})
        for path in ("/upload", "/login", "/logout")
    ]

    assert refused.value.status == 403
    assert [post.status for post in posts] == [403, 403, 403]
    assert world.inbox.accepted == []


@pytest.mark.parametrize("path", ["/", "/ws", "/login", "/static/app.js", "/files/f_1"])
async def test_a_foreign_host_is_refused_everywhere(
    world: World, session: ClientSession, path: str
) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "["):
        answer = await session.get(f"{world.origin}{path}", headers={"Host": host})

        assert answer.status in {400, 421}


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "[::1]:80"])
async def test_every_name_of_this_machine_is_welcome(
    world: World, session: ClientSession, host: str
) -> None:
    answer = await session.get(f"{world.origin}/", headers={"Host": host})

    assert answer.status == 200


async def test_the_page_is_locked_down(world: World, session: ClientSession) -> None:
    for path in ("/", "/login", "/static/app.js"):
        headers = (await session.get(world.origin + path)).headers

        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
    assert (await session.get(f"{world.origin}/")).headers["Referrer-Policy"] == "no-referrer"


async def test_files_of_the_page_are_not_sent_again_unchanged(
    world: World, session: ClientSession
) -> None:
    first = await session.get(f"{world.origin}/static/app.css")

    again = await session.get(
        f"{world.origin}/static/app.css", headers={"If-None-Match": first.headers["ETag"]}
    )

    assert (first.status, again.status) == (200, 304)


@pytest.mark.parametrize("name", ["..%2Fadapter.py", "nothing.js", "__init__.py"])
async def test_only_files_of_the_page_are_served(
    world: World, session: ClientSession, name: str
) -> None:
    answer = await session.get(f"{world.origin}/static/{name}")

    assert answer.status == 404


async def test_on_loopback_nobody_signs_in(world: World, session: ClientSession) -> None:
    page = await Page(session, world).open()

    state = await page.hear("state")

    assert (state["user"], state["signed_in"]) == ("local", False)
    await page.close()


async def test_behind_a_proxy_on_loopback_one_has_to_sign_in(
    world: World, session: ClientSession
) -> None:
    answer = await session.get(
        f"{world.origin}/", headers={"X-Forwarded-For": "203.0.113.9"}, allow_redirects=False
    )

    assert (answer.status, answer.headers["Location"]) == (303, "/login")


async def test_a_token_in_the_address_becomes_a_strict_cookie_and_disappears(
    world: World, session: ClientSession
) -> None:
    await world.tokens.invite("anna", SESAME)

    answer = await session.get(f"{world.origin}/?token={SESAME}", allow_redirects=False)

    assert (answer.status, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert answer.headers["Referrer-Policy"] == "no-referrer"


async def test_a_link_on_another_site_signs_in_too(world: World, session: ClientSession) -> None:
    await world.tokens.invite("anna", SESAME)

    answer = await session.get(
        f"{world.origin}/?token={SESAME}",
        headers={"Sec-Fetch-Site": "cross-site"},
        allow_redirects=False,
    )

    assert (answer.status, answer.headers["Refresh"]) == (200, "0; url=/")
    assert "SameSite=Strict" in answer.headers["Set-Cookie"]


async def test_who_signs_in_is_the_person_of_the_token_also_on_loopback(world: World) -> None:
    await world.tokens.invite("anna", SESAME)
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        answer = await session.post(
            f"{world.origin}/login", data={"token": f" {SESAME} "}, headers=_own(world)
        )
        page = await Page(session, world).open()
        state = await page.hear("state")
        await page.say(type="message", id="message-1", text="hi")
        await page.hear("ack")
        await page.close()

    assert answer.status == 200
    assert (state["user"], state["signed_in"]) == ("anna", True)
    assert world.parsed()[-1].account.user_id == "anna"


async def test_a_wrong_token_is_told_so(world: World, session: ClientSession) -> None:
    answer = await session.post(
        f"{world.origin}/login",
        data={"token": "wrong"},
        headers={**_own(world), "Accept-Language": "en"},
    )

    assert answer.status == 401
    assert "This token is wrong" in await answer.text()
    assert "Set-Cookie" not in answer.headers


async def test_a_revoked_token_is_worth_nothing() -> None:
    world = elsewhere()
    await world.tokens.invite("anna", SESAME)
    bearer = {"Authorization": f"Bearer {SESAME}"}
    async with world.served(), ClientSession() as session:
        before = await session.get(f"{world.origin}/metrics", headers=bearer)
        await world.tokens.revoke("anna")
        after = await session.get(f"{world.origin}/metrics", headers=bearer)

    assert (before.status, after.status) == (200, 401)


async def test_bound_elsewhere_everything_but_sign_in_and_health_is_closed() -> None:
    world = elsewhere()
    async with world.served(), ClientSession() as session:
        answers = {
            path: (await session.get(world.origin + path, allow_redirects=False)).status
            for path in ("/", "/ws", "/files/f_1", "/metrics", "/login", "/healthz")
        }
        with pytest.raises(WSServerHandshakeError) as refused:
            await session.ws_connect(f"{world.origin}/ws", headers=_own(world))
        upload = await session.post(f"{world.origin}/upload", headers=_own(world))

    assert answers == {
        "/": 303,
        "/ws": 403,
        "/files/f_1": 401,
        "/metrics": 401,
        "/login": 200,
        "/healthz": 200,
    }
    assert (refused.value.status, upload.status) == (401, 401)


@pytest.mark.parametrize(
    ("host", "status"),
    [("chat.example.org", 200), ("192.0.2.7:8080", 200), ("evil.example", 421)],
)
async def test_bound_elsewhere_only_named_hosts_and_plain_addresses_are_ours(
    host: str, status: int
) -> None:
    world = elsewhere()
    async with world.served(), ClientSession() as session:
        answer = await session.get(f"{world.origin}/login", headers={"Host": host})

    assert answer.status == status


async def test_signing_out_takes_the_cookie_away(world: World, session: ClientSession) -> None:
    answer = await session.post(f"{world.origin}/logout", headers=_own(world))

    assert answer.status == 204
    assert "Max-Age=0" in answer.headers["Set-Cookie"]


async def test_a_taken_port_is_one_line_that_says_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(ConfigurationError) as told:
            async with HttpServer("127.0.0.1", port):
                pass

    assert "HTTP_PORT" in str(told.value)
    assert str(port) in str(told.value)
    assert "\n" not in str(told.value)


async def test_an_unhealthy_part_makes_the_health_page_a_503(session: ClientSession) -> None:
    async with HttpServer("127.0.0.1", 0, health={"db": lambda: {"state": "!down"}}) as server:
        answer = await session.get(f"{server.url}healthz")
        body = json.loads(await answer.text())

    assert (answer.status, body["status"]) == (503, "unhealthy")


async def test_before_it_runs_the_chat_answers_that_it_is_not_there_yet(
    session: ClientSession,
) -> None:
    world = World()
    async with HttpServer("127.0.0.1", 0, routes=world.adapter.routes()) as server:
        answer = await session.get(server.url)

    assert answer.status == 503


async def test_stopping_sends_every_page_away(session: ClientSession) -> None:
    world = World()
    async with world.served():
        page = await Page(session, world).open()
        await page.hear("items")
        assert page.socket is not None
        farewell = asyncio.create_task(page.socket.receive())

    assert (await farewell).type is WSMsgType.CLOSE
    assert page.socket.close_code == 1001
    assert world.adapter.health() == {"clients": "0"}


def _own(world: World) -> dict[str, str]:
    return {"Origin": world.origin}
