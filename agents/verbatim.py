"""A model as a reader of what the grammar does not explain: it points, code computes.

The model gets the person's message and nothing else, and gives back pieces of it, word for word.
What does not stand in the message counts for nothing, so the worst it can do is to point badly.
"""

import functools
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from agents.talk.talker import Talker
from bot.core.agents import Agent, AgentResult, Turn
from bot.core.codec import to_json
from bot.core.effects import ToolCall
from bot.core.errors import ModelError
from bot.core.model import Model, SystemMessage, UserMessage
from bot.core.patterns import regex

SPANS = "$spans"
"""The note by which the journal keeps what the model pointed at."""

SECONDS = 6.0
_SPACE = regex(r"\s+")

S = TypeVar("S", bound=BaseModel)
R_contra = TypeVar("R_contra", bound=BaseModel, contravariant=True)


@functools.cache
def span_instructions(folder: str) -> str:
    """Return what the model is told for an agent; read once, before the loop runs."""
    source = files("agents").joinpath(folder, "prompts", "spans.md")
    return source.read_text(encoding="utf-8")


class SpanReader(Generic[S]):
    """Asks for the spans of one schema, once a turn: a re-run reads them from the journal."""

    def __init__(self, model: Model, *, schema: type[S], instructions: str) -> None:
        self._model = model
        self._schema = schema
        self._instructions = instructions

    async def read(self, turn: Turn) -> S | None:
        """Return the spans; None when the model gives none.

        Raises:
            StoppedError, StorageError: as `ToolRunner.perform` raises them.
        """

        async def decide() -> Sequence[ToolCall]:
            try:
                found = await self._model.structured(
                    self._schema,
                    [SystemMessage(self._instructions), UserMessage(turn.query)],
                    deadline=SECONDS,
                )
            except ModelError:
                return [ToolCall(name=SPANS)]
            return [ToolCall(name=SPANS, arguments={"found": to_json(self._schema, found)})]

        ((call, _),) = await turn.tools.perform(decide, by_model=True)
        try:
            return self._schema.model_validate(call.arguments.get("found"))
        except ValidationError:
            return None


def stands_in(span: str, said: str) -> bool:
    """Whether the span is a piece of what was said; spaces and case apart."""
    return bool(span) and _folded(span) in _folded(said)


def _folded(text: str) -> str:
    return _SPACE.sub("", text).casefold()


class Reading(Protocol[R_contra]):
    """How one agent's messages are read again with the model's spans. Pure."""

    def needs_model(self, turn: Turn) -> bool:
        """Whether the grammar leaves a part of the message unexplained, without asking back."""
        ...

    def reread(self, turn: Turn, spans: R_contra) -> Turn | AgentResult | None:
        """Return the turn to be answered instead, a question, or None to leave it as it is."""
        ...

    def is_talk(self, turn: Turn, spans: R_contra) -> bool:
        """Whether the message is to be talked about: nothing in it is for the grammar."""
        ...


class ReadByModel(Generic[S]):
    """An agent that asks a model to point before it gives up on a message.

    What is neither for the grammar nor pointed at is talked about, with the agent's own tools.
    """

    def __init__(
        self, inner: Agent, reader: SpanReader[S], reading: Reading[S], talker: Talker
    ) -> None:
        self._inner = inner
        self._reader = reader
        self._reading = reading
        self._talker = talker

    @property
    def intent(self) -> str:
        """Routing label."""
        return self._inner.intent

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the inner agent's answer, to the message as it stands or as it was read again."""
        if turn.action is not None and self._talker.owns(turn.action):
            return await self._talker.pressed(turn, turn.action)
        is_new_wish = not (turn.action or turn.command or turn.linked or turn.edited)
        is_open = turn.pending is not None and not turn.pending.soft
        if not is_new_wish or is_open or not turn.query or not self._reading.needs_model(turn):
            return await self._inner.handle(turn)
        spans = await self._reader.read(turn)
        if spans is not None and self._reading.is_talk(turn, spans):
            answer = await self._talker.talk(turn)
            return answer if isinstance(answer, AgentResult) else await self._inner.handle(turn)
        read = self._reading.reread(turn, spans) if spans is not None else None
        if isinstance(read, AgentResult):
            return read
        return await self._inner.handle(read or turn)


def in_language(said: str, zh: str, en: str) -> str:
    """Return the form in the language of what was said."""
    return zh if re.search(r"[㐀-鿿]", said) else en
