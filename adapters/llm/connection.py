"""One provider: requests to its endpoint, and what the endpoint has shown that it can do."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adapters.llm.failures import UnsupportedError, error_of
from adapters.llm.pictures import Pictures
from adapters.llm.sdk import connect
from adapters.llm.structured import Mode, instruction, options, read
from adapters.llm.wire import completion_of, wire_messages, wire_tools
from bot.core.characters import whole_characters
from bot.core.errors import BotError, ModelOutputError, ModelUnavailableError
from bot.core.model import (
    AssistantMessage,
    Completion,
    ModelMessage,
    S,
    Show,
    SystemMessage,
    ToolSpec,
    Usage,
    UserMessage,
)
from bot.core.providers import Price, Provider

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk
    from langchain_openai import ChatOpenAI

MAX_WRITTEN = 20_000
"""Characters, those of calls too, after which a streamed answer is a runaway."""

MAX_MISSES = 2
"""Answers beside the schema after which a way of asking is not tried any more: a short deadline
may end the search for the right one each time it begins."""

REPAIR = "This is not what was asked for: {problem}. Answer again, with the JSON object only."


class Connection:
    """`bot.core.model.Model` of one provider, without deadlines.

    Attributes:
        mode: how the endpoint is held to a schema; None until it has shown it.
    """

    def __init__(self, provider: Provider, *, pictures: Pictures, proxy: str = "") -> None:
        self.provider = provider
        self.mode: Mode | None = None
        self._pictures = pictures
        self._proxy = proxy
        self._takes_tools = True
        self._misses = Counter[Mode]()
        self._chat: ChatOpenAI | None = None
        self._loading = asyncio.Lock()

    async def load(self) -> "ChatOpenAI":
        """Import the SDK and build its client, once."""
        async with self._loading:
            if self._chat is None:
                self._chat = await asyncio.to_thread(connect, self.provider, proxy=self._proxy)
            return self._chat

    async def close(self) -> None:
        """Close the connections to the endpoint."""
        if self._chat is not None:
            await self._chat.root_async_client.close()
            self._chat = None

    def fits(self, messages: Sequence[ModelMessage]) -> bool:
        """Whether this provider can read the messages: pictures need a model that sees."""
        return bool(self.provider.vision_model) or not has_pictures(messages)

    async def complete(
        self, messages: Sequence[ModelMessage], tools: Sequence[ToolSpec]
    ) -> Completion:
        """Return the answer; raises `ModelError` by reaction."""
        try:
            return await self._ask(messages, self._offered(tools))
        except UnsupportedError as error:
            if not self._learned(error, tools):
                raise
            return await self._ask(messages, {})

    async def stream(
        self, messages: Sequence[ModelMessage], tools: Sequence[ToolSpec], show: Show
    ) -> Completion:
        """Return the answer, calling ``show`` while its text grows."""
        try:
            return await self._stream(messages, self._offered(tools), show)
        except UnsupportedError as error:
            if not self._learned(error, tools):
                raise
            return await self._stream(messages, {}, show)

    async def structured(
        self, schema: type[S], messages: Sequence[ModelMessage]
    ) -> tuple[S, Usage]:
        """Return the answer as a ``schema``; the first time find out how to ask for it."""
        if self.mode is not None:
            return await self._repaired(self.mode, schema, messages)
        for mode in (Mode.JSON_SCHEMA, Mode.TOOL_CALL):
            if self._misses[mode] >= MAX_MISSES:
                continue
            try:
                found, usage = await self._held(mode, schema, messages)
            except UnsupportedError:
                self._misses[mode] = MAX_MISSES
            except ModelOutputError:
                self._misses[mode] += 1
            else:
                self.mode = mode
                return found, usage
        found, usage = await self._repaired(Mode.JSON_TEXT, schema, messages)
        self.mode = Mode.JSON_TEXT
        return found, usage

    async def _repaired(
        self, mode: Mode, schema: type[S], messages: Sequence[ModelMessage]
    ) -> tuple[S, Usage]:
        asked = [*messages]
        if mode is Mode.JSON_TEXT:
            asked.insert(0, SystemMessage(instruction(schema)))
        answer = await self._ask(asked, options(mode, schema))
        try:
            return read(mode, schema, answer), answer.usage
        except ModelOutputError as error:
            said = answer.text or str([dict(call.arguments) for call in answer.calls])
            asked += [AssistantMessage(said), UserMessage(REPAIR.format(problem=error))]
        again = await self._ask(asked, options(mode, schema))
        return read(mode, schema, again), _sum(answer.usage, again.usage)

    async def _held(
        self, mode: Mode, schema: type[S], messages: Sequence[ModelMessage]
    ) -> tuple[S, Usage]:
        answer = await self._ask(messages, options(mode, schema))
        return read(mode, schema, answer), answer.usage

    def _offered(self, tools: Sequence[ToolSpec]) -> Mapping[str, Any]:
        return {"tools": wire_tools(tools)} if tools and self._takes_tools else {}

    def _learned(self, error: UnsupportedError, tools: Sequence[ToolSpec]) -> bool:
        """Note that the endpoint takes no tools, if that is what the error says."""
        if error.about != "tools" or not tools or not self._takes_tools:
            return False
        self._takes_tools = False
        return True

    async def _ask(self, messages: Sequence[ModelMessage], extra: Mapping[str, Any]) -> Completion:
        chat, wire, more = await self._prepared(messages)
        try:
            message = await chat.ainvoke(wire, **more, **extra)
        except BotError:
            raise
        except Exception as error:  # whatever the SDK makes of a foreign server's answer
            raise error_of(self.provider.name, error) from error
        return completion_of(message, provider=self.provider.name, price=self._price(more))

    async def _stream(
        self, messages: Sequence[ModelMessage], extra: Mapping[str, Any], show: Show
    ) -> Completion:
        chat, wire, more = await self._prepared(messages)
        pieces: list[AIMessageChunk] = []
        text, written = "", 0
        try:
            async for piece in chat.astream(wire, **more, **extra):
                pieces.append(piece)
                written += sum(len(c["args"] or "") for c in piece.tool_call_chunks)
                grown = str(piece.text)
                text += grown
                self._check_end(len(text) + written)
                if grown:
                    await show(whole_characters(text))
            whole = pieces[0] + pieces[1:] if pieces else None  # one by one takes square time
        except BotError:
            raise
        except Exception as error:  # as above
            raise error_of(self.provider.name, error) from error
        if whole is None or not whole.response_metadata.get("finish_reason"):
            raise ModelUnavailableError(f"{self.provider.name}: the stream was cut")
        return completion_of(whole, provider=self.provider.name, price=self._price(more))

    async def _prepared(
        self, messages: Sequence[ModelMessage]
    ) -> "tuple[ChatOpenAI, list[dict[str, Any]], dict[str, Any]]":
        images = [
            image
            for message in messages
            if isinstance(message, UserMessage)
            for image in message.images
        ]
        pictures = await self._pictures.of(images)
        more = {"model": self.provider.vision_model} if images else {}
        return await self.load(), wire_messages(messages, pictures), more

    def _check_end(self, written: int) -> None:
        if written > MAX_WRITTEN:
            raise ModelOutputError(f"{self.provider.name}: does not come to an end")

    def _price(self, more: Mapping[str, Any]) -> Price | None:
        return self.provider.prices.get(str(more.get("model", self.provider.model)))


def has_pictures(messages: Sequence[ModelMessage]) -> bool:
    """Whether a message carries a picture."""
    return any(isinstance(message, UserMessage) and message.images for message in messages)


def _sum(one: Usage, other: Usage) -> Usage:
    costs = [usage.cost for usage in (one, other) if usage.cost is not None]
    return Usage(
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cost=sum(costs[1:], costs[0]) if costs else None,
    )
