"""From what the language layer read to entries that can be written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from agents.reasons import reason_words
from bot.core.ledger import Direction, EntryDraft, to_minor
from bot.core.words import Text, text
from bot.language.money import AmountEntry, AmountsResult

MOST_AT_ONCE = 5
"""Entries that are written without a review card (design, section 5)."""

MOST_REVIEWED = 20
"""Entries that one message may hold at all."""


@dataclass(frozen=True, slots=True)
class Drafts:
    """Entries to be written, or why not.

    Attributes:
        problem: the reason in words; None when `entries` can be written.
    """

    entries: tuple[EntryDraft, ...] = ()
    problem: Text | None = None


def drafts_from(result: AmountsResult, now: datetime) -> Drafts:
    """Return entries for amounts that are certain."""
    if result.status == "reject":
        return Drafts(problem=reason_words(result.reason))
    if len(result.entries) > MOST_REVIEWED:
        return Drafts(problem=text("ledger.reject_too_many"))
    made: list[EntryDraft] = []
    for entry in result.entries:
        draft = draft_of(entry, now)
        if draft is None:
            return Drafts(problem=text("ledger.reject_amount"))
        if draft.occurred_on > now.date():
            return Drafts(problem=text("ledger.reject_future"))
        made.append(draft)
    return Drafts(entries=tuple(made))


def draft_of(entry: AmountEntry, now: datetime) -> EntryDraft | None:
    """Return one entry; None when its amount cannot be one of its currency."""
    try:
        minor = to_minor(entry.amount, entry.currency)
    except ValueError:
        return None
    return EntryDraft(
        minor=minor,
        currency=entry.currency,
        direction=Direction(entry.direction),
        item=entry.item,
        category=entry.category,
        occurred_on=entry.occurred_on or now.date(),
    )


def same_day_twin(drafts: Sequence[EntryDraft], stored: Sequence[EntryDraft]) -> bool:
    """Whether all drafts were written before: same day, item, amount and direction."""
    seen = {(d.occurred_on, d.item, d.minor, d.currency, d.direction) for d in stored}
    return all((d.occurred_on, d.item, d.minor, d.currency, d.direction) in seen for d in drafts)
