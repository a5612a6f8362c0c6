"""Three ways to hold an endpoint to a schema, and reading what comes of them. Pure.

Sources: https://platform.openai.com/docs/guides/structured-outputs (every property required, no
others allowed), https://platform.openai.com/docs/guides/function-calling.
"""

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ValidationError

from bot.core.errors import ModelOutputError
from bot.core.model import Completion, S
from bot.core.patterns import regex

TOOL = "answer"
"""Name of the function whose arguments are the answer."""

_FENCE = regex(r"```(?:json)?\s*(.*?)```", re.DOTALL)


class Mode(StrEnum):
    """How the schema is handed over, the strictest first."""

    JSON_SCHEMA = "json_schema"
    TOOL_CALL = "tool_call"
    JSON_TEXT = "json_text"


def options(mode: Mode, schema: type[BaseModel]) -> Mapping[str, Any]:
    """Return what the mode adds to the request."""
    plain = schema.model_json_schema()
    if mode is Mode.JSON_SCHEMA:
        named = {"name": schema.__name__, "schema": strict(plain), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if mode is Mode.TOOL_CALL:
        function = {"name": TOOL, "description": "Give the answer.", "parameters": plain}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": TOOL}},
        }
    return {}


def instruction(schema: type[BaseModel]) -> str:
    """Return what `Mode.JSON_TEXT` says, since the request has no place for a schema."""
    text = json.dumps(schema.model_json_schema(), ensure_ascii=False)
    return f"Answer with one JSON object and nothing else. It satisfies this JSON schema:\n{text}"


def strict(schema: Any) -> Any:  # noqa: ANN401  # JSON
    """Return the schema as strict mode wants it: all properties required, no others allowed."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: strict(value) for name, value in schema.items() if name != "default"}
    if isinstance(schema.get("properties"), dict):
        found["additionalProperties"] = False
        found["required"] = list(schema["properties"])
    return found


def read(mode: Mode, schema: type[S], answer: Completion) -> S:
    """Return the instance in the answer, wherever the endpoint has put it.

    Raises:
        ModelOutputError: there is none; the text says what is wrong, without the answer itself.
    """
    for call in answer.calls:
        if call.name == TOOL and not call.problem:
            return _checked(schema, dict(call.arguments))
    if mode is Mode.TOOL_CALL and not answer.text:
        raise ModelOutputError("no call of the function answer")
    return _checked(schema, _object_in(answer.text))


def _checked(schema: type[S], value: object) -> S:
    try:
        return schema.model_validate(value)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, item['loc'])) or 'the whole'}: {item['msg']}"
            for item in error.errors(include_input=False)[:5]
        )
        raise ModelOutputError(problems) from error


def _object_in(text: str) -> object:
    """Return the first JSON object in prose or in a fence."""
    fenced = _FENCE.search(text)
    inside = fenced.group(1) if fenced else text
    start = inside.find("{")
    while start >= 0:
        try:
            return json.JSONDecoder().raw_decode(inside, start)[0]
        except RecursionError as error:
            raise ModelOutputError("nested too deeply") from error
        except ValueError:
            start = inside.find("{", start + 1)
    raise ModelOutputError("no JSON object")
