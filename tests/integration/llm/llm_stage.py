"""A chain of models over emulated endpoints."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import SecretStr

from adapters.llm.chain import CallReport, ModelChain
from adapters.llm.connection import Connection
from adapters.llm.pictures import Pictures
from bot.clock import SystemClock
from bot.core.files import StoredFile
from bot.core.model import SystemMessage, UserMessage
from bot.core.ports import Clock
from bot.core.providers import Price, Provider
from tests.emulators.openai import Endpoint

KEY = "sk-test-0123456789abcdef"


class FewFiles:
    """`bot.core.files.Files` in memory."""

    def __init__(self, **files: bytes) -> None:
        self.files = files

    async def put(
        self, owner: str, data: bytes, *, name: str, mime: str, now: datetime
    ) -> StoredFile:
        del owner, data, name, mime, now
        raise AssertionError("a model only reads files")

    async def get(self, owner: str, file_id: str) -> tuple[StoredFile, bytes] | None:
        data = self.files.get(file_id)
        if owner != "anna" or data is None:
            return None
        stored = StoredFile(
            file_id=file_id,
            owner=owner,
            name="",
            mime="",
            size_bytes=len(data),
            sha256="",
            created_at=SystemClock().now(),
        )
        return stored, data

    async def purge(self, *, created_before: datetime) -> int:
        del created_before
        raise AssertionError("a model only reads files")

    async def counts(self) -> dict[str, int]:
        raise AssertionError("a model only reads files")


@dataclass(slots=True)
class LlmStage:
    """A chain, its endpoints in order, and what it reported."""

    chain: ModelChain
    endpoints: list[Endpoint]
    connections: list[Connection]
    reports: list[CallReport] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


@asynccontextmanager
async def llm_stage(
    *endpoints: Endpoint,
    clock: Clock | None = None,
    vision: str = "",
    files: FewFiles | None = None,
    prices: dict[str, Price] | None = None,
    key: str = KEY,
) -> AsyncIterator[LlmStage]:
    """Open a chain over these endpoints, the first asked first."""
    async with AsyncExitStack() as stack:
        connections = []
        for number, endpoint in enumerate(endpoints):
            await stack.enter_async_context(endpoint.serving())
            provider = Provider(
                name=f"p{number}",
                base_url=endpoint.base,
                model="m",
                vision_model=vision,
                key=SecretStr(key),
                prices=prices or {},
            )
            connections.append(Connection(provider, pictures=Pictures(files or FewFiles())))
        reports: list[CallReport] = []
        refused: list[str] = []

        async def note(provider: str) -> None:
            refused.append(provider)

        chain = ModelChain(
            connections,
            clock=clock or SystemClock(),
            count=reports.append,
            key_refused=note,
        )
        for connection in connections:
            await connection.load()
        async with chain.running():
            yield LlmStage(chain, list(endpoints), connections, reports, refused)


def said(text: str) -> list[SystemMessage | UserMessage]:
    """Return messages that end with what a person said."""
    return [SystemMessage("Be short."), UserMessage(text)]


async def unseen(text: str) -> None:
    """Show nothing."""
    del text
