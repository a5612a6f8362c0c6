"""Our messages as the chat completions API has them, and its answers as ours. Pure.

Source: https://platform.openai.com/docs/api-reference/chat/create
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from bot.core.characters import whole_characters
from bot.core.codec import decode
from bot.core.errors import ModelOutputError, ModelRefusalError
from bot.core.model import (
    AssistantMessage,
    Completion,
    Finish,
    ImagePart,
    ModelCall,
    ModelMessage,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    Usage,
    UserMessage,
)
from bot.core.providers import Price

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

Json = dict[str, Any]


def wire_messages(
    messages: Sequence[ModelMessage], pictures: Mapping[ImagePart, str]
) -> list[Json]:
    """Return the messages with their pictures, given as data addresses."""
    return [_message(message, pictures) for message in messages]


def _message(message: ModelMessage, pictures: Mapping[ImagePart, str]) -> Json:
    match message:
        case SystemMessage():
            return {"role": "system", "content": message.text}
        case UserMessage(images=()):
            return {"role": "user", "content": message.text}
        case UserMessage():
            parts: list[Json] = [{"type": "text", "text": message.text}] if message.text else []
            parts += [
                {"type": "image_url", "image_url": {"url": pictures[image]}}
                for image in message.images
            ]
            return {"role": "user", "content": parts}
        case AssistantMessage(calls=()):
            return {"role": "assistant", "content": message.text}
        case AssistantMessage():
            return {
                "role": "assistant",
                "content": message.text or "",
                "tool_calls": [_call(call) for call in message.calls],
            }
        case ToolMessage():
            return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}


def _call(call: ModelCall) -> Json:
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
    function = {"name": call.name, "arguments": arguments}
    return {"id": call.call_id, "type": "function", "function": function}


def wire_tools(tools: Sequence[ToolSpec]) -> list[Json]:
    """Return the tools as functions."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def completion_of(message: "AIMessage", *, provider: str, price: Price | None) -> Completion:
    """Return the answer.

    Raises:
        ModelRefusalError: the provider's filter stopped it, or the model refused.
        ModelOutputError: there is neither text nor a call.
    """
    reason = message.response_metadata.get("finish_reason")
    if reason == "content_filter":
        raise ModelRefusalError(f"{provider}: stopped by its content filter")
    calls = tuple(_asked(*written) for written in _written_calls(message))
    text = whole_characters(str(message.text)).strip()
    if not text and not calls and message.additional_kwargs.get("refusal"):
        raise ModelRefusalError(f"{provider}: refused by the model")
    if not text and not calls:
        raise ModelOutputError(f"{provider}: an empty answer ({reason})")
    finish = Finish.CALLS if calls else Finish.LENGTH if reason == "length" else Finish.STOP
    return Completion(
        text=text,
        calls=calls,
        finish=finish,
        usage=usage_of(message, price),
        provider=provider,
    )


def _written_calls(message: "AIMessage") -> Iterator[tuple[str, str, str]]:
    """Yield id, name and arguments of each call, the arguments as the model wrote them.

    Of a stream the SDK completes arguments that were cut: half of what was meant would be done.
    """
    chunks = getattr(message, "tool_call_chunks", None)
    if chunks is not None:
        for chunk in chunks:
            yield chunk["id"] or "", chunk["name"] or "", chunk["args"] or ""
        return
    for call in message.tool_calls:
        yield call["id"] or "", call["name"], json.dumps(call["args"])
    for broken in message.invalid_tool_calls:
        yield broken["id"] or "", broken["name"] or "", broken["args"] or ""


def _asked(call_id: str, name: str, written: str) -> ModelCall:
    try:
        arguments = _arguments(written or "{}")
    except (ValueError, RecursionError):
        problem = "arguments are no JSON object, or one that cannot be kept"
        return ModelCall(call_id=call_id, name=whole_characters(name), problem=problem)
    return ModelCall(call_id=call_id, name=whole_characters(name), arguments=arguments)


def _arguments(written: str) -> Mapping[str, JsonValue]:
    """Return the object; a line break within a string is let pass, as models write them.

    Raises:
        ValueError, RecursionError: it is none, or a store could not keep it: not a number, half
            a surrogate pair, too deep.
    """
    found = json.loads(written, strict=False)
    return decode(dict[str, JsonValue], json.dumps(found, allow_nan=False))


def usage_of(message: "AIMessage", price: Price | None) -> Usage:
    """Return what the answer took; zeros where the endpoint does not say."""
    found = message.usage_metadata
    if found is None:
        return Usage()
    taken, given = found["input_tokens"], found["output_tokens"]
    return Usage(
        input_tokens=taken,
        output_tokens=given,
        cost=price.of(taken, given) if price is not None else None,
    )
