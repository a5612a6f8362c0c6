"""Entries as blocks and buttons."""

from collections.abc import Sequence

from bot.core.actions import ActionDraft, Uses
from bot.core.ledger import Direction, Entry
from bot.core.messages import (
    Button,
    TableBlock,
    TextBlock,
    Tone,
)
from bot.core.words import Lines, Text, Verbatim, text
from bot.language.categories import category_name
from bot.locales.catalogue import money, resolve
from bot.locales.moments import day_words

LABEL_LENGTH = 12


def entry_words(entry: Entry, locale: str) -> Text:
    """Return one entry in a line: item, amount, category, day."""
    return text(
        "ledger.line" if entry.direction is Direction.EXPENSE else "ledger.line_directed",
        item=entry.item or category_name(entry.category, locale),
        amount=money(entry.amount, entry.currency),
        category=category_name(entry.category, locale),
        day=day_words(entry.occurred_on, locale),
        direction=text(f"ledger.direction_{entry.direction}"),
    )


def entry_refs(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return entries as entity references, for links."""
    return tuple(f"ledger:{entry.entry_id}" for entry in entries)


def added_block(entries: Sequence[Entry], locale: str) -> TextBlock:
    """Return what was written, from the stored rows."""
    if len(entries) == 1:
        return TextBlock(text("ledger.added", entry=entry_words(entries[0], locale)))
    lines = _numbered(entries, locale)
    return TextBlock(text("ledger.added_many", n=len(entries), lines=lines))


def removed_block(entries: Sequence[Entry], locale: str) -> TextBlock:
    """Return what was taken out."""
    if len(entries) == 1:
        return TextBlock(text("ledger.removed", entry=entry_words(entries[0], locale)))
    return TextBlock(text("ledger.removed_many", n=len(entries), lines=_numbered(entries, locale)))


def list_block(entries: Sequence[Entry], locale: str) -> TableBlock:
    """Return entries as a table, the newest first."""
    return TableBlock(
        header=(
            text("ledger.head_day"),
            text("ledger.head_item"),
            text("ledger.head_amount"),
            text("ledger.head_category"),
        ),
        rows=tuple(
            (
                Verbatim(f"{entry.occurred_on:%m-%d}"),
                Verbatim(entry.item or category_name(entry.category, locale)),
                Verbatim(signed(entry)),
                Verbatim(category_name(entry.category, locale)),
            )
            for entry in entries
        ),
    )


def signed(entry: Entry) -> str:
    """Return the amount with a plus for money that came in."""
    shown = money(entry.amount, entry.currency)
    incoming = {Direction.INCOME, Direction.REFUND, Direction.BORROW}
    return f"+{shown}" if entry.direction in incoming else shown


# --- buttons -----------------------------------------------------------------------------------


def undo_button(entries: Sequence[Entry], *, deleted: bool) -> Button:
    """Return Undo: takes new entries out, or brings deleted ones back."""
    return Button(
        label=text("ledger.button_undo"),
        action=ActionDraft(
            name="restore" if deleted else "undo",
            arguments={"entries": [entry.entry_id for entry in entries]},
            subject=entry_refs(entries)[0],
        ),
    )


def edit_button(entry: Entry, *, ordinal: int | None = None) -> Button:
    """Return Edit for one entry, numbered where several are shown."""
    name = (entry.item or "")[:LABEL_LENGTH]
    label = (
        text("ledger.button_edit")
        if ordinal is None
        else text("ledger.button_edit_nth", n=ordinal, item=name)
    )
    return Button(
        label=label,
        action=ActionDraft(
            name="edit",
            arguments={"entry": entry.entry_id},
            subject=f"ledger:{entry.entry_id}",
            revision=entry.revision,
            uses=Uses.MANY,
        ),
    )


def row_button(entry: Entry, locale: str, action: ActionDraft) -> Button:
    """Return an entry as a button that does something with it."""
    return Button(label=Verbatim(resolve(entry_words(entry, locale), locale)), action=action)


def delete_button(entry: Entry) -> Button:
    """Return Delete for one entry."""
    return Button(
        label=text("ledger.button_delete"),
        tone=Tone.DANGER,
        action=ActionDraft(
            name="undo",
            arguments={"entries": [entry.entry_id]},
            subject=f"ledger:{entry.entry_id}",
            revision=entry.revision,
        ),
    )


def added_buttons(entries: Sequence[Entry]) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons under new entries: Undo, and Edit for each."""
    if len(entries) == 1:
        return ((undo_button(entries, deleted=False), edit_button(entries[0])),)
    edits = [edit_button(entry, ordinal=i) for i, entry in enumerate(entries, 1)]
    rows = tuple(tuple(edits[i : i + 2]) for i in range(0, len(edits), 2))
    return ((undo_button(entries, deleted=False),), *rows)


def _numbered(entries: Sequence[Entry], locale: str) -> Lines:
    return Lines(
        tuple(
            text("ledger.numbered", n=i, entry=entry_words(entry, locale))
            for i, entry in enumerate(entries, 1)
        )
    )
