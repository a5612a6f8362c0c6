"""MCP servers over real pipes and real HTTP: found, called within limits, lost and found again.

Waiting is polling here: what is waited for happens in other processes. Our own limits run on a
clock that is turned by hand.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
import structlog
from pydantic import JsonValue

from adapters.mcp.server import CALL_SECONDS, CONNECT_SECONDS, LOOK_EVERY
from adapters.mcp.servers import McpServers
from adapters.mcp.taming import LONGEST_RESULT, MOST_TOOLS
from adapters.mcp.wires import LARGEST_MESSAGE
from bot.clock import ManualClock
from bot.core.service_file import read_services
from bot.core.services import (
    ServiceDownError,
    ServiceError,
    ServiceTooLargeError,
    ServiceUnknownError,
)
from tests.emulators.mcp_http import HttpServer
from tests.emulators.mcp_rules import built
from tests.emulators.mcp_server import command
from tests.emulators.site import MEGABYTE
from tests.stage import TUESDAY

PATIENCE = 15
USUAL = {
    "maps_weather",
    "echo",
    "add_note",
    "add_note_silently",
    "hang",
    "hang_reading",
    "big",
    "flood",
    "flood_writing",
    "crash",
    "fail",
    "secret",
    "picture",
}


class Party:
    """Running servers with their clock."""

    def __init__(self, servers: McpServers, clock: ManualClock) -> None:
        self.servers = servers
        self.clock = clock

    async def until(self, holds: Callable[[], bool], **turn: float) -> None:
        """Wait until it holds; with ``turn`` the clock is turned so far each time."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                if turn:
                    self.clock.turn(**turn)
                await asyncio.sleep(0.02)

    def names(self, server: str) -> set[str]:
        return {
            tool.name.removeprefix(f"{server}__")
            for tool in self.servers.tools()
            if tool.service == server
        }

    async def there(self, *servers: str, **turn: float) -> None:
        await self.until(lambda: all(self.names(server) for server in servers), **turn)

    async def say(self, name: str, **arguments: JsonValue) -> str:
        async with asyncio.timeout(PATIENCE):
            return (await self.servers.call(name, arguments)).text


def children() -> set[psutil.Process]:
    """The processes below this one; a store that serves other tests may be among them."""
    return set(psutil.Process().children(recursive=True))


@asynccontextmanager
async def party(
    secrets: dict[str, str] | None = None, /, **entries: dict[str, Any]
) -> AsyncIterator[Party]:
    source = json.dumps({"mcpServers": entries})
    clock = ManualClock(TUESDAY)
    servers = McpServers(read_services(source, (secrets or {}).get), clock=clock)
    before = children()
    async with servers.running():
        yield Party(servers, clock)
    assert children() <= before, "a server outlived its connection"


@pytest.fixture(params=["program", "http"])
async def one(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Party]:
    """A server `s`, once as a program and once over HTTP."""
    notes = tmp_path / "notes"
    if request.param == "program":
        async with party(s=command(notes)) as running:
            await running.there("s")
            yield running
        return
    async with HttpServer(built(notes)).serving() as http, party(s={"url": http.url}) as running:
        await running.there("s")
        yield running


def notes_in(folder: Path) -> list[str]:
    file = folder / "notes"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


async def test_tools_are_listed_over_all_pages_and_can_be_called(one: Party) -> None:
    assert one.names("s") == USUAL
    assert await one.say("s__maps_weather", city="Oslo") == "Oslo: 24 degrees, sunny"


async def test_only_what_the_server_marks_counts_as_reading(one: Party) -> None:
    reading = {t.name for t in one.servers.tools() if t.is_read_only}
    assert {"s__echo", "s__maps_weather"} <= reading
    assert not {"s__add_note", "s__hang", "s__crash"} & reading


async def test_five_megabytes_are_cut(one: Party) -> None:
    result = await one.servers.call("s__big", {})
    assert (len(result.text), result.is_cut) == (LONGEST_RESULT, True)


async def test_what_is_no_text_is_named_and_a_failure_is_told(one: Party) -> None:
    assert await one.say("s__picture") == "[image, not shown]"
    result = await one.servers.call("s__fail", {})
    assert (result.text, result.is_error) == ("it went wrong", True)


@pytest.mark.parametrize(
    ("tool", "error"), [("s__hang", ServiceUnknownError), ("s__hang_reading", ServiceDownError)]
)
async def test_a_tool_that_hangs_is_given_up_and_the_others_go_on(
    one: Party, tool: str, error: type[Exception]
) -> None:
    calling = asyncio.ensure_future(one.servers.call(tool, {}))
    assert await one.say("s__echo", text="meanwhile") == "meanwhile"
    one.clock.turn(seconds=CALL_SECONDS + 1)
    with pytest.raises(error):
        await calling
    assert await one.say("s__echo", text="after") == "after"


async def test_a_server_that_crashes_in_a_call_leaves_it_unknown_and_is_found_again(
    tmp_path: Path,
) -> None:
    async with party(s=command(tmp_path / "notes")) as p:
        await p.there("s")
        with pytest.raises(ServiceUnknownError):
            await p.servers.call("s__crash", {})
        await p.until(lambda: p.servers.health()["s"].startswith("down: the connection ended"))
        await p.there("s", seconds=1)
        assert await p.say("s__echo", text="again") == "again"


@pytest.mark.parametrize(
    ("tool", "error"),
    [("s__flood", ServiceTooLargeError), ("s__flood_writing", ServiceUnknownError)],
)
async def test_a_line_without_end_is_not_read_to_it_and_the_server_is_begun_anew(
    tmp_path: Path, tool: str, error: type[Exception]
) -> None:
    async with party(s=command(tmp_path / "notes")) as p:
        await p.there("s")
        with pytest.raises(error):
            await p.servers.call(tool, {})
        await p.until(lambda: p.servers.health()["s"].startswith("down: it said too much"))
        taken = notes_in(tmp_path)
        assert len(taken) * MEGABYTE < 4 * LARGEST_MESSAGE
        await p.there("s", seconds=1)
        assert await p.say("s__echo", text="again") == "again"
        assert notes_in(tmp_path) == taken


async def test_a_call_right_after_a_crash_waits_for_the_new_connection(tmp_path: Path) -> None:
    async with party(s=command(tmp_path / "notes")) as p:
        await p.there("s")
        with pytest.raises(ServiceUnknownError):
            await p.servers.call("s__crash", {})
        calling = asyncio.ensure_future(p.say("s__add_note", text="once"))
        await p.until(lambda: p.servers.health()["s"].startswith("down"))
        p.clock.turn(seconds=2)
        assert await calling == "noted"
        assert notes_in(tmp_path) == ["once"]


async def test_a_crash_over_http_is_unknown_too_and_nothing_is_repeated(tmp_path: Path) -> None:
    http = HttpServer(built(tmp_path / "notes"))
    async with http.serving(), party(s={"url": http.url}) as p:
        await p.there("s")
        with pytest.raises(ServiceUnknownError):
            await p.servers.call("s__crash", {})
        await p.until(lambda: p.servers.health()["s"].startswith("down"))
        await p.there("s", seconds=1)
        assert await p.say("s__echo", text="again") == "again"
        assert http.crashes == 1


async def test_a_forgotten_session_is_begun_anew_and_the_call_is_made_once(
    tmp_path: Path,
) -> None:
    http = HttpServer(built(tmp_path / "notes"))
    async with http.serving(), party(s={"url": http.url}) as p:
        await p.there("s")
        http.session += 1
        calling = asyncio.ensure_future(p.say("s__add_note", text="once"))
        await p.until(lambda: p.servers.health()["s"].startswith("down"))
        p.clock.turn(seconds=2)
        assert await calling == "noted"
        assert notes_in(tmp_path) == ["once"]


async def test_a_server_that_is_dead_at_the_start_stops_nobody_and_is_found_later(
    tmp_path: Path,
) -> None:
    http = HttpServer(built(tmp_path / "notes"))
    async with http.serving():
        pass  # it has its port now and is gone
    async with party(
        late={"url": http.url},
        never={"command": str(tmp_path / "nothing")},
        dies={"command": sys.executable, "args": ["-c", "raise SystemExit(1)"]},
        here=command(tmp_path / "notes"),
    ) as p:
        await p.there("here")
        await p.until(
            lambda: all(
                p.servers.health()[s].startswith("down") for s in ("late", "never", "dies")
            )
        )
        assert await p.say("here__echo", text="fine") == "fine"
        calling = asyncio.ensure_future(p.servers.call("late__echo", {}))
        await p.until(calling.done, seconds=1)
        assert isinstance(calling.exception(), ServiceDownError)
        async with http.serving():
            await p.there("late", seconds=2)
            assert await p.say("late__echo", text="late") == "late"
            assert p.servers.health()["late"] == f"{len(USUAL)} tools"


async def test_a_server_that_never_gets_ready_is_given_up() -> None:
    silent = {"command": sys.executable, "args": ["-c", "import sys; sys.stdin.read()"]}
    before = children()
    async with party(s=silent) as p:
        await p.until(lambda: children() > before)
        p.clock.turn(seconds=CONNECT_SECONDS + 1)
        await p.until(lambda: p.servers.health()["s"].startswith("down: not ready"))


async def test_tries_get_rarer(tmp_path: Path) -> None:
    async with party(s={"command": str(tmp_path / "nothing")}) as p:
        seen: list[str] = []
        for pause in ("2", "5", "15", "60", "300", "300"):
            state = f"down: FileNotFoundError; next try after {pause} s"
            seen.append(state)
            await p.until(lambda state=state: p.servers.health()["s"] == state)  # type: ignore[misc]
            p.clock.turn(seconds=float(pause))
        assert len(seen) == 6


async def test_a_server_that_died_unasked_is_noticed(tmp_path: Path) -> None:
    http = HttpServer(built(tmp_path / "notes"))
    async with http.serving(), party(s={"url": http.url}) as p:
        await p.there("s")
        await http.stop()
        await p.until(lambda: p.servers.health()["s"].startswith("down"), seconds=LOOK_EVERY + 1)
        assert not p.servers.tools()


async def test_equal_names_are_kept_apart_and_one_server_has_each_once(tmp_path: Path) -> None:
    other = HttpServer(built(tmp_path / "other", "equal"))
    async with other.serving(), party(a=command(tmp_path / "notes"), b={"url": other.url}) as p:
        await p.there("a", "b")
        assert p.names("a") == p.names("b") == USUAL
        assert len(p.servers.tools()) == 2 * len(USUAL)
        await p.say("a__add_note", text="to a")
        assert notes_in(tmp_path) == ["to a"]
        assert other.server.calls == []
        assert "2 left out (echo: the name comes twice" in p.servers.health()["b"]


async def test_wrong_tools_are_left_out_and_counted(tmp_path: Path) -> None:
    async with party(s=command(tmp_path / "notes", "bad")) as p:
        await p.there("s")
        assert p.names("s") == USUAL
        assert p.servers.health()["s"].startswith(f"{len(USUAL)} tools, 6 left out (")


async def test_a_server_gets_so_many_tools_and_no_more(tmp_path: Path) -> None:
    async with party(s=command(tmp_path / "notes", "many")) as p:
        await p.there("s")
        assert len(p.names("s")) == MOST_TOOLS


async def test_secrets_reach_the_server_and_no_log_or_page(tmp_path: Path) -> None:
    secrets = {"MY_KEY": "hunter2hunter2"}
    program = command(tmp_path / "notes")
    program["env"] = {**program["env"], "EMULATED_KEY": "${MY_KEY}"}
    http = HttpServer(built(tmp_path / "notes"))
    with structlog.testing.capture_logs() as logs:
        async with (
            http.serving(),
            party(
                secrets,
                a=program,
                b={"url": f"{http.url}?key=${{MY_KEY}}", "headers": {"X-Key": "${MY_KEY}"}},
                c={"url": "http://127.0.0.1:9/${MY_KEY}"},
            ) as p,
        ):
            await p.there("a", "b")
            await p.until(lambda: p.servers.health()["c"].startswith("down"))
            assert await p.say("a__secret") == "hunter2hunter2"
            assert await p.say("b__secret") == "hunter2hunter2"
            assert "hunter2" not in str(p.servers.health())
    assert logs
    assert "hunter2" not in str(logs)


async def test_an_unknown_tool_or_service_is_an_error_without_effect(one: Party) -> None:
    for name in ("s__nothing", "nobody__echo", "echo", "__echo", "s____echo"):
        with pytest.raises(ServiceError):
            await one.servers.call(name, {})


async def test_a_server_of_the_official_sdk_is_understood() -> None:
    root = str(Path(__file__).parents[3])
    program = {
        "command": sys.executable,
        "args": ["-m", "tests.emulators.mcp_sdk_server"],
        "env": {"PYTHONPATH": root},
    }
    async with party(s=program) as p:
        await p.there("s")
        assert {t.name: t.is_read_only for t in p.servers.tools()} == {
            "s__forecast": True,
            "s__boom": False,
        }
        assert json.loads(await p.say("s__forecast", city="Oslo"))["sky"] == "clear"
        assert (await p.servers.call("s__boom", {})).is_error
        assert (await p.servers.call("s__forecast", {"town": "Oslo"})).is_error
