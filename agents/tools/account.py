"""The ACCOUNT tools: what binding and unbinding do to people. No model has them."""

from dataclasses import replace

from pydantic import JsonValue

from agents.tools.declare import writing
from bot.core.binding import Bindings, Merge, Undoing
from bot.core.codec import to_json
from bot.core.errors import ConflictError
from bot.core.events import ChatKind
from bot.core.ids import derived_id
from bot.core.people import Person
from bot.core.permissions import Permission
from bot.core.tools import Tool, ToolArguments, ToolContext

WRITE = Permission.PROFILE_WRITE


class MergeArguments(ToolArguments):
    """Who stays, and whose rows they get."""

    survivor_id: str
    other_id: str


class UndoArguments(ToolArguments):
    """A merge."""

    merge_id: str


class DetachArguments(ToolArguments):
    """Whom the caller's own account leaves."""

    from_id: str


class AccountTools:
    """Functions behind the tools; ids derive from the effect, so each happens once."""

    def __init__(self, bindings: Bindings) -> None:
        self._bindings = bindings

    async def merge(self, context: ToolContext, arguments: MergeArguments) -> JsonValue:
        """Make two people one; the caller is one of them."""
        if context.person.person_id not in (arguments.survivor_id, arguments.other_id):
            raise ConflictError("the presser is somebody else by now")
        merge = await self._bindings.merge(
            arguments.survivor_id,
            arguments.other_id,
            merge_id=derived_id("g", context.effect.effect_id),
            at=context.effect.at,
        )
        return to_json(Merge, merge)

    async def undo(self, context: ToolContext, arguments: UndoArguments) -> JsonValue:
        """Give back what a merge moved."""
        undoing = await self._bindings.undo(arguments.merge_id, at=context.effect.at)
        return to_json(Undoing, undoing)

    async def detach(self, context: ToolContext, arguments: DetachArguments) -> JsonValue:
        """Give the caller's own account a new person."""
        person = await self._bindings.detach(
            context.account_key,
            from_id=arguments.from_id,
            fresh_id=derived_id("p", context.account_key, context.effect.effect_id),
            at=context.effect.at,
        )
        return to_json(Person, person)


def account_tools(bindings: Bindings) -> tuple[Tool, ...]:
    """Return the ACCOUNT group."""
    functions = AccountTools(bindings)
    tools = (
        writing(WRITE, "account_merge", MergeArguments, functions.merge, "Make two people one."),
        writing(WRITE, "account_undo", UndoArguments, functions.undo, "Undo a merge."),
        writing(WRITE, "account_detach", DetachArguments, functions.detach, "Leave a person."),
    )
    private = frozenset({ChatKind.PRIVATE})
    return tuple(replace(tool, overwrites=True, chat_kinds=private) for tool in tools)
