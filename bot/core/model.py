"""What a language model is to us: messages in, an answer as a value out, errors by reaction.

What a model says is untrusted, like everything that is fetched: callers check it, and nothing
happens by it that a tool of the turn does not allow.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Literal, Protocol, TypeVar

from pydantic import BaseModel, JsonValue

from bot.core.tools import Tool

S = TypeVar("S", bound=BaseModel)

Show = Callable[[str], Awaitable[None]]
"""Takes the whole text so far, not the last piece; after a restart it may be shorter again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagePart:
    """A picture of the file store, by owner and id; see `bot.core.files`."""

    owner: str
    file_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A tool call that a model asks for.

    Attributes:
        call_id: the model's own id, repeated in the `ToolMessage` that answers it.
        problem: why `arguments` could not be read; empty when they could.
    """

    call_id: str
    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """Our instructions."""

    text: str
    role: Literal["system"] = "system"


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What a person said, or what we hand over as data."""

    text: str
    images: tuple[ImagePart, ...] = ()
    role: Literal["user"] = "user"


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the model said before, with the calls it asked for."""

    text: str
    calls: tuple[ModelCall, ...] = ()
    role: Literal["assistant"] = "assistant"


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The result of one call."""

    call_id: str
    text: str
    role: Literal["tool"] = "tool"


ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as a model sees it; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


def tool_spec(tool: Tool) -> ToolSpec:
    """Return how a model sees this tool."""
    return ToolSpec(
        name=tool.name,
        description=tool.description,
        parameters=tool.arguments.model_json_schema(),
    )


class Finish(StrEnum):
    """Why the model stopped."""

    STOP = "stop"
    CALLS = "calls"
    LENGTH = "length"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What an answer took.

    Attributes:
        cost: in the currency of the operator's price list; None where it has no price.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """An answer.

    Attributes:
        text: prose; may be empty when there are calls, never when there are none.
        provider: name of the provider that answered.
    """

    text: str
    calls: tuple[ModelCall, ...] = ()
    finish: Finish = Finish.STOP
    usage: Usage = Usage()
    provider: str = ""


class Model(Protocol):
    """A language model, however many providers stand behind it.

    ``deadline`` is the seconds this request may take in all, by the injected clock; providers
    share it. Every method raises `bot.core.errors.ModelError` by reaction.
    """

    async def complete(
        self, messages: Sequence[ModelMessage], *, tools: Sequence[ToolSpec] = (), deadline: float
    ) -> Completion:
        """Return the answer."""
        ...

    async def structured(
        self, schema: type[S], messages: Sequence[ModelMessage], *, deadline: float
    ) -> S:
        """Return the answer as a ``schema``, in whichever way the provider can be held to it.

        Raises:
            ModelOutputError: it is no ``schema``, even after one repair.
        """
        ...

    async def stream(
        self,
        messages: Sequence[ModelMessage],
        *,
        show: Show,
        tools: Sequence[ToolSpec] = (),
        deadline: float,
    ) -> Completion:
        """Return the answer, calling ``show`` while its text grows.

        When a provider breaks off, the next one begins anew; its text replaces what was shown.
        """
        ...
