"""Entries offered as buttons when words fit several, or none of them quite."""

from collections.abc import Callable, Sequence

from pydantic import JsonValue

from agents.ledger import present
from bot.core.actions import ActionDraft, Uses
from bot.core.agents import AgentResult, Status, Turn
from bot.core.codec import to_json
from bot.core.ledger import Entry, EntryChange
from bot.core.messages import TextBlock
from bot.core.words import Text, text

MOST_OFFERED = 5


def choose(
    turn: Turn,
    entries: Sequence[Entry],
    target: str,
    action: Callable[[Entry], ActionDraft],
    *,
    question: Text | None = None,
) -> AgentResult:
    """Ask which entry is meant; a press does to it what ``action`` says."""
    rows = tuple(
        (present.row_button(entry, turn.locale, action(entry)),)
        for entry in entries[:MOST_OFFERED]
    )
    key = "ledger.choose" if target else "ledger.choose_any"
    return AgentResult(
        blocks=(TextBlock(question or text(key, target=target)),),
        buttons=rows,
        status=Status.CLARIFY,
    )


def picked(entry: Entry, change: EntryChange | None) -> ActionDraft:
    """Return what a press on an entry does: the change that was said, else ask for one."""
    arguments: dict[str, JsonValue] = {"entry": entry.entry_id}
    if change is None:
        return ActionDraft(name="edit", arguments=arguments, uses=Uses.MANY)
    arguments["change"] = to_json(EntryChange, change)
    return ActionDraft(name="change", arguments=arguments)


def deletion(entry: Entry) -> ActionDraft:
    """Return what takes one entry out."""
    return ActionDraft(
        name="undo",
        arguments={"entries": [entry.entry_id]},
        subject=f"ledger:{entry.entry_id}",
        revision=entry.revision,
    )
