"""From the settings to a model: the chain of configured providers, and a test of each."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from adapters.llm.chain import CallReport, ModelChain
from adapters.llm.connection import Connection
from adapters.llm.deadlines import within
from adapters.llm.pictures import Pictures
from adapters.llm.sdk import is_installed
from bot.core.errors import ConfigurationError, ModelError
from bot.core.extras import install
from bot.core.files import Files
from bot.core.model import UserMessage
from bot.core.ports import Clock
from bot.core.providers import Provider

CHECK_SECONDS = 30.0


def build_chain(
    providers: Sequence[Provider],
    *,
    files: Files | None,
    clock: Clock,
    proxy: str,
    count: Callable[[CallReport], None],
    key_refused: Callable[[str], Awaitable[None]],
) -> ModelChain | None:
    """Return the chain; None when no model is configured.

    Raises:
        ConfigurationError: one is configured and the extra is missing.
    """
    if not providers:
        return None
    if not is_installed():
        raise ConfigurationError(
            f"OPENAI_MODEL is set, but langchain-openai is missing: {install('llm')}"
        )
    pictures = Pictures(files)
    return ModelChain(
        [Connection(provider, pictures=pictures, proxy=proxy) for provider in providers],
        clock=clock,
        count=count,
        key_refused=key_refused,
    )


@dataclass(frozen=True, slots=True)
class Check:
    """One provider and how its test went."""

    what: str
    ok: bool
    says: str


class _Ping(BaseModel):
    """What the test asks for."""

    word: Literal["pong"]


async def check(provider: Provider, *, clock: Clock, proxy: str = "") -> Check:
    """Ask the provider one short question, and find how it can be held to a schema."""
    connection = Connection(provider, pictures=Pictures(None), proxy=proxy)
    what = f"model {provider.name}"
    question = [UserMessage('Answer with the word "pong".')]
    began = clock.now()
    try:
        await connection.load()
        await within(clock, CHECK_SECONDS, connection.structured(_Ping, question))
    except ModelError as error:
        return Check(what, ok=False, says=f"{error}; see OPENAI_* and LLM_* in the README")
    finally:
        await connection.close()
    took = (clock.now() - began).total_seconds()
    sees = provider.vision_model or "none"
    return Check(
        what,
        ok=True,
        says=f"{provider.model} answers by {connection.mode} in {took:.1f} s; pictures: {sees}",
    )
