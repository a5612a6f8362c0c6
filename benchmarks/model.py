"""The language model: what our loop and chain add to it, and the memory that access takes."""

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import psutil
from pydantic import SecretStr

from adapters.llm.chain import ModelChain
from adapters.llm.connection import Connection
from adapters.llm.pictures import Pictures
from agents.tool_loop import RUN, ToolLoop
from agents.tools.clock import clock_tools
from benchmarks.report import Figure
from bot.clock import SystemClock
from bot.core.agents import Turn
from bot.core.events import Chat
from bot.core.manifests import Limits
from bot.core.model import Completion, ModelCall, ModelMessage, Show, ToolSpec, UserMessage
from bot.core.people import Person
from bot.core.permissions import Profile
from bot.core.providers import Provider
from bot.core.routing import Decision, Source
from bot.core.tools import ToolGrant
from bot.tool_runner import JournaledTools, TurnControl
from storage.sqlite.stores import open_stores
from tests.e2e.process import bot
from tests.emulators.openai import Endpoint
from tests.emulators.telegram import TOKEN, BotApi

TURNS, CALLS = 60, 5
STREAMS = 60
PERSON = Person(
    person_id="p", locale="en", zone="UTC", currency="CNY", created_at=datetime.now(UTC)
)
CHAT = Chat(platform="x", bot="x", chat_id="1")


async def measure() -> list[Figure]:
    """Return all figures."""
    return [*await _loop(), *await _first_word(), *await _memory()]


class _Ready:
    """A model that answers at once: calls first, then words."""

    async def stream(
        self,
        messages: Sequence[ModelMessage],
        *,
        show: Show,
        tools: Sequence[ToolSpec] = (),
        deadline: float,
    ) -> Completion:
        del show, tools, deadline
        made = sum(message.role == "tool" for message in messages)
        if made == CALLS:
            return Completion(text="done")
        zone = {"zone": f"Etc/GMT+{made}"}
        return Completion(
            text="", calls=(ModelCall(call_id="c", name="now_time", arguments=zone),)
        )


async def _loop() -> list[Figure]:
    took: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with open_stores(Path(folder) / "b.db", files_folder=Path(folder) / "f") as stores:
            clock = SystemClock()
            loop = ToolLoop(_Ready(), clock=clock, limits=Limits(steps=CALLS + 1))  # type: ignore[arg-type]  # streams only
            for number in range(TURNS):
                now = clock.now()
                tools = JournaledTools(
                    event_id=f"e{number}",
                    person=PERSON,
                    chat=CHAT,
                    account_id="1",
                    now=now,
                    grant=ToolGrant(clock_tools()),
                    journal=stores.journal,
                    recorded={},
                    control=TurnControl(),
                )
                turn = Turn(
                    event_id=f"e{number}",
                    query="?",
                    person=PERSON,
                    profile=Profile(branches=frozenset(), permissions=frozenset()),
                    chat=CHAT,
                    account_id="1",
                    message_id="m",
                    now=now,
                    decision=Decision(intent="chat_manager", confidence=1, source=Source.LLM),
                    tools=tools,
                )
                began = time.perf_counter()
                await loop.run(turn, [UserMessage("?")], policy=lambda *_: RUN)
                took.append((time.perf_counter() - began) / CALLS)
    return [Figure("model: our loop adds per call, p50", statistics.median(took) * 1000, "ms")]


async def _first_word() -> list[Figure]:
    async with Endpoint(piece=4).serving() as endpoint, aiohttp.ClientSession() as session:
        provider = Provider(
            name="p", base_url=endpoint.base, model="m", key=SecretStr("k"), prices={}
        )
        connection = Connection(provider, pictures=Pictures(None))

        async def nobody(_provider: str) -> None:
            """The key is right."""

        chain = ModelChain(
            [connection], clock=SystemClock(), count=lambda _: None, key_refused=nobody
        )
        await connection.load()
        bare = [await _bare(session, endpoint) for _ in range(STREAMS)]
        ours = [await _ours(chain) for _ in range(STREAMS)]
        await connection.close()
    added = (statistics.median(ours[5:]) - statistics.median(bare[5:])) * 1000
    return [Figure("model: first streamed word comes later by, p50", added, "ms")]


async def _bare(session: aiohttp.ClientSession, endpoint: Endpoint) -> float:
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hello"}]}
    began = time.perf_counter()
    async with session.post(f"{endpoint.base}/chat/completions", json=body) as response:
        async for line in response.content:
            if line.startswith(b"data: {"):
                choice = json.loads(line[6:])["choices"][0]
                if choice["delta"].get("content"):
                    break
        took = time.perf_counter() - began
        await response.read()
    return took


async def _ours(chain: ModelChain) -> float:
    began = time.perf_counter()
    first: list[float] = []

    async def show(_text: str) -> None:
        first.append(time.perf_counter() - began)

    await chain.stream([UserMessage("hello")], show=show, deadline=10)
    return first[0]


async def _memory() -> list[Figure]:
    api = BotApi()
    with tempfile.TemporaryDirectory() as folder:
        async with (
            Endpoint().serving() as endpoint,
            api.serving() as base,
            bot(
                Path(folder),
                TELEGRAM_BOT_TOKEN=TOKEN,
                TELEGRAM_API_BASE=base,
                OPENAI_MODEL="m",
                OPENAI_BASE_URL=endpoint.base,
                LOCAL_MODEL="off",
            ) as running,
        ):
            shown = len(api.shown)
            api.say("tell me something nice")
            async with asyncio.timeout(60):
                while len(api.shown) == shown:  # noqa: ASYNC110  # another process answers
                    await asyncio.sleep(0.05)
            assert "You said" in api.shown[-1].plain
            assert running.pid is not None
            size = psutil.Process(running.pid).memory_info().rss / 2**20
    return [Figure("model: memory with Telegram, web and model, after an answer", size, "MB")]
