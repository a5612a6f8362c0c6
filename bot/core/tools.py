"""Tools: named, schema-checked calls; an agent has only those its turn was granted."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from bot.core.effects import Effect, ToolCall
from bot.core.errors import ToolDeniedError, ToolError, ToolInputError
from bot.core.events import Chat, ChatKind
from bot.core.people import Person
from bot.core.permissions import Permission


class ToolArguments(BaseModel):
    """Base of all argument models: unknown names are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """Who calls and from where; bound by the dispatcher, never by the caller's arguments.

    Attributes:
        now: aware, in the person's zone.
        effect: identity of this call's write.
        account_key: owner of the files that this account sent.
        session_key, conversation: what goes on, see `bot.core.sessions`.
    """

    person: Person
    chat: Chat
    account_id: str
    now: datetime
    effect: Effect
    account_key: str = ""
    session_key: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool.

    Attributes:
        arguments: the pydantic model its arguments must satisfy.
        run: does the work; returns JSON. ``Any`` because each tool has its own model.
        requires: permissions it needs.
        writes: has an effect, so it is journaled before it runs.
        confirm: a person has to press a button before it runs for a model.
        overwrites: what it changes was there before; an order that comes late may mean something
            that is different by now, so it is not done, see `StaleOrderError`.
        external: its effect lies in another service, which does not know our ids; it is noted
            before and after, and never made again when nobody knows whether it happened.
        outside: its result was written by others, such as a page or another service.
        only_reads: says of checked arguments that such a call changes nothing; it then needs no
            press and is not noted. None where the tool is always what it is.
        chat_kinds: where it may be used.
    """

    name: str
    description: str
    arguments: type[ToolArguments]
    run: Callable[[ToolContext, Any], Awaitable[JsonValue]]
    requires: frozenset[Permission]
    writes: bool = False
    confirm: bool = False
    overwrites: bool = False
    external: bool = False
    outside: bool = False
    only_reads: Callable[[Any], bool] | None = None
    chat_kinds: frozenset[ChatKind] = frozenset(ChatKind)


NOTE = "$"
"""First character of a call that is kept in the journal and is no tool's, see `ToolRunner`."""

SAY = "$say"
"""The note of a model's prose; alone it need not be kept, as saying it again does no harm."""


class ToolGrant:
    """The immutable set of tools that one turn may use."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}

    def narrowed(
        self, names: frozenset[str], permissions: frozenset[Permission], chat_kind: ChatKind
    ) -> "ToolGrant":
        """Return the part that is named, permitted and fit for this kind of chat."""
        return ToolGrant(
            tool
            for name, tool in self._tools.items()
            if name in names and tool.requires <= permissions and chat_kind in tool.chat_kinds
        )

    def permissions_of(self, names: frozenset[str]) -> frozenset[Permission]:
        """Return what the named tools need."""
        return frozenset[Permission]().union(
            *(tool.requires for name, tool in self._tools.items() if name in names)
        )

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    @property
    def names(self) -> frozenset[str]:
        """Names of the granted tools."""
        return frozenset(self._tools)

    def look_up(self, call: ToolCall) -> tuple[Tool, ToolArguments]:
        """Return the tool, as it is for this call, and its checked arguments.

        Raises:
            ToolDeniedError: the name is not in this grant, whoever made it up.
            ToolInputError: the arguments do not satisfy the tool's model.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            raise ToolDeniedError(f"no such tool: {call.name}")
        try:
            arguments = tool.arguments.model_validate(dict(call.arguments))
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
            )
            raise ToolInputError(problems) from error
        if tool.only_reads is not None and tool.only_reads(arguments):
            tool = replace(tool, writes=False, confirm=False, external=False)
        return tool, arguments

    def has_effect(self, call: ToolCall) -> bool:
        """Whether this very call changes something; False for one that is not allowed."""
        try:
            tool, _ = self.look_up(call)
        except ToolError:
            return False
        return tool.writes or tool.external


class ToolRunner(Protocol):
    """Runs the calls of one turn: journaled before, once, and stoppable in between."""

    @property
    def grant(self) -> ToolGrant:
        """The tools this turn may use, to be described; they are run by `perform` only."""
        ...

    @property
    def granted(self) -> frozenset[str]:
        """Names of the tools this turn may use."""
        ...

    @property
    def replaying(self) -> bool:
        """Whether the next `perform` is answered by the journal: this event was begun before.

        What an agent reads of the store may then already show its own effects, so it must not
        decide by it whether to call `perform`.
        """
        ...

    async def perform(
        self, decide: Callable[[], Awaitable[Sequence[ToolCall]]], *, by_model: bool = False
    ) -> Sequence[tuple[ToolCall, JsonValue]]:
        """Run the calls that ``decide`` names and return each with its result.

        On a re-run of the same event the journal answers instead of ``decide``, and writes that
        had happened give their stored results. Calls that change nothing run side by side.

        With ``by_model`` they are a model's, which would decide otherwise another time: they are
        kept even when none of them writes; calls whose name begins with `NOTE` are kept and not
        run; a call that fails gives ``{"error": ...}``; and /stop ends a ``decide`` under way.

        Raises:
            ToolDeniedError, ToolInputError: a call is not allowed as it stands; nothing ran.
            StoppedError: the person said /stop between two calls.
            StorageError: as the repositories raise it.
        """
        ...
