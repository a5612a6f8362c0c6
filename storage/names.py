"""Names of entries as the stores compare them."""

from bot.core.ledger import EntryFilter
from bot.language.normalize import folded


def parts_of_name(wanted: EntryFilter) -> list[str]:
    """Return what the folded name of an entry must hold, all of it."""
    parts = wanted.also if wanted.item is None else (wanted.item, *wanted.also)
    return [folded(part) for part in parts]
