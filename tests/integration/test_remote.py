"""Remote agents: the JSON of seed 002, section 3, over HTTP, checked in both directions."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web
from pydantic import JsonValue

from adapters.remote_agents.client import EVENT, MAX_ANSWER_BYTES, SIGNATURE, TIMESTAMP
from agents.manifests import joined, load_manifests, load_remote
from bot.clock import ManualClock
from bot.core.errors import ConfigurationError
from bot.core.inbox import UpdateKind
from tests.patience import PATIENCE_SECONDS
from tests.stage import TUESDAY, Stage, stage

SECRET = "a-secret-of-the-dice"  # noqa: S105  # made up here
Respond = Callable[[web.Request], Awaitable[web.StreamResponse]]


def completed(words: str = "六点", **payload: object) -> web.Response:
    return web.json_response({"status": "COMPLETED", "payload": {"text": words, **payload}})


@dataclass
class Elsewhere:
    """The other side."""

    respond: Respond
    bodies: list[dict[str, Any]] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, request: web.Request) -> web.StreamResponse:
        self.raw.append(await request.read())
        self.bodies.append(json.loads(self.raw[-1]))
        self.headers.append(dict(request.headers))
        self.arrived.set()
        return await self.respond(request)


async def rolling(_request: web.Request) -> web.Response:
    return completed()


def manifest(endpoint: str, **changes: object) -> dict[str, object]:
    return {
        "agent_name": "Dice",
        "agent_id": "X-01",
        "display_name": {"zh-CN": "骰子", "en": "Dice"},
        "intent": "dice",
        "branch_id": "dice",
        "pack": "personal",
        "status": "live",
        "capabilities": ["roll"],
        "input_type": "raw_text",
        "description": {"zh-CN": "掷骰子", "en": "rolls dice"},
        "examples": ["掷个骰子", "roll a die"],
        "capsule": {"icon": "🎲", "label": {"zh-CN": "骰子", "en": "Dice"}, "order": 9},
        "endpoint": endpoint,
        **changes,
    }


@asynccontextmanager
async def hub_with(
    folder: Path,
    respond: Respond = rolling,
    *,
    clock: ManualClock | None = None,
    changes: dict[str, object] | None = None,
    **settings: Any,  # noqa: ANN401  # whatever the stage takes
) -> AsyncIterator[tuple[Stage, Elsewhere]]:
    """A hub with a remote agent; its capsule leads to it whatever is said."""
    elsewhere = Elsewhere(respond)
    app = web.Application()
    app.router.add_post("/ask", elsewhere.take)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/ask"
    agents = folder / "agents"
    await asyncio.to_thread(agents.mkdir)
    text = yaml.safe_dump(manifest(url, **(changes or {})), allow_unicode=True)
    await asyncio.to_thread((agents / "dice.yaml").write_text, text)
    try:
        async with stage(folder, clock=clock, **settings) as hub:
            yield hub, elsewhere
    finally:
        await runner.cleanup()


async def test_a_remote_agent_gets_the_request_and_its_answer_is_said(tmp_path: Path) -> None:
    """Seed 002, 3.1 and 3.2, field by field."""
    async with hub_with(tmp_path, agent_keys=f"dice={SECRET}") as (hub, elsewhere):
        await hub.say("午饭35")
        await hub.say("/space 305")
        await hub.capsule("dice")
        (answer,) = await hub.say("掷一次")

        assert answer.text == "六点"
        (body,) = elsewhere.bodies
        person = (await hub.person()).person_id
        assert body | {"context": {}} == {
            "query": "掷一次",
            "context": {},
            "intent_l1": "dice",
            "confidence": 1.0,
            "ambiguous": False,
        }
        context = body["context"]
        assert (context["user_id"], context["current_space"]) == (person, "305")
        assert context["current_time"].startswith("2026-12-01T10:00:00+08:00")
        assert context["chat_history"] == [], "what was said to others is not told"
        await hub.say("再来一次")
        told = elsewhere.bodies[-1]["context"]["chat_history"]
        assert told == ["user: 掷一次", "assistant: 六点"]
        headers = elsewhere.headers[0]
        signed = f"{headers[TIMESTAMP]}.".encode() + elsewhere.raw[0]
        digest = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
        assert headers[SIGNATURE] == f"sha256={digest}"
        assert headers[EVENT].startswith("puppet:puppet:")


@pytest.mark.parametrize("words", ["8个人", "明天下午两点", "对", "大的那间"])
async def test_a_question_of_a_remote_agent_gets_the_answer(tmp_path: Path, words: str) -> None:
    async def ask(request: web.Request) -> web.Response:
        query = (await request.json())["query"]
        status = "CLARIFY" if query == "掷一次" else "COMPLETED"
        return web.json_response({"status": status, "payload": {"text": f"{query}?"}})

    async with hub_with(tmp_path, ask) as (hub, elsewhere):
        await hub.capsule("dice")
        await hub.say("掷一次")
        await hub.capsule("dice")

        (answer,) = await hub.say(words)

        assert answer.text == f"{words}?"
        assert [body["query"] for body in elsewhere.bodies] == ["掷一次", words]


async def test_a_start_link_says_in_which_space_the_person_is(tmp_path: Path) -> None:
    async with hub_with(tmp_path) as (hub, elsewhere):
        await hub.say("/start space_305")
        await hub.capsule("dice")
        await hub.say("掷一次")
        await hub.say("/space -")
        await hub.say("掷一次")

        spaces = [body["context"]["current_space"] for body in elsewhere.bodies]
        assert spaces == ["305", ""]


async def test_a_group_is_in_a_space_for_all_of_its_people_until_one_takes_it_back(
    tmp_path: Path,
) -> None:
    async with hub_with(tmp_path) as (hub, elsewhere):
        in_group = {"chat": "group-1", "group": True}
        (told,) = await hub.say("/space 3F", **in_group)  # type: ignore[arg-type]
        (asked,) = await hub.say("/space", who="ben", **in_group)  # type: ignore[arg-type]
        assert "3F" in told.text
        assert asked.text == told.text
        (other,) = await hub.say("/space", chat="group-2", group=True)
        assert "/space 305" in other.text

        await hub.feed(
            {"kind": "capsule", "intent": "dice", "group": True},
            kind=UpdateKind.MESSAGE,
            who="ben",
            chat="group-1",
        )
        await hub.say("掷一次", who="ben", **in_group)  # type: ignore[arg-type]
        await hub.say("/space -", **in_group)  # type: ignore[arg-type]
        await hub.say("掷一次", who="ben", **in_group)  # type: ignore[arg-type]

        spaces = [body["context"]["current_space"] for body in elsewhere.bodies]
        assert spaces == ["3F", ""]


async def test_what_another_agent_just_did_is_brought_along_and_shown_by_why(
    tmp_path: Path,
) -> None:
    """Seed 002, 5.2."""
    async with hub_with(tmp_path) as (hub, elsewhere):
        await hub.capsule("dice")
        await hub.capsule("dice")
        await hub.say("午饭35")
        await hub.capsule("dice")
        await hub.say("掷一次")

        memo = elsewhere.bodies[-1]["context"]["cross_domain_memo"]
        assert memo.startswith("ledger: ")
        (why,) = await hub.say("/why")
        assert memo.removeprefix("ledger: ") in why.text


@pytest.mark.parametrize(
    "answer",
    [
        {"status": "DONE", "payload": {"text": "x"}},
        {"status": "COMPLETED", "payload": {"text": ""}},
        {"status": "COMPLETED", "payload": {}},
        {"payload": {"text": "x"}},
        {"status": "COMPLETED", "payload": {"text": "x" * 8001}},
        {"status": "COMPLETED", "payload": {"text": "x", "action": "A" * 65}},
        ["x"],
    ],
)
async def test_an_answer_that_is_not_of_the_protocol_is_not_said(
    tmp_path: Path, answer: object
) -> None:
    async def respond(_request: web.Request) -> web.Response:
        return web.json_response(answer)

    async with hub_with(tmp_path, respond) as (hub, _):
        await hub.capsule("dice")
        (said,) = await hub.say("掷一次")

        assert "骰子" in said.text
        assert "联系不上" in said.text


async def broken(_request: web.Request) -> web.Response:
    return web.Response(status=500, text="Traceback: secret inside")


async def elsewhere_again(_request: web.Request) -> web.Response:
    raise web.HTTPFound("http://127.0.0.1:1/other")


async def large(_request: web.Request) -> web.Response:
    return completed("x", params={"filler": "y" * MAX_ANSWER_BYTES})


async def no_json(_request: web.Request) -> web.Response:
    return web.Response(text="<html>", content_type="application/json")


@pytest.mark.parametrize("respond", [broken, elsewhere_again, large, no_json])
async def test_an_agent_that_fails_is_said_to_be_away_and_nothing_of_it_leaks(
    tmp_path: Path, respond: Respond
) -> None:
    async with hub_with(tmp_path, respond) as (hub, _):
        await hub.capsule("dice")
        (said,) = await hub.say("掷一次")

        assert "联系不上" in said.text
        assert "http" not in said.text
        assert "secret" not in said.text


async def test_an_agent_that_hangs_is_given_up_at_its_deadline(tmp_path: Path) -> None:
    async def hang(_request: web.Request) -> web.Response:
        await asyncio.Event().wait()
        raise AssertionError

    clock = ManualClock(TUESDAY)
    changes: dict[str, object] = {"answer_within": 5}
    async with hub_with(tmp_path, hang, clock=clock, changes=changes) as (hub, elsewhere):
        await hub.capsule("dice")
        body: dict[str, JsonValue] = {"kind": "message", "text": "掷一次", "message": "m"}
        await hub.feed(body, kind=UpdateKind.MESSAGE, who="anna", chat=None, settle=False)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await elsewhere.arrived.wait()
            clock.turn(seconds=5)
            while not hub.puppet.sent:  # noqa: ASYNC110  # filled by other tasks
                await asyncio.sleep(0.01)
        assert hub.puppet.sent


async def test_what_a_remote_agent_rejects_goes_to_the_fallback_agent_once(
    tmp_path: Path,
) -> None:
    async def reject(_request: web.Request) -> web.Response:
        return web.json_response({"status": "REJECTED", "payload": {"text": "not mine"}})

    async with hub_with(tmp_path, reject) as (hub, elsewhere):
        await hub.capsule("dice")
        answers = await hub.say("今天心情不好")

        assert len(elsewhere.bodies) == 1
        assert all("not mine" not in answer.text for answer in answers)
        (why,) = await hub.say("/why")
        assert "没有接下" in why.text


async def test_a_remote_agent_stands_behind_the_permission_check(tmp_path: Path) -> None:
    admins = frozenset({"puppet:boss"})
    async with hub_with(tmp_path, admin_ids=admins) as (hub, elsewhere):
        await hub.capsule("dice")
        await hub.say("掷一次")
        await hub.say("/grant puppet:anna -dice", who="boss")
        await hub.say("掷一次")

        assert len(elsewhere.bodies) == 1


async def test_help_shows_a_remote_agent_by_its_manifest(tmp_path: Path) -> None:
    async with hub_with(tmp_path) as (hub, _):
        (overview,) = await hub.say("/help")
        assert "骰子 — 掷骰子" in overview.text

        (page,) = await hub.press(overview, "骰子")
        assert "掷个骰子" in page.text


def test_a_remote_agent_takes_the_place_of_a_planned_one_only(tmp_path: Path) -> None:
    own = load_manifests()
    planned = next(m for m in own if m.status == "planned")
    live = next(m for m in own if m.status == "live" and m.routable)
    for number, taken in enumerate((planned, live)):
        folder = tmp_path / str(number)
        folder.mkdir()
        changes = {"intent": taken.intent, "branch_id": taken.branch_id}
        text = yaml.safe_dump(manifest("https://x.example/ask", **changes), allow_unicode=True)
        (folder / "m.yaml").write_text(text)

    assert [m.endpoint for m in joined(own, load_remote(tmp_path / "0")) if m.endpoint]
    with pytest.raises(ConfigurationError, match="taken"):
        joined(own, load_remote(tmp_path / "1"))


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": ""},
        {"endpoint": "http://example.com/ask"},
        {"endpoint": "ftp://x"},
        {"tool_groups": ["LEDGER"]},
        {"surprise": 1},
    ],
)
def test_a_manifest_that_cannot_be_used_stops_the_start(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    text = yaml.safe_dump(manifest("https://x.example/ask") | changes, allow_unicode=True)
    (tmp_path / "m.yaml").write_text(text)

    with pytest.raises(ConfigurationError):
        load_remote(tmp_path)
