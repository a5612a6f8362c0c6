"""What is said of a write: built from the stored row, never from the model's words."""

from collections.abc import Sequence

from agents.claims import BACKED_BY, Deed
from agents.tool_steps import Done
from agents.tools.memory import Notes
from bot.core.codec import from_json
from bot.core.effects import ToolCall
from bot.core.messages import Block, TextBlock
from bot.core.people import Person
from bot.core.tools import ToolGrant
from bot.core.words import Text, Verbatim, text


def receipts(done: Sequence[Done], grant: ToolGrant) -> tuple[Block, ...]:
    """Return a block for each write that happened, or may have."""
    return tuple(TextBlock(_receipt(d)) for d in done if grant.has_effect(d.call))


def _receipt(done: Done) -> Text:
    match done.call.name:
        case "memory_save" | "memory_append":
            return text("chat.remembered", note=_note(done))
        case "memory_delete":
            return text("chat.forgotten", note=_note(done))
        case "profile_update":
            return text("chat.renamed", name=from_json(Person, done.result).name)
        case _ if isinstance(done.result, dict) and "unknown" in done.result:
            return text("chat.maybe_called", name=spoken_name(done.call))
        case _:
            return text("chat.called", name=spoken_name(done.call))


def spoken_name(call: ToolCall) -> str:
    """Return what a call is called to a person: of a service's tool, that tool's name."""
    return str(call.arguments["tool"]) if call.name == "mcp_call_tool" else call.name


def _note(done: Done) -> Verbatim:
    return Verbatim(from_json(Notes, done.result)[0].text)


def deeds_of(done: Sequence[Done]) -> frozenset[Deed]:
    """Return what the calls that were done make true."""
    names = {d.call.name for d in done}
    return frozenset(deed for deed, tools in BACKED_BY.items() if tools & names)
