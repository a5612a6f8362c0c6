"""An endpoint that speaks chat completions over real HTTP, for tests and for trying by hand.

``python -m tests.emulators.openai --port 8090`` and then, in another shell, the bot with
``OPENAI_BASE_URL=http://127.0.0.1:8090/v1 OPENAI_MODEL=emulated``.

It answers from what is in the request (the tools offered, the messages, the last one) and never
from how often it was asked: see `tests.emulators.openai_mind`. What a real endpoint may lack can
be switched off (`json_schema`, `tools`), and faults are put in a queue.

Source: https://platform.openai.com/docs/api-reference/chat
"""

import argparse
import asyncio
import contextlib
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.rules import score
from tests.emulators.openai_mind import Answer, Mind, Prompt

Json = dict[str, Any]
Fault = Callable[["Endpoint", web.Request, Json], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class Endpoint:
    """One provider.

    Attributes:
        key: what it takes as key; empty takes any.
        json_schema, tools, forced_tools: what it can do; a request for what it cannot is refused
            with 400.
        faults: each is used up by one request.
        down: a fault for every request, as long as it is set.
        requests: the bodies that came in, oldest first.
        arrived: set with each of them.
        headers: their headers.
        piece: characters of a streamed piece.
        pause: seconds between two of them.
    """

    key: str = ""
    json_schema: bool = True
    tools: bool = True
    forced_tools: bool = True
    mind: Mind = field(default_factory=Mind)
    faults: deque[Fault] = field(default_factory=deque)
    down: Fault | None = None
    requests: list[Json] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    headers: list[dict[str, str]] = field(default_factory=list)
    piece: int = 8
    pause: float = 0.0
    base: str = ""

    @asynccontextmanager
    async def serving(self, port: int = 0) -> AsyncIterator["Endpoint"]:
        """Listen on 127.0.0.1 while the context is open."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._completions)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        self.base = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        try:
            yield self
        finally:
            await runner.cleanup()

    async def _completions(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        self.arrived.set()
        if self.down is not None:
            return await self.down(self, request, body)
        if self.faults:
            return await self.faults.popleft()(self, request, body)
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            return refusal(401, "invalid_api_key", "Incorrect API key provided.")
        wanted = body.get("response_format", {}).get("type")
        if wanted == "json_schema" and not self.json_schema:
            return refusal(
                400, "unsupported", "'response_format' of type 'json_schema' is not supported"
            )
        if body.get("tools") and not self.tools:
            return refusal(400, "unsupported", "'tools' is not supported by this model")
        if body.get("tool_choice") and not self.forced_tools:
            return refusal(400, "unsupported", "'tool_choice' is not supported by this model")
        answer = self.mind.answer(body)
        if not body.get("stream"):
            return web.json_response(whole(body, answer))
        try:
            return await self.stream(request, body, answer)
        except ConnectionResetError:  # whoever asked has gone
            return web.Response()

    async def stream(
        self, request: web.Request, body: Json, answer: Answer, *, cut_after: int | None = None
    ) -> web.StreamResponse:
        """Send the answer in pieces; ``cut_after`` so many the connection breaks."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        deltas: list[Json] = [{"role": "assistant", "content": ""}]
        deltas += [
            {"content": answer.text[start : start + self.piece]}
            for start in range(0, len(answer.text), self.piece)
        ]
        deltas += [
            {"tool_calls": [{"index": index, **call}]}
            for index, call in enumerate(answer.wire_calls())
        ]
        for number, delta in enumerate(deltas):
            if cut_after is not None and number > cut_after:
                assert request.transport is not None
                request.transport.close()
                return response
            await self.send(response, body, {"delta": delta, "finish_reason": None})
            if self.pause:
                await asyncio.sleep(self.pause)
        await self.send(response, body, {"delta": {}, "finish_reason": answer.finish})
        if body.get("stream_options", {}).get("include_usage"):
            await self.send(response, body, None, usage=usage(body, answer))
        await response.write(b"data: [DONE]\n\n")
        return response

    async def send(
        self, response: web.StreamResponse, body: Json, choice: Json | None, **more: object
    ) -> None:
        """Send one piece of a stream."""
        chunk = {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": body["model"],
            "choices": [] if choice is None else [{"index": 0, **choice}],
            **more,
        }
        await response.write(f"data: {json.dumps(chunk)}\n\n".encode())


def whole(body: Json, answer: Answer) -> Json:
    """Return an answer that is not streamed."""
    message: Json = {"role": "assistant", "content": answer.text or None}
    if answer.calls:
        message["tool_calls"] = answer.wire_calls()
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": answer.finish, "message": message}],
        "usage": usage(body, answer),
    }


def usage(body: Json, answer: Answer) -> Json:
    """Return token counts: four characters each."""
    taken = len(json.dumps(body["messages"], ensure_ascii=False)) // 4
    given = (len(answer.text) + len(json.dumps(answer.wire_calls()))) // 4
    return {"prompt_tokens": taken, "completion_tokens": given, "total_tokens": taken + given}


def refusal(status: int, code: str, message: str, **headers: str) -> web.Response:
    """Return an error as the API has it."""
    error = {"message": message, "type": "invalid_request_error", "code": code, "param": None}
    return web.json_response({"error": error}, status=status, headers=headers)


# --- faults ---------------------------------------------------------------------------------


def failing(status: int, *, message: str = "upstream", **headers: str) -> Fault:
    """Answer with this status; headers by keyword, e.g. ``Retry_After="7"``."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def fault(_endpoint: Endpoint, _request: web.Request, _body: Json) -> web.Response:
        return refusal(status, "fault", message, **named)

    return fault


async def hanging(_endpoint: Endpoint, _request: web.Request, _body: Json) -> web.Response:
    """Take the request and never answer."""
    await asyncio.Event().wait()
    raise AssertionError


def cut(after: int = 1) -> Fault:
    """Break off a stream after so many pieces."""

    async def fault(endpoint: Endpoint, request: web.Request, body: Json) -> web.StreamResponse:
        return await endpoint.stream(request, body, endpoint.mind.answer(body), cut_after=after)

    return fault


async def malformed(_endpoint: Endpoint, _request: web.Request, _body: Json) -> web.Response:
    """Answer with something that is no JSON."""
    return web.Response(text='{"choices": [', content_type="application/json")


async def nothing(_endpoint: Endpoint, _request: web.Request, body: Json) -> web.Response:
    """Answer with no choices at all."""
    return web.json_response(whole(body, Answer()) | {"choices": []})


async def broken_arguments(_endpoint: Endpoint, _request: web.Request, body: Json) -> web.Response:
    """Call a tool with arguments that are no JSON."""
    told = whole(body, Answer(calls=(("memory_save", {}),)))
    told["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = '{"a'
    return web.json_response(told)


def saying(answer: Answer) -> Fault:
    """Answer this once, whatever was asked."""

    async def fault(endpoint: Endpoint, request: web.Request, body: Json) -> web.StreamResponse:
        if body.get("stream"):
            return await endpoint.stream(request, body, answer)
        return web.json_response(whole(body, answer))

    return fault


async def refusing(_endpoint: Endpoint, _request: web.Request, body: Json) -> web.Response:
    """Answer that the model will not, in the place the API has for it."""
    told = whole(body, Answer())
    told["choices"][0]["message"]["refusal"] = "I cannot help with that."
    return web.json_response(told)


def streaming(*deltas: Json, finish: str = "stop") -> Fault:
    """Stream these very pieces, whatever was asked; what is no stream is answered with 503."""

    async def fault(endpoint: Endpoint, request: web.Request, body: Json) -> web.StreamResponse:
        if not body.get("stream"):
            return refusal(503, "fault", "only streams")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for delta in ({"role": "assistant", "content": ""}, *deltas):
            await endpoint.send(response, body, {"delta": delta, "finish_reason": None})
        await endpoint.send(response, body, {"delta": {}, "finish_reason": finish})
        await response.write(b"data: [DONE]\n\n")
        return response

    return fault


def call_piece(name: str, arguments: str) -> Json:
    """Return a piece that calls a tool with arguments exactly as they are written here."""
    function = {"name": name, "arguments": arguments}
    return {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}]}


def by_the_rules(prompt: Prompt) -> Json:
    """Route as the rules would: an answer for who tries the bot by hand."""
    told = json.loads(prompt.last)
    scores = score(str(told.get("message", ""))) or {"chat_manager": 1.0}
    best = max(scores, key=lambda label: scores[label])
    return {"intent": best, "confidence": 0.9, "secondary": []}


async def _serve(port: int) -> None:
    mind = Mind(schemas={"RoutingAnswer": by_the_rules})
    async with Endpoint(pause=0.03, piece=3, mind=mind).serving(port) as endpoint:
        print(f"OPENAI_BASE_URL={endpoint.base} OPENAI_MODEL=emulated")  # noqa: T201
        await asyncio.Event().wait()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=8090)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(options.parse_args().port))
