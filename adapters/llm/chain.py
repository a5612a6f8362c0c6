"""Providers one after the other: deadlines shared, failing ones left alone, each call counted."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

import structlog

from adapters.llm.breaker import Breaker
from adapters.llm.connection import Connection, has_pictures
from adapters.llm.deadlines import TooSlowError, growing_within, within
from bot.core.errors import (
    ContextTooLongError,
    ModelBusyError,
    ModelError,
    ModelKeyError,
    ModelRefusalError,
    ModelUnavailableError,
)
from bot.core.model import Completion, ModelMessage, S, Show, ToolSpec, Usage
from bot.core.ports import Clock

T = TypeVar("T")

KEY_PAUSE = timedelta(minutes=10)
"""How long a provider whose key is refused is left alone: an operator has to act."""

FIRST_WORD_SECONDS = 30.0
"""A stream that has not begun by then will not."""

FAIR_SECONDS = 5.0
"""A provider that was given less time than this has not shown that it is down."""

PRECEDENCE = (ContextTooLongError, ModelBusyError, ModelUnavailableError, ModelKeyError)
"""Which of several errors tells the caller most about what to do."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReport:
    """One request to one provider, for the counters.

    Attributes:
        kind: ``complete``, ``structured``, ``stream``.
        result: ``ok`` or the name of the error.
    """

    provider: str
    kind: str
    result: str
    usage: Usage = field(default_factory=Usage)


@dataclass(slots=True)
class _Link:
    connection: Connection
    breaker: Breaker
    key_is_refused: bool = False

    @property
    def name(self) -> str:
        return self.connection.provider.name


Work = Callable[[Connection, float, float], Coroutine[Any, Any, tuple[T, Usage]]]
"""Asks one provider; it may take so many seconds to show something, and so many in all."""


class ModelChain:
    """`bot.core.model.Model` over the configured providers, the first that answers.

    Every provider but the last gets half of the time that is left, so that the next one still
    has a chance; a streamed answer only has to begin within it.
    """

    def __init__(
        self,
        connections: Sequence[Connection],
        *,
        clock: Clock,
        count: Callable[[CallReport], None],
        key_refused: Callable[[str], Awaitable[None]],
    ) -> None:
        self._links = [_Link(connection, Breaker(clock)) for connection in connections]
        self._clock = clock
        self._count = count
        self._key_refused = key_refused

    async def complete(
        self, messages: Sequence[ModelMessage], *, tools: Sequence[ToolSpec] = (), deadline: float
    ) -> Completion:
        """Return the answer; see the port."""

        async def ask(
            connection: Connection, first: float, _whole: float
        ) -> tuple[Completion, Usage]:
            answer = await within(self._clock, first, connection.complete(messages, tools))
            return answer, answer.usage

        return await self._first("complete", messages, deadline, ask)

    async def structured(
        self, schema: type[S], messages: Sequence[ModelMessage], *, deadline: float
    ) -> S:
        """Return the answer as a ``schema``; see the port."""

        async def ask(connection: Connection, first: float, _whole: float) -> tuple[S, Usage]:
            return await within(self._clock, first, connection.structured(schema, messages))

        return await self._first("structured", messages, deadline, ask)

    async def stream(
        self,
        messages: Sequence[ModelMessage],
        *,
        show: Show,
        tools: Sequence[ToolSpec] = (),
        deadline: float,
    ) -> Completion:
        """Return the answer, calling ``show`` while its text grows; see the port."""

        async def ask(
            connection: Connection, first: float, whole: float
        ) -> tuple[Completion, Usage]:
            answer = await growing_within(
                self._clock,
                first=min(first, FIRST_WORD_SECONDS),
                whole=whole,
                show=show,
                work=lambda beating: connection.stream(messages, tools, beating),
            )
            return answer, answer.usage

        return await self._first("stream", messages, deadline, ask)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Load the SDK meanwhile; close all connections at the end."""
        loading = asyncio.create_task(self._load())
        try:
            yield
        finally:
            loading.cancel()
            await asyncio.gather(loading, return_exceptions=True)
            for link in self._links:
                await link.connection.close()

    def health(self) -> Mapping[str, str]:
        """Return the state of each provider; one that is left alone is no illness of ours."""
        return {link.name: _state(link) for link in self._links}

    async def _load(self) -> None:
        for link in self._links:
            await link.connection.load()

    async def _first(
        self, kind: str, messages: Sequence[ModelMessage], deadline: float, ask: "Work[T]"
    ) -> T:
        fitting = [link for link in self._links if link.connection.fits(messages)]
        if not fitting and has_pictures(messages):
            raise ModelRefusalError("no provider has a model that sees")
        until = self._clock.now() + timedelta(seconds=deadline)
        errors: list[ModelError] = []
        closed = [link for link in fitting if not link.breaker.is_open]
        for number, link in enumerate(closed, start=1):
            left = (until - self._clock.now()).total_seconds()
            if left <= 0:
                break
            if not link.breaker.admit():
                continue
            first = left if number == len(closed) else left / 2
            try:
                found, usage = await ask(link.connection, first, left)
            except ModelError as error:
                await self._failed(link, kind, error, first)
                errors.append(error)
            except BaseException:
                link.breaker.abandoned()
                raise
            else:
                self._succeeded(link, kind, usage)
                return found
        raise _most_telling(errors)

    def _succeeded(self, link: _Link, kind: str, usage: Usage) -> None:
        link.breaker.succeeded()
        link.key_is_refused = False
        self._count(CallReport(provider=link.name, kind=kind, result="ok", usage=usage))

    async def _failed(self, link: _Link, kind: str, error: ModelError, given: float) -> None:
        name = type(error).__name__
        log.warning("model_failed", provider=link.name, kind=kind, error=name, says=str(error))
        self._count(CallReport(provider=link.name, kind=kind, result=name))
        match error:
            case ModelBusyError():
                link.breaker.rest(timedelta(seconds=error.retry_after_seconds))
            case ModelKeyError():
                link.breaker.rest(KEY_PAUSE)
                if not link.key_is_refused:
                    link.key_is_refused = True
                    await self._key_refused(link.name)
            case TooSlowError() if given < FAIR_SECONDS:
                link.breaker.abandoned()
            case ModelUnavailableError():
                link.breaker.failed()
            case _:  # it answers, and this request does not go well
                link.breaker.abandoned()


def _state(link: _Link) -> str:
    if link.key_is_refused:
        return "key refused"
    return "resting" if link.breaker.is_open else "ready"


def _most_telling(errors: Sequence[ModelError]) -> ModelError:
    if not errors:
        return ModelUnavailableError("no provider is ready")
    for kind in PRECEDENCE:
        for error in errors:
            if isinstance(error, kind):
                return error
    return errors[-1]
