"""The LEDGER tools (seed 000) over the ledger repository."""

from dataclasses import replace
from datetime import date
from typing import Literal

from pydantic import Field, JsonValue

from agents.tools.declare import reading, writing
from bot.core.codec import to_json
from bot.core.ledger import (
    Direction,
    Entry,
    EntryChange,
    EntryDraft,
    EntryFilter,
    Ledger,
    Total,
)
from bot.core.permissions import Permission
from bot.core.tools import Tool, ToolArguments, ToolContext

MOST_PER_CALL = 20
LIST_LIMIT = 50

Entries = tuple[Entry, ...]
Totals = tuple[Total, ...]
READ = Permission.LEDGER_READ
WRITE = Permission.LEDGER_WRITE


class InsertArguments(ToolArguments):
    """Entries to be written together."""

    entries: tuple[EntryDraft, ...] = Field(min_length=1, max_length=MOST_PER_CALL)


class UpdateArguments(ToolArguments):
    """A change of one entry, or the return of deleted ones.

    Attributes:
        revision: the entry's revision that the change was made for.
        restore: deleted entries to bring back; then nothing else is changed.
        learn: remember the new category for this item.
    """

    entry_id: str = ""
    revision: int = 0
    change: EntryChange = EntryChange()
    restore: tuple[str, ...] = ()
    learn: str = ""


class DeleteArguments(ToolArguments):
    """Entries to be taken out."""

    entry_ids: tuple[str, ...] = Field(min_length=1, max_length=MOST_PER_CALL)


class LimitArguments(ToolArguments):
    """How many."""

    limit: int = Field(default=10, ge=1, le=LIST_LIMIT)


class ListArguments(ToolArguments):
    """Which entries; their sums too, by category when asked."""

    since: date | None = None
    until: date | None = None
    direction: Direction | None = None
    category: str | None = None
    item: str | None = None
    also: tuple[str, ...] = ()
    currency: str | None = None
    order: Literal["day", "largest", "smallest"] = "day"
    totals: bool = False
    by_category: bool = False
    limit: int = Field(default=20, ge=1, le=LIST_LIMIT)


class NoArguments(ToolArguments):
    """Nothing to say."""


class LedgerTools:
    """Functions behind the tools. The owner comes from the context, never from arguments."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def insert(self, context: ToolContext, arguments: InsertArguments) -> JsonValue:
        """Write all entries or none."""
        entries = await self._ledger.append(
            context.person.person_id, arguments.entries, effect=context.effect
        )
        return to_json(Entries, entries)

    async def update(self, context: ToolContext, arguments: UpdateArguments) -> JsonValue:
        """Change an entry, or bring entries back."""
        person_id = context.person.person_id
        if arguments.restore:
            restored = await self._ledger.restore(
                person_id, arguments.restore, effect=context.effect
            )
            return to_json(Entries, restored)
        entry = await self._ledger.update(
            person_id,
            arguments.entry_id,
            revision=arguments.revision,
            change=arguments.change,
            effect=context.effect,
        )
        if arguments.learn and entry.category:
            effect = replace(context.effect, effect_id=f"{context.effect.effect_id}.learn")
            await self._ledger.learn_category(
                person_id, arguments.learn, entry.category, effect=effect
            )
        return to_json(Entries, (entry,))

    async def delete(self, context: ToolContext, arguments: DeleteArguments) -> JsonValue:
        """Take entries out of lists and totals."""
        entries = await self._ledger.void(
            context.person.person_id, arguments.entry_ids, effect=context.effect
        )
        return to_json(Entries, entries)

    async def get_latest(self, context: ToolContext, _arguments: NoArguments) -> JsonValue:
        """Return the entry written last."""
        return to_json(Entries, await self._recent(context, 1))

    async def list_recent(self, context: ToolContext, arguments: LimitArguments) -> JsonValue:
        """Return the entries written last."""
        return to_json(Entries, await self._recent(context, arguments.limit))

    async def list(self, context: ToolContext, arguments: ListArguments) -> JsonValue:
        """Return matching entries and their sums."""
        wanted = EntryFilter(
            since=arguments.since,
            until=arguments.until,
            direction=arguments.direction,
            category=arguments.category,
            item=arguments.item,
            also=arguments.also,
            currency=arguments.currency,
        )
        person_id = context.person.person_id
        entries: Entries = ()
        totals: Totals = ()
        if arguments.totals:
            totals = await self._ledger.totals(
                person_id, wanted, by_category=arguments.by_category
            )
        elif arguments.order != "day":
            smallest = arguments.order == "smallest"
            entries = await self._ledger.by_amount(
                person_id, wanted, limit=arguments.limit, smallest=smallest
            )
        else:
            entries = await self._ledger.find(person_id, wanted, limit=arguments.limit)
        return {"entries": to_json(Entries, entries), "totals": to_json(Totals, totals)}

    async def _recent(self, context: ToolContext, limit: int) -> Entries:
        return await self._ledger.latest(context.person.person_id, EntryFilter(), limit=limit)


def ledger_tools(ledger: Ledger) -> tuple[Tool, ...]:
    """Return the LEDGER group."""
    functions = LedgerTools(ledger)
    return (
        writing(
            WRITE,
            "ledger_insert",
            InsertArguments,
            functions.insert,
            "Write ledger entries, all or none.",
        ),
        writing(
            WRITE,
            "ledger_update",
            UpdateArguments,
            functions.update,
            "Change one ledger entry, or bring deleted entries back.",
            overwrites=True,
        ),
        writing(
            WRITE,
            "ledger_delete",
            DeleteArguments,
            functions.delete,
            "Delete ledger entries (can be undone).",
            confirm=True,
        ),
        reading(
            READ,
            "ledger_get_latest",
            NoArguments,
            functions.get_latest,
            "The ledger entry written last.",
        ),
        reading(
            READ,
            "ledger_list_recent",
            LimitArguments,
            functions.list_recent,
            "The ledger entries written last.",
        ),
        reading(
            READ,
            "ledger_list",
            ListArguments,
            functions.list,
            "Ledger entries of a period, or their sums.",
        ),
    )
