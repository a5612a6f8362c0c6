"""The hub with an emulated language model."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from tests.emulators.openai import Endpoint
from tests.stage import Stage, stage


@asynccontextmanager
async def chat_stage(
    folder: Path, *endpoints: Endpoint, vision: str = "", **settings: object
) -> AsyncIterator[Stage]:
    """Open the hub over these endpoints, the first asked first."""
    async with AsyncExitStack() as stack:
        for endpoint in endpoints:
            await stack.enter_async_context(endpoint.serving())
        names = ",".join(f"p{n}={e.base}|m" for n, e in enumerate(endpoints[1:], start=1))
        model: dict[str, Any] = {
            "openai_model": "m",
            "openai_base_url": endpoints[0].base,
            "openai_vision_model": vision,
            "llm_fallbacks": names,
            **settings,
        }
        yield await stack.enter_async_context(stage(folder, **model))


def asked(endpoint: Endpoint) -> Sequence[dict[str, Any]]:
    """Return the requests of the chat agent: those that are not about a schema or a summary."""
    return [
        request
        for request in endpoint.requests
        if "You are a helpful assistant in a chat" in str(request["messages"][0]["content"])
    ]
